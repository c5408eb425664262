"""A study of people and three models, judged, sampled, rated and reported: all by pages."""

import json
import shutil
import time
from datetime import UTC, datetime
from random import Random

import pytest

from app.bots.player import HttpPlayer
from app.bots.stored import Stored
from app.settings import Settings
from app.store.db import Store
from app.study.design import studies
from app.study.design.spec import check_study
from app.study.export.verify import verify
from app.study.models import proof, runs
from tests.models.whole import (
    EPISODES,
    ERRORS,
    FAULTS,
    PER_LEVEL,
    RATED,
    RUNS,
    STATUSES,
    STUDY,
    WAITS,
    Cast,
    ClientSender,
    check_agreement,
    check_report,
    rate,
    statuses,
)
from tests.own_forms import SITE, OwnForms, logged_in
from tests.walker import one_line

OWN = f"/admin/studies/{STUDY['slug']}"
PEOPLE = ("oracle", "enumerator", "oracle", "copycat")
LONGEST_S = 300


@pytest.fixture
def cast():
    return Cast(FAULTS)


@pytest.fixture
def settings(cast, sqlite_template, tmp_path):
    shutil.copyfile(sqlite_template, tmp_path / "test.db")
    with cast.serving() as url:
        yield Settings(
            database_url=f"sqlite:///{tmp_path / 'test.db'}",
            data_dir=tmp_path / "data",
            htmx_source="local",
            threads=8,
            model_endpoints=f"local={url}",
        )


@pytest.fixture
def study(server, cast):
    made = studies.create(server.store, check_study(STUDY), datetime.now(UTC))
    with server.store.read() as db:
        cast.learn([server.library.variant(db, name) for name in made.hashes.values()])
    return made


def play(app, settings, store: Store):
    """Let people play in browsers without scripts."""
    stored = Stored(store)
    for number, bot in enumerate(PEOPLE):
        player = HttpPlayer("http://127.0.0.1", bot, stored.knows, Random(number))
        player.sender = ClientSender(OwnForms(app, base_url=settings.base_url, headers=SITE))
        assert player.play_study(f"/s/{STUDY['slug']}")


def job(researcher):
    """Follow the job that was started to its end; return its page."""
    answer, until = researcher.answer, time.monotonic() + LONGEST_S
    assert answer.status_code == 200, answer.text
    while 'http-equiv="refresh"' in answer.text:
        assert time.monotonic() < until, answer.text
        time.sleep(0.1)
        answer = researcher.get(str(answer.url)).answer
    return one_line(answer.text)


def ask(researcher, page, model, method):
    """Start a model from its page; return the job's page."""
    wanted = {"model": model, "method": method, "endpoint": "local", "preset": "paper"}
    wanted["timeout_s"] = str(WAITS.get(model, ""))
    return researcher.get(f"{OWN}/{page}").send("endpoint", **wanted)


def rated(researcher, app, settings):
    """Sample, rate and close; return the number of ratings."""
    for name in ERRORS:
        logged_in(app, settings, name, "annotator")
    sample = {"per_level": PER_LEVEL, "allocation": "balanced", "judge": "1"}
    page = researcher.get(f"{OWN}/rating").send("per_level", **sample).page
    round_url = next(one for one in page.links if "/rounds/new" in one)
    form = researcher.get(round_url).page.form("rubric")
    ticks = dict.fromkeys(every_rater(researcher.answer.text), "1")
    assert form.fields["items"] == "sample:1"
    researcher.send("rubric", title="Everyone", k="2", repeat_percent="0", **ticks)
    draft = researcher.url
    researcher.send("revision")
    sent = rate(app, settings)
    page = researcher.get(f"{draft}/close").page
    form = next(one for one in page.forms if one.action.endswith("/close"))
    assert researcher.client.post(form.action, data=form.fields).status_code == 200
    return sent, draft


def every_rater(text):
    return {
        part.partition('"')[0] for part in text.split('name="')[1:] if part.startswith("rater_")
    }


def check_log(store, study):
    """Verify the study and every run, as the commands do."""
    assert verify(store, STUDY["slug"]).ok
    for number in range(1, len(RUNS) + 2):
        with store.read() as db:
            run = runs.find(db, study, number)
        report = proof.verify(store, run)
        assert (run.state, report.ok, report.unfinished) == ("finished", True, 0)


@pytest.mark.timeout(600)  # four processes, one after the other
def test_study_of_people_and_models_is_judged_rated_and_reported_by_pages(
    client, app, settings, server, study, researcher
):
    play(app, settings, server.store)
    for model, method in RUNS.items():
        text = job(ask(researcher, "report/models/start", model, method))
        assert "State: finished" in text
        assert f"Episodes: {EPISODES} of {EPISODES}" in text
    text = job(ask(researcher, "rating/judges/run", "judge", "overall"))
    assert "State: finished" in text
    assert statuses(server.store) == STATUSES
    sent, draft = rated(researcher, app, settings)
    assert sent == 2 * RATED
    assert "judge overall paper" in researcher.get(f"{draft}/agreement").answer.text
    check_agreement(json.loads(researcher.get(f"{draft}/agreement/report.json").answer.text))
    text = researcher.get(f"{OWN}/report?replicates=100").answer.text
    made = json.loads(researcher.get(f"{OWN}/report/report.json?replicates=100").answer.text)
    labels = {model: f"{model} {method} paper" for model, method in RUNS.items()}
    assert all(one in text for one in labels.values())
    assert "same words" in text
    check_report(made, labels)
    check_log(server.store, study)
