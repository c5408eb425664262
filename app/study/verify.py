"""Prove the log: play every stored command again and compare all that was written down.

Each episode is replayed in the world of its *stored* variant. Compared are each turn with what the
engine says, the digest chain over every column, the end that the episode's row tells, and the
variant with its hash. One pass over the tables in order; memory does not grow with them.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.errors import GameError
from app.game import world
from app.game.model import Variant
from app.game.say import ENGINE_VERSION
from app.store import proof
from app.store.db import Store
from app.study import direct, log, studies
from app.study.replay import Garden, read_variant

SEPARATOR = log.SEPARATOR.encode()
RAW = log.TURN_FIELDS.index("raw")
BATCH = 200  # episodes whose turns are read at once

StoredTurn = tuple[int, bytes, bytes, bytes]  # as proof.TurnTexts hands it over
Problem = tuple[int | None, str, str | int | None, str | int | None]  # seq, field, is, should be


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing wrong in one episode.

    `episode`: its id in exports. `seq`: of the turn, None where the row of the episode is meant.
    `field`: a column of turn or episode, or `variant`. The field `digest` means that a column
    which the engine cannot know (what was typed, a time, taps), or the digest itself, is not what
    was written.
    """

    participant: str
    episode: str
    seq: int | None
    field: str
    stored: str | int | None
    expected: str | int | None


