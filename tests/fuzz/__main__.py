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
from tests.fuzz.engine import Fuzz, fault_of
from tests.fuzz.scene import scene

EACH = 12  # odd versions of each form in a round


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
        call(fuzz, Api(here.named("stranger").client, here.key, fuzz.rng), end)
        return fuzz


def call(fuzz: Fuzz, api: Api, end: float) -> None:
    """Call every operation of the JSON API oddly."""
    for method, path, operation in api.operations():
        for _ in range(EACH * 4):
            if time.monotonic() < end:
                answer = api.call(method, path, operation)
                fuzz.note(f"{method} {path}", fault_of(answer), str(answer.request.content[:200]))
                fuzz.sent += 1


def main(arguments: list[str] | None = None) -> int:
    """Fuzz until the time is over; print each kind of fault once."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    asked = parser.parse_args(arguments)
    os.environ.setdefault("HJSTUDY_LOG_LEVEL", "error")
    end, seed, sent = time.monotonic() + asked.seconds, asked.seed, 0
    faults = set()
    with tempfile.TemporaryDirectory(prefix="hjstudy-fuzz-") as name:
        folder = Path(name)
        migrate.upgrade(f"sqlite:///{folder / 'template.db'}")
        while time.monotonic() < end:
            fuzz = play_round(folder, seed, end)
            sent += fuzz.sent
            for fault, detail in fuzz.faults.items():
                if fault not in faults:
                    print(f"seed {seed}: {fault[0]}: {fault[1]} ({detail})", flush=True)
            faults |= set(fuzz.faults)
            seed += 1
    print(
        f"{sent} requests from {len(fuzz.forms)} forms in {seed - asked.seed} rounds, "
        f"{len(faults)} faults"
    )
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
