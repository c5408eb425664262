"""The logs of an export: what happened around the game, and where everyone stands or left."""

import pytest

from app.game.practice import practice_variant
from app.store.play.participants import participant
from app.study.people import manual_actions, withdrawal
from app.study.play import comprehension, enrol, problems, questions, rule_form, steps
from app.study.play.arrival import Arrival
from app.study.tickets import new_ticket
from tests.study.export.test_tables import ADMIN, rows
from tests.study.story import Story


@pytest.fixture
def token(story):
    return story.varied(platform="prolific_pid", external_id="5f3c9d2e1b")


def test_logs_around_the_game_are_exported(story, token):
    public_id = story.person(token).public_id
    manual_actions.act(story.store, None, public_id, "note", ADMIN, new_ticket(), story.now())
    problems.report(
        story.store, token, "world/1/guardian/1", "it\nfroze", new_ticket(), story.now()
    )
    rule_form.save_draft(story.store, token, "notes/1", {"text": "=sum"}, 0, story.now())
    (hand,) = rows(story.store, "hand")
    assert (hand["action"], hand["reason"], hand["participant_id"]) == ("note", ADMIN, public_id)
    (found,) = rows(story.store, "problem")
    assert (found["text"], found["release"]) == ("it\nfroze", "unreviewed")
    (note,) = rows(story.store, "note")
    assert (note["text"], note["block_index"]) == ("=sum", "2")
    assert [row["event"] for row in rows(story.store, "seat")] == ["claimed"]


ASKED = {
    "before": [{"key": "age", "label": "Age?", "kind": "number", "required": False}],
    "comprehension": [{"key": "cost", "label": "Cost?", "options": ["a", "b"], "answer": "a"}],
    "comment": False,
}


def test_page_is_where_everyone_is_or_left(store):
    story = Story(store, questions=ASKED)
    times = {"instructions": 0, "questions": 1, "practice": 2, "comprehension": 4, "w1-g1": 5}
    tokens = {page: stopped(story, steps) for page, steps in times.items()}
    tokens["comprehension again"] = stopped(story, 4)
    comprehension.submit(
        store, tokens["comprehension again"], 1, {"q_cost": "b"}, new_ticket(), story.now()
    )
    for page in ("w1-g1-rule", "w1-g2"):
        tokens[page] = stopped(story, 5)
        story.win(tokens[page], 0, 0)
    story.explain(tokens["w1-g2"], 0, 0)
    tokens["screened"] = stopped(story, 2)
    story.change(participant, participant.c.token == tokens["screened"], state="screened_out")
    tokens["erased"] = stopped(story, 5)
    withdrawal.withdraw(store, tokens["erased"], new_ticket(), story.now())
    enrol.decline(store, "story", Arrival("link", "gone"), new_ticket(), story.now())
    found = {row["participant_id"]: row["page"] for row in rows(store, "participant")}
    expected = {page: page for page in times} | {
        "comprehension again": "comprehension",
        "w1-g1-rule": "w1-g1-rule",
        "w1-g2": "w1-g2",
        "screened": "questions",
        "erased": "",
    }
    assert {
        name: found[story.person(token).public_id] for name, token in tokens.items()
    } == expected
    assert list(found.values())[-1] == "consent"


def stopped(story, count):
    """Let someone consent and do that many steps before the game; return the token."""
    who, store = Arrival(), story.store
    token = enrol.agree(store, story.table.library, "story", who, new_ticket(), story.now())
    actions = [
        lambda: rule_form.leave(store, token, steps.INSTRUCTIONS, new_ticket(), story.now()),
        lambda: questions.submit(store, token, steps.BEFORE, {}, new_ticket(), story.now()),
        lambda: story.type(token, -1, 0, *practice_variant().episodes[0].solutions[0]),
        lambda: rule_form.leave(store, token, steps.PRACTICE, new_ticket(), story.now()),
        lambda: comprehension.submit(store, token, 1, {"q_cost": "a"}, new_ticket(), story.now()),
    ]
    for action in actions[:count]:
        action()
    return token


def test_page_of_someone_who_has_finished(store):
    story = Story(store, blocks=[{"task": "A-Over", "seeds": [1]}], per_player=1)
    token = story.enter()
    for position in (0, 1):
        story.win(token, 0, position)
        assert rows(store, "participant")[0]["page"] == f"w1-g{position + 1}-rule"
        story.explain(token, 0, position)
    assert rows(store, "participant")[0]["page"] == "finished"


def test_rule_form_of_a_world_is_a_page_of_that_world(store):
    story = Story(store, rule_form={"when": "block"}, per_player=2)
    token = story.enter()
    pages = []
    for block, guardians in ((0, 2), (1, 1)):
        for position in range(guardians):
            story.win(token, block, position)
            pages.append(rows(store, "participant")[0]["page"])
        story.explain(token, block, -1)
        pages.append(rows(store, "participant")[0]["page"])
    assert pages == ["w1-g2", "w1-rule", "w2-g1", "w2-rule", "finished"]
