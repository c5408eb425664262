"""What raters and judges said, in exports: long tables, RV in baseline, and what is kept back."""

import csv
import io

import pytest

from app.study import export
from tests.rating_desk import Desk
from tests.study.story import NOON, Story

RATERS = ("ann", "bob")


@pytest.fixture
def story(server):
    story = Story(server.store)
    token = story.enter()
    for position, text in ((0, "first idea"), (1, "class, then role")):
        story.win(token, 0, position)
        story.explain(token, 0, position, inputs=text, confidence="50")
    return story


@pytest.fixture
def author(story):
    """Return the public id of the only person."""
    return rows(story, "participant")[0]["participant_id"]


@pytest.fixture
def rated(app, settings, story, author):
    """Two people rate the last explanation 2 and 1; the judge gives it 1."""
    desk = Desk(app, settings, slug="story")
    desk.models(1)
    desk.open(RATERS)
    item = f"{author}-w1-r2"
    for name, value in zip(RATERS, ("2", "1"), strict=True):
        browser = desk.browser(name)
        for place in desk.places(name):
            browser.get(f"/rate/item/{place.token}")
            if "class, then role" in browser.answer.text:
                browser.send("revision", value=value, comment="a word")
    desk.judge({item: 1})
    return item


def rows(story, table):
    data = b"".join(export.stream_csv(story.store, "story", table, "csv")).decode()
    return list(csv.DictReader(io.StringIO(data, newline="")))


def test_every_assignment_is_a_row_of_the_rating_table(story, rated):
    found = rows(story, "rating")
    assert {row["rater"] for row in found} == {"rater_1", "rater_2"}
    mine = [row for row in found if row["item_id"] == rated]
    assert sorted(row["value"] for row in mine) == ["1", "2"]
    assert {(row["role"], row["repeat"], row["comment"]) for row in mine} == {
        ("main", "0", "a word")
    }
    assert {row["revisions"] for row in found} == {"0", "1"}


def test_judge_and_item_are_exported_with_their_author(story, rated, author):
    (judged,) = rows(story, "judge")
    assert (judged["item_id"], judged["value"], judged["status"]) == (rated, "1", "ok")
    kinds = {row["item_id"]: row for row in rows(story, "item")}
    assert kinds[rated]["participant_id"] == author
    assert kinds["m0"]["item_kind"] == "model"
    assert kinds["m0"]["text"]


def test_baseline_has_rv_of_the_last_explanation_by_source(story, rated):
    unit = rows(story, "baseline")[0]
    assert (unit["rv_judge"], unit["rv_human"], unit["rv_final"]) == ("0.5", "0.75", "0.75")
    assert (unit["rv"], unit["rv_source"], unit["rv_reason"]) == ("0.75", "final", "")
    assert unit["first_rv_human"] == ""


def test_shareable_bundle_keeps_back_words_of_raters_and_unreleased_items(
    story, rated, author, tmp_path
):
    out = tmp_path / "out"
    export.export(story.store, "story", out, NOON, shareable=True)
    for table in ("item", "rating"):
        (path,) = (out / "data").glob(f"*level-{table}_data.csv")
        text = path.read_text("utf-8")
        assert "class, then role" not in text
        assert "a word" not in text
        assert author in text
    (path,) = (out / "data").glob("*level-item_data.csv")
    assert "Explanation number 0" in path.read_text("utf-8")
