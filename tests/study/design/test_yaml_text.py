"""YAML that other readers take in another sense, or for minutes: refused by line and field."""

import itertools
import time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from app.study.design import yaml_file, yaml_text
from app.study.design.spec import StudyFileError, parse_study
from app.study.design.yaml_text import YamlError, read

HEAD = "slug: a\ntitle: A\nblocks:\n  - {task: A-Comp, seeds: 0-3}\n"
LADDER = "".join(
    f"a{level}: &a{level} [{','.join([f'*a{level - 1}'] * 10 if level else 'x' * 10)}]\n"
    for level in range(7)
)
REFUSED = [  # file, line, field, words
    (f"{HEAD}seed: 010\n", 5, "seed", "cannot begin with 0"),
    (f"{HEAD}seed: 08\n", 5, "seed", "cannot begin with 0"),
    (f"{HEAD}seed: -010\n", 5, "seed", "cannot begin with 0"),
    (HEAD.replace("0-3", "[1, 09]"), 4, "blocks.0.seeds.1", "cannot begin with 0"),
    (f"{HEAD}codes: {{complete: 007}}\n", 5, "codes.complete", "in quotes"),
    (f"{HEAD}texts: {{minutes: 1:30}}\n", 5, "texts.minutes", "base 60"),
    (f"{HEAD}texts:\n  pay: 12:30:45\n", 6, "texts.pay", "base 60"),
    (f"{HEAD}seed: 1:30.5\n", 5, "seed", "base 60"),
    (f"{HEAD}seed: 0x1F\n", 5, "seed", "decimal digits"),
    (f"{HEAD}seed: 0b11\n", 5, "seed", "decimal digits"),
    (f"{HEAD}seed: 0o17\n", 5, "seed", "decimal digits"),
    (f"{HEAD}seed: 1_000\n", 5, "seed", "decimal digits"),
    (f"{HEAD}seed: .nan\n", 5, "seed", "not a finite number"),
    (f"{HEAD}seed: -.inf\n", 5, "seed", "not a finite number"),
    (f"{HEAD}seed: 1e999\n", 5, "seed", "too large"),
    (f"{HEAD}seed: {'9' * 5000}\n", 5, "seed", "at most 18 digits"),
    (f"{HEAD}texts: {{contact: a@b.org}}\ntexts: {{minutes: 5}}\n", 6, "texts", "first on line 5"),
    (f"{HEAD}texts:\n  pay: a\n  pay: b\n", 7, "texts.pay", "given twice"),
    (f"{HEAD}texts: {{pay: a, 'pay': b}}\n", 5, "texts.pay", "given twice"),
    (f"{HEAD}texts: {{pay: “GBP 4”}}\n", 5, "texts.pay", "quotation marks"),
    (f"{HEAD}texts: {{pay: „4 Euro“}}\n", 5, "texts.pay", "quotation marks"),
    (f"{HEAD}{LADDER}", 9, "a4.3", "counting what aliases stand for"),
    (f"{HEAD}a: &a [*a]\n", 5, "a.0", "inside its own anchor"),
    (f"{HEAD}a: &a {{b: *a}}\n", 5, "a.b", "inside its own anchor"),
    (f"{HEAD}a: *nothing\n", 5, "a", "no anchor"),
    (f"{HEAD}a: {'[' * 33}{']' * 33}\n", 5, "a" + ".0" * 32, "levels"),
    (f"{HEAD}a: {'[' * 9000}\n", 5, "", "nest"),
    (f"{HEAD}a:\n  - {'- ' * 9000}\n", 6, "a" + ".0" * 32, "levels"),
    (f"{HEAD}lexica:\n  1: {{}}\n", 6, "lexica", "in quotes"),
    (f"{HEAD}true: 1\n", 5, "", "in quotes"),
    (f"{HEAD}[a, b]: 1\n", 5, "", "a key must be a word"),
    (f"{HEAD}texts: {{<<: 5}}\n", 5, "texts.<<", "mapping"),
    (f"{HEAD}texts: !!python/name:os.system\n", 5, "texts", "tag"),
    (f"{HEAD}texts: !!binary aGk=\n", 5, "texts", "tag"),
    (f"{HEAD}---\nslug: b\n", 5, "", "one document"),
    (f"{HEAD}texts: {{pay: a\n", 6, "", "did not find expected"),
    (f"{HEAD}a: [{'1,' * 60_000}]\n", 5, "a.49986", "50,000 values"),
]


