"""Whatever people type, and wherever, a shareable bundle holds no ID and no e-mail address of them.

Names can only be marked by their form and a list. The report says so, and lists every released
text, with or without such words.
"""

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.store.play.episodes import MAIN, block, episodes_of
from app.store.play.participants import identity, participant
from app.store.play.process_data import insert as insert_process
from app.store.rating.adjudications import adjudication
from app.store.rating.items import item
from app.store.rating.judges import judge_score
from app.store.rating.ratings import rating
from app.study.design.library import Library
from app.study.people import identifiers, manual_actions
from app.study.play import problems, questions, rule_form, steps
from app.study.rating import player_items
from app.study.tickets import new_ticket
from tests.rated import store_round
from tests.study.export.test_shared import bundle, release_all, table
from tests.study.story import Story

ID, EMAIL, NAME = "5f3c9d2e1b0a4477", "e.mustermann@firm.example", "Erika Mustermann"
OTHER_ID = "40817093"  # digits only, so that a number question takes it
ASKED = [
    {"key": "years", "label": "How many years?", "kind": "number", "required": False},
    {"key": "job", "label": "What do you do?", "kind": "text"},
]
LATER = [{"key": "more", "label": "Anything else?", "kind": "text"}]
STATED = (  # (table, column) of everything that someone else wrote
    (rating, "comment"),
    (adjudication, "comment"),
    (judge_score, "raw"),
    (judge_score, "problem"),
)
ORDINARY = ("text", "q_job", "390x844", "chrome phone")
SPELT = {  # what is typed -> ways in which it is spelt, by place
    ID: (ID, ID.upper(), " ".join(ID), f"x{ID}x"),
    EMAIL: (EMAIL, EMAIL.upper(), EMAIL.replace("@", " (at) "), f"<{EMAIL}>"),
    NAME: (NAME, NAME.upper(), NAME.lower(), NAME.replace("E", "\u00c9")),
    OTHER_ID: (OTHER_ID,) * 4,
}


@pytest.fixture
def story(store):
    """Four people; each types one secret in every place. Then all deletion dates have passed."""
    story = Story(
        store,
        blocks=[{"task": "A-Over", "seeds": [1]}],
        per_player=1,
        people={"identifiers_days": 1, "process_data": True},
        questions={"before": ASKED, "after": LATER, "comment": True},
    )
    for secret in SPELT:
        type_everywhere(story, secret)
    with store.write() as db:
        study_id = db.execute(sa.select(participant.c.study_id)).scalars().first()
        store_round(db, study_id, size=90, per_level=5)
        real = db.execute(sa.select(block.c.variant_hash)).scalars().first()
        db.execute(sa.update(item).values(variant_hash=real, task="A-Over", seed=1))
        for place, column in STATED:
            words = " ".join(f"{a} {b}" for a, b in zip(SPELT, SPELT, strict=True))
            db.execute(sa.update(place).values({column: words}))
    player_items.take_in(store, study_id, story.now())
    assert identifiers.sweep(store, Library(), story.now() + timedelta(days=2)) == 3
    with store.read() as db:
        assert db.execute(identity.select()).all() == []
    return story


def type_everywhere(story, secret):
    """Type a secret in every place that a participant, or a researcher about one, can write in."""
    store, (plain, loud, spaced, inside) = story.store, SPELT[secret]
    has_id = {ID: ID, OTHER_ID: OTHER_ID, EMAIL: "p1", NAME: ""}[secret]
    link = {"platform": "link", "external_id": has_id} if has_id else {}
    number = secret if secret.isdigit() else ""
    token = story.enter({"years": number, "job": f"I am {plain}"}, **link)
    story.type(token, 0, 0, f"look {loud}", f"go {spaced}", f"check inventory {inside}")
    rule_form.save_draft(store, token, "notes/0", {"text": f"note {loud}"}, 0, story.now())
    problems.report(store, token, "", f"froze, {spaced}", new_ticket(), story.now())
    person = story.person(token)
    event = {"participant_id": person.id, "page": "", "kind": "paste", "value": 1}
    with store.write() as db:
        own = {**event, "client_ms": None, "received_ms": 1}
        insert_process(db, [{**own, "detail": detail} for detail in (plain, *ORDINARY)])
    for position in range(len(episodes(story, token))):
        first = 4 if position == 0 else 1
        story.type(token, 0, position, *story.solution(token, 0, position), first=first)
        story.explain(
            token, 0, position, inputs=plain, output=loud, how=spaced, found_how=inside[:60]
        )
    after = {questions.field("more"): spaced, questions.field("comment"): loud}
    questions.submit(store, token, steps.AFTER, after, new_ticket(), story.now())
    for action in ("exclude", "note"):
        manual_actions.act(
            store, None, person.public_id, action, f"told us {plain}", new_ticket(), story.now()
        )


def episodes(story, token):
    with story.store.read() as db:
        own = episodes_of(db, story.person(token).id)
    return [one for one in own if one.kind == MAIN]


def bare(text):
    return "".join(one for one in text.casefold() if one.isalnum())


def files_with(files, secret):
    parts = [secret, *(secret.split("@")[:1] if "@" in secret else [])]
    return {name for name, text in files.items() if any(bare(one) in bare(text) for one in parts)}


def test_bundle_without_decisions_holds_no_secret_anywhere(story, tmp_path):
    files = bundle(story.store, tmp_path / "a", shareable=True)
    assert {secret: files_with(files, secret) for secret in SPELT} == {key: set() for key in SPELT}
    assert {row["detail"] for row in table(files, "process")} == {"", *ORDINARY}
    plain = bundle(story.store, tmp_path / "b")
    assert all(len(files_with(plain, secret)) >= 9 for secret in (ID, EMAIL, NAME))


def test_bundle_of_released_texts_holds_only_what_the_report_names(story, tmp_path):
    release_all(story.store)
    files = bundle(story.store, tmp_path / "a", shareable=True)
    for secret in (ID, OTHER_ID, EMAIL):
        assert files_with(files, secret) == set(), secret
    report = json.loads(files["deidentification.json"])
    assert report["texts_unread"] == 0
    shown = [
        row
        for name in ("answer", "explanation", "note", "problem", "turn")
        for row in table(files, name)
        if row["release"] == "released" and not row["text_reason"]
    ]
    assert len(shown) == report["texts_included"] > 0
    assert {row["participant_id"] for row in shown} == {named(story)}
    assert report["texts_with_names"] == len(shown) > 5  # in whatever spelling
    assert f"{len(shown)} of them contain a word that looks like a name" in files["README.md"]
    listed = [(one["table"], one["row"]) for one in report["texts_listed"]]
    typed = {name: table(files, name) for name in {name for name, _ in listed}}
    assert [typed[name][number - 1] for name, number in listed].count(None) == 0
    copies = [row for row in table(files, "item") if row["release"] and not row["text_reason"]]
    everywhere = sorted(map(str, [*shown, *copies]))
    assert everywhere == sorted(str(typed[name][at - 1]) for name, at in listed)
    assert f"{len(shown)} texts or commands are included" in files["deidentification.md"]
    assert "only a reader can find all names" in files["README.md"]


def named(story):
    """Return the public ID of the person who typed their name."""
    with story.store.read() as db:
        people = db.execute(sa.select(participant).order_by(participant.c.arrival)).all()
    return people[list(SPELT).index(NAME)].public_id
