"""The checklist on pairs: tests between lexica or formats compare worlds, not people."""

import pytest

from app.scoring.permutation import can_find, sign_test
from app.study.design.check_item import FINE, LOOK
from app.study.design.checklist import checks
from app.study.design.spec import check_study
from app.study.report import whatif

BASE = {"slug": "words", "title": "Words"}


def items(*blocks, **more):
    spec = check_study({**BASE, "blocks": [*blocks], **more})
    return [one for one in checks(spec) if one.name == "pairs"]


def both(task, seeds, others=None, *, name="lexicon", values=("semantic", "nonce")):
    seeds = (seeds, seeds if others is None else others)
    return [
        {"task": task, "seeds": one, name: value} for one, value in zip(seeds, values, strict=True)
    ]


@pytest.mark.parametrize("name", ["lexicon", "format"])
def test_six_pairs_are_enough_for_one_task_and_four_are_not(name):
    values = ("semantic", "nonce") if name == "lexicon" else ("episodic", "direct")
    (few,), (enough,) = (
        items(*both("A-Comp", seeds, name=name, values=values)) for seeds in ("0-3", "0-5")
    )

    assert (few.level, few.path, enough.level) == (LOOK, "blocks", FINE)
    assert "Combine size and color has 4." in few.found


def test_seeds_that_differ_between_the_sides_make_no_pair():
    (found,) = items(*both("A-Comp", "0-5", "6-11"))

    assert (found.level, "has 0." in found.found) == (LOOK, True)


def test_tasks_of_one_family_need_seven_pairs_because_p_is_doubled():
    six = items(*both("A-Comp", "0-5"), *both("A-Over", "0-5"))
    seven = items(*both("A-Comp", "0-6"), *both("A-Over", "0-6"))

    assert [one.level for one in (*six, *seven)] == [LOOK, FINE]
    assert "Total" not in six[0].found  # twelve pairs: the difference over both tasks can be found


def test_no_second_lexicon_or_format_needs_no_pair():
    assert items({"task": "A-Comp", "seeds": "0-3"}) == []


@pytest.mark.parametrize("pairs", range(1, 12))
def test_so_many_pairs_are_enough_as_the_test_itself_says(pairs):
    assert can_find(pairs) == (sign_test([1.0] * pairs).p <= 0.05)
    assert whatif.has_too_few({"pairs": pairs, "tests": 1}) == (pairs < 6)


@pytest.mark.parametrize(("seeds", "level"), [("0-5", LOOK), ("0-6", FINE)])
def test_tasks_of_both_families_need_seven_pairs_for_the_test_of_a_family(seeds, level):
    (found,) = items(*both("A-Comp", seeds), *both("P-Cond", seeds))

    assert found.level == level
    families = "p = .05, however many people take part: the attribute family has 6, the procedural "
    assert (families in found.found) == (level == LOOK)


@pytest.mark.parametrize(
    ("quota", "said", "level"),
    [
        (22, "About 1.83 people play each world on each side", LOOK),
        (24, "About 2 people play each world on each side", FINE),
        (66, "About 5.5 people play each world on each side", FINE),
    ],
)
def test_enough_pairs_are_not_called_enough_for_a_test_and_people_are_counted(quota, said, level):
    (found,) = items(*both("A-Comp", "0-5"), people={"quota": quota}, between="lexicon")

    assert (found.level, found.path) == (level, "people.quota" if level == LOOK else "")
    assert "Enough pairs for p = .05 to be possible, which does not make it likely" in found.found
    assert said in found.found
    assert "hjstudy plan words" in found.found
    assert ("Raise the number of participants" in found.advice) == (level == LOOK)


def test_people_who_play_several_worlds_count_in_each():
    (found,) = items(*both("A-Comp", "0-5"), people={"quota": 6}, per_player=2)
    assert (found.level, "About 1 person plays" in found.found) == (LOOK, True)
    (found,) = items(*both("A-Comp", "0-5"), people={"quota": 24}, per_player=2)
    assert "About 4 people play" in found.found


def test_quotas_of_cells_limit_the_people_in_a_world():
    (found,) = items(*both("A-Comp", "0-5"), people={"quota": 60, "cell_quota": 1})
    assert (found.level, "About 1 person plays each world" in found.found) == (LOOK, True)


def test_without_a_quota_no_number_of_people_is_claimed():
    (found,) = items(*both("A-Comp", "0-5"))
    assert (found.level, "About" in found.found) == (FINE, False)
    assert "How many people play each world is open, because there is no quota" in found.found
    assert "hjstudy plan words" in found.found