@pytest.mark.parametrize(("text", "line", "field", "words"), REFUSED)
def test_value_with_two_meanings_or_without_end_is_refused_by_line_and_field(
    text, line, field, words
):
    began = time.monotonic()
    with pytest.raises(StudyFileError, match=f"(?i)line {line}: ") as caught:
        parse_study(text)
    assert time.monotonic() - began < 5
    [fault] = caught.value.faults
    assert fault.path == field
    assert words in fault.message


def test_file_that_is_too_long_is_refused_before_it_is_read():
    with pytest.raises(StudyFileError, match=r"1,000,0\d\d characters"):
        parse_study(f"{HEAD}# {'x' * 1_000_000}")


def test_text_that_no_file_can_hold_is_refused():
    for text in ("a: \0", "a: \ud800"):
        with pytest.raises(YamlError):
            read(text)


@pytest.mark.parametrize("loader", [yaml_text.LOADER, yaml.SafeLoader])
def test_words_dates_and_quoted_numbers_are_text_and_numbers_are_decimal(monkeypatch, loader):
    monkeypatch.setattr(yaml_text, "LOADER", loader)
    text = """
    words: [yes, No, on, OFF, y, null, Null, ~, true, False, "true", "null", None]
    dates: [2026-11-28, 2026-11-28 12:00:00, '08:30']
    numbers: [0, -3, +4, 1.5, .5, 2., 1e3, 1.5e-3, "010", '1:30', !!str 010]
    empty:
    """
    assert read(text).data == {
        "words": ["yes", "No", "on", "OFF", "y", *[None] * 3, True, False, "true", "null", "None"],
        "dates": ["2026-11-28", "2026-11-28 12:00:00", "08:30"],
        "numbers": [0, -3, 4, 1.5, 0.5, 2.0, 1000.0, 0.0015, "010", "1:30", "010"],
        "empty": None,
    }
    assert read("").data is None
    assert read("# only a comment").data is None


def test_yes_is_true_where_a_field_is_true_or_false_and_a_text_where_it_is_text():
    spec = parse_study(f"{HEAD}options: {{tap: no, sort: on}}\ntexts: {{pay: no}}\n")
    assert (spec.options.tap, spec.options.sort, spec.texts.pay) == (False, True, "no")


@pytest.mark.parametrize(
    ("change", "line", "fault"),
    [
        ("texts: {pay: true}", 5, "texts.pay: must be text: write it in quotes (line 5)"),
        (
            "texts:\n  contact: a@b.org\n  pay: true",
            7,
            "texts.pay: must be text: write it in quotes (line 7)",
        ),
        (
            "people: {qota: 3}",
            5,
            "people.qota: there is no such field. Did you mean `quota`? (line 5)",
        ),
        ("people: {quota: 0}", 5, "people.quota: must be 1 or more (line 5)"),
    ],
)
def test_invalid_field_of_a_file_is_reported_with_its_line(change, line, fault):
    with pytest.raises(StudyFileError) as caught:
        parse_study(f"{HEAD}{change}\n")
    assert caught.value.message == fault
    assert caught.value.faults[0].line == line


def test_missing_field_is_reported_with_the_line_of_what_should_contain_it():
    with pytest.raises(StudyFileError) as caught:
        parse_study("slug: a\ntitle: A\nblocks:\n  - task: A-Add\n    seeds: 1\n  - seeds: 2\n")
    assert "blocks.1.task: is missing (line 6)" in caught.value.message


def test_anchors_and_merged_mappings_work_and_an_own_key_wins():
    spec = parse_study(
        "slug: a\ntitle: A\nblocks:\n"
        "  - &a {task: A-Comp, seeds: 0-1, lexicon: nonce}\n  - {<<: *a, seeds: 2-3}\n"
    )
    assert [(cell.seed, cell.lexicon) for cell in spec.cells()] == [
        (seed, "nonce") for seed in range(4)
    ]
    merged = read("a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b], z: 3}\n").data
    assert merged["c"] == {"x": 1, "y": 2, "z": 3}


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=12)
    | st.sampled_from(["010", "08", "1:30", "yes", "1_0", "1e5", ".inf", "0o7", "“a”", "~", "<<"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)  # fmt: skip


@given(st.dictionaries(st.text(max_size=5), values))
@settings(max_examples=300)
@pytest.mark.long
def test_what_we_write_is_read_as_the_same_data(document):
    assert read(yaml_file.to_yaml(document)).data == document


def test_every_refused_pattern_has_a_case():
    used = {
        number
        for text, *_ in REFUSED
        for word, (number, (pattern, _)) in itertools.product(
            text.replace("{", " ").replace("}", " ").split(": "), enumerate(yaml_text.REFUSED)
        )
        if pattern.fullmatch(word.strip())
    }
    assert used == set(range(len(yaml_text.REFUSED)))
