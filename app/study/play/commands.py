"""Play one command: check that the page is current, run it, append it to the log. Hot path."""

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.errors import StudyError
from app.game import say, world
from app.game.command import Typed
from app.game.view import PlayerView
from app.game.world import Observation, State, World
from app.languages.text import phrase
from app.moments import to_ms
from app.store.base import AnyRow
from app.store.db import Store
from app.store.play import episodes, progress, turns
from app.study.design.library import Library
from app.study.design.spec import StudySpec
from app.study.play import digests, players, seats
from app.study.play.players import NotActiveError
from app.study.play.steps import GAME, PRACTICE
from app.study.typed import read_command

MAX_SEQ = 1_000_000
MAX_MS = 2**53


class StaleSeqError(StudyError):
    """The page expected action `expected`, but the episode is at `current`."""

    code = "turn/stale"

    def __init__(self, expected: int, current: int) -> None:
        super().__init__(
            phrase(
                "This page was out of date, so your command was not played. The page is up to date "
                "now. Check it, and send the command again if you still want to."
            )
        )
        self.expected, self.current = expected, current


class EpisodeOverError(StudyError):
    """The episode has ended, so no more commands can be played in it."""

    code = "turn/over"

    def __init__(self) -> None:
        super().__init__(phrase("This adventure is over. Please continue to the next page."))


class Extras(NamedTuple):
    """What the browser reports about a command besides its text; None without script."""

    client_ms: int | None = None
    think_ms: int | None = None
    taps: int | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """The answer to a command. `observation` is None if the command had been played before."""

    seq: int
    raw: str
    typed: Typed | None
    observation: Observation | None
    message: str
    state: State
    view: PlayerView
    spec: StudySpec


class Live(NamedTuple):
    """An episode's state after action `seq`, cached in memory."""

    seq: int
    state: State
    digest: str
    at_ms: int | None  # when action `seq` arrived, in milliseconds since 1970; None: no action yet


class LiveStates:
    """The newest state of each episode in play. Thread-safe; drops the oldest."""

    def __init__(self, keep: int = 20_000) -> None:
        self._states: OrderedDict[int, Live] = OrderedDict()
        self._lock = threading.Lock()
        self._keep = keep

    def get(self, episode_id: int, seq: int) -> Live | None:
        """Return the cached state if it matches the last stored action."""
        with self._lock:
            live = self._states.get(episode_id)
        return live if live is not None and live.seq == seq else None

    def put(self, episode_id: int, live: Live) -> None:
        """Cache a state that has been committed or rebuilt from the log."""
        with self._lock:
            self._states[episode_id] = live
            self._states.move_to_end(episode_id)
            if len(self._states) > self._keep:
                self._states.popitem(last=False)

    def forget(self) -> None:
        """Forget all states: SQLite reuses the row ids of a deleted study."""
        with self._lock:
            self._states.clear()


