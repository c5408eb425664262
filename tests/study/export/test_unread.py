"""The report says of everything that leaves whether it was read, marked or neither, and of whom
no ID can be found.
"""

import json
from collections import Counter
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.store.people.id_hashes import id_hash
from app.store.play.participants import participant
from app.store.play.turns import turn
from app.study.design.library import Library
from app.study.export import searched
from app.study.export.columns import EXPORT_COLUMNS
from app.study.people import identifiers, withdrawal
from app.study.play import problems, rule_form
from app.study.tickets import new_ticket
from tests.study.export import test_found_besides as besides
from tests.study.export.test_shared import bundle, release_all, table
from tests.study.story import Story

PHONES = ("0171 555 01 99", "call me: 5550199", "+49 (0)171/5550199", "MDE3MTU1NTAxOTk=")
ASKED = [
    {"key": "job", "label": "What do you do?", "kind": "text"},
    {"key": "how_many", "label": "How many?", "kind": "number"},
]
GIVEN = {"job": "baker", "how_many": "12"}
ID = "A1KCWQ8LDSBU5H"


@pytest.fixture
def everything(store):
    """A study with texts of people, models, agents and researchers; all that can be is released."""
    story = Story(store, **besides.CHANGES)
    token = story.enter(besides.GIVEN, external_id=besides.ID, platform="prolific", group="group-a")
    story.type(token, 0, 0, "look around", *story.solution(token, 0, 0))
    story.explain(token, 0, 0, inputs="the class", how="one each", found_how="by luck")
    rule_form.save_draft(store, token, "notes/0", {"text": "a note"}, 0, story.now())
    problems.report(store, token, "", "it froze", new_ticket(), story.now())
    besides.import_models(story)
    besides.play_as_agent(story)
    release_all(store)
    return story


def report_of(files):
    return json.loads(files["deidentification.json"])


def shared(story, folder, **options):
    return bundle(story.store, folder, shareable=True, **options)


def cells(files):
    """Yield (table, column, row from 1, text) of each text that hjstudy does not make itself."""
    for name in EXPORT_COLUMNS:
        columns = searched.searched(name)
        for number, row in enumerate(table(files, name.replace("_", "")), start=1):
            own = row.get("participant_id", "")
            for column in columns:
                text = row[column]
                if text and not (own and searched.is_made_from(text, own)):
                    yield name, column, number, text


def test_every_text_that_leaves_is_listed_as_read_or_counted_as_unread_in_its_place(
    everything, tmp_path
):
    files = shared(everything, tmp_path / "a", with_prompts=True)
    report = report_of(files)
    read = {
        (one["table"], column, one["row"])
        for one in report["texts_listed"]
        for column in one["columns"]
    }
    rows, texts = Counter(), {}
    for name, column, number, text in cells(files):
        if (name, column, number) not in read:
            rows[name, column] += 1
            texts.setdefault((name, column), set()).add(text)
    unread = {(one["file"], one["column"]): one for one in report["unread"]}
    of_tables = {place: one for place, one in unread.items() if place[0] in EXPORT_COLUMNS}
    assert {place: one["rows"] for place, one in of_tables.items()} == dict(rows)
    assert {place: one["texts"] for place, one in of_tables.items()} == {
        place: len(found) for place, found in texts.items()
    }
    assert ("turn", "raw") in unread
    assert ("README.md", "texts.consent") in unread
    assert ("README.md, dataset_description.json", "baseline.power") not in unread  # empty
    assert ("documentation/parity-certificate.json", "models") in unread
    for place, one in unread.items():
        named = [it for it in report["found_besides"] if (it["file"], it["column"]) == place]
        most = max((it["rows"] for it in named), default=0)
        assert most <= one["marked"] <= min(one["rows"], sum(it["rows"] for it in named))
        line = " | ".join(str(one[name]) for name in ("file", "column", "rows", "texts", "marked"))
        assert f"| {line} |" in files["deidentification.md"]
    total = sum(one["rows"] for one in report["unread"])
    assert f"Unread texts: {total} rows or texts in {len(unread)} columns" in files["README.md"]


def test_texts_that_were_read_are_counted_by_column(everything, tmp_path):
    files = shared(everything, tmp_path / "a")
    report = report_of(files)
    listed = Counter(
        (one["table"], column) for one in report["texts_listed"] for column in one["columns"]
    )
    assert {(one["file"], one["column"]): one["rows"] for one in report["texts_read"]} == listed
    assert set(listed) >= {("turn", "raw"), ("explanation", "how"), ("note", "text")}
    assert "| note | text | 1 | 0 | 0 |" in files["deidentification.md"]


def test_a_text_that_only_begins_with_the_authors_random_id_is_searched():
    assert searched.is_made_from("p_abcd-w1-g2", "p_abcd")
    assert not searched.is_made_from("p_abcd is Erika", "p_abcd")


def test_texts_and_answers_with_a_telephone_number_are_left_out(store, tmp_path):
    story = Story(store, questions={"before": ASKED, "comment": False})
    for phone in PHONES:
        token = story.enter({"job": f"baker, {phone}", "how_many": "1715550199"})
        story.type(token, 0, 0, f"look {phone}", *story.solution(token, 0, 0))
        story.explain(token, 0, 0, inputs=phone, how="one each, 1000000 coins")
        rule_form.save_draft(store, token, "notes/0", {"text": phone}, 0, story.now())
        problems.report(store, token, "", phone, new_ticket(), story.now())
    release_all(store)
    files = shared(story, tmp_path / "a")
    report = report_of(files)
    counts = {"answer": 8, "explanation": 4, "note": 4, "problem": 4, "turn": 4}
    assert report["left_out"] == {name: {"holds_a_phone": n} for name, n in counts.items()}
    assert report["ids_found"] == 24
    assert not any(phone in text for phone in PHONES for text in files.values())


