"""The report of a shareable bundle on what identifies people, and coarser data on request."""

import json
from itertools import pairwise

import pytest

from app.study.design import studies
from app.study.export import anonymity, coarse, files
from app.study.export.columns import EXPORT_COLUMNS
from app.study.mail_marks import holds_email
from app.study.rating import player_items
from tests.study.export.test_shared import bundle, release_all, table
from tests.study.story import NOON, Story

ASKED = [
    {"key": "age", "label": "How old are you?", "kind": "number"},
    {"key": "hand", "label": "Which hand?", "kind": "choice", "options": ["left", "right"]},
    {"key": "job", "label": "What do you do?", "kind": "text"},
]
PEOPLE = [("23", "left"), ("27", "left"), ("27", "right"), ("61", "right")]
ID = "5f3c9d2e1b0a"
ORDERED = {"arrival", "line", "event_index"}  # columns that differ in another order


@pytest.fixture
def story(store):
    """Four people; the last one's texts hold an ID and an e-mail address."""
    story = Story(store, questions={"before": ASKED, "comment": False})
    for number, (age, hand) in enumerate(PEOPLE):
        answers = {"age": age, "hand": hand, "job": f"I am {ID}3" if age == "61" else "teacher"}
        token = story.enter(answers, platform="link", external_id=f"{ID}{number}")
        story.type(token, 0, 0, "look", *story.solution(token, 0, 0))
        story.explain(token, 0, 0, inputs="write to anna (at) uni [dot] example", how="no")
    return story


def report(found):
    return json.loads(found["deidentification.json"])


def test_report_counts_ids_unread_texts_and_people_with_the_same_answers(story, tmp_path):
    found = report(bundle(story.store, tmp_path / "a", shareable=True))
    assert (found["ids_found"], found["texts_unread"]) == (0, 12)  # 4 jobs, commands, rules
    release_all(story.store)
    files = bundle(story.store, tmp_path / "b", shareable=True)
    found = report(files)
    assert found["left_out"] == {
        "answer": {"holds_an_id": 1},
        "explanation": {"holds_an_email": 4},
    }
    assert (found["ids_found"], found["texts_unread"], found["texts_included"]) == (5, 0, 7)
    people = found["anonymity"]
    assert people["attributes"] == ["age", "hand", "job"]
    assert (people["k"], people["alone"], people["in_small_classes"]) == (1, 4, 0)
    by = {one["name"]: one for one in people["by_attribute"]}
    assert (by["age"]["values"], by["age"]["small_cells"], by["age"]["l"]) == (3, 3, 1)
    assert by["hand"]["l"] == 1  # everyone who is 23 is left-handed
    assert "participant.created_at" in found["exact_columns"]
    for text in (files["README.md"], files["deidentification.md"]):
        assert "only a reader can find all names" in text
        assert "the smallest has 1 (k-anonymity)" in text
        assert "People are in order of arrival." in text
    assert "deidentification.json" not in bundle(story.store, tmp_path / "c")


def test_copies_in_item_are_listed_and_not_counted(story, tmp_path):
    released = story.enter(
        {"age": "30", "hand": "left", "job": "baker"}, platform="link", external_id="other-0001"
    )
    story.type(released, 0, 0, *story.solution(released, 0, 0))
    story.explain(released, 0, 0, inputs="the class", how="ask Maria")
    release_all(story.store)
    before = report(bundle(story.store, tmp_path / "a", shareable=True))
    with story.store.read() as db:
        study = studies.find(db, "story")
    assert player_items.take_in(story.store, study.id, NOON) == 5
    found = report(bundle(story.store, tmp_path / "b", shareable=True))
    for name in ("left_out", "ids_found", "texts_included", "texts_with_names"):
        assert found[name] == before[name], name
    new = [one for one in found["texts_listed"] if one not in before["texts_listed"]]
    marks = {"columns": ["text"], "looks_like_name": True, "long_number": False}
    assert new == [{"table": "item", "row": 5, **marks}]


def test_short_released_texts_count_in_k_and_longer_ones_do_not(store, tmp_path):
    story = Story(store, questions={"before": [ASKED[-1]], "comment": False})
    for job in ("Teacher", "teacher.", "PILOT", "I teach many children in a large town. " * 3):
        story.enter({"job": job}, platform="link", external_id=f"{ID}{len(job)}")
    unread = bundle(story.store, tmp_path / "a", shareable=True)
    assert report(unread)["anonymity"]["attributes"] == []
    release_all(story.store)
    files = bundle(story.store, tmp_path / "b", shareable=True)
    found = report(files)["anonymity"]
    assert (found["attributes"], found["k"], found["classes"]) == (["job"], 1, 3)
    assert [one["values"] for one in found["by_attribute"]] == [3]  # teacher, pilot, none
    assert "Longer texts are not counted" in files["README.md"]


def test_groups_of_links_are_attributes_of_the_report(story, tmp_path):
    files = bundle(story.store, tmp_path / "none", shareable=True)
    assert "group" not in report(files)["anonymity"]["attributes"]
    story.enter({"age": "23", "hand": "left", "job": "baker"}, group="wave-2")
    files = bundle(story.store, tmp_path / "one", shareable=True)
    assert "group" in report(files)["anonymity"]["attributes"]


