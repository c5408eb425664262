"""What `hjstudy doctor` says about the clock."""

import ctypes
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from app.store import erasure, health
from app.store.db import Store
from app.study import second_look

APART = timedelta(seconds=60)  # as for a jump
FAR = timedelta(days=1)  # ahead of the newest action; a study is often idle for less
UNSYNCED = 5  # the kernel's TIME_ERROR
TIMEX_BYTES = 512  # more than the kernel's struct takes; empty = only ask


class Judged(NamedTuple):
    """The state of a finding, and a sentence about it."""

    state: Literal["ok", "warning", "problem"]
    text: str


def check(store: Store, now: datetime) -> Judged:
    """Judge this machine's clock, which says `now`.

    It is compared with the database's clock, which on SQLite is the same one, with the newest
    action, and, if that is far behind, with the machine's earlier readings.
    """
    with store.read() as db:
        theirs, newest = health.clock(db), erasure.last_moment(db)
        is_doubted = second_look.doubts(db)
    if abs(now - theirs) > APART:
        apart = abs(now - theirs).total_seconds()
        return Judged(
            "problem",
            f"The clocks of this machine and of the database are {apart:.0f} s apart. Use NTP.",
        )
    if newest is not None and now < newest - APART:
        return Judged(
            "problem",
            f"The clock says {shown(now)}, but the newest action is of {shown(newest)}. The clock "
            "was set back, or it was ahead before. Use NTP, and see `clock_back_ms` in the export.",
        )
    if is_doubted and newest is not None and now > newest + FAR:
        return Judged(
            "warning",
            f"The clock says {shown(now)}, {(now - newest).days} days after the newest action, and "
            "no reading has confirmed it since the machine booted or the clock jumped. Check that "
            "it is right. Keep `hjstudy sweep --every 5` running, which confirms it.",
        )
    return Judged("ok", f"The time is {shown(now)}. Check that it is right.{unsynced()}")


def shown(moment: datetime) -> str:
    """Return a time to the minute."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def unsynced() -> str:
    """Return a sentence if the system's kernel says that no time service sets its clock, or ''."""
    library = ctypes.CDLL(None)
    state = getattr(library, "adjtimex", lambda _nothing: 0)(
        ctypes.create_string_buffer(TIMEX_BYTES)
    )
    return " No time service seems to set it: use NTP." if state == UNSYNCED else ""
