"""Ratings and judge scores in exports: long tables, RV in baseline, and what is left out."""

import csv
import io

import pytest
import sqlalchemy as sa

from app.store.play.explanations import explanation
from app.store.play.participants import participant
from app.store.rating import adjudications, items, judges, samples
from app.store.rating.judges import judge_run
from app.store.rating.rounds import round_item
from app.store.rating.scales import CRITERIA
from app.study.export import files
from app.study.rating import player_items
from tests.rating_desk import Desk
from tests.study.story import NOON, Story

RATED = ("item", "rating", "judge", "sample", "adjudication")
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
    """Return the public ID of the only participant."""
    return rows(story, "participant")[0]["participant_id"]


@pytest.fixture
def rated(app, settings, story, author):
    """Two annotators rate the last explanation 2 and 1; the judge gives it 1."""
    desk = Desk(app, settings, slug="story")
    desk.models(1)
    desk.open(RATERS)
    item = f"{author}-w1-r2"
    for name, value in zip(RATERS, ("2", "1"), strict=True):
        browser = desk.browser(name)
        for place in desk.places(name):
            browser.get(f"/rate/item/{place.token}")
            if "Class, then role." in browser.answer.text:
                browser.send("revision", value=value, comment="a word")
    desk.judge({item: 1})
    return item


def rows(story, table):
    data = b"".join(files.stream_csv(story.store, "story", table, "csv")).decode()
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


def test_every_table_of_rating_names_block_and_episode_of_the_explanation(story, rated, author):
    """Like the table of explanations; a model's item has neither."""
    exported = {row["explanation_id"]: row for row in rows(story, "explanation")}
    store_more(story.store, rated)
    for table in RATED:
        found = rows(story, table)
        mine = [row for row in found if row["item_id"] == rated]
        assert mine, table
        for row in found:
            wanted = exported.get(row["item_id"], {"block_id": "", "episode_index": ""})
            assert {name: row[name] for name in ("block_id", "episode_index")} == {
                name: wanted[name] for name in ("block_id", "episode_index")
            }
        assert (mine[0]["block_id"], mine[0]["episode_index"]) == (f"{author}-w1", "2"), table


def test_ratings_of_erased_people_keep_their_place(story, rated, author):
    store_more(story.store, rated)
    with story.store.write() as db:
        items.erase(db, db.execute(sa.select(participant.c.id)).scalar_one())
        db.execute(explanation.delete())
    for table in RATED:
        mine = [row for row in rows(story, table) if row["item_id"] == rated]
        assert {(r["block_id"], r["episode_index"]) for r in mine} == {(f"{author}-w1", "2")}


def test_explanation_after_the_block_belongs_to_no_one_episode(server):
    story = Story(server.store, rule_form={"when": "block"}, per_player=1)
    token = story.enter()
    for position in (0, 1):
        story.win(token, 0, position)
    story.explain(token, 0, -1)
    player_items.take_in(story.store, story.person(token).study_id, NOON)
    (item,) = rows(story, "item")
    assert item["block_id"] == rows(story, "explanation")[0]["block_id"]
    assert (item["item_id"][-3:], item["episode_index"]) == ("-r0", "")


def store_more(store, item_id):
    """Store a sample with all items as its frame, and a decision on one of them."""
    with store.write() as db:
        ids = dict(db.execute(sa.select(items.item.c.external_id, items.item.c.id)).all())
        run = db.execute(sa.select(judge_run)).one()
        facts = {"level_of": "score", "which": "last", "per_level": 1, "seed": 1, "frame_size": 2}
        words = dict.fromkeys(("frame_hash", "strata", "shortfalls", "merged", "made_by"), "x")
        drawn = {"study_id": run.study_id, "run_id": run.id, "allocation": "proportional"}
        frame = [
            {"item_id": one, "level": 1, "stratum": "", "place": None, "weight": None}
            for one in ids.values()
        ]
        samples.insert(db, {**facts, **words, **drawn, "created_at": NOON}, frame)
        one = db.execute(sa.select(round_item.c.id).where(round_item.c.item_id == ids[item_id]))
        decided = {"round_item_id": one.scalar_one(), "revision": 1, "value": 1, "comment": "x"}
        adjudications.insert(db, {**decided, "made_by": "x", "created_at": NOON})


def test_baseline_has_rv_of_the_last_explanation_by_source(story, rated):
    unit = rows(story, "baseline")[0]
    assert (unit["rv_judge"], unit["rv_human"], unit["rv_final"]) == ("0.5", "0.75", "0.75")
    assert (unit["rv"], unit["rv_source"], unit["rv_reason"]) == ("0.75", "final", "")
    assert unit["first_rv_human"] == ""


def test_rv_of_criteria_is_their_sum_over_eight_in_the_baseline(story, rated):
    """The first judge gave 1 of 2. With a second: (1/2 + 4/8) / 2; with a third: (1 + 1/8) / 3."""
    for name, scores, rv in (("x", (1, 2, 0, 1), "0.5"), ("y", (0, 0, 1, 0), "0.375")):
        in_criteria(story.store, rated, name, scores)
        assert rows(story, "baseline")[0]["rv_judge"] == rv


def in_criteria(store, item_id, judge, scores):
    """Store a judge that gives four criteria to an item."""
    facts = dict.fromkeys(("judge", "model", "prompt_version", "parameters", "made_by"), judge)
    named = dict(zip(CRITERIA, scores, strict=True))
    with store.write() as db:
        (item,) = db.execute(
            sa.select(items.item.c.id, items.item.c.study_id).where(
                items.item.c.external_id == item_id
            )
        ).all()
        made = {**facts, "kind": "file", "study_id": item.study_id, "created_at": NOON}
        row = {"run_id": judges.insert_run(db, made), "item_id": item.id, "created_at": NOON}
        judges.insert_scores(db, [{**row, **named, "status": "ok"}])


def test_shareable_bundle_keeps_back_words_of_raters_and_unreleased_items(
    story, rated, author, tmp_path
):
    out = tmp_path / "out"
    files.export(story.store, "story", out, NOON, shareable=True)
    for table in ("item", "rating"):
        (path,) = (out / "data").glob(f"*level-{table}_data.csv")
        text = path.read_text("utf-8")
        assert "class, then role" not in text
        assert "a word" not in text
        assert author in text
    (path,) = (out / "data").glob("*level-item_data.csv")
    assert "Explanation number 0" in path.read_text("utf-8")
