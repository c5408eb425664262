"""hjstudy payments, and what commands say about test participants."""

import csv
import stat

import pytest

from app.study.people import overview
from tests.study.story import Story


@pytest.fixture
def story(store):
    story = Story(store, payment={"base_cents": 300})
    story.win(story.enter(), 0, 0)
    story.enter(is_test=True)
    return story


def test_payments_are_those_of_the_page_without_test_participants_for_the_owner_only(
    story, facts, tmp_path
):
    assert facts("payments", "--study", "story", "--out", "pay.csv") == {
        "study": "story",
        "out": "pay.csv",
        "people": 1,
    }
    with (tmp_path / "pay.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["outcome"], row["total_cents"]) == ("active", "0")
    assert stat.S_IMODE((tmp_path / "pay.csv").stat().st_mode) == 0o600


def test_payments_of_a_folder_or_an_unknown_study_are_refused_in_words(story, hjstudy, tmp_path):
    assert hjstudy("payments", "--study", "nope", "--out", "pay.csv")[0] == 2
    assert not (tmp_path / "pay.csv").exists()
    code, _, err = hjstudy("payments", "--study", "story", "--out", ".")
    assert (code, err.startswith("Cannot write .: ")) == (2, True)


def test_bonus_lines_have_no_header(story, facts, tmp_path):
    assert facts("payments", "--study", "story", "--out", "b.csv", "--bonus")["people"] == 0
    assert (tmp_path / "b.csv").read_text() == ""


def test_export_says_how_many_test_participants_it_leaves_out(story, hjstudy):
    told = "1 test participant (people and bots) left out; use --include-test"
    code, out, err = hjstudy("export", "--study", "story", "--out", "data")
    assert (code, told in err, told in out) == (0, True, False)
    assert told in hjstudy("export", "--study", "story", "--out", "data", "--json")[2]
    _, _, err = hjstudy("export", "--study", "story", "--out", "data", "--include-test")
    assert "left out" not in err


def test_command_records_sent_bonuses_with_their_amounts_as_the_page_does(
    store, hjstudy, facts, tmp_path
):
    paid = Story(store, payment={"hourly_cents": 3000}, slug="paid")
    token = paid.enter(platform="prolific", external_id="ann")
    paid.win(token, 0, 0)
    (tmp_path / "sent.csv").write_bytes("\ufeffann,1.20\r\n".encode())
    once = facts("bonuses-sent", "sent.csv", "--study", "paid")
    assert once == {"study": "paid", "recorded": 1, "before": 0}
    assert facts("bonuses-sent", "sent.csv", "--study", "paid")["before"] == 1
    facts("payments", "--study", "paid", "--out", "pay.csv")
    with (tmp_path / "pay.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["bonus_sent_cents"], row["external_id"]) == ("120", "ann")
    (tmp_path / "wrong.csv").write_text("zoe,1.20\n")
    for name, words in (
        ("wrong.csv", "No one in this study has these IDs: zoe."),
        ("none.csv", "Cannot read none.csv"),
    ):
        code, _, err = hjstudy("bonuses-sent", name, "--study", "paid")
        assert (code, words in err) == (2, True), name
    with store.read() as db:
        who = paid.person(token).public_id
        (log,) = overview.hand_facts(db, who)["log"]
    assert (log["name"], log["amount"]) == ("command line", "GBP 1.20")