def test_groups_count_like_answers():
    people = [{"group": "a", "age": "20"}] * 5 + [{"group": "b", "age": "20"}] * 2
    found = anonymity.describe(people)
    assert (found["k"], found["classes"], found["in_small_classes"]) == (2, 2, 2)
    alone = anonymity.describe([*people, {"group": "c", "age": "20"}])
    assert (alone["alone"], alone["in_small_classes"]) == (1, 2)  # no one counts twice
    assert {one["name"]: one["l"] for one in found["by_attribute"]} == {"group": 2, "age": 1}
    assert anonymity.describe([])["k"] == 0


def test_ages_are_given_in_bands(story, tmp_path):
    files = bundle(story.store, tmp_path / "a", shareable=True, coarsen=["age"])
    ages = [row["value"] for row in table(files, "answer") if row["question"] == "age"]
    assert ages == ["20-29", "20-29", "20-29", "60-69"]
    assert report(files)["anonymity"]["alone"] == 2
    assert report(files)["bands"] == {"age": 10}
    other = bundle(story.store, tmp_path / "b", shareable=True, coarsen=["age=50"])
    assert {row["value"] for row in table(other, "answer") if row["question"] == "age"} == {
        *("0-49", "50-99", "0-49"),
    }


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [("-1", 10, "-10--1"), ("20,5", 10, "20-29"), ("x", 10, ""), ("7", 1, "7"), ("1e999", 5, "")],
)
def test_band_of_odd_numbers(text, width, expected):
    assert coarse.band(text, width) == expected


def moments(files):
    for name, columns in EXPORT_COLUMNS.items():
        for row in table(files, name.replace("_", "")):
            for column in columns:
                if column.kind in {"time", "ms"} and row[column.name]:
                    yield f"{name}.{column.name}", row[column.name]


def test_no_time_of_day_is_left_when_times_are_rounded(story, tmp_path):
    files = bundle(story.store, tmp_path / "a", shareable=True, times="day")
    found = dict(moments(files))
    assert {"participant.created_at", "turn.received_ms", "seat.at"} <= set(found)
    for name, value in moments(files):
        if name.endswith("_ms"):
            assert int(value) % 86_400_000 == 0, name
        else:
            assert value.endswith("T00:00:00.000Z"), name
    assert report(files)["exact_columns"] == []


def test_relative_times_begin_with_each_person_and_keep_durations(story, tmp_path):
    plain = table(bundle(story.store, tmp_path / "a"), "turn")
    files = bundle(story.store, tmp_path / "b", shareable=True, times="relative")
    assert {row["created_at"] for row in table(files, "participant")} == {
        "2000-01-01T00:00:00.000Z"
    }
    for name, value in moments(files):
        begun = int(value) // 86_400_000 == 10_957 if name.endswith("_ms") else value[:10]
        assert begun in (True, "2000-01-01"), name
    moved = table(files, "turn")
    for rows in (plain, moved):
        rows.sort(key=lambda row: (row["episode_id"], int(row["seq"])))
    gaps = [
        [int(b["received_ms"]) - int(a["received_ms"]) for a, b in pairwise(rows)
         if a["episode_id"] == b["episode_id"]]
        for rows in (plain, moved)
    ]  # fmt: skip
    assert gaps[0] == gaps[1]


def test_shuffled_people_are_in_the_order_of_their_random_ids(story, tmp_path):
    plain = bundle(story.store, tmp_path / "a", shareable=True)
    files = bundle(story.store, tmp_path / "b", shareable=True, shuffle=True)
    for name in EXPORT_COLUMNS:
        rows = [table(one, name.replace("_", "")) for one in (plain, files)]
        same = [
            sorted(str({k: v for k, v in row.items() if k not in ORDERED}) for row in one)
            for one in rows
        ]
        assert same[0] == same[1], name
        people = [row["participant_id"] for row in rows[1] if row.get("participant_id")]
        assert people == sorted(people), name
    assert {row["arrival"] for row in table(files, "participant")} == {""}
    assert "the exact times reveal their order of arrival" in files["README.md"]


def test_impossible_options_are_refused(story, tmp_path):
    table = [
        ({"times": "noon"}, "not one of exact, day, relative"),
        ({"coarsen": ["hand"]}, "They are: age"),
        ({"coarsen": ["age=0"]}, "KEY=WIDTH"),
        ({"shareable": False, "shuffle": True}, "Only a shareable bundle"),
    ]
    for options, message in table:
        with pytest.raises((files.ExportError, coarse.CoarseError), match=message):
            bundle(story.store, tmp_path / "a", **{"shareable": True, **options})


@pytest.mark.parametrize(
    "text",
    [
        *("mail anna@uni.example", "ANNA.B@UNI.EXAMPLE!", "anna＠uni.example", "a+b@x-y.co.uk"),
        *("anna (at) uni [dot] example", "anna at uni dot example", "anna @ uni . example"),
    ],
)
def test_addresses_are_found_by_their_form(text):
    assert holds_email(text)


@pytest.mark.parametrize("text", ["look at the tower.", "3 @ 4", "the @ sign", "at dot", "a. b. c"])
def test_ordinary_text_is_no_address(text):
    assert not holds_email(text)
