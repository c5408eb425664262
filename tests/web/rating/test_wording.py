"""The wording of the rules that annotators saw is stored with the round and every rating."""

import csv
import io
import json
import re

import pytest
import sqlalchemy as sa

from app.store.rating import ratings, rounds
from app.study import ground_truth
from app.study.export import files

pytestmark = pytest.mark.one_database

OWN = "/admin/studies/demo/rating/rounds/1"
RATERS = ("ann", "bob")


@pytest.fixture
def boss(desk):
    return desk.browser("boss", "researcher")


@pytest.fixture
def opened(desk):
    """A round of three items, opened with the newest wording."""
    desk.models(3)
    return desk.open(RATERS)


@pytest.fixture
def release(monkeypatch):
    """A release with a new wording while a round is open."""

    def make():
        monkeypatch.setattr(ground_truth, "VERSIONS", (*ground_truth.VERSIONS, "next"))
        monkeypatch.setattr(ground_truth, "VERSION", "next")

    return make


def words_of(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def round_of(desk):
    with desk.store.read() as db:
        return rounds.find(db, desk.study.id, 1)


def rate(browser, place, **typed):
    return browser.get(f"/rate/item/{place.token}").send("revision", **typed)


def report_of(boss):
    return json.loads(boss.get(f"{OWN}/agreement/report.json").answer.text)


def test_a_round_keeps_the_wording_that_it_opened_with(desk, boss, release):
    desk.models(3)
    desk.draft(RATERS)
    assert round_of(desk).rule_version == ""
    assert "wording" not in words_of(boss.get(OWN).answer)
    boss.send("ticket", action="open")
    assert round_of(desk).rule_version == ground_truth.VERSION == "1"
    assert "Wording of the rules: version 1. Annotators can change" in words_of(
        boss.get(OWN).answer
    )
    release()
    assert round_of(desk).rule_version == "1"
    assert "Annotators now see version next; each rating is stored" in words_of(
        boss.get(OWN).answer
    )
    desk.close(1)
    assert "now see" not in words_of(boss.get(OWN).answer)


def test_a_page_made_before_a_new_wording_keeps_its_own(desk, opened, boss, release):
    """After an update, the version that the page showed is stored."""
    ann, places = desk.browser("ann"), desk.places("ann")
    ann.get(f"/rate/item/{places[0].token}")
    assert "Wording of the rule: version 1." in words_of(ann.answer)
    release()
    ann.send("revision", value="2")
    assert "Wording of the rule: version next." in words_of(ann.answer)
    ann.send("revision", value="1")
    rate(ann, places[2], value="0")
    rate(ann, places[0], value="1")  # changed under the new wording
    seen = {one.position: one.rule_version for one in desk.places("ann")}
    assert seen == {1: "next", 2: "next", 3: "next"}
    assert [one.rule_version for one in desk.history(places[0].token, "ann")] == ["1", "next"]


def test_report_methods_and_export_name_every_wording_seen(desk, opened, boss, release):
    ann, places = desk.browser("ann"), desk.places("ann")
    rate(ann, places[0], value="2")
    one = report_of(boss)
    assert one["round"]["rule_version"] == "1"
    assert one["round"]["rule_versions_shown"] == [{"version": "1", "ratings": 1}]
    assert "the ground truth (as worded by hjstudy, version 1)" in one["methods"][0]
    release()
    rate(ann, places[1], value="2")
    rate(ann, places[2], value="skip", skip_reason="unreadable")
    two = report_of(boss)
    assert two["round"]["rule_version"] == "1"
    assert two["round"]["rule_versions_shown"] == [
        {"version": "1", "ratings": 1},
        {"version": "next", "ratings": 2},
    ]
    wordings = "as worded by hjstudy, version 1 with 1 rating, version next with 2 ratings"
    assert f"the ground truth ({wordings})" in two["methods"][0]
    assert wordings in words_of(boss.get(f"{OWN}/agreement").answer)
    rate(ann, places[0], value="0")
    data = b"".join(files.stream_csv(desk.store, "demo", "rating", "csv")).decode()
    found = list(csv.DictReader(io.StringIO(data, newline="")))
    names = ("rule_version", "first_rule_version", "saved_rule_version")
    assert {tuple(row[name] for name in names) for row in found if row["rater"] == "rater_1"} == {
        ("1", "1", "next"),
        ("1", "next", "next"),
    }
    assert {tuple(row[name] for name in names) for row in found if row["rater"] == "rater_2"} == {
        ("1", "", "")
    }


@pytest.mark.parametrize("sent", ["", "99", "1 ", "x" * 500])
def test_a_version_that_is_none_of_ours_is_stored_as_unknown(desk, opened, sent):
    ann, place = desk.browser("ann"), desk.places("ann")[0]
    rate(ann, place, value="2", rule_version=sent)
    (stored,) = desk.history(place.token, "ann")
    assert (stored.value, stored.rule_version) == (2, "")


def test_the_wording_of_an_older_round_is_shown_as_unknown(desk, opened, boss):
    rate(desk.browser("ann"), desk.places("ann")[0], value="2")
    with desk.store.write() as db:
        for table in (rounds.rating_round, ratings.rating):
            db.execute(sa.update(table).values(rule_version=""))
    assert "unknown, because its version was not stored when the round opened" in words_of(
        boss.get(OWN).answer
    )
    found = report_of(boss)
    assert found["round"]["rule_version"] is None
    assert found["round"]["rule_versions_shown"] == [{"version": None, "ratings": 1}]
    assert "(as worded by hjstudy, version unknown)" in found["methods"][0]


def test_without_a_rating_the_report_names_the_rounds_own_wording(desk, opened, boss):
    found = report_of(boss)
    assert found["round"]["rule_versions_shown"] == []
    assert "(as worded by hjstudy, version 1)" in found["methods"][0]
