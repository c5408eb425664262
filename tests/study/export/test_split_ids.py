"""An ID that stands in several texts of one page is found; so are IDs of people on a list only."""

from datetime import timedelta

import pytest

from app.store.people.id_hashes import id_hash
from app.store.people.platforms import platform_record
from app.store.play.participants import identity, participant
from app.study.design import studies
from app.study.design.library import Library
from app.study.export import text_review
from app.study.export.release import Gate
from app.study.people import identifiers, withdrawal
from app.study.people.list_storing import store_list
from app.study.people.platform_list import Chosen
from app.study.play import problems
from app.study.tickets import new_ticket
from tests.study.export.test_shared import bundle, release_all, table
from tests.study.story import Story

PARTS = ("5f3c9a", "1b2d4e", "6f7a8b", "9c0d1e")
ID = "".join(PARTS)
NUMBER = "4081719326"
ASKED = [
    *({"key": key, "label": key, "kind": "text"} for key in ("a", "b", "c")),
    *({"key": key, "label": key, "kind": "number"} for key in ("years", "games")),
    {"key": "hand", "label": "Which hand?", "kind": "choice", "options": ["left", "right"]},
]
BLAMELESS = {"a": "teacher", "b": "no", "c": "yes", "years": "41", "games": "3", "hand": "left"}


@pytest.fixture
def story(store):
    people = {"identifiers_days": 5, "withdrawal": "erase"}
    story = Story(store, questions={"before": ASKED, "comment": False}, people=people)
    story.enter(BLAMELESS, platform="prolific", external_id=ID)
    story.enter(BLAMELESS, platform="connect", external_id=NUMBER)
    return story


def shared(story, folder):
    release_all(story.store)
    return bundle(story.store, folder, shareable=True)


def own(files, name, person):
    return [row for row in table(files, name) if row["participant_id"] == person.public_id]


def kept_back(story):
    with story.store.read() as db:
        found = list(text_review.all_texts(text_review.of_study(db, "story")))
    return {(one.kind, part[1]): one.kept_back for one in found for part in one.parts}


def test_id_in_the_fields_of_one_form_is_found(story, tmp_path):
    token = story.enter(BLAMELESS)
    fields = dict(zip(("inputs", "output", "how", "found_how"), PARTS, strict=True))
    story.lose(token, 0, 0)
    story.explain(token, 0, 0, **fields)
    (row,) = own(shared(story, tmp_path / "a"), "explanation", story.person(token))
    assert row["text_reason"] == "holds_an_id"
    assert {row[name] for name in fields} == {""}


def test_id_in_the_answers_of_one_page_is_found_and_all_that_were_typed_are_left_out(
    story, tmp_path
):
    given = {**BLAMELESS, "a": PARTS[0], "b": PARTS[1] + PARTS[2][:2], "c": PARTS[2][2:]}
    texts = story.person(story.enter(given))
    numbers = story.person(story.enter({**BLAMELESS, "years": NUMBER[:5], "games": NUMBER[5:]}))
    files = shared(story, tmp_path / "a")
    for person in (texts, numbers):
        found = {row["question"]: row for row in own(files, "answer", person)}
        assert {name: row["text_reason"] for name, row in found.items()} == {
            **dict.fromkeys(("a", "b", "c", "years", "games"), "holds_an_id"),
            "hand": "",
        }
        assert {row["value"] for row in found.values()} == {"", "left"}
    blameless = [row for row in table(files, "answer") if row["text_reason"] == ""]
    assert len(blameless) == 2 * len(ASKED) + 2
    assert kept_back(story)["answer", PARTS[0]] == "holds_an_id"