class WrongError(Exception):
    """Something is wrong within an episode: stop replaying it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.problem = problem


# An episode as proof.episodes_by_world hands it over: these columns (text as bytes), whether it
# was carried over by hand, and the answer of the direct format.
FACTS = ("entity", "ref_length", "n_tries", "budget")
END = ("state", "actions_used", "attempts", "digest")
COLUMNS = ("variant_hash", "variant_episode", "id", "engine_version", *FACTS, *END)
STATED = (*direct.FIELDS, "is_right")
StoredEpisode = Sequence[Any]


class Checked(NamedTuple):
    """One episode (its row's id), how many turns it has, and the first thing wrong in it."""

    id: int
    turns: int
    problem: Problem | None


@dataclass(frozen=True, slots=True)
class Report:
    """What `hjstudy verify` tells."""

    episodes: int
    turns: int
    ok: bool
    first_difference: Difference | None
    episodes_wrong: int

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, ready for JSON."""
        return asdict(self)


def verify(store: Store, slug: str | None = None) -> Report:
    """Check every episode, practice too, of one study or of all. Raises NoStudyError."""
    episodes = turns = wrong = 0
    first: Checked | None = None
    with store.read() as db, garbage_kept():
        for one in check(db, None if slug is None else studies.find(db, slug).id):
            episodes += 1
            turns += one.turns
            if one.problem is not None:
                wrong += 1
                first = one if first is None or one.id < first.id else first
        return Report(episodes, turns, not wrong, first and named(db, first), wrong)


def named(db: Connection, one: Checked) -> Difference | None:
    """Return what is wrong in an episode, with the names it has in exports."""
    if one.problem is None:
        return None
    public_id, *place = proof.episode_place(db, one.id)
    return Difference(public_id, episode_name(public_id, *place), *one.problem)


def wrong_episodes(db: Connection, study_id: int) -> set[int]:
    """Return the row ids of a study's episodes that are not what the engine says."""
    with garbage_kept():
        return {one.id for one in check(db, study_id) if one.problem is not None}


@contextmanager
def garbage_kept() -> Iterator[None]:
    """Hold the search for garbage off for a while: it would look at every row, and find none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def episode_name(public_id: str, kind: str, block_position: int, position: int) -> str:
    """Return the name of an episode in exports, such as `p_0a1b2c3d4e5f-w1-g2`."""
    if kind != "main":
        return f"{public_id}-{kind}"
    return f"{public_id}-w{block_position + 1}-g{position + 1}"


def check(db: Connection, study_id: int | None) -> Iterator[Checked]:
    """Check all episodes, those of one world together: what is worked out for one serves all."""
    texts = proof.TurnTexts(db, log.TURN_FIELDS, log.SEPARATOR)
    stored = proof.episodes_by_world(db, COLUMNS, STATED, study_id)
    for name, of_variant in groupby(stored, itemgetter(0)):
        variant = read_variant(proof.variant_content(db, plain(name)), plain(name))
        for index, of_world in groupby(of_variant, itemgetter(1)):
            checker = Checker(variant, plain(name), index)
            while batch := list(islice(of_world, BATCH)):
                turns = texts.of([row[2] for row in batch])
                yield from checker.check(batch, turns)
            checker.end()


class Checker:
    """Checks the episodes of one world. `variant` may be a text that says what is wrong with it."""

    def __init__(self, variant: Variant | str, name: str, index: int) -> None:
        self._problem: Problem | None = None
        self._name, self._index = name, index
        if isinstance(variant, str):
            self._problem = None, "variant", variant, name
        elif not 0 <= index < len(variant.episodes):
            most = len(variant.episodes) - 1
            self._problem = None, "variant_episode", index, f"0 to {most}"
        else:
            self._sound = variant
            self._garden = Garden(world.episode_world(variant, index))
            told = variant.episodes[index]
            self._facts = (told.entity.encode(), told.ref_length, told.n_tries, told.budget)

    def end(self) -> None:
        """Forget the world."""
        if self._problem is None:
            self._garden.forget()

    def check(self, batch: Sequence[StoredEpisode], turns: list[StoredTurn]) -> Iterator[Checked]:
        """Check some episodes (by id) with all their turns (by episode and seq)."""
        end = 0
        for row in batch:
            begin, episode_id = end, row[2]
            while end < len(turns) and turns[end][0] == episode_id:
                end += 1
            try:
                problem = self._problem or self.compare(row, turns[begin:end])
            except WrongError as error:
                problem = error.problem
            yield Checked(episode_id, end - begin, problem)

    def compare(self, row: StoredEpisode, turns: list[StoredTurn]) -> Problem | None:
        """Return what is wrong with an episode, or raise it (WrongError)."""
        _, _, episode_id, version, *told, unstuck = row[: len(COLUMNS) + 1]
        if tuple(told[:4]) != self._facts:
            return first_unequal(FACTS, told[:4], self._facts)
        link = log.first_link(episode_id, self._name, self._index)
        end = replay(self._garden, link, plain(version), turns)
        *statement, is_right = row[len(COLUMNS) + 1 :]
        if is_right is not None:
            right = direct.is_right(self._sound, self._index, direct.Statement(*statement))
            if is_right != right:
                return None, "is_right", is_right, right
            end = (b"won" if right else b"lost", *end[1:])
        elif unstuck is not None and end[0] == b"open":
            end = (b"lost", *end[1:])
        return None if tuple(told[4:]) == end else first_unequal(END, told[4:], end)


def replay(
    garden: Garden, first_link: str, engine_version: str, turns: list[StoredTurn]
) -> tuple[Any, ...]:
    """Replay an episode's turns, compare each, and return the end that its row should tell.

    The loop is the hot path: a few microseconds a turn, the database included.
    Raises: WrongError: a turn is not what it should be.
    """
    spot, budget, used, attempt, tip = garden.start, garden.budget, 0, 1, first_link.encode()
    for _, raw, text, digest in turns:
        used += 1
        edge = (spot.last if used == budget else spot.edges).get(raw)
        if edge is None:
            try:
                edge = garden.grow(spot, raw, used, attempt)
            except (GameError, UnicodeDecodeError) as error:
                expected = f"a line that can be played ({error})"
                raise WrongError((used, "raw", plain(raw), expected)) from None
        form, spot, failed = edge
        if not text.startswith(form % (used, attempt, used)):
            compare_turn(text, form % (used, attempt, used), used, engine_version)
        tip = blake2b(b"%b\x1f%b" % (tip, text), digest_size=16).hexdigest().encode()
        if tip != digest:
            raise WrongError((used, "digest", plain(digest), plain(tip)))
        attempt += failed
    if not garden.is_over(spot):
        return b"open", None, None, None
    won = spot is garden.won
    return b"won" if won else b"lost", used, attempt - (not won), tip


def compare_turn(text: bytes, expected: bytes, used: int, version: str) -> None:
    """Compare a stored turn field by field. Raises WrongError: the first that is wrong.

    Words belong to a version of the engine: where the episode has another one they may differ.
    """
    parts = zip(
        log.TURN_FIELDS, text.split(SEPARATOR), expected.split(SEPARATOR)[:-1], strict=False
    )
    for field, stored, value in parts:
        if stored != value and (field != "message" or version == ENGINE_VERSION):
            raise WrongError((used, field, plain(stored), plain(value)))


def first_unequal(
    fields: Sequence[str], stored: Sequence[Any], expected: Sequence[Any]
) -> Problem | None:
    """Return the first of some columns of an episode's row that is not what it should be."""
    for field, value, wanted in zip(fields, stored, expected, strict=True):
        if value != wanted:
            return None, field, plain(value), plain(wanted)
    return None


def plain(value: Any) -> Any:
    """Return stored text for people and JSON, whatever bytes it holds; other values as they are."""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value
