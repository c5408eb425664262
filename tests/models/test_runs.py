"""Whole runs by the command, against the scripted server: stored, resumed, verified, reported."""

import json

import pytest
import sqlalchemy as sa

from app.agents.playing import METHODS
from app.scoring.efficiency import norm_eff
from app.store.models import calls, plays, results, runs
from app.store.models.calls import model_call
from app.store.play.participants import participant
from app.store.play.seats import seat
from app.store.play.turns import turn
from app.store.rating import items
from tests.models import scripted
from tests.models.scripted import Players

EPISODES = 2 + 2 + 1  # guardians of the two A-Over variants and of P-Comp
DIRECT = 3  # guardians of A-Comp, in the direct format


def rows(store, table):
    with store.read() as db:
        return db.execute(sa.select(table).order_by(key_of(table))).all()


def key_of(table):
    return next(iter(table.primary_key.columns))


def episodes(store, number=1):
    with store.read() as db:
        run = runs.find(db, 1, number)
        return plays.of_run(db, run.id)


def test_run_plays_every_cell_of_the_study_and_is_finished(run_model, store, script):
    facts = run_model("--concurrency", 3)
    found = episodes(store)
    assert (facts["state"], facts["problems"]) == ("finished", [])
    assert [row.format for row in found].count("episodic") == EPISODES
    assert [row.format for row in found].count("direct") == DIRECT
    assert {row.state for row in found} == {"won"}
    assert {row.player_kind for row in found} == {"model"}
    solved = sum(row.ref_length for row in found if row.format == "episodic")
    assert facts["calls"] == len(script.requests) == solved + DIRECT + 4  # and four explanations
    assert facts["prompt_tokens"] == 100 * facts["calls"]
    assert len(rows(store, turn)) == solved


def test_models_take_no_seat_and_are_no_participants(run_model, store):
    run_model()
    assert rows(store, participant) == []
    assert rows(store, seat) == []


def test_explanations_become_items_and_results_are_exported(run_model, store, facts, tmp_path):
    run_model("--label", "My model")
    with store.read() as db:
        found = items.of_study(db, 1)
        scored = results.of_study(db, 1)
    assert {row.source for row in found} == {"My model"}
    assert len(found) == 4
    assert "Which traits matter: both" in found[0].text
    assert len(scored) == EPISODES + DIRECT
    assert all(row.success for row in scored)
    facts("export", "--study", "demo", "--out", tmp_path / "bundle")
    (table,) = (tmp_path / "bundle").rglob("*modelresult_data.csv")
    assert table.read_text().count("My model,") == EPISODES + DIRECT


@pytest.mark.parametrize("preset", ["paper", "package"])
@pytest.mark.parametrize("method", METHODS)
def test_perfect_model_reaches_the_oracle_in_every_method(run_model, facts, store, method, preset):
    alone = (method, preset) == ("ace", "paper")  # P-Comp has no other variant to learn from
    run_model("--method", method, "--preset", preset, *(("--tasks", "A-Over") if alone else ()))
    assert len(episodes(store)) == (4 if alone else EPISODES + DIRECT)
    for row in episodes(store):
        if row.format == "episodic":
            assert norm_eff(row.actions_used, row.ref_length, row.n_tries) == 1.0
        assert row.state == "won"
    assert facts("model", "verify", "--study", "demo", "--run", 1)["ok"]


def test_direct_method_asks_once_for_each_guardian_of_every_variant(run_model, store):
    run_model("--method", "direct", "--explanations", "none")
    found = episodes(store)
    assert len(found) == EPISODES + DIRECT
    assert {(row.format, row.state, row.actions_used) for row in found} == {("direct", "won", 0)}


def test_model_that_copies_loses_and_ace_learns_from_that(
    run_model, facts, store, script, variants_of
):
    """In P-Comp the right process is never among those shown."""
    script.answer = Players(variants_of(), "copycat")
    run_model("--method", "ace", "--tasks", "P-Comp", "--playbook", "same")
    kinds = [row.purpose for row in rows(store, model_call)]
    assert kinds.count("reflection") == 1
    (row,) = episodes(store)
    assert (row.state, row.ended in {"lost", "patience"}) == ("lost", True)
    assert "look at both traits" in row.advice
    assert facts("model", "verify", "--study", "demo", "--run", 1)["ok"]


