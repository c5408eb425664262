"""A clock that jumps ends no one's part and frees no seat without a second look.

Each machine's wall clock is compared with its time since boot, which no one can set. After a jump
nothing is ended until a reading ten minutes later confirms the new time. If the clock is set right
before, nothing has happened.
"""

import time
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection

from app.store.play import clock_readings

JUMP_MS = 60_000  # a larger difference is a jump
WAIT_MS = 600_000  # until the second look
BOOT_FILE = Path("/proc/sys/kernel/random/boot_id")


class Reading(NamedTuple):
    """Both clocks at one moment, milliseconds. `boot`: names the machine's boot."""

    boot: str
    wall_ms: int
    since_boot_ms: int


def read() -> Reading:
    """Read both clocks."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return Reading(boot_name(), time.time_ns() // 10**6, time.clock_gettime_ns(clock) // 10**6)


@cache
def boot_name() -> str:
    """Return the name that the system gave this boot; '-' where it gives none."""
    try:
        return BOOT_FILE.read_text(encoding="ascii").strip()
    except OSError:
        return "-"


def trusts(db: Connection, now: datetime, reading: Reading | None = None) -> bool:
    """Tell whether parts may end at this time, and note the reading.

    A time that is not this machine's present one (a simulation's) is trusted.
    """
    reading = reading or read()
    boot, wall_ms, since_ms = reading.boot, reading.wall_ms, reading.since_boot_ms
    if abs(now.astimezone(UTC).timestamp() * 1000 - wall_ms) > JUMP_MS:
        return True
    offset, stored = wall_ms - since_ms, clock_readings.of_boot(db, boot)
    if stored is None or abs(offset - stored.offset_ms) <= JUMP_MS:
        if stored is None or stored.doubted_ms is not None:
            clock_readings.put(db, boot, offset, None, None)
        return True
    same = stored.doubted_ms is not None and abs(offset - stored.doubted_ms) <= JUMP_MS
    if same and since_ms - stored.doubted_at_ms >= WAIT_MS:
        clock_readings.put(db, boot, offset, None, None)
        return True
    if not same:
        clock_readings.put(db, boot, stored.offset_ms, offset, since_ms)
    return False
