"""Make the whole example: play, rate, and write the results."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import httpx

from app.bots.player import HttpPlayer
from app.example import pages, people, ratings
from app.example.design import SLUG, STUDY
from app.example.people import now
from app.example.writing import Writer
from app.progress import Track, untracked
from app.store.db import Store
from app.store.play import progress
from app.study.design import studies
from app.study.design.spec import check_study
from app.study.export import files
from app.study.people import accounts
from app.study.report import document, tables
from app.study.report.files import write_all
from app.study.report.options import Options
from app.web.deps import COOKIE

EPISODE = 1  # the first one after the practice
SHOWN = ("inducer", "eliminator", "enumerator")  # whose first worlds are replayed


def make(
    store: Store,
    address: str,
    out: Path,
    number: int,
    seed: int,
    *,
    pages_only: bool = False,
    track: Track = untracked,
) -> dict[str, int]:
    """Make the example in a folder; return the numbers of people, turns and pages.

    `store` is an empty database, on which a server answers at `address`. With `pages_only`, there
    are one replay, no bundle and no files of the report.
    Raises ExampleError: a bot could not finish.
    """
    writer = Writer(seed)
    cookie = log_in(store)
    studies.create(store, check_study(STUDY), now(), track=track)
    players = people.play(store, address, number, seed, writer, track)
    place = ratings.rate(store, seed, writer)
    studies.set_state(store, SLUG, "closed")
    replayed = shown(store, players, SHOWN[:1] if pages_only else SHOWN)
    listed = {} if pages_only else files_of(store, out, track)
    with httpx.Client(base_url=address, cookies={COOKIE: cookie}, timeout=600) as client:
        count = copy(client, out, replayed, place, listed)
    return {"people": len(players), "turns": sum(map(actions, players)), "pages": count}


def log_in(store: Store) -> str:
    """Create a researcher and return the cookie of their login."""
    token = accounts.add(store, ratings.BY, "researcher", now())
    password = secrets.token_urlsafe(24)
    return accounts.set_password(store, token, password, now(), timedelta(hours=2))


def actions(player: HttpPlayer) -> int:
    """Return how many commands a player sent."""
    return sum(len(one.acknowledged) for one in player.adventures.values())


def files_of(store: Store, out: Path, track: Track) -> dict[str, str]:
    """Write the bundle and the report's files; return address -> words for the first page."""
    files.export(store, SLUG, out / "bundle.zip", now(), track=track)
    found, facts = tables.of_bundle(out / "bundle.zip", track)
    made = document.document(found, facts, Options(), track)
    write_all(made, out / "report-files", track, figures=True, raw=False)
    return {
        "bundle.zip": "The bundle: all tables with a codebook (hjstudy export)",
        "report-files/report.json": "The report as JSON; its tables and figures are next to it",
    }


def shown(store: Store, players: list[HttpPlayer], bots: Sequence[str]) -> dict[str, str]:
    """Return bot -> public ID of the first player of each kind whose world is replayed."""
    with store.read() as db:
        first = {one.bot: one.token for one in reversed(players) if one.bot in bots}
        found = {bot: progress.by_token(db, first[bot]) for bot in bots}
    return {bot: str(row.public_id) for bot, row in found.items() if row is not None}


def copy(
    client: httpx.Client, out: Path, persons: dict[str, str], place: int, listed: dict[str, str]
) -> int:
    """Write the static pages, the first of which also lists files; return how many."""
    own = f"/admin/studies/{SLUG}"
    names = {
        f"{own}/report": "report.html",
        f"{own}/rating/rounds/{place}/agreement": "agreement.html",
    }
    replays: dict[str, str] = {}
    for bot, person in persons.items():
        names |= pages.replay(client, person, EPISODE, f"replay-{bot}")
        replays[f"replay-{bot}-00.html"] = f"A player who plays like the bot {bot}, step by step"
    pages.Site(client, out, names).copy_all()
    parts = {
        "What researchers see": {
            "report.html": "Report: success, efficiency, explanations, time, learning",
            "agreement.html": "Agreement of annotators with each other and with a judge",
        },
        "What a player did": replays,
    }
    if listed:
        parts["Files"] = listed
    title = str(STUDY["title"])
    (out / "index.html").write_text(pages.front(title, parts), encoding="utf-8")
    return len(names) + 1
