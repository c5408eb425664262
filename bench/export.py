"""Memory of an export with ten thousand turns and with a million; its speed against bare csv.

Memory is the peak of a separate process that builds the whole bundle (all tables, every episode
replayed) and discards it. Speed is that of the turn table, against a loop that runs the same query
on the database driver and passes each row to `csv.writer`.
"""

import csv
import io
import json
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from app.store.db import Store
from app.store.export import dump, proof
from app.store.export.dump import Scope
from app.store.play.turns import turn
from app.study.design import studies
from app.study.design.library import Library
from app.study.export import files
from app.study.export.files import Options
from app.study.play import digests
from bench import crowd, growth, measure, stage
from bench.measure import Result

MEMORY, SPEED = 1.2, 0.4
CHUNK = 64 * 1024


def whole(path: str) -> None:
    """Build the bundle of the study in a database; print the peak memory of this process in MB."""
    store = Store(f"sqlite:///{path}", threads=1)
    began, size = time.perf_counter(), 0
    for piece in files.stream_zip(store, stage.SLUG, stage.NOW, Options()):
        size += len(piece)
    took = time.perf_counter() - began
    store.dispose()
    sys.stdout.write(json.dumps({"mb": peak_mb(), "seconds": took, "bytes": size}))


def peak_mb() -> float:
    """Return the peak memory of this program in MB (Linux).

    getrusage would include the peak of the parent process.
    """
    (line,) = re.findall(
        r"^VmHWM:\s+(\d+) kB$", Path("/proc/self/status").read_text("ascii"), re.MULTILINE
    )
    return int(line) / 1024


def peak_of(path: Path) -> dict[str, float]:
    """Return what `whole` measures in a separate process."""
    code = f"from bench.export import whole; whole({str(path)!r})"
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, check=True, text=True)
    return dict(json.loads(found.stdout))


def mend(path: Path) -> None:
    """Rebuild the digest chains of copied episodes, whose IDs differ from the originals."""
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    flags = {column.name for column in turn.c if column.type.python_type is bool}
    names = ", ".join(f"turn.{name}" for name in digests.TURN_FIELDS)
    rows = db.execute(
        f"SELECT turn.id, episode_id, variant_hash, variant_episode, {names} FROM turn "  # noqa: S608
        "JOIN episode ON episode.id = episode_id ORDER BY episode_id, seq"
    )
    episode, tip, turns, ends = 0, "", [], {}
    for row in rows:
        if row["episode_id"] != episode:
            episode = row["episode_id"]
            tip = digests.first_link(episode, row["variant_hash"], row["variant_episode"])
        fields = (bool(row[name]) if name in flags else row[name] for name in digests.TURN_FIELDS)
        tip = digests.digest(tip, tuple(fields))
        turns.append((tip, row["id"]))
        ends[episode] = tip
    with db:
        db.executemany("UPDATE turn SET digest = ? WHERE id = ?", turns)
        db.executemany(
            "UPDATE episode SET digest = ? WHERE id = ? AND digest IS NOT NULL",
            [(tip, one) for one, tip in ends.items()],
        )
    db.close()


def ours(store: Store) -> float:
    """Return rows per second of the turn table as the export streams it."""
    began = time.perf_counter()
    lines = sum(
        piece.count(b"\r\n") for piece in files.stream_csv(store, stage.SLUG, "turn", "csv")
    )
    return lines / (time.perf_counter() - began)


def bare(store: Store) -> float:
    """Return rows per second of the same query, straight from the driver into `csv.writer`."""
    with store.read() as db:
        study = studies.find(db, stage.SLUG)
        scope = Scope(study.id, include_test=False, include_practice=False)
        query = proof.statement(db, dump.all_turns(scope))
        began, number, text = time.perf_counter(), 0, io.StringIO()
        writer = csv.writer(text)
        for row in proof.driver_rows(db, query):
            writer.writerow(row)
            number += 1
            if text.tell() > CHUNK:
                text.seek(0)
                text.truncate()
        return number / (time.perf_counter() - began)


def run(*, tiny: bool) -> Iterator[Result]:
    """Create both databases; measure speed in the small one and memory in both."""
    few, many, seeds, rounds = (300, 1200, 1, 2) if tiny else (10_000, 1_000_000, 20, 15)
    with stage.folder() as folder:
        small, large = folder / "small.db", folder / "large.db"
        with stage.database(small, seeds) as store:
            crowd.fill(store, Library(), few)
            pair = measure.alternate(lambda: ours(store), lambda: bare(store), rounds)
        print(pair.line("rows/s", "export", "bare csv"))
        yield Result("export: rows/s of turns, ours / bare csv", pair.ratio, SPEED)
        with stage.database(large, seeds) as store:
            begun = crowd.fill(store, Library(), few)
        stored = growth.multiply(large, -(-many // begun))
        mend(large)
        less = median(peak_of(small)["mb"] for _ in range(3))
        big = peak_of(large)
        print(
            f"  {big['mb']:.0f} MB with {stored:,} turns ({big['seconds']:.0f} s, zip of "
            f"{big['bytes'] / 1e6:.0f} MB), {less:.0f} MB with {few:,}"
        )
    ratio = big["mb"] / less
    yield Result("export: peak memory, 10^6 / 10^4 turns", ratio, MEMORY, at_least=False)
