"""The long run of the form fuzzer: `make fuzz`. Ends with 1 if anything was found.

python -m tests.fuzz [--seconds 3600] [--seed N]. Each round takes a fresh copy of the server, so
that what the forms delete comes back. A round that found something can be repeated by its seed.
"""

import argparse
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path

from app.store import migrate
from tests.fuzz.api import Api
from tests.fuzz.described import SCOPES, Described
from tests.fuzz.engine import Fuzz, fault_of
from tests.fuzz.scene import scene

EACH = 12  # odd versions of each form in a round
API_SHARE = 0.2  # of the time, for calls as the OpenAPI document describes them
PHASES = "examples,coverage,fuzzing,stateful"


def play_round(folder: Path, seed: int, end: float) -> Fuzz:
    """Send odd forms as everyone, and each form once by those who may not."""
    with scene(folder, folder / "template.db") as here:
        fuzz = Fuzz(here, seed)
        for person in here.people:
            fuzz.all_without_right(person, fuzz.find(person))
        for person in here.people:
            forms = fuzz.find(person)
            for url in sorted(fuzz.pages[person.name]):
                fuzz.ask_oddly(person, url)
            for form in forms:
                for _ in range(EACH):
                    if time.monotonic() > end:
                        return fuzz
                    fuzz.spoil(person, form)
            fuzz.find(person)  # what was stored is shown
        send_bodies(fuzz, Api(here.named("stranger").client, here.key, fuzz.rng), end)
        return fuzz


def send_bodies(fuzz: Fuzz, api: Api, end: float) -> None:
    """Send odd bodies to every operation of the JSON API."""
    for path, fields in api.operations():
        for body in api.bodies(fields):
            if time.monotonic() < end:
                fuzz.note(f"POST {path}", fault_of(api.call(path, body)), str(body[:200]))
                fuzz.sent += 1


def call_as_described(folder: Path, seed: int, seconds: float) -> bool:
    """Let schemathesis call the JSON API with each key; tell whether it found a fault."""
    described = Described(folder, folder / "template.db")
    try:
        for scope in SCOPES:
            share = str(max(1, int(seconds / len(SCOPES))))
            options = ("--seed", str(seed), "--max-time", share, "--phases", PHASES)
            printed, report = described.call(scope, *options)
            print(f"{scope}: {report['test_cases']['generated']} calls of the JSON API", flush=True)
            if report["exit_code"]:
                print(printed, flush=True)
                return True
    finally:
        described.end()
    return False


def main(arguments: list[str] | None = None) -> int:
    """Fuzz until the time is over; print each kind of fault once."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    asked = parser.parse_args(arguments)
    os.environ.setdefault("HJSTUDY_LOG_LEVEL", "error")
    end, seed, sent = time.monotonic() + asked.seconds, asked.seed, 0
    forms = set[str]()
    faults = set[tuple[str, str]]()
    with tempfile.TemporaryDirectory(prefix="hjstudy-fuzz-") as name:
        folder = Path(name)
        migrate.upgrade(f"sqlite:///{folder / 'template.db'}")
        is_wrong = call_as_described(folder, seed, API_SHARE * asked.seconds)
        while time.monotonic() < end:
            fuzz = play_round(folder, seed, end)
            sent, forms = sent + fuzz.sent, fuzz.forms
            for fault, detail in fuzz.faults.items():
                if fault not in faults:
                    print(f"seed {seed}: {fault[0]}: {fault[1]} ({detail})", flush=True)
            faults |= set(fuzz.faults)
            seed += 1
    rounds = seed - asked.seed
    print(f"{sent} requests from {len(forms)} forms in {rounds} rounds, {len(faults)} faults")
    return int(bool(faults) or is_wrong)


if __name__ == "__main__":
    sys.exit(main())
