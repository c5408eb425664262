"""A wrong clock ends no one's part, frees no seat and deletes nothing without a second look.

Each machine's wall clock is compared with its time since boot, which no one can set. After a jump,
and when a machine has booted, nothing is ended or deleted until a reading ten minutes later
confirms the time. If the clock is set right before, nothing has happened. It does not matter how
far the clock is from the newest stored time: a wrong clock soon stores such times itself.
"""

import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.db import Store
from app.store.play import clock_readings

JUMP_MS = 60_000  # a larger difference is a jump
WAIT_MS = 600_000  # until the second look
BOOT_FILE = Path("/proc/sys/kernel/random/boot_id")


class Reading(NamedTuple):
    """Both clocks at one moment, milliseconds. `boot`: names the machine's boot."""

    boot: str
    wall_ms: int
    since_boot_ms: int

    @property
    def offset_ms(self) -> int:
        """Return how far the wall clock is ahead of the time since boot."""
        return self.wall_ms - self.since_boot_ms


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


def passed(store: Store) -> bool:
    """Tell the same as `trusts`, in a transaction of its own."""
    reading = read()
    with store.write() as db:
        return trusts(db, reading)


def trusts(db: Connection, reading: Reading | None = None) -> bool:
    """Tell whether parts may end and data be deleted by this machine's clock; note the reading."""
    reading = reading or read()
    stored = clock_readings.of_boot(db, reading.boot)
    if knows(db, stored, reading):
        if stored is None or stored.doubted_ms is not None:
            clock_readings.put(db, reading.boot, reading.offset_ms, None, None)
        return True
    if stored is None or not is_near(reading, stored.doubted_ms):
        basis = reading.offset_ms
        if stored is not None and not is_unconfirmed(stored):
            basis = stored.offset_ms
        clock_readings.put(db, reading.boot, basis, reading.offset_ms, reading.since_boot_ms)
    return False


def doubts(db: Connection, reading: Reading | None = None) -> bool:
    """Tell whether this machine's clock still has to be confirmed, and note nothing."""
    reading = reading or read()
    return not knows(db, clock_readings.of_boot(db, reading.boot, lock=False), reading)


def knows(db: Connection, stored: AnyRow | None, reading: Reading) -> bool:
    """Tell whether a reading is confirmed: by trusted ones, or by an equal one ten minutes ago.

    The first reading of a database has nothing to be compared with, and nothing to lose.
    """
    if stored is None:
        return not clock_readings.has_any(db)
    if is_near(reading, stored.offset_ms) and not is_unconfirmed(stored):
        return True
    waited = reading.since_boot_ms - (stored.doubted_at_ms or 0)
    return is_near(reading, stored.doubted_ms) and waited >= WAIT_MS


def is_unconfirmed(stored: AnyRow) -> bool:
    """Tell whether no reading of this boot has been confirmed: the doubted one is its first."""
    return bool(stored.doubted_ms == stored.offset_ms)


def is_near(reading: Reading, offset_ms: int | None) -> bool:
    """Tell whether a reading agrees with an earlier one."""
    return offset_ms is not None and abs(reading.offset_ms - offset_ms) <= JUMP_MS
