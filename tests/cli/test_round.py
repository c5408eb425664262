"""hjstudy round: samples and rounds by command, and the open items of an annotator who left.

A whole round, whose items are rated, is in tests/models/test_whole_study.py.
"""

from types import SimpleNamespace

import pytest

from app.store.rating import rounds
from app.study.design.library import Library
from app.study.rating.round_start import START
from app.study.rating.rubric import CRITERIA_RUBRIC
from tests.cli.test_study import STUDY
from tests.rating_desk import Desk


@pytest.fixture
def desk(facts, store, tmp_path):
    (tmp_path / "autumn.yaml").write_text(STUDY)
    facts("study", "create", "autumn.yaml")
    server = SimpleNamespace(store=store, library=Library())
    return Desk(SimpleNamespace(state=SimpleNamespace(server=server)), None, "autumn")


def test_open_items_are_handed_over_from_the_command_line(desk, facts, hjstudy):
    desk.models(3)
    number = desk.open(("ann",))
    desk.annotators("cy")
    made = facts("round", "hand-over", "autumn", number, "--from", "ann", "--to", "cy")
    assert made == {"moved": 3, "left": 0, "dropped": 0}
    assert len(desk.places("cy")) == 3
    code, out, err = hjstudy("round", "hand-over", "autumn", number, "--from", "cy", "--to", "dan")
    assert (code, out) == (2, "")
    assert "There is no annotator called 'dan'." in err
    code, _, err = hjstudy("round", "hand-over", "autumn", 9, "--from", "ann", "--to", "cy")
    assert code == 2
    assert "no such rating round" in err


def test_sample_and_round_are_made_and_told_in_words(desk, facts, hjstudy, tmp_path):
    desk.models(6)
    desk.judge({f"m{n}": n % 3 for n in range(6)})
    desk.judge({f"m{n}": 2 for n in range(6)}, judge="generous")
    desk.annotators("ann", "bob")
    told = hjstudy("round", "sample", "autumn", "--judge", "1", "--per-level", 1)[1]
    assert told == "Sample 1 of 'autumn': 3 of 6 items.\n"
    second = facts("round", "sample", "autumn", "--judge", "generous")
    assert second == {"sample": 2, "drawn": 6, "frame": 6}
    (tmp_path / "own.md").write_text("Rate kindly.")
    own = ("--guidelines", "own.md", "--items", "sample:1", "--title", "Second look", "--k", 1)
    code, told, _ = hjstudy("round", "create", "autumn", "--raters", "ann, bob", *own)
    assert (code, told) == (0, "Round 1 of 'autumn': draft.\n")
    with desk.store.read() as db:
        row = rounds.find(db, desk.study.id, 1)
    assert (row.title, row.k, row.rubric, row.rubric_version) == (
        *("Second look", 1),
        *("Rate kindly.", "own"),
    )
    assert hjstudy("round", "open", "autumn", 1)[1] == "Round 1 of 'autumn': open.\n"
    told = hjstudy("round", "agreement", "autumn", 1, "--bootstrap", 0)[1].splitlines()
    assert told[0].split() == ["balanced", "raters:", "-"]
    assert any(line.startswith("pool     raters and generous: ") for line in told)


def test_round_is_by_default_what_it_is_on_the_page(desk, hjstudy):
    desk.models(2)
    desk.annotators("ann")
    hjstudy("round", "create", "autumn", "--raters", "ann")
    more = ("--mode", "criteria", "--ask-source", "round", "--adjudicators", 2)
    hjstudy("round", "create", "autumn", "--raters", "ann", *more, "--repeat-percent", 20)
    with desk.store.read() as db:
        first, second = (rounds.find(db, desk.study.id, number) for number in (1, 2))
    options = ("seed", "ask_source", "adjudicators", "repeat_percent", "gold_after", "rubric")
    for name in (*options, "rubric_version"):
        assert str(getattr(first, name)) in {START[name], START[name].strip()}, name
    assert (second.ask_source, second.adjudicators, second.repeat_percent) == ("round", 2, 20)
    assert second.rubric == CRITERIA_RUBRIC.strip()


def test_round_with_gaps_is_closed_only_if_that_is_meant(desk, hjstudy):
    desk.models(2)
    desk.open(("ann",), ask_source="round")
    code, out, err = hjstudy("round", "close", "autumn", 1)
    assert (code, out) == (2, "")
    assert "2 ratings and 2 answers are missing, and a closed round cannot be opened again" in err
    assert desk.view("ann").is_open
    assert hjstudy("round", "close", "autumn", 1, "--anyway")[0] == 0
    assert hjstudy("round", "close", "autumn", 1)[0] == 0  # it is closed already
    assert not desk.view("ann").is_open


BAD = {
    ("sample", "autumn", "--judge", "nobody"): "--judge: 'nobody'",
    ("sample", "autumn", "--judge", "1", "--of", "beauty"): "Choose a level",
    ("create", "autumn", "--raters", "zoe"): "--raters: 'zoe' is not one of the annotators: ann",
    ("create", "autumn", "--raters", "ann", "--guidelines", "none.md"): "--guidelines",
    ("create", "autumn", "--raters", "ann", "--items", "sample:7"): "This sample does not exist.",
    ("open", "autumn", "7"): "no such rating round",
    ("close", "autumn", "7"): "no such rating round",
    ("agreement", "autumn", "7"): "no such rating round",
}


def test_what_does_not_exist_is_named(desk, hjstudy):
    desk.models(2)
    desk.judge({"m0": 1})
    desk.annotators("ann")
    for arguments, words in BAD.items():
        code, out, problem = hjstudy("round", *arguments)
        assert (code, out, words in problem) == (2, "", True), problem