def test_id_in_the_commands_of_one_episode_is_found_and_the_others_stay(story, tmp_path):
    token = story.enter(BLAMELESS)
    typed = [PARTS[0], "check_location", PARTS[1], "check_inventory", PARTS[2], PARTS[3]]
    story.type(token, 0, 0, *typed, *story.solution(token, 0, 0))
    story.explain(token, 0, 0)
    story.type(token, 0, 1, "look", f"I am {ID}", "what now")
    files = shared(story, tmp_path / "a")
    rows = own(files, "turn", story.person(token))
    assert [row["raw"] for row in rows[:6]] == [
        *("", "check_location", "", "check_inventory", "", "")
    ]
    assert [row["raw"] for row in rows[-3:]] == ["look", "", "what now"]
    assert PARTS[0] not in "".join(files.values())
    assert kept_back(story)["turn", PARTS[3]] == "holds_an_id"
    assert kept_back(story)["turn", "what now"] == ""


def test_texts_hold_an_id_alone_or_together():
    gate = Gate(shareable=True, ids={ID, "maria"})
    assert gate.holding(["look", *PARTS[:2], "", "maria"]) == [True, True, True, False, True]
    assert gate.holding(["look", ID, "no"]) == [False, True, False]
    assert gate.holding(["ma", "ria", "no"]) == [False] * 3  # eight characters at least
    assert Gate(shareable=False, ids={ID}).holding([ID]) == [False]
    assert gate.reason(["ma", "ria"], "released") == "holds_an_id"  # fields of one form


LISTED = {
    "id": f"6a7b8c9d0e1f{PARTS[0]}{PARTS[3]}",
    "session": f"64aabbccddee{PARTS[1]}{PARTS[2]}",
    "code": "CQ7ZZ41X",
}
LIST = "Participant ID,Status,Submission ID,Completion code\n{id},RETURNED,{session},{code}\n"


@pytest.mark.parametrize("when", ["stored", "deleted"])
def test_ids_on_a_list_are_found_though_their_owner_never_arrived(story, tmp_path, when):
    with story.store.read() as db:
        study = studies.find(db, "story").id
    text = LIST.format(**LISTED) + f"{ID},APPROVED,7a{LISTED['session'][:1:-1]},none\n"
    store_list(story.store, study, text, Chosen(), story.now())
    token = story.enter(BLAMELESS)
    for one in (*LISTED.values(), f"7a{LISTED['session'][:1:-1]}", "none at all"):
        spaced = one if one.startswith("none") else " ".join(one)  # not by its form
        problems.report(story.store, token, "", spaced, new_ticket(), story.now())
    if when == "deleted":
        with story.store.write() as db:
            db.execute(participant.update().values(state="finished", ended_at=story.now()))
        identifiers.sweep(story.store, Library(), story.now() + timedelta(days=9))
        with story.store.read() as db:
            assert db.execute(platform_record.select()).all() == []
            owners = {row.participant_id for row in db.execute(id_hash.select())}
        assert None in owners
    files = shared(story, tmp_path / "a")
    reasons = [row["text_reason"] for row in table(files, "problem")]
    assert reasons == [*["holds_an_id"] * 4, ""]


def test_an_erased_persons_id_is_found_until_its_date_and_leaves_no_hash(story, tmp_path):
    gone, other = f"UNIQ{NUMBER[::-1]}X", story.enter(BLAMELESS)
    token = story.enter(BLAMELESS, platform="link", external_id=gone)
    withdrawal.withdraw(story.store, token, new_ticket(), story.now())
    problems.report(story.store, other, "", " ".join(gone), new_ticket(), story.now())
    with story.store.read() as db:
        own_row = identity.c.external_id == gone
        assert len(db.execute(identity.select().where(own_row)).all()) == 1
    (row,) = table(shared(story, tmp_path / "a"), "problem")
    assert row["text_reason"] == "holds_an_id"
    identifiers.sweep(story.store, Library(), story.now() + timedelta(days=9))
    with story.store.read() as db:
        assert db.execute(identity.select().where(own_row)).all() == []
        assert db.execute(id_hash.select()).all() == []
    (row,) = table(shared(story, tmp_path / "b"), "problem")
    assert row["text_reason"] == ""  # as docs/exports.md says
