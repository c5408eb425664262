"""An episode as lines to read: what was typed, what the world answered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from app.game.world import Observation
from app.store.base import AnyRow
from app.store.play import answers, turns
from app.study.play.direct import sentence
from app.study.play.players import Player


@dataclass(frozen=True, slots=True)
class Line:
    """One action of a transcript. `kind`: ok, no (refused), fail (attempt lost), win, end."""

    seq: int
    raw: str
    message: str
    kind: str
    ends_attempt: bool


def kind_of(code: str, *, ok: bool, done: bool, success: bool, failed: bool) -> str:
    """Return how a line is shown."""
    del code
    if success:
        return "win"
    if done:
        return "end"
    if failed:
        return "fail"
    return "ok" if ok else "no"


def line_of(seq: int, raw: str, observation: Observation, message: str, attempt: int) -> Line:
    """Return the line of an action just played; `attempt` is the state's, after it."""
    failed = observation.attempt != attempt
    kind = kind_of(
        observation.code,
        ok=observation.ok,
        done=observation.done,
        success=observation.success,
        failed=failed,
    )
    return Line(seq, raw, message, kind, failed and not observation.done)


def lines_of(rows: Iterable[AnyRow]) -> list[Line]:
    """Return the lines of stored turns; a line that ends an attempt is followed by a rule."""
    lines = []
    for row in rows:
        failed = row.code in FAILED
        kind = kind_of(row.code, ok=row.ok, done=row.done, success=row.success, failed=failed)
        lines.append(Line(row.seq, row.raw, row.message, kind, failed and not row.done))
    return lines


def own_lines(db: Connection, player: Player, rows: Sequence[AnyRow]) -> list[Line]:
    """Return what a player did in some episodes of one block.

    Args:
        db: a read.
        player: whose.
        rows: the episodes' rows, at least one. Where answers are stated instead of played, each
            is one line, which does not tell whether it is right.
    """
    if not player.is_direct(rows[0].block_position):
        return [line for row in rows for line in lines_of(turns.of_episode(db, row.id))]
    stated = answers.direct_of(db, player.id)
    said = [f"{row.entity}: {sentence(stated[row.id])}" for row in rows if row.id in stated]
    return [Line(n, text, SAVED, "ok", ends_attempt=False) for n, text in enumerate(said, 1)]


FAILED = ("failed",)
SAVED = "Your answer is saved."
