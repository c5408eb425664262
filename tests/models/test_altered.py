"""One altered or deleted value of a run is found by `hjstudy model verify`."""

import pytest
import sqlalchemy as sa

from app.store.models.calls import model_call
from app.store.models.plays import model_episode
from app.store.models.results import model_result
from app.store.models.runs import model_run
from app.store.play.episodes import episode
from app.store.play.turns import turn
from app.store.rating import items
from app.store.rating.judges import judge_score
from tests.models.test_runs import key_of, rows

ALTERED = {
    "a byte of a prompt": (
        model_call,
        "request",
        lambda text: text.replace("You play a short", "You play a Short", 1),
        "prompt",
    ),
    "a second message": (
        model_call,
        "request",
        lambda text: text.replace('"}]', '"}, {"role": "user", "content": "It is bow."}]', 1),
        "request",
    ),
    "a parameter of a request": (
        model_call,
        "request",
        lambda text: text.replace('"max_tokens": 512', '"max_tokens": 9', 1),
        "request",
    ),
    "a prompt's hash in the run": (
        model_run,
        "prompts",
        lambda text: text.replace('": "', '": "0', 1),
        "prompts",
    ),
    "an episode's version of the code": (episode, "code_version", lambda _: "x", "code_version"),
    "an episode's digest": (episode, "digest", lambda text: text[::-1], "digest"),
    "an episode's kind": (episode, "kind", lambda _kind: "practice", "kind"),
    "an episode's place": (episode, "position", lambda place: place + 1, "position"),
    "a prompt's hash": (model_call, "prompt_hash", lambda _text: "0" * 64, "prompt_hash"),
    "an answer's text": (model_call, "text", lambda text: text.replace("so", "no"), "text"),
    "an answer's body": (model_call, "raw", lambda text: text.replace("so", "no"), "text"),
    "a command": (turn, "raw", lambda text: text.upper(), "raw"),
    "an observation": (turn, "message", lambda text: text + " ", "message"),
    "a digest": (turn, "digest", lambda text: text[::-1], "digest"),
    "an outcome": (episode, "actions_used", lambda number: number + 1, "actions_used"),
    "a kind of player": (episode, "player_kind", lambda _kind: "agent", "player_kind"),
    "an ending": (model_episode, "ended", lambda _text: "lost", "ended"),
    "a success in a report": (model_result, "success", lambda _won: False, "success"),
    "actions in a report": (model_result, "actions_used", lambda _number: 20, "actions_used"),
    "a result of another episode": (model_result, "episode_index", lambda n: n + 1, "result"),
}


@pytest.mark.parametrize("name", ALTERED)
def test_verify_finds_one_altered_value(run_model, facts, store, name):
    run_model("--tasks", "P-Comp", "--explanations", "none")
    table, column, change, field = ALTERED[name]
    row = rows(store, table)[0]
    with store.write() as db:
        changed = {column: change(getattr(row, column))}
        assert changed[column] != getattr(row, column)
        db.execute(sa.update(table).where(key_of(table) == row[0]).values(changed))
    report = facts("model", "verify", "--study", "demo", "--run", 1, code=1)
    assert [one["field"] for one in report["differences"]] == [field]


def gone(db, name):
    """Delete an episode of a run with everything that was made of it."""
    found = sa.select(model_episode.c.episode_id).where(model_episode.c.unit == name)
    (number,) = db.execute(found).scalars()
    db.execute(sa.delete(turn).where(turn.c.episode_id == number))
    db.execute(sa.delete(model_episode).where(model_episode.c.episode_id == number))
    db.execute(sa.delete(episode).where(episode.c.id == number))
    db.execute(sa.delete(model_result))


@pytest.mark.parametrize("with_calls", [False, True])
def test_episode_that_was_deleted_from_a_finished_run_is_found(run_model, facts, store, with_calls):
    run_model("--tasks", "P-Comp", "--explanations", "none")
    with store.write() as db:
        (name,) = db.execute(sa.select(model_episode.c.unit)).scalars()
        gone(db, name)
        if with_calls:
            db.execute(sa.delete(model_call))
    report = facts("model", "verify", "--study", "demo", "--run", 1, code=1)
    field = "calls" if with_calls else "result"
    assert [(one["unit"], one["field"]) for one in report["differences"]] == [(name, field)]
    assert facts("verify", "--study", "demo", code=1)["models_wrong"] == 1


@pytest.mark.parametrize("alter", ["unit", "run", "orphan"])
def test_episode_that_is_of_no_unit_of_its_run_is_found(run_model, facts, store, alter):
    run_model("--tasks", "P-Comp", "--explanations", "none")
    run_model("--tasks", "P-Comp", "--explanations", "none", "--label", "second")
    with store.write() as db:
        own = model_episode.c.run_id == 1
        if alter == "unit":
            db.execute(sa.update(model_episode).where(own).values(unit="play/other/1"))
        elif alter == "run":
            db.execute(sa.update(episode).where(episode.c.run_id == 1).values(run_id=2))
        else:
            db.execute(sa.delete(model_episode).where(own))
    report = facts("verify", "--study", "demo", code=1)
    assert report["models_wrong"] >= 2
    found = facts("model", "verify", "--study", "demo", "--run", 2 if alter == "run" else 1, code=1)
    assert "unit" in [one["field"] for one in found["differences"]]


@pytest.mark.parametrize(
    "values", [{"method": "x"}, {"preset": "x"}, {"settings": "x"}, {"parameters": "x"}]
)
def test_run_that_cannot_be_read_is_a_difference_and_the_others_are_checked(
    run_model, facts, store, values
):
    run_model("--tasks", "P-Comp", "--explanations", "none")
    run_model("--tasks", "P-Comp", "--explanations", "none", "--label", "second")
    with store.write() as db:
        db.execute(sa.update(model_run).where(model_run.c.number == 1).values(values))
    report = facts("verify", "--study", "demo", code=1)
    assert (report["models"], report["models_wrong"]) == (1, 1)
    assert report["first_difference"]["field"] == "unreadable"


def test_altered_explanation_is_found(run_model, facts, store):
    run_model("--tasks", "P-Comp")
    with store.write() as db:
        db.execute(sa.update(items.item).values(text="something else"))
    report = facts("model", "verify", "--study", "demo", "--run", 1, code=1)
    assert [one["field"] for one in report["differences"]] == ["explanation"]


@pytest.mark.parametrize("with_calls", [False, True])
def test_score_that_was_deleted_from_a_finished_judge_is_found(
    run_model, facts, store, endpoint, with_calls
):
    run_model("--tasks", "P-Comp")
    facts("judge", "run", "--study", "demo", "--model", "m", "--base-url", endpoint)
    assert facts("model", "verify", "--study", "demo", "--run", 2)["ok"]
    with store.write() as db:
        db.execute(sa.delete(judge_score))
        if with_calls:
            db.execute(sa.delete(model_call).where(model_call.c.unit.startswith("judge/")))
    report = facts("model", "verify", "--study", "demo", "--run", 2, code=1)
    assert {one["field"] for one in report["differences"]} == {"score"}
    assert facts("verify", "--study", "demo", code=1)["models_wrong"] == len(report["differences"])
