"""Seeds as people type them, in a study file, in the form and for `--seeds`."""

import pytest

from app.study.design.seeds import parse_seeds
from app.study.design.spec import StudyFileError, parse_study

HEAD = "slug: a\ntitle: A\nblocks:\n  - {task: A-Add, seeds: "
NOT_SEEDS = "is not a number or a range such as 0-19"
BACKWARDS = "is too large or runs backwards"
WRONG = [  # what is typed, the part that the message quotes, what the message says
    ("0-", "0-", NOT_SEEDS),
    ("5-", "5-", NOT_SEEDS),
    ("1,4-", "4-", NOT_SEEDS),
    ("-", "-", NOT_SEEDS),
    ("-3", "-3", NOT_SEEDS),
    ("0--6", "0--6", NOT_SEEDS),
    ("0-6-", "0-6-", NOT_SEEDS),
    ("0-3-6", "0-3-6", NOT_SEEDS),
    ("1,,2", "", NOT_SEEDS),
    ("1,2,", "", NOT_SEEDS),
    (",", "", NOT_SEEDS),
    ("", "", NOT_SEEDS),
    ("  ", "", NOT_SEEDS),
    ("1 - 3", "1 - 3", NOT_SEEDS),
    ("1 2", "1 2", NOT_SEEDS),
    ("+3", "+3", NOT_SEEDS),
    ("1.5", "1.5", NOT_SEEDS),
    ("0–6", "0–6", NOT_SEEDS),
    ("３", "３", NOT_SEEDS),  # full-width
    ("0-６", "0-６", NOT_SEEDS),
    ("٣", "٣", NOT_SEEDS),  # Arabic
    ("²", "²", NOT_SEEDS),
    ("3-1", "3-1", BACKWARDS),
    ("2147483648", "2147483648", BACKWARDS),
    ("9" * 5000, "9" * 40 + "…", BACKWARDS),
]
RIGHT = [
    ("3", (3,)),
    ("0-3", (0, 1, 2, 3)),
    ("4-4", (4,)),
    (" 0 , 2,5-7 ", (0, 2, 5, 6, 7)),
    ("08", (8,)),
]


@pytest.mark.parametrize(("text", "quoted", "says"), WRONG)
def test_odd_seeds_are_refused_with_the_part_that_is_wrong(text, quoted, says):
    with pytest.raises(ValueError, match="seeds: ") as caught:
        parse_seeds(text)
    assert str(caught.value) == f"seeds: '{quoted}' {says}"
    with pytest.raises(StudyFileError) as refused:
        parse_study(f'{HEAD}"{text}"}}\n')
    assert str(refused.value) == f"blocks.0.seeds: '{quoted}' {says} (line 4)"


@pytest.mark.parametrize(("text", "seeds"), RIGHT)
def test_numbers_and_ranges_are_read_with_blanks_around_them(text, seeds):
    assert parse_seeds(text) == seeds
    assert parse_study(f'{HEAD}"{text}"}}\n').blocks[0].seeds == seeds


PLAIN = [
    ("0-", "0-"),
    ("-3", "-3"),
    ("1.5", "1.5"),
    ("", ""),
    ("true", "True"),
    ("{a: 1}", "{'a': 1}"),
]


@pytest.mark.parametrize(("text", "quoted"), PLAIN)
def test_odd_seeds_of_a_file_are_refused_without_quotes_too(text, quoted):
    with pytest.raises(StudyFileError) as refused:
        parse_study(f"{HEAD}{text}}}\n")
    assert str(refused.value) == f"blocks.0.seeds: '{quoted}' {NOT_SEEDS} (line 4)"
