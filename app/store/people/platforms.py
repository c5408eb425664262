"""What a recruitment platform says about its people, kept apart from our own states."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, table_of, text_field
from app.store.play.participants import identity, participant


class PlatformRecord(SQLModel, table=True):
    """One person's newest state on the platform, from its CSV."""

    __tablename__ = "platform_record"
    __table_args__ = (sa.UniqueConstraint("study_id", "platform", "external_id"),)

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    platform: str = Field(max_length=32)
    external_id: str = Field(max_length=128)
    external_session: str = text_field("submission id there", default="")
    state: str = Field(max_length=32, description="returned, timed out, approved, ... as there")
    code: str = text_field("completion code entered there", default="")
    started: str = text_field("as written in the file", default="")
    completed: str = text_field("as written in the file", default="")
    imported_at: Moment = Field(description="server clock, UTC")


platform_record = table_of(PlatformRecord)


def put(db: Connection, study_id: int, platform: str, values: dict[str, Any], now: Moment) -> None:
    """Store a person's newest state on a platform."""
    mine = (
        platform_record.c.study_id == study_id,
        platform_record.c.platform == platform,
        platform_record.c.external_id == values["external_id"],
    )
    row = {**values, "imported_at": now}
    if db.execute(sa.update(platform_record).where(*mine).values(row)).rowcount == 0:
        ids = {"study_id": study_id, "platform": platform}
        db.execute(sa.insert(platform_record).values({**row, **ids}))


def records(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return the platform records of a study's people."""
    query = sa.select(platform_record).where(platform_record.c.study_id == study_id)
    return db.execute(query).all()


def people(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return a study's real people with their platform ids (none for people of a plain link)."""
    query = (
        sa.select(
            participant,
            *(identity.c[name] for name in ("platform", "external_id")),
            *(identity.c[name] for name in ("external_study", "external_session")),
        )
        .join(identity, identity.c.participant_id == participant.c.id)
        .where(participant.c.study_id == study_id, participant.c.is_test.is_(False))
        .order_by(participant.c.arrival)
    )
    return db.execute(query).all()
