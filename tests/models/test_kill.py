"""A run that is killed asks again at most what was under way, and keeps every answer."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
import sqlalchemy as sa

from app.store.models.calls import model_call
from app.store.play.episodes import episode
from tests.models.scripted import Players, Scripted

CONCURRENCY = 4
KILLED_AFTER = 60  # requests, of about 120


@pytest.fixture
def script(make_study, variants_of):
    make_study(blocks=[{"task": "A-Over", "seeds": "1-8"}, {"task": "P-Add", "seeds": "1-8"}])
    return Scripted(Players(variants_of()), delay_s=0.02)


def start(url, *command):
    environment = {**os.environ, "HJSTUDY_DATABASE_URL": url}
    words = [sys.executable, "-m", "app.cli", *command]
    return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.long
@pytest.mark.timeout(400)  # starts processes, and certifies sixteen variants first
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_killed_run_repeats_at_most_the_calls_in_flight(how, script, endpoint, url, store, facts):
    run = ("model", "run", "--study", "demo", "--model", "m", "--base-url", endpoint)
    process = start(url, *run, "--concurrency", str(CONCURRENCY))
    deadline = time.monotonic() + 120
    while len(script.requests) < KILLED_AFTER and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(how)
    process.communicate(timeout=120)
    time.sleep(0.2)  # requests that had arrived are answered into nothing
    before = len(script.requests)
    with store.read() as db:
        kept = db.execute(sa.select(model_call).order_by(model_call.c.id)).all()
    assert before >= KILLED_AFTER
    assert before - CONCURRENCY <= len(kept) <= before
    if how == signal.SIGTERM:
        assert (process.returncode, len(kept)) == (1, before)  # stopped in order
    done = facts("model", "resume", "--study", "demo", "--run", 1, "--concurrency", CONCURRENCY)
    assert done["state"] == "finished"
    often = Counter(script.prompts)
    repeated = sum(number - 1 for number in often.values())
    assert repeated <= (CONCURRENCY if how == signal.SIGKILL else 0)
    assert repeated == len(script.requests) - done["calls"]
    assert done["calls"] > 120
    with store.read() as db:
        after = db.execute(sa.select(model_call).order_by(model_call.c.id)).all()
        lost = db.execute(sa.select(episode).where(episode.c.state == "lost")).all()
    assert after[: len(kept)] == kept
    assert lost == []
    assert facts("model", "verify", "--study", "demo", "--run", 1)["ok"]
