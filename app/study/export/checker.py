"""Check episodes one by one: replay every stored turn and compare it with everything stored.

Each episode is replayed in the world of its *stored* variant. The check compares each turn with
the engine's result, the digest chain over every column, the end in the episode's row (its time to
the millisecond), the columns that other rows repeat, the variant with its hash, and optionally the
certificate with a new one. It reads the tables once, in constant memory.
"""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.errors import GameError
from app.game import world
from app.game.model import Variant
from app.game.say import engine_name, is_worded_here
from app.moments import from_ms
from app.store.export import proof
from app.store.export.proof import PLACE, WHOLE, Part
from app.study.design import reference
from app.study.design.certificate import certificate_problem
from app.study.export.replay import Garden, read_variant
from app.study.play import digests, direct

SEPARATOR = digests.SEPARATOR.encode()
BATCH = 200  # number of episodes whose turns are read at once

StoredTurn = tuple[int, bytes, bytes, bytes]  # as returned by proof.TurnTexts
Problem = tuple[int | None, str, str | int | None, str | int | None]  # seq, field, stored, expected


class WrongError(Exception):
    """Something in an episode is wrong: stop replaying it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.problem = problem


# An episode as returned by proof.episodes_by_world: these columns, its place as stored and in other
# rows, its block and end, when a researcher carried it over, and the answer of the direct format.
FACTS = ("engine_version", "engine_name", "entity", "ref_length", "n_tries", "budget")
END = ("state", "actions_used", "attempts", "digest")
COLUMNS = ("variant_hash", "variant_episode", "id", *FACTS, *END)
IN_BLOCK = 4  # from here on, proof.PLACE has the columns that the block also has
AT = len(COLUMNS)
PLACED, THERE = AT + len(PLACE), AT + 2 * len(PLACE)
STATED = (*direct.FIELDS, "created_at", "is_right")
RECEIVED = 1 + digests.TURN_FIELDS.index("received_ms")  # of a turn's text, each after a separator
StoredEpisode = tuple[Any, ...]


class Checked(NamedTuple):
    """One episode (its row's id), the number of its turns, and its first error."""

    id: int
    turns: int
    problem: Problem | None


def check(
    db: Connection, study_id: int | None, part: Part = WHOLE, *, certificates: bool = False
) -> Iterator[Checked]:
    """Check all episodes, grouped by world, so that they share its computed results.

    `certificates`: also recompute each variant's certificate; all its episodes report a wrong one.
    """
    texts = proof.TurnTexts(db, digests.TURN_FIELDS, digests.SEPARATOR)
    stored = proof.episodes_by_world(db, COLUMNS, STATED, study_id, part)
    for name, of_variant in groupby(stored, itemgetter(0)):
        content = proof.variant_content(db, plain(name))
        variant, wrong = read_variant(content, plain(name)), None
        if certificates and not isinstance(variant, str):
            stored_one = proof.variant_certificate(db, plain(name))
            wrong = certificate_problem(content.decode(), stored_one)
        for index, of_world in groupby(of_variant, itemgetter(1)):
            checker = Checker(variant, plain(name), index, wrong)
            while batch := list(islice(of_world, BATCH)):
                turns = texts.of([row[2] for row in batch])
                yield from checker.check(batch, turns)
            checker.end()


class Checker:
    """Checker of the episodes of one world. `variant` is a text if the variant is wrong.

    `certificate`: the error in the variant's certificate (stored, expected), None = none.
    """

    def __init__(
        self,
        variant: Variant | str,
        name: str,
        index: int,
        certificate: tuple[str, str] | None = None,
    ) -> None:
        self._problem: Problem | None = None
        self._certificate: Problem | None = (
            None if certificate is None else (None, "certificate", *certificate)
        )
        self._name, self._index = name, index
        if isinstance(variant, str):
            self._problem = None, "variant", variant, name
        elif not 0 <= index < len(variant.episodes):
            most = len(variant.episodes) - 1
            self._problem = None, "variant_episode", index, f"0 to {most}"
        elif why := reference.missing(variant):
            self._problem = None, "engine_version", variant.engine_version, why
        else:
            self._sound = reference.hosted(variant)
            self._garden = Garden(world.episode_world(self._sound, index))
            episode = variant.episodes[index]
            engine = (variant.engine_version.encode(), engine_name(variant).encode())
            self._facts = (
                *(*engine, episode.entity.encode()),
                *(episode.ref_length, episode.n_tries, episode.budget),
            )

    def end(self) -> None:
        """Release the world's memory."""
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
                problem = (
                    misplaced(row[AT:PLACED], row[PLACED:THERE], row[THERE])
                    or self._problem
                    or self.compare(row, turns[begin:end])
                    or self._certificate
                )
            except WrongError as error:
                problem = error.problem
            yield Checked(episode_id, end - begin, problem)

    def compare(self, row: StoredEpisode, turns: list[StoredTurn]) -> Problem | None:
        """Return the error in an episode, or raise it as WrongError."""
        facts = row[3:9]
        if facts != self._facts:
            return first_unequal(FACTS, facts, self._facts)
        link = digests.first_link(row[2], self._name, self._index)
        same_words = is_worded_here(engine_name(self._sound), plain(row[3]))
        end = replay(self._garden, link, turns, same_words=same_words)
        if end[0] == b"open":
            end, ended = self.end_otherwise(row, end)
        else:
            ended = int(turns[-1][2].split(SEPARATOR)[RECEIVED])
        if row[9:13] != end:
            return first_unequal(END, row[9:13], end)
        finished = proof.as_ms(row[THERE + 1])
        return (
            None
            if finished == ended
            else (None, "finished_at", ms_as_time(finished), ms_as_time(ended))
        )

    def end_otherwise(
        self, row: StoredEpisode, end: tuple[Any, ...]
    ) -> tuple[tuple[Any, ...], int | None]:
        """Return the end of an episode that no turn has ended, and its time in milliseconds.

        It was ended by a stated answer, carried over, or is open (None).
        Raises: WrongError: the stated answer was judged differently.
        """
        unstuck, *statement, stated_at, is_right = row[THERE + 2 :]
        if is_right is None:
            return (end, None) if unstuck is None else ((b"lost", *end[1:]), proof.as_ms(unstuck))
        right = direct.is_right(self._sound, self._index, direct.Statement(*statement))
        if is_right != right:
            raise WrongError((None, "is_right", bool(is_right), right))
        return (b"won" if right else b"lost", *end[1:]), proof.as_ms(stated_at)


def misplaced(
    stored: Sequence[Any], elsewhere: Sequence[Any], block_id: int | None
) -> Problem | None:
    """Return the column of an episode's place that contradicts other rows.

    If several columns contradict the block, it is not the episode's block.
    """
    if stored == elsewhere:
        return None
    wrong = [at for at, value in enumerate(stored) if value != elsewhere[at]]
    if sum(at >= IN_BLOCK for at in wrong) > 1:
        return None, "block_id", block_id, "the block at this position"
    at = wrong[-1]
    return None, PLACE[at], plain(stored[at]), plain(elsewhere[at])


def ms_as_time(moment: Any) -> str | None:
    """Return milliseconds since 1970 as a time, and other values as text."""
    if not isinstance(moment, int):
        return None if moment is None else str(moment)
    return from_ms(moment).isoformat(timespec="milliseconds")


def replay(
    garden: Garden, first_link: str, turns: list[StoredTurn], *, same_words: bool
) -> tuple[Any, ...]:
    """Replay an episode's turns, compare each, and return the end that its row should have.

    The loop is the hot path: a few microseconds per turn, including the database.
    Raises: WrongError: a turn differs from the expected one.
    """
    spot, budget, coins, used, attempt = garden.start, garden.budget, garden.coins, 0, 1
    tip = first_link.encode()
    for _, raw, text, digest in turns:
        used += 1
        edges = spot.last if used == budget else spot.edges
        edge = edges.get(raw) or edges.get((raw, coins))
        if edge is None:
            try:
                edge = garden.grow(spot, raw, used, attempt, coins)
            except (GameError, UnicodeDecodeError) as error:
                expected = f"a valid line ({error})"
                raise WrongError((used, "raw", plain(raw), expected)) from None
        form, spot, failed, paid = edge
        coins += paid
        if not text.startswith(form % (used, attempt, used, coins)):
            compare_turn(text, form % (used, attempt, used, coins), used, same_words=same_words)
        tip = blake2b(tip + text, digest_size=16).hexdigest().encode()
        if tip != digest:
            raise WrongError((used, "digest", plain(digest), plain(tip)))
        attempt += failed
    if not garden.is_over(spot):
        return b"open", None, None, None
    won = spot is garden.won
    return b"won" if won else b"lost", used, attempt - (not won), tip


def compare_turn(text: bytes, expected: bytes, used: int, *, same_words: bool) -> None:
    """Compare a stored turn field by field. Raises WrongError at the first difference.

    `same_words`: the episode has the version of the engine that is here, so texts must be equal.
    """
    there, wanted = text.split(SEPARATOR)[1:], expected.split(SEPARATOR)[1:-1]
    for field, stored, value in zip(digests.TURN_FIELDS, there, wanted, strict=False):
        if stored != value and (field != "message" or same_words):
            raise WrongError((used, field, plain(stored), plain(value)))


def first_unequal(
    fields: Sequence[str], stored: Sequence[Any], expected: Sequence[Any]
) -> Problem | None:
    """Return the first of some columns of an episode's row that differs from its expected value."""
    for field, value, wanted in zip(fields, stored, expected, strict=True):
        if value != wanted:
            return None, field, plain(value), plain(wanted)
    return None


def plain(value: Any) -> Any:
    """Return stored text as valid Unicode, whatever bytes it has; other values unchanged."""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value
