"""Fill a database with episodes played by bots, thousands of turns per second.

The real code makes the rows (`commands.turn_values`, `commands.chain`). Only the transactions are
larger: one per player instead of one per command.
"""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

from sqlalchemy import Connection

from app.game import world
from app.game.bots import GIVE_UP, make_bot
from app.game.model import Variant
from app.store.base import AnyRow
from app.store.db import Store
from app.store.play import episodes, progress, turns
from app.study.design.library import Library
from app.study.play import commands, digests
from app.study.play.commands import Extras
from bench.stage import NOW, enter

KINDS = ("typist", "neighbour", "eliminator", "enumerator", "inducer")
LOOKS = ("check_inventory", "check_location", "look around", "help")
HESITATION = 0.12  # share of turns that look around or are not a command


def fill(store: Store, library: Library, wanted: int) -> int:
    """Enrol people and play their episodes until enough turns are stored; return the number."""
    rng, stored, number = Random(1), 0, 0
    while stored < wanted:
        token = enter(store, library)
        with store.write() as db:
            person = progress.by_token(db, token)
            assert person is not None
            for row in episodes.episodes_of(db, person.id):
                kind = KINDS[number % len(KINDS)]
                variant = library.variant(db, row.variant_hash)
                stored += play_episode(db, row, variant, kind, rng)
                number += 1
                if stored >= wanted:
                    break
    return stored


def lines(kind: str, variant: Variant, index: int, rng: Random) -> Iterator[str]:
    """Yield what the player types, hesitations included; receive (observation, state)."""
    bot = make_bot(kind, variant, index, rng, slip=0.1)
    here = world.episode_world(variant, index)
    state, last = world.start(here), None
    while not state.done:
        line = bot.next_command(last, state)
        if line == GIVE_UP:
            return
        spare = here.budget is None or state.actions_used + 6 < here.budget
        if spare and rng.random() < HESITATION:
            look = LOOKS[int(rng.random() * len(LOOKS))]
            yield look
            _, state, _ = world.play(here, state, look)
        yield line
        _, state, last = world.play(here, state, line)


def play_episode(db: Connection, row: AnyRow, variant: Variant, kind: str, rng: Random) -> int:
    """Play and store one episode; return its number of turns."""
    index = row.variant_episode
    here = world.episode_world(variant, index)
    state, rows = world.start(here), list[dict[str, Any]]()
    tip = digests.first_link(row.id, row.variant_hash, index)
    now = NOW + timedelta(seconds=row.id)
    for seq, line in enumerate(lines(kind, variant, index, rng), start=1):
        now += timedelta(milliseconds=2000 + int(rng.random() * 6000))
        think = int(rng.random() * 6000)
        extras = Extras(int(now.timestamp() * 1000) - 40, think, int(rng.random() * 3))
        typed, state, observation = world.play(here, state, line)
        values = commands.turn_values(row.id, seq, line, typed, state, observation, now, extras)
        tip = values["digest"] = commands.chain(tip, values)
        rows.append(values)
    if rows:
        db.execute(turns.INSERT, rows)
    if state.done:
        values = {
            "state": "won" if state.success else "lost",
            "actions_used": state.actions_used,
            "attempts": state.attempts,
            "digest": tip,
            "finished_at": now,
        }
        episodes.close(db, row.id, values)
    return len(rows)
