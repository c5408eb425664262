"""A temporary database for the benchmarks, with a study of all eight tasks."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.game.tasks import TASK_NAMES
from app.game.view import PlayerView
from app.store import migrate
from app.store.db import Store
from app.store.play import progress
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.play import enrol, rule_form, steps
from app.study.play.arrival import Arrival
from app.study.play.commands import Table
from app.study.tickets import new_ticket

SLUG = "bench"
NOW = datetime.now(UTC)  # servers of the benchmarks use the real clock


@contextmanager
def folder() -> Iterator[Path]:
    """Create a temporary folder for the database."""
    with tempfile.TemporaryDirectory(prefix="hjstudy-bench-") as name:
        yield Path(name)


@contextmanager
def database(
    path: Path,
    seeds: int = 20,
    tasks: tuple[str, ...] = TASK_NAMES,
    lexica: tuple[str, ...] = ("semantic",),
) -> Iterator[Store]:
    """Open a new SQLite file at `path` with a study of these tasks and variants per task."""
    with database_at(f"sqlite:///{path}", seeds, tasks, lexica) as store:
        yield store


@contextmanager
def database_at(
    url: str,
    seeds: int,
    tasks: tuple[str, ...] = TASK_NAMES,
    lexica: tuple[str, ...] = ("semantic",),
) -> Iterator[Store]:
    """Do what `database` does in an empty database of any kind."""
    migrate.upgrade(url)
    store = Store(url)
    try:
        studies.create(store, check_study(study_file(seeds, tasks, lexica)), NOW)
        yield store
    finally:
        store.dispose()


def study_file(
    seeds: int, tasks: tuple[str, ...], lexica: tuple[str, ...] = ("semantic",)
) -> dict[str, object]:
    """Return a study in which every participant plays each task once in each lexicon."""
    blocks = [
        {"task": task, "seeds": list(range(seeds)), "lexicon": words}
        for words in lexica
        for task in tasks
    ]
    return {
        "slug": SLUG,
        "title": "Benchmark",
        "seed": 1,
        "blocks": blocks,
        "per_player": len(blocks),
        "options": {"practice": False},
        "rule_form": {"when": "block"},
        "texts": {"contact": "study@example.org", "pay": "GBP 4 for about 20 minutes"},
    }


def enter(store: Store, library: Library, slug: str = SLUG, now: datetime = NOW) -> str:
    """Let one more person consent and read the instructions; return the token.

    Their next step is the first episode.
    """
    token = enrol.agree(store, library, slug, Arrival(), new_ticket(), now)
    later = now + timedelta(seconds=60)
    rule_form.leave(store, token, steps.INSTRUCTIONS, new_ticket(), later)
    return token


def first_view(table: Table, token: str) -> PlayerView:
    """Return what a participant sees in their first episode."""
    with table.store.write() as db:  # the row is locked
        row = progress.to_play(db, token, 0, 0)
        assert row is not None
        return table.library.view(db, row.variant_hash, row.variant_episode)