@pytest.mark.parametrize("playbook", ["other", "same"])
def test_ace_learns_from_other_variants_or_from_its_own(run_model, store, variants_of, playbook):
    run_model("--method", "ace", "--tasks", "A-Over", "--playbook", playbook)
    for one in (one for one in variants_of() if one.task.name == "A-Over"):
        first = one.demonstrations[0].entity
        books = {"A-Over/1": 1, "A-Over/2": 2}
        seen = {
            books[row.unit.removeprefix("playbook/")[:8]]
            for row in rows(store, model_call)
            if row.unit.startswith("playbook/") and first in row.request
        }
        assert seen == ({one.seed} if playbook == "same" else {3 - one.seed})


def test_ace_without_another_variant_of_the_task_is_refused(hjstudy, endpoint):
    code, _, message = hjstudy(
        *("model", "run", "--study", "demo", "--model", "m", "--base-url", endpoint),
        *("--method", "ace", "--tasks", "P-Comp"),
    )
    assert code == 2
    assert "--playbook same" in message


FAULTY = (
    *(scripted.RATE, scripted.BROKEN, scripted.HTML, scripted.NO_CHOICES, scripted.DROP),
    *(scripted.CUT, scripted.NOT_JSON, scripted.THOUGHT, scripted.NOTHING, scripted.ODD),
)


def test_faults_of_transport_cost_nothing_and_bad_answers_only_patience(
    run_model, facts, store, script, monkeypatch
):
    monkeypatch.setattr("app.models.asker.FIRST_PAUSE_S", 0.01)
    script.faults = list(FAULTY)
    made = run_model("--tasks", "P-Comp", "--concurrency", 1, "--explanations", "none")
    (row,) = episodes(store)
    assert (row.state, row.unreadable) == ("won", 4)
    assert row.actions_used == row.ref_length + 1  # ODD names a place that does not exist
    statuses = [one.status for one in rows(store, model_call)]
    assert statuses[:10] == [
        *("rate_limited", "server_error", "not_json", "no_choices", "connection"),
        *("length", "ok", "reasoning_only", "empty", "ok"),
    ]
    assert made["calls"] == len(statuses)
    assert facts("model", "verify", "--study", "demo", "--run", 1)["ok"]


def test_context_that_is_too_long_ends_the_episode_and_is_reported(run_model, store, script):
    script.faults = [scripted.TOO_LONG]
    run_model("--tasks", "P-Comp", "--concurrency", 1, "--explanations", "none")
    (row,) = episodes(store)
    assert (row.ended, row.state, row.actions_used) == ("context", "lost", 0)


def test_unanswered_run_is_resumed_and_asks_only_what_is_missing(
    run_model, facts, store, script, endpoint, monkeypatch
):
    monkeypatch.setattr("app.models.asker.FIRST_PAUSE_S", 0.01)
    script.faults = [scripted.BROKEN] * 2
    tasks = ("--tasks", "P-Comp", "--explanations", "none")
    stopped = run_model(*tasks, "--attempts", 2, code=1)
    assert stopped["state"] == "stopped"
    assert "server_error" in stopped["problems"][0]
    done = facts("model", "resume", "--study", "demo", "--run", 1)
    assert (done["state"], done["problems"]) == ("finished", [])
    again = len(script.requests)
    facts("model", "resume", "--study", "demo", "--run", 1)
    assert len(script.requests) == again
    attempts = [(one.n, one.attempt, one.status) for one in rows(store, model_call)][:3]
    assert attempts == [(1, 1, "server_error"), (1, 2, "server_error"), (1, 3, "ok")]


