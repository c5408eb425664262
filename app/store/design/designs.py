"""Designs being edited (drafts), the versions of a study, and the log of changes."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of, text_field
from app.store.design.studies import design, study

EVENTS = (
    *("created", "published", "changed", "opened", "closed"),
    *("archived", "restored", "exported"),
)


class StudyDraft(SQLModel, table=True):
    """A study's design as edited so far: it may be incomplete or wrong."""

    __tablename__ = "study_draft"

    study_id: int = Field(foreign_key="study.id", primary_key=True)
    revision: int = Field(description="counts saves; a form of an older one is refused")
    document: str = text_field("JSON in the shape of a study file")
    made_by: str = Field(max_length=64, description="account that saved it last")
    changed_at: Moment = Field(description="server clock, UTC")


class StudyChange(SQLModel, table=True):
    """A change to a study, with its time and author. Rows are never updated."""

    __tablename__ = "study_change"
    __table_args__ = (one_of("event", EVENTS, "event"),)

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    event: str = Field(max_length=16, description="changed = the free part only")
    version: int = Field(description="design version it created or concerns; 0 = none yet")
    revision: int = Field(description="revision of that design")
    changes: str = text_field("JSON: [[field, before, after], ...], long values shortened")
    made_by: str = Field(max_length=64, description="account, or 'command line'")
    at: Moment = Field(description="server clock, UTC")


study_draft = table_of(StudyDraft)
study_change = table_of(StudyChange)


def draft_of(db: Connection, study_id: int) -> AnyRow | None:
    """Return a study's stored draft, or None if it was never edited."""
    return db.execute(sa.select(study_draft).where(study_draft.c.study_id == study_id)).first()


def put_draft(db: Connection, values: dict[str, Any]) -> None:
    """Store a study's draft. Lock the study's row first."""
    mine = study_draft.c.study_id == values["study_id"]
    if db.execute(sa.update(study_draft).where(mine).values(values)).rowcount == 0:
        db.execute(sa.insert(study_draft).values(values))


def of_study(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return every design of a study, including previews, newest first."""
    query = sa.select(design).where(design.c.study_id == study_id)
    order = (design.c.version.desc(), design.c.revision.desc())
    return db.execute(query.order_by(*order)).all()


def rewrite(db: Connection, design_id: int, spec: str) -> None:
    """Replace a design's study file with one that differs only in its free part."""
    db.execute(sa.update(design).where(design.c.id == design_id).values(spec=spec))


def publish(db: Connection, design_id: int, now: Moment) -> None:
    """Publish a design, so that new people start with it."""
    db.execute(sa.update(design).where(design.c.id == design_id).values(published_at=now))


def retitle(db: Connection, study_id: int, title: str, kind: str) -> None:
    """Write the newest title and kind into the study's row."""
    db.execute(sa.update(study).where(study.c.id == study_id).values(title=title, kind=kind))


def log(db: Connection, values: dict[str, Any]) -> None:
    """Add a line to the log of changes."""
    db.execute(sa.insert(study_change).values(values))


def changes_of(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return the log of a study, newest first."""
    query = sa.select(study_change).where(study_change.c.study_id == study_id)
    return db.execute(query.order_by(study_change.c.id.desc())).all()
