"""What every table shares: naming convention, the clock's type, and typed access to the table."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
SQLModel.metadata.naming_convention = NAMING


def table_of(model: type[SQLModel]) -> sa.Table:
    """Return the Core table of a table model (the hot path uses Core, not sessions)."""
    return cast("sa.Table", cast("Any", model).__table__)


def one_of(column: str, values: tuple[str, ...], name: str) -> sa.CheckConstraint:
    """Return a CHECK that `column` holds one of `values` (our enums are checked text)."""
    listed = ", ".join(f"'{value}'" for value in values)
    return sa.CheckConstraint(f"{column} IN ({listed})", name=name)


def text_field(description: str, *, default: str | None = None, **kwargs: Any) -> Any:
    """Return a field of unbounded TEXT: forms enforce limits, so the database never cuts text."""
    if default is not None:
        kwargs["default"] = default
    return Field(sa_type=sa.Text, description=description, **kwargs)


def big_int(description: str, **kwargs: Any) -> Any:
    """Return a field of 64-bit integers (milliseconds since 1970 need more than 32)."""
    return Field(sa_type=sa.BigInteger, description=description, **kwargs)


AnyRow = sa.Row[*tuple[Any, ...]]  # a row of any query
Moment = datetime  # aware, UTC: SQLModel refuses naive values and returns aware ones

CHANGED = "changed_people"
CLOSERS: list[Callable[[Connection, Iterable[int]], None]] = []  # called before a commit


def note_change(db: Connection, participant_id: int | None) -> None:
    """Note that this transaction changes what is stored of a participant."""
    if participant_id is not None:
        db.info.setdefault(CHANGED, set()).add(participant_id)


def close(db: Connection) -> None:
    """Do what a transaction that changed participants must do before its commit."""
    changed = db.info.pop(CHANGED, None)
    if changed:
        for closer in CLOSERS:
            closer(db, changed)