def test_second_process_on_the_same_run_stops_with_a_sentence(run_model, facts, store, script):
    """Both ask the same question; the second answer cannot be stored under the same number."""
    run_model("--tasks", "P-Comp", "--explanations", "none", "--max-calls", 1, code=1)
    (first,) = rows(store, model_call)
    answer = script.answer

    def meanwhile(prompt):
        with store.write() as db:  # as the other process does
            calls.insert(db, {**first._asdict(), "id": None, "n": 2})
        return answer(prompt)

    script.answer = meanwhile
    stopped = facts("model", "resume", "--study", "demo", "--run", 1, "--concurrency", 1, code=1)
    assert "Another process" in stopped["problems"][0]


def test_limit_stops_a_run_in_order_and_resume_goes_on(run_model, facts, script):
    stopped = run_model("--max-calls", 7, "--concurrency", 1, code=1)
    assert (stopped["state"], stopped["calls"], len(script.requests)) == ("stopped", 7, 7)
    assert stopped["problems"] == ["The limit of 7 calls is reached."]
    facts("model", "resume", "--study", "demo", "--run", 1)
    assert len(script.prompts) == len(set(script.prompts))  # nothing was asked twice


def test_refused_key_stops_the_run_with_the_words_of_the_endpoint(run_model, script):
    script.faults = [scripted.NO_KEY] * 20
    stopped = run_model("--concurrency", 1, code=1)
    assert "invalid api key" in stopped["problems"][0]
    assert len(script.requests) == 1


def test_dry_run_counts_without_asking(run_model, script):
    facts = run_model("--dry-run", "--explanations", "none")
    solved = 2 * 4 + 2 * 4 + 5
    assert facts["episodes"] == EPISODES + DIRECT
    assert facts["least_calls"] == solved + DIRECT
    assert facts["lost_calls"] == 4 * 16 + 20 + DIRECT
    assert facts["most_calls"] == 10 * (4 * 16 + 20) + DIRECT  # before each action, 9 unreadable
    assert script.requests == []


def test_run_is_never_continued_at_another_endpoint(run_model, facts, hjstudy, script, endpoint):
    run_model("--tasks", "P-Comp", "--max-calls", 1, code=1)
    again = ("model", "resume", "--study", "demo", "--run", 1)
    code, _, said = hjstudy(*again, "--base-url", "http://127.0.0.1:9/v1")
    assert (code, len(script.requests)) == (2, 1)
    assert f"run 1 asks {endpoint}" in said
    assert facts(*again, "--base-url", f"{endpoint}/")["state"] == "finished"


def test_explanation_after_playing_shows_what_was_played(run_model, facts, script):
    run_model("--tasks", "P-Comp", "--explanations", "played")
    (asked,) = [one for one in script.prompts if '"how"' in one]
    assert "WHAT YOU DID" in asked
    assert "the road is free" in asked[asked.index("WHAT YOU DID") :]
    assert facts("model", "verify", "--study", "demo", "--run", 1)["ok"]


def test_runs_are_listed_with_tokens_and_cost(run_model, facts, hjstudy, tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"m": {"input": 1000, "output": 10_000}}))
    run_model("--tasks", "P-Comp", "--explanations", "none", "--prices", prices)
    run_model("--tasks", "P-Comp", "--explanations", "none")
    first, second = facts("model", "list", "--study", "demo")["runs"]
    assert first["cost"] == pytest.approx(5 * (100 * 0.001 + 10 * 0.01))
    assert (first["label"], second["label"]) == ("m plain paper", "m plain paper #2")
    assert second["cost"] is None
    assert "m plain paper #2" in hjstudy("model", "list", "--study", "demo")[1]


def test_statuses_of_the_table_are_those_of_the_asker():
    from app.agents import replies

    assert calls.STATUSES == replies.STATUSES
    assert calls.ANSWERED == replies.ANSWERED


def test_missing_answer_of_a_finished_episode_is_found(run_model, facts, store):
    """Its episode is stored, so it is not merely unfinished."""
    run_model("--tasks", "P-Comp", "--explanations", "none")
    with store.write() as db:
        db.execute(sa.delete(model_call).where(model_call.c.n == 2))
    report = facts("model", "verify", "--study", "demo", "--run", 1, code=1)
    assert [one["field"] for one in report["differences"]] == ["calls"]
    assert report["unfinished"] == 0