def test_released_texts_with_other_long_numbers_are_marked(store, tmp_path):
    story = Story(store)
    token = story.enter()
    story.type(token, 0, 0, *story.solution(token, 0, 0))
    story.explain(token, 0, 0, inputs="1000000 coins", how="one each")
    release_all(store)
    files = shared(story, tmp_path / "a")
    report = report_of(files)
    assert [one["long_number"] for one in report["texts_listed"]] == [True]
    assert report["texts_with_numbers"] == 1
    assert "| explanation | inputs | 1 | 0 | 1 |" in files["deidentification.md"]
    assert "1 contain a number of seven digits or more" in files["README.md"]


def test_notebooks_of_the_practice_are_read_like_others(store, tmp_path):
    story = Story(store)
    typed = ("the class decides", f"I am {ID}", "not released")
    for text in typed:
        token = story.enter(platform="mturk", external_id=ID + text[:1])
        rule_form.save_draft(store, token, "notes/-1", {"text": text}, 0, story.now())
        if text != typed[-1]:
            release_all(store)
    files = shared(story, tmp_path / "a")
    notes = [(one["block_id"], one["text"], one["text_reason"]) for one in table(files, "note")]
    assert notes == [("", typed[0], ""), ("", "", "holds_an_id"), ("", "", "unreviewed")]
    (listed,) = report_of(files)["texts_listed"]
    assert (listed["table"], listed["row"]) == ("note", 1)


def test_large_numbers_from_browsers_are_named(store, tmp_path):
    story = Story(store)
    token = story.enter()
    story.type(token, 0, 0, *story.solution(token, 0, 0))
    last = len(story.turns(token, 0, 0))
    story.change(turn, turn.c.id == story.turns(token, 0, 0)[-1].id, think_ms=1715550199)
    found = report_of(shared(story, tmp_path / "a"))["found_besides"]
    named = [one for one in found if one["column"] in ("think_ms", "client_ms")]
    assert named == [
        {
            "file": "turn",
            "column": "think_ms",
            "kind": "long_number",
            "rows": 1,
            "listed": [last],
        }
    ]


@pytest.fixture
def leavers(store):
    """Five people: findable, erased, without an ID, with too short a one, and an old hash."""
    people = {"identifiers_days": 1, "withdrawal": "erase"}
    story = Story(store, questions={"before": ASKED, "comment": False}, people=people)
    ids = (ID, f"B{ID}", "", "x1", f"5f3c9a1b2d4e{ID}")
    tokens = [
        story.enter({"job": f"job {at}", "how_many": "12"}, **link(own))
        for at, own in enumerate(ids)
    ]
    with store.write() as db:
        values = {"state": "timed_out", "ended_at": story.now()}
        db.execute(participant.update().values(values).where(participant.c.token != tokens[1]))
    withdrawal.withdraw(store, tokens[1], new_ticket(), story.now())
    release_all(store)
    return story, tokens


def link(own):
    return {"platform": "link", "external_id": own} if own else {}


def test_report_says_of_how_many_people_no_id_can_be_found_and_where_they_have_texts(
    leavers, tmp_path
):
    story, tokens = leavers
    before = report_of(shared(story, tmp_path / "a"))["unsearchable"]
    assert before["people"] == {"no_id": 1, "too_short": 1}  # the others' IDs are stored
    assert identifiers.sweep(story.store, Library(), story.now() + timedelta(days=2)) == 4
    old = story.person(tokens[4]).id
    with story.store.write() as db:  # as an older version hashed it
        db.execute(sa.delete(id_hash).where(id_hash.c.participant_id == old))
        row = db.execute(sa.select(id_hash)).first()._asdict()
        del row["id"]
        db.execute(id_hash.insert(), [{**row, "participant_id": old, "size": 16}])
    files = shared(story, tmp_path / "b")
    found = report_of(files)["unsearchable"]
    assert found["people"] == {"erased": 1, "no_id": 2, "older_hash": 1}
    assert found["texts"] == [{"file": "answer", "column": "value", "rows": 6}]
    for name in ("README.md", "deidentification.md"):
        assert "IDs of 4 people cannot be found in texts, or only in part: 1 whose" in files[name]
        assert "no hash of it was kept" in files[name]
        assert "by hand" in files[name]
    assert "| answer | value | 6 |" in files["deidentification.md"]


def test_people_without_texts_are_said_to_have_none(store, tmp_path):
    story = Story(store)
    story.enter()
    story.enter(platform="link", external_id=ID)
    files = shared(story, tmp_path / "a")
    assert report_of(files)["unsearchable"] == {"people": {"no_id": 1}, "texts": []}
    assert "They have no texts in this bundle" in files["README.md"]


def test_nothing_is_said_where_every_id_can_be_found(store, tmp_path):
    story = Story(store)
    story.enter(platform="link", external_id=ID)
    files = shared(story, tmp_path / "a")
    assert report_of(files)["unsearchable"] == {"people": {}, "texts": []}
    assert "cannot be found" not in files["README.md"]
