"""A study of people and three models, judged, sampled, rated and reported: all by commands."""

import json

import pytest
import yaml

from app.main import create_app
from app.settings import Settings
from app.study.design import studies
from app.study.design.library import Library
from tests.models.whole import (
    CALL,
    EPISODES,
    ERRORS,
    FAULTS,
    PEOPLE,
    PER_LEVEL,
    PRICE,
    RATED,
    RUNS,
    STATUSES,
    STUDY,
    VARIANTS,
    WAITS,
    Cast,
    check_agreement,
    check_report,
    rate,
    statuses,
)

SLUG = STUDY["slug"]


@pytest.fixture
def cast(facts, store, tmp_path):
    """The study, and an endpoint with its models."""
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump(STUDY))
    facts("study", "create", path)
    library = Library()
    with store.read() as db:
        found = studies.find(db, SLUG)
        variants = [library.variant(db, name) for name in found.hashes.values()]
    made = Cast(FAULTS)
    made.learn(variants)
    with made.serving() as url:
        yield url


@pytest.fixture
def ask(facts, cast, tmp_path, monkeypatch):
    """Run `hjstudy model run` or `judge run`."""
    monkeypatch.setattr("app.models.asker.FIRST_PAUSE_S", 0.01)
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps(dict.fromkeys((*RUNS, "judge"), PRICE)))
    how = ("--base-url", cast, "--prices", prices, "--concurrency", 2)

    def run(kind, model, *more):
        waits = ("--timeout", WAITS[model]) if model in WAITS else ()
        return facts(kind, "run", "--study", SLUG, "--model", model, *how, *waits, *more)

    return run


def rated(facts, store, url):
    """Sample, rate and close; return the number of ratings."""
    judge = "judge overall paper"
    how = ("--per-level", PER_LEVEL, "--allocation", "balanced")  # so that every model is rated
    sample = facts("round", "sample", SLUG, "--judge", judge, *how)
    assert (sample["drawn"], sample["sample"]) == (RATED, 1)
    for name in ERRORS:
        facts("user", "add", name, "--role", "annotator")
    names = ",".join(ERRORS)
    items = ("--items", "sample:1", "--repeat-percent", 0)
    assert facts("round", "create", SLUG, "--raters", names, *items)["state"] == "draft"
    facts("round", "open", SLUG, 1)
    plain = {"base_url": "http://127.0.0.1:8000", "secure_cookies": False}
    settings = Settings(database_url=url, htmx_source="local", threads=4, **plain)
    app = create_app(settings)
    sent = rate(app, settings)
    app.state.server.store.dispose()
    assert facts("round", "close", SLUG, 1) == {"round": 1, "state": "closed"}
    return sent


@pytest.mark.timeout(400)  # its bots, models and raters speak HTTP
def test_study_of_people_and_models_is_judged_rated_and_reported_by_commands(
    facts, ask, store, url, tmp_path
):
    people = facts("simulate", "--study", SLUG, "--bots", PEOPLE)
    assert (people["finished"], people["mismatches"]) == (4, 0)
    runs = {model: ask("model", model, "--method", method) for model, method in RUNS.items()}
    judge = ask("judge", "judge")
    assert {one["state"] for one in (*runs.values(), judge)} == {"finished"}
    assert judge["calls"] > 3 * VARIANTS  # models' explanations, and people's
    assert statuses(store) == STATUSES
    assert rated(facts, store, url) == 2 * RATED
    check_agreement(facts("round", "agreement", SLUG, 1, "--bootstrap", 100))
    facts("export", "--study", SLUG, "--out", tmp_path / "bundle")
    report = ("report", tmp_path / "bundle", "--out", tmp_path / "report", "--no-figures")
    made = facts(*report, "--bootstrap", 100)
    check_report(made, {model: run["label"] for model, run in runs.items()})
    for run in (*runs.values(), judge):
        used = run["prompt_tokens"] / 100
        assert run["cost"] == pytest.approx(CALL * used)
        found = facts("model", "verify", "--study", SLUG, "--run", run["run"])
        assert (found["ok"], found["unfinished"]) == (True, 0)
    assert facts("model", "parity", "--study", SLUG)["same"]
    found = facts("verify", "--study", SLUG)
    units = len(RUNS) * (EPISODES + VARIANTS) + judge["calls"]
    assert (found["ok"], found["models"], found["models_wrong"]) == (True, units, 0)
