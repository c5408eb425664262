"""How fast people enter a study from one address: one short-lived row for each recent source."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, big_int, table_of

TURN = "turn-"  # begins the `source` of rows that hold a person's turn, until it is over


class EntryPace(SQLModel, table=True):
    """A source's entries into one study, or a turn; deleted once it could enter freely again."""

    __tablename__ = "entry_pace"

    study_id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    source: str = Field(
        primary_key=True, max_length=32, description="keyed hash of an address; the key is daily"
    )
    free_ms: int = big_int("when all its entries are credited back, milliseconds since 1970")


entry_pace = table_of(EntryPace)


def free_ms(db: Connection, study_id: int, source: str, *, lock: bool = False) -> int:
    """Return when a source could enter freely again, milliseconds since 1970; 0 = now.

    `lock`: until the transaction ends, which needs a row (`ensure`).
    """
    own = (entry_pace.c.study_id == study_id, entry_pace.c.source == source)
    query = sa.select(entry_pace.c.free_ms).where(*own)
    found = db.execute(query.with_for_update() if lock else query).scalar()
    return 0 if found is None else int(found)


def ensure(db: Connection, study_id: int, source: str) -> None:
    """Add a source's row unless there is one."""
    text = (
        "INSERT INTO entry_pace (study_id, source, free_ms) VALUES (:study_id, :source, 0) "
        "ON CONFLICT (study_id, source) DO NOTHING"
    )
    db.execute(sa.text(text), {"study_id": study_id, "source": source})


def put(db: Connection, study_id: int, source: str, value_ms: int) -> None:
    """Store when a source could enter freely again."""
    own = (entry_pace.c.study_id == study_id, entry_pace.c.source == source)
    db.execute(sa.update(entry_pace).where(*own).values(free_ms=value_ms))


def drop_free(db: Connection, now_ms: int) -> None:
    """Delete the rows of sources that could enter freely."""
    db.execute(sa.delete(entry_pace).where(entry_pace.c.free_ms <= now_ms))


def busy(db: Connection, study_id: int, now_ms: int, *, lock: bool = False) -> Sequence[AnyRow]:
    """Return the rows of a study's sources that have recently entered; without turns."""
    mine = (entry_pace.c.study_id == study_id, entry_pace.c.free_ms > now_ms)
    query = sa.select(entry_pace).where(*mine, ~entry_pace.c.source.startswith(TURN))
    query = query.order_by(entry_pace.c.source)
    return db.execute(query.with_for_update() if lock else query).all()
