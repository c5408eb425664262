"""How far each machine's wall clock is from its time since boot, which no one can set."""

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, big_int, table_of


class ClockReading(SQLModel, table=True):
    """The difference between wall clock and time since boot, per machine and boot."""

    __tablename__ = "clock_reading"

    boot: str = Field(primary_key=True, max_length=64, description="random name of the boot")
    offset_ms: int = big_int("wall clock minus time since boot, as last trusted or first seen")
    doubted_ms: int | None = big_int("the same while in doubt; empty = no doubt", default=None)
    doubted_at_ms: int | None = big_int("time since boot when it was first seen", default=None)


clock_reading = table_of(ClockReading)


def of_boot(db: Connection, boot: str, *, lock: bool = True) -> AnyRow | None:
    """Return a machine's reading, or None."""
    query = sa.select(clock_reading).where(clock_reading.c.boot == boot)
    return db.execute(query.with_for_update() if lock else query).first()


def has_any(db: Connection) -> bool:
    """Tell whether any machine has read its clocks."""
    return db.execute(sa.select(clock_reading.c.boot).limit(1)).first() is not None


def put(
    db: Connection, boot: str, offset_ms: int, doubted_ms: int | None, doubted_at_ms: int | None
) -> None:
    """Store a machine's reading; two processes may do so at once."""
    text = """INSERT INTO clock_reading (boot, offset_ms, doubted_ms, doubted_at_ms)
        VALUES (:boot, :offset_ms, :doubted_ms, :doubted_at_ms)
        ON CONFLICT (boot) DO UPDATE SET offset_ms = excluded.offset_ms,
        doubted_ms = excluded.doubted_ms, doubted_at_ms = excluded.doubted_at_ms"""
    values = {"boot": boot, "offset_ms": offset_ms}
    db.execute(sa.text(text), {**values, "doubted_ms": doubted_ms, "doubted_at_ms": doubted_at_ms})
