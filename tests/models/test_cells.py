"""Which cells a run plays: every name given must be one of the study's."""

import pytest

from app.study.design import studies
from app.study.models.cells import NothingToPlayError, choose, spans, unlike_preset

BASE = ("model", "run", "--study", "demo", "--model", "m", "--dry-run")
UNKNOWN = {
    ("--tasks", "P-Comp,A-Ovre"): "no task 'A-Ovre'. It has: A-Comp, A-Over, P-Comp.",
    ("--seeds", "2,77"): "no seed 77. It has: 1, 2, 5.",
    ("--seeds", "0-9"): "no seeds 0, 3, 4, 6-9. It has: 1, 2, 5.",
    ("--tasks", "P-Comp,A-Ovre", "--seeds", "2,77"): "no task 'A-Ovre' and no seed 77. It has",
    ("--tasks", "P-Comp,A-Over", "--seeds", "1"): "no cell of P-Comp with these seeds",
    ("--tasks", "P-Comp", "--seeds", "2,5"): "no cell of P-Comp with seed 5",
    ("--tasks", " ,"): "--tasks",
}


@pytest.mark.parametrize("options", UNKNOWN, ids=" ".join)
def test_name_that_the_study_does_not_have_is_refused_with_those_it_has(
    hjstudy, endpoint, script, options
):
    code, _, message = hjstudy(*BASE, "--base-url", endpoint, *options)
    assert (code, UNKNOWN[options] in message) == (2, True), message


def test_names_of_the_study_choose_its_cells(script, store):
    with store.read() as db:
        study = studies.find(db, "demo")

    def keys(tasks, seeds, **more):
        return [cell.key for cell in choose(study, tasks, seeds, **{"direct": False, **more})]

    assert keys((), ()) == [cell.key for cell in study.spec.cells()]
    assert len(keys(("P-Comp", "A-Over"), (1, 2))) == 3
    assert keys(("A-Over",), (2,)) == ["A-Over/2/semantic/1"]
    with pytest.raises(NothingToPlayError):
        keys(("A-Over",), (5,))


def test_seeds_are_listed_as_ranges():
    assert spans([5, 0, 1, 2, 9, 10]) == "0-2, 5, 9, 10"


def test_distractors_other_than_the_presets_are_said_in_one_line(
    hjstudy, endpoint, script, make_study, store
):
    for preset, line in (
        ("paper", ""),
        ("package", "The study's variants have 4 distractors, those of the preset package have 0."),
    ):
        code, _, message = hjstudy(*BASE, "--base-url", endpoint, "--preset", preset)
        assert (code, message.strip()) == (0, line)
    run = (*BASE[:-1], "--base-url", endpoint, "--tasks", "P-Comp", "--explanations", "none")
    _, out, message = hjstudy(*run, "--preset", "package", "--json")
    assert message.count("4 distractors") == 1
    assert "distractors" not in out


def test_distractors_are_those_of_the_chosen_cells_only(make_study, store):
    blocks = [
        {"task": "A-Over", "seeds": [1], "distractors": 2},
        {"task": "P-Comp", "seeds": [2]},
        {"task": "A-Comp", "seeds": [5], "distractors": 0},
    ]
    make_study(blocks=blocks)
    with store.read() as db:
        study = studies.find(db, "demo")

    def line(*tasks):
        return unlike_preset(study, choose(study, tasks, (), direct=False), "paper")

    assert line("P-Comp") == ""
    assert line() == (
        "The study's variants have 0, 2 or 4 distractors, those of the preset paper have 4."
    )
    assert line("A-Over").startswith("The study's variants have 2 distractors")
