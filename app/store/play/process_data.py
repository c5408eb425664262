"""Queries of process data."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.play.events import process_event


def insert(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Append events."""
    db.execute(sa.insert(process_event), rows)


def count(db: Connection, participant_id: int) -> int:
    """Return how many events a participant has."""
    query = sa.select(sa.func.count()).where(process_event.c.participant_id == participant_id)
    return int(db.execute(query).scalar_one())