class Table:
    """The store, library and live states of one server process."""

    def __init__(self, store: Store, library: Library | None = None) -> None:
        self.store = store
        self.library = library or Library()
        self.live = LiveStates()
        self.played = 0  # commands stored by this process
        self._counting = threading.Lock()

    def act(
        self,
        token: str,
        block: int,
        position: int,
        seq: int,
        raw: str,
        now: datetime,
        extras: Extras = Extras(),  # noqa: B008 - an immutable tuple
    ) -> Played:
        """Play one command as action `seq` of an episode and store it, once.

        A person whose seats were released while they were away gets them back first if they are
        free. If not, or if a clock has run out, their part ends and nothing is played.
        Invisible characters are dropped before anything is stored or played.
        Raises InputError (nothing is stored), NotThereError, StaleSeqError, EpisodeOverError,
        NotActiveError.
        """
        text = read_command(raw)
        try:
            return self.play(token, block, position, seq, text, now, extras)
        except seats.TimedOutError:
            seats.settle(self.store, token, now)
            return self.play(token, block, position, seq, text, now, extras)

    def play(
        self,
        token: str,
        block: int,
        position: int,
        seq: int,
        text: str,
        now: datetime,
        extras: Extras,
    ) -> Played:
        """Play a command in one transaction. Raises what `act` raises, and TimedOutError."""
        with self.store.write() as db:
            row = progress.to_play(db, token, block, position)
            if row is None:
                raise players.NotThereError
            last = row.last_seq or 0
            here = self.library.world(db, row.variant_hash, row.variant_episode)
            if seq != last + 1:
                return self.again(db, row, here, seq, text, last)
            self.check(db, row, token, block, position)
            live = self.state(db, row, here, last)
            spec = self.library.spec(db, row.design_id)
            seats.before_command(db, row, spec.clocks, live.at_ms, now)
            typed, state, observation = world.play(here, live.state, text)
            values = turn_values(row.id, seq, text, typed, state, observation, now, extras)
            values["digest"] = chain(live.digest, values)
            turns.insert(db, values)
            if state.done:
                self.end(db, row, state, values["digest"], now)
            view = self.library.view(db, row.variant_hash, row.variant_episode)
        self.live.put(row.id, Live(seq, state, values["digest"], values["received_ms"]))
        with self._counting:
            self.played += 1
        return Played(seq, text, typed, observation, values["message"], state, view, spec)

    def check(self, db: Connection, row: AnyRow, token: str, block: int, position: int) -> None:
        """Refuse commands in ended episodes, by people who have ended, or at steps not reached."""
        if row.state != "open":
            raise EpisodeOverError
        if row.participant_state != "active":
            raise NotActiveError
        if not row.last_seq:
            player = players.load(db, token)
            practice = players.is_practice(row)
            here = player.step(PRACTICE) if practice else player.step(GAME, block, position)
            if player.present != here:
                raise players.NotThereError

    def state(self, db: Connection, row: AnyRow, here: World, last: int) -> Live:
        """Return the state after the last stored action, cached or rebuilt from the log."""
        live = self.live.get(row.id, last)
        if live is None:
            live = rebuild(db, row, here)
            self.live.put(row.id, live)
        return live

    def again(
        self, db: Connection, row: AnyRow, here: World, seq: int, text: str, last: int
    ) -> Played:
        """Answer a command sent twice with the current state; refuse another text as outdated."""
        stored = turns.at(db, row.id, seq) if 1 <= seq <= MAX_SEQ else None
        if stored is None or stored.raw != text:
            raise StaleSeqError(seq, last + 1)
        state = self.state(db, row, here, last).state
        view = self.library.view(db, row.variant_hash, row.variant_episode)
        spec = self.library.spec(db, row.design_id)
        return Played(seq, text, None, None, stored.message, state, view, spec)

    def end(self, db: Connection, row: AnyRow, state: State, digest: str, now: datetime) -> None:
        """Store how the episode ended, in the transaction of its last action."""
        values = {
            "state": "won" if state.success else "lost",
            "actions_used": state.actions_used,
            "attempts": state.attempt if state.success else state.attempt - 1,
            "digest": digest,
            "finished_at": now,
        }
        episodes.close(db, row.id, values)


def rebuild(db: Connection, row: AnyRow, here: World) -> Live:
    """Return an episode's state by replaying its stored commands."""
    state, seq = world.start(here), 0
    tip, at_ms = digests.first_link(row.id, row.variant_hash, row.variant_episode), None
    for seq, raw in enumerate(turns.raws(db, row.id), start=1):  # noqa: B007 - seq is the count
        _, state, _ = world.play(here, state, raw)
    if seq:
        stored = turns.at(db, row.id, seq)
        if stored is not None:
            tip, at_ms = str(stored.digest), int(stored.received_ms)
    return Live(seq, state, tip, at_ms)


def turn_values(
    episode_id: int,
    seq: int,
    raw: str,
    typed: Typed,
    state: State,
    observation: Observation,
    now: datetime,
    extras: Extras,
) -> dict[str, Any]:
    """Return a turn's row without its digest."""
    return {
        "episode_id": episode_id,
        "seq": seq,
        "raw": raw,
        "verb": typed.verb or "",
        "argument": typed.argument or "",
        "parse_status": typed.status,
        "ok": observation.ok,
        "code": observation.code,
        "params": json.dumps(observation.params, ensure_ascii=False),
        "message": say.say(observation),
        "done": observation.done,
        "success": observation.success,
        "attempt": observation.attempt,
        "actions_used": state.actions_used,
        "location": state.location,
        "item": state.item or "",
        "coins": state.coins,
        "did": json.dumps(state.did, ensure_ascii=False),
        "received_ms": to_ms(now),
        **extras._asdict(),
    }


def chain(previous: str, values: dict[str, Any]) -> str:
    """Return the digest of a turn's row, chained to the previous digest."""
    return digests.digest(previous, tuple(values[name] for name in digests.TURN_FIELDS))


def stored(db: Connection, episode_id: int) -> Sequence[AnyRow]:
    """Return an episode's turns in order."""
    return turns.of_episode(db, episode_id)


__all__ = ["Extras", "NotActiveError", "Played", "Table", "rebuild", "say"]
