"""Progress of a round's annotators, in numbers and words."""

from collections.abc import Mapping
from typing import Any

from app.study.database import AnyRow
from app.study.rating import missing


def progress_line(
    rater: AnyRow, found: Mapping[tuple[int, str], AnyRow], ask_source: str
) -> dict[str, Any]:
    """Return one annotator's line: counts over all kinds of items, times in words."""
    rows = [one for (account_id, _), one in found.items() if account_id == rater.account_id]
    total = {
        name: sum(getattr(one, name) or 0 for one in rows)
        for name in ("assigned", "rated", "skipped", "flagged", "active_ms", "wall_ms")
    }
    guesses = [
        sum(one.guessed for one in rows),
        sum(missing.asked(ask_source, one) for one in rows),
    ]
    done = total["rated"] + total["skipped"]
    last = max((one.last_at for one in rows if one.last_at), default=None)
    return {
        **total,
        "pseudonym": rater.pseudonym,
        "name": rater.name,
        "is_active": rater.active,
        "done": done,
        "guesses": share(guesses),
        "active": duration(total["active_ms"]),
        "wall": duration(total["wall_ms"]),
        "each": duration(total["active_ms"] // done) if done else "",
        "last": f"{last:%d %B, %H:%M} UTC" if last else "",
    }


def share(pair: list[int]) -> str:
    """Return `5 of 6`, or '' if there was nothing to compare."""
    return f"{pair[0]} of {pair[1]}" if pair[1] else ""


def duration(ms: int) -> str:
    """Return milliseconds as `1 h 02 min`, `3 min 05 s`, `12 s`."""
    seconds = ms // 1000
    minutes, hours = seconds // 60, seconds // 3600
    if hours:
        return f"{hours} h {minutes % 60:02} min"
    return f"{minutes} min {seconds % 60:02} s" if minutes else f"{seconds} s"
