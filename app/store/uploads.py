"""Long files that researchers uploaded: kept until they are imported, and a few days at most.

A platform's list holds platform IDs, so its row goes when IDs of the study are deleted.
"""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of, text_field

LIST, MODELS, JUDGES, RESULTS = KINDS = ("list", "models", "judges", "results")


class Upload(SQLModel, table=True):
    """One uploaded file, and what a job found in it."""

    __table_args__ = (one_of("kind", KINDS, "kind"),)

    id: str = Field(primary_key=True, max_length=32, description="random")
    study_id: int = Field(foreign_key="study.id", index=True)
    kind: str = Field(max_length=16, description="list, models, judges or results")
    name: str = text_field("of the file; empty = pasted", default="")
    note: str = text_field("what to check about its encoding", default="")
    content: bytes = Field(sa_type=sa.LargeBinary, description="its text: UTF-8, zlib")
    preview: str = text_field("JSON: what importing it would do; empty = not checked", default="")
    made_by: str = Field(max_length=64, description="account")
    made_at: Moment = Field(description="server clock, UTC")


upload = table_of(Upload)


def insert(db: Connection, values: dict[str, Any]) -> None:
    """Add a file."""
    db.execute(sa.insert(upload).values(values))


def find(db: Connection, study_id: int, upload_id: str) -> AnyRow | None:
    """Return a study's file, or None."""
    mine = (upload.c.id == upload_id, upload.c.study_id == study_id)
    return db.execute(sa.select(upload).where(*mine)).first()


def set_preview(db: Connection, upload_id: str, preview: str) -> None:
    """Store what importing a file would do."""
    db.execute(sa.update(upload).where(upload.c.id == upload_id).values(preview=preview))


def drop(db: Connection, upload_id: str) -> None:
    """Delete a file."""
    db.execute(sa.delete(upload).where(upload.c.id == upload_id))


def drop_before(db: Connection, moment: datetime) -> int:
    """Delete files uploaded before then; return how many."""
    return db.execute(sa.delete(upload).where(upload.c.made_at < moment)).rowcount


def drop_lists(db: Connection, study_id: int) -> None:
    """Delete a study's uploaded lists of people."""
    mine = (upload.c.study_id == study_id, upload.c.kind == LIST)
    db.execute(sa.delete(upload).where(*mine))
