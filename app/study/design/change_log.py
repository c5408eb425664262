"""A study's history: one row for each event, with the fields that it changed."""

import json
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.store.design import designs


def log(
    db: Connection,
    study_id: int,
    event: str,
    version: int,
    revision: int,
    changes: list[Any],
    by: str,
    now: datetime,
) -> None:
    """Record an event in a study's history."""
    values = {"study_id": study_id, "event": event, "version": version, "revision": revision}
    text = json.dumps(changes, ensure_ascii=True)
    designs.log(db, {**values, "changes": text, "made_by": by, "at": now})
