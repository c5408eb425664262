"""A shareable bundle contains no platform ID, token or code, wherever someone typed one."""

import csv
import io

import pytest

from app.store.export.releases import text_release
from app.store.play.participants import participant
from app.study.export import files, text_review
from app.study.export.release import Gate
from app.study.people import manual_actions
from app.study.people.columns import APART
from app.study.people.payments import ROWS, to_csv
from app.study.play import problems, rule_form
from app.study.tickets import new_ticket
from tests.study.story import NOON, Story

ID = "40817093"  # digits only, as on Connect: answers to number questions can contain it, too
STATIC = "C1TYPEDIN"
REASON = "Maria S. told us that she asked a friend"
ASKED = [
    {"key": "years", "label": "How many years?", "kind": "number"},
    {"key": "job", "label": "What do you do?", "kind": "text"},
]
CODES = {"kind": "static", "finished": STATIC, "withdrawn": "W1TYPEDIN"}


@pytest.fixture
def story(store):
    return Story(store, questions={"before": ASKED, "comment": False}, codes=CODES)


@pytest.fixture
def typed(story):
    """A participant types their ID, their token and the code wherever possible."""
    token = story.enter({"years": ID, "job": f"I am {ID}"}, platform="connect", external_id=ID)
    words = (f"look {ID}", ID, f"code {STATIC.lower()}", token)
    story.type(token, 0, 0, *words, *story.solution(token, 0, 0))
    story.explain(token, 0, 0, inputs=f"{ID} said so", how=token, found_how=STATIC)
    rule_form.save_draft(story.store, token, "notes/0", {"text": f"note {ID}"}, 0, story.now())
    problems.report(story.store, token, "", f"it froze, {ID}", new_ticket(), story.now())
    who = story.person(token).public_id
    manual_actions.act(story.store, None, who, "exclude", REASON, new_ticket(), story.now())
    release_all(story.store)
    return token


def release_all(store):
    with store.read() as db:
        found = list(text_review.all_texts(text_review.of_study(db, "story")))
    rows = [
        {
            "participant_id": one.participant_id,
            "kind": one.kind,
            "row_id": one.row_id,
            "text_hash": one.hash,
            "state": "released",
            "made_by": "x",
            "at": NOON,
        }
        for one in found
    ]
    with store.write() as db:
        db.execute(text_release.insert(), rows)


def bundle(store, folder, **options):
    files.export(store, "story", folder, NOON, **options)
    return {path.name: path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()}


def table(files, name):
    text = files[f"study-story_level-{name}_data.csv"]
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_no_file_of_a_shareable_bundle_holds_an_id_a_token_a_code_or_a_reason(
    story, typed, tmp_path
):
    files = bundle(story.store, tmp_path / "shared", shareable=True)
    for secret in (ID, STATIC, typed, REASON):
        assert [name for name, text in files.items() if secret.lower() in text.lower()] == []


@pytest.mark.long_on_postgres
def test_the_plain_bundle_holds_all_that_was_typed(story, typed, tmp_path):
    files = bundle(story.store, tmp_path / "plain")
    assert [row["raw"] for row in table(files, "turn")][:2] == [f"look {ID}", ID]
    assert table(files, "answer")[0]["value"] == ID
    assert table(files, "participant")[0]["excluded"] == REASON


def test_what_is_kept_back_is_reported_and_the_rest_stays(story, typed, tmp_path):
    files = bundle(story.store, tmp_path / "shared", shareable=True)
    turns = table(files, "turn")
    assert [row["raw"] for row in turns[:4]] == [""] * 4
    assert turns[4]["raw"] == story.solution(typed, 0, 0)[0]
    assert {row["text_reason"] for row in table(files, "answer")} == {"holds_an_id"}
    (person,) = table(files, "participant")
    assert (person["excluded"], person["left_out"]) == ("yes", "excluded")


def test_excluded_people_stay_in_every_table_with_a_flag(story, typed, tmp_path):
    files = bundle(story.store, tmp_path / "plain")
    for name in ("participant", "block", "episode", "turn", "explanation", "timing", "baseline"):
        assert table(files, name), name
    assert {row["left_out"] for row in table(files, "baseline")} == {"excluded"}
    assert table(files, "summary") == []


@pytest.mark.parametrize("text", ["ABC-1234", "see abc-1234.", "xabc-1234x"])
def test_id_is_found_in_any_case_and_place(text):
    gate = Gate(shareable=True, ids={"Abc-1234", "zzzz", "x"})
    assert gate.holds_id(text)
    assert not gate.holds_id(text.replace("1", "2"))


@pytest.mark.parametrize("name", APART)
def test_tables_with_ids_hold_the_columns_of_the_codebook(story, typed, name):
    with story.store.read() as db:
        study_id = db.execute(participant.select()).first().study_id
        lines = to_csv(db, study_id, name).splitlines()
        made = ROWS[name](db, study_id)
    assert lines[0].split(",") == [column.name for column in APART[name].columns]
    assert list(made[0]) == [column.name for column in APART[name].columns]
    assert ID in lines[1]
