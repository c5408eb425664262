"""Digests of the free part of a study's published designs, kept in the log of changes.

`spec_hash` leaves the free part out, because it may change. Every such change is logged, so the
newest logged digest says what the free part has to be; `hjstudy verify` compares them.
"""

import hashlib
import json
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.store.design import designs
from app.study.design.change_log import log
from app.study.design.freeze import FREE

DIGEST = "free part (SHA-256)"  # the name of its line among the changes


def free_of(data: Any, path: list[str]) -> Any:
    """Return the value at a path of a stored document, or None if the document is older."""
    first, *rest = path
    if first == "*":
        return [free_of(one, rest) for one in data]
    if not isinstance(data, dict) or first not in data:
        return None
    return free_of(data[first], rest) if rest else data[first]


def free_digest(db: Connection, study_id: int) -> str:
    """Return the digest of the free part of every published design. Raises ValueError."""
    found = {
        f"{row.version}.{row.revision}": {path: free_of(document, path.split(".")) for path in FREE}
        for row in designs.of_study(db, study_id)
        if row.published_at is not None and (document := json.loads(row.spec))
    }
    text = json.dumps(found, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def line(db: Connection, study_id: int) -> tuple[str, str, str]:
    """Return the line for the log, after everything has been written."""
    return DIGEST, "", free_digest(db, study_id)


def log_first(db: Connection, study_id: int, by: str, now: datetime) -> None:
    """Log that a study was published at once, as version 1."""
    log(db, study_id, "published", 1, 1, [line(db, study_id)], by, now)


def logged(db: Connection, study_id: int) -> str:
    """Return the newest logged digest, or '' if the study's designs are older than digests."""
    lines = (one for row in designs.changes_of(db, study_id) for one in json.loads(row.changes))
    return next((str(after) for name, _, after in lines if name == DIGEST), "")
