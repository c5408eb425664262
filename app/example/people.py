"""Simulated people: bots that play over HTTP and write explanations of different quality."""

from datetime import UTC, datetime
from functools import partial

from app.bots import crowd
from app.bots.player import HttpPlayer
from app.bots.stored import Stored
from app.errors import StudyError
from app.example.design import SLUG, STRATEGIES
from app.example.writing import Writer
from app.progress import Track, untracked
from app.store.db import Store


class ExampleError(StudyError):
    """The example could not be made."""

    code = "example/failed"


def play(
    store: Store, address: str, number: int, seed: int, writer: Writer, track: Track = untracked
) -> list[HttpPlayer]:
    """Let simulated people play the study on a server; return them. Raises ExampleError."""
    names = [STRATEGIES[one % len(STRATEGIES)] for one in range(number)]
    stored = Stored(store)
    players = crowd.make(address, names, stored.knows, seed)
    for one, player in enumerate(players):
        player.words = partial(words, player, one, writer)
    outcomes = crowd.run(players, lambda _: f"/s/{SLUG}", in_order=True, track=track)
    report = crowd.report(outcomes, stored.compare(players, track))
    if not report.ok:
        raise ExampleError("; ".join(report.problems))
    return players


def words(player: HttpPlayer, number: int, writer: Writer) -> str:
    """Return what a player writes on the page that follows a world."""
    if not player.adventures:
        return ""
    last = list(player.adventures.values())[-1]
    return writer.write(player.bot, number, last.variant)


def now() -> datetime:
    """Return the current time: aware, UTC."""
    return datetime.now(UTC)
