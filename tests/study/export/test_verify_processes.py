"""Verify in several processes: the parts of the log add up to the whole."""

import json
import subprocess
import sys

import pytest

from app.store.export import proof
from app.store.play.participants import participant
from app.store.play.turns import turn
from app.study.export import verify, verify_work

IN_PARTS = """
import json, sys
from app.store.db import Store
from app.study.export import verify

def track(things, what, total=None):
    for number, thing in enumerate(things, start=1):
        print(what, number, total)
        yield thing

print(json.dumps(verify.verify(Store(sys.argv[1]), jobs=3, track=track).to_dict()))
"""


def test_several_processes_find_what_one_finds(story, token, store_url):
    for place in (0, -1):
        target = story.turns(token, place, 0)[0]
        story.change(turn, turn.c.id == target.id, taps=55)
    story.change(participant, participant.c.id > 0, consent_hash="another")
    command = [sys.executable, "-W", "error", "-c", IN_PARTS, store_url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    *progress_lines, report = done.stdout.splitlines()
    found = verify.verify(story.store, jobs=1)
    assert json.loads(report) == found.to_dict()
    assert found.episodes_wrong == 2
    assert found.records_wrong > 0
    assert found.events_wrong > 0
    total = found.episodes
    assert progress_lines == [f"Replaying episodes {n} {total}" for n in range(1, total + 1)]


@pytest.mark.parametrize("parts", [1, 2, 3, 8])
def test_every_variant_is_in_one_part(parts):
    hashes = [f"{number:03x}" + "7" * 61 for number in range(4096)]
    bounds = [proof.hash_bounds((number, parts)) for number in range(parts)]
    found = [
        name
        for conditions in bounds
        for name in hashes
        if all(one.operator(name, one.right.value) for one in conditions)
    ]
    assert found == hashes


def test_small_log_is_checked_in_one_process():
    assert verify_work.useful_jobs(verify_work.MANY - 1) == 1
