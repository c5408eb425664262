"""What the checklist says about how people come in: with which IDs, and how many at once."""

import pytest

from app.study.design.check_item import FINE, LOOK
from app.study.design.checklist import checks
from app.study.design.spec import check_study

RETURN = "https://app.prolific.com/submissions/complete?cc={code}"
CODES = {"kind": "static", "return_url": RETURN}
CODES |= {"finished": "CDONE11", "no_consent": "CNONE22", "withdrawn": "CLEFT33"}


def found_in(name, **parts):
    """Return an item of the checklist for a study with these parts."""
    study = {"slug": "s", "title": "S", "blocks": [{"task": "A-Over", "seeds": [0]}], **parts}
    return next(one for one in checks(check_study(study)) if one.name == name)


@pytest.mark.parametrize(
    ("names", "level"),
    [
        (["participant_label"], LOOK),
        (["participant_label", "PROLIFIC_PID"], FINE),
        (["prolific_pid"], FINE),
        (None, FINE),
    ],
)
def test_return_to_prolific_without_its_ids_is_advised_against(names, level):
    options = {} if names is None else {"id_parameters": names}
    found = found_in("codes", codes=CODES, options=options)
    assert (found.level, "does not read their Prolific ID" in found.found) == (level, level == LOOK)


def test_checklist_says_how_many_enter_at_once_from_one_address():
    assert "From one address, 1 person can enter" in found_in("quota", people={"quota": 4}).found
    people = {"quota": 40, "burst": 40}
    assert "From one address, 40 people can enter" in found_in("quota", people=people).found


@pytest.mark.parametrize(("people", "level"), [(3, LOOK), (4, FINE)])
def test_too_few_people_for_all_cells_are_named(people, level):
    tasks = [{"task": "A-Over", "seeds": [0, 1, 2, 3]}, {"task": "A-Add", "seeds": [0, 1, 2]}]
    found = found_in("quota", people={"quota": people}, per_player=2, blocks=tasks)
    assert (found.level, "They can play only 6 of the 7 cells." in found.found) == (
        level,
        level == LOOK,
    )


@pytest.mark.parametrize(("kind", "level"), [("pilot", LOOK), ("bots", FINE)])
def test_bots_need_no_code_that_prolific_accepts(kind, level):
    codes = {"kind": "personal", "return_url": RETURN, "withdrawn": "W", "no_consent": "N"}
    assert found_in("codes", kind=kind, codes=codes).level == level


@pytest.mark.parametrize("missing", [{}, CODES, {"return_url": RETURN}])
def test_study_that_bots_play_needs_no_codes(missing):
    assert found_in("codes", kind="bots", codes=missing).level == FINE


@pytest.mark.parametrize(
    ("kind", "require", "url", "named"),
    [
        ("pilot", "nothing", RETURN, True),
        ("real", "nothing", RETURN, True),
        ("real", "id", RETURN, False),
        ("bots", "nothing", RETURN, False),
        ("real", "nothing", "https://example.org/?cc={code}", False),
    ],
)
def test_people_from_prolific_who_can_enter_without_an_id_are_named(kind, require, url, named):
    codes = {**CODES, "return_url": url}
    study = {"slug": "s", "title": "S", "blocks": [{"task": "A-Over", "seeds": [0]}], "kind": kind}
    found = checks(check_study({**study, "codes": codes, "people": {"require": require}}))
    items = [(one.level, one.path) for one in found if one.name == "entry"]
    assert items == [(LOOK, "people.require")] * named
