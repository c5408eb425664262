"""Process data from browsers: what the page's script observes. Named in the consent text."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import big_int, table_of

AUTOMATED = "webdriver"  # detail of the browser's own report that a program drives it


class ProcessEvent(SQLModel, table=True):
    """One observation by the browser's script. Optional; never contains an IP address."""

    __tablename__ = "process_event"

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    page: str = Field(max_length=64, description="the step's path")
    kind: str = Field(max_length=16, description="open, hidden, visible, blur, focus, paste, ...")
    value: int = big_int("meaning depends on kind: milliseconds, characters, pixels", default=0)
    detail: str = Field(default="", max_length=64, description="field, browser family, ...")
    client_ms: int | None = big_int("browser clock, milliseconds since 1970 UTC", default=None)
    received_ms: int = big_int("server clock, same unit")


process_event = table_of(ProcessEvent)


def insert(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Append events."""
    db.execute(sa.insert(process_event), rows)


def count(db: Connection, participant_id: int) -> int:
    """Return how many events a participant has."""
    query = sa.select(sa.func.count()).where(process_event.c.participant_id == participant_id)
    return int(db.execute(query).scalar_one())
