"""An episode as lines to read: what was typed, what the world answered."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.game.world import Observation
from app.store.base import AnyRow


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


FAILED = ("failed",)
