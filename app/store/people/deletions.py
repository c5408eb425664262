"""The log of deleted studies."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, table_of, text_field


class StudyDeletion(SQLModel, table=True):
    """A deleted study: its address and how much was deleted, nothing about people."""

    __tablename__ = "study_deletion"

    id: int | None = Field(default=None, primary_key=True)
    slug: str = Field(max_length=64, description="the study's address")
    kind: str = Field(max_length=8, description="demo, pilot, real or bots")
    rows: str = text_field("JSON: table -> number of deleted rows")
    made_by: str = Field(max_length=64, description="account")
    at: Moment = Field(description="server clock, UTC")


study_deletion = table_of(StudyDeletion)


def log(db: Connection, values: dict[str, Any]) -> None:
    """Add a line to the log of deletions."""
    db.execute(sa.insert(study_deletion).values(values))


def all_of(db: Connection) -> Sequence[AnyRow]:
    """Return the log, newest first."""
    return db.execute(sa.select(study_deletion).order_by(study_deletion.c.id.desc())).all()
