"""People under way, as the monitor lists them: where, since when, and who needs attention."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import Any

from app.store.base import AnyRow
from app.store.play.spots import Spots
from app.study.design.spec import StudySpec
from app.study.people import overview
from app.study.play import clocks

NEWEST_TURNS = 10  # per person, as used by the rules
REFUSED_IN_A_ROW = 5
FAST_GAP_MS, FAST_TURNS = 1000, 6
FAST = "fast"
STALE = "place no longer reserved"


def person(
    row: AnyRow, spec: StudySpec, done: set[tuple[int, str]], recent: AnyRow | None, now: datetime
) -> dict[str, Any]:
    """Return one line of the list of people under way; `order` 0 = needs attention.

    Args:
        row: a row of `store.people.monitor.under_way`.
        spec: their design.
        done: pages of questions they have answered.
        recent: their row of `store.people.monitor.newest_turns`; None = no guardian begun.
        now: the current time.
    """
    times = [] if recent is None else sorted(int(one) for one in recent.times.split(","))
    last_ms = max([row.guardian_ms or 0, row.practice_ms or 0, *times[-1:]])
    last = clocks.last_action(row.consented_at, row.seen_at, last_ms or None)
    kept = clocks.Times(row.consented_at, last, row.extended_until)
    away = max(0, int((now - last).total_seconds()))
    refused = 0 if recent is None else recent.refused_in_row
    signs = signs_of(refused, times, 0 if spec.is_of_bots else FAST_GAP_MS)
    if away >= spec.clocks.idle_minutes * 60:
        signs.append("idle")
    if clocks.is_stale(kept, spec.clocks, now):
        signs.append(STALE)
    return {
        "id": row.id,
        "public_id": row.public_id,
        "page": overview.page_text(row, Spots(row.spot, row.untold), spec, done),
        "away_s": away,
        "away": spell(away),
        "signs": signs,
        "order": 0 if signs else 1,
        "minutes": int((now - row.consented_at).total_seconds()) // 60,
    }


def signs_of(refused_in_row: int, times: Sequence[int], gap_ms: int = FAST_GAP_MS) -> list[str]:
    """Return why a person needs attention: `stuck`, `fast`, both or neither. Pure.

    Args:
        refused_in_row: how many of the last `REFUSED_IN_A_ROW` commands had no effect.
        times: times of the newest commands in milliseconds, in order.
        gap_ms: a shorter median pause between them is fast; 0 = none is.
    """
    signs = ["stuck"] if refused_in_row == REFUSED_IN_A_ROW else []
    gaps = [after - before for before, after in pairwise(times)]
    if len(times) >= FAST_TURNS and median(gaps) < gap_ms:
        signs.append(FAST)
    return signs


def table_of(names: Iterable[str]) -> list[tuple[str, int]]:
    """Return (name, count), highest count first, then by name."""
    return sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0]))


def spell(seconds: int) -> str:
    """Format a duration."""
    minutes, rest = divmod(seconds, 60)
    if not minutes:
        return f"{rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
