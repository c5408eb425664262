"""What a recruitment platform says about its people, kept apart from our own states."""

from collections.abc import Iterable, Sequence
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
    meaning: str = Field(default="", max_length=16, description="chosen for an unknown state")
    code: str = text_field("completion code entered there", default="")
    started: str = text_field("as written in the file", default="")
    completed: str = text_field("as written in the file", default="")
    imported_at: Moment = Field(description="server clock, UTC")


platform_record = table_of(PlatformRecord)
LISTED = ("external_id", "external_session", "code")  # columns by which a person can be recognised


def known(
    db: Connection, study_id: int, platform: str, ids: Iterable[str] | None = None
) -> dict[str, AnyRow]:
    """Return what is stored of a platform's people, by their id there; `ids`: only of these."""
    query = sa.select(platform_record).where(
        platform_record.c.study_id == study_id, platform_record.c.platform == platform
    )
    if ids is None:
        return {row.external_id: row for row in db.execute(query)}
    wanted, found = list(ids), dict[str, AnyRow]()
    for start in range(0, len(wanted), 500):  # SQLite limits the number of parameters
        some = platform_record.c.external_id.in_(wanted[start : start + 500])
        found |= {row.external_id: row for row in db.execute(query.where(some))}
    return found


def meanings(db: Connection, study_id: int, platform: str) -> dict[str, str]:
    """Return what was chosen as the meaning of a platform's states."""
    columns = platform_record.c
    query = sa.select(columns.state, columns.meaning).distinct()
    query = query.where(columns.study_id == study_id, columns.platform == platform)
    return {row.state: row.meaning for row in db.execute(query.where(columns.meaning != ""))}


def put(
    db: Connection,
    study_id: int,
    platform: str,
    new: Sequence[dict[str, Any]],
    changed: Sequence[dict[str, Any]],
    same: Sequence[int],
    now: Moment,
) -> None:
    """Store the newest states of many people on a platform.

    `new`: columns of people not known before; `changed`: columns of known people, with `row_id`;
    `same`: ids of the rows that the newest list repeats.
    """
    ids = {"study_id": study_id, "platform": platform, "imported_at": now}
    if new:
        db.execute(sa.insert(platform_record), [{**row, **ids} for row in new])
    if changed:
        names = [name for name in changed[0] if name != "row_id"]
        values: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in names}
        query = sa.update(platform_record).where(platform_record.c.id == sa.bindparam("row_id"))
        query = query.values(**values, imported_at=now)
        rows = [
            {"row_id": row["row_id"], **{f"new_{name}": row[name] for name in names}}
            for row in changed
        ]
        db.execute(query, rows)
    for start in range(0, len(same), 500):  # SQLite limits the number of parameters
        some = platform_record.c.id.in_(same[start : start + 500])
        db.execute(sa.update(platform_record).where(some).values(imported_at=now))


def newest(db: Connection, study_id: int) -> Moment | None:
    """Return when the newest list was imported, or None."""
    query = sa.select(sa.func.max(platform_record.c.imported_at))
    return db.execute(query.where(platform_record.c.study_id == study_id)).scalar()


def records(db: Connection, study_id: int, ids: Sequence[str] | None = None) -> Sequence[AnyRow]:
    """Return the platform records of a study's people, in the order in which they came.

    `ids`: only of people with these IDs, at most 500, because SQLite limits parameters.
    """
    query = sa.select(platform_record).where(platform_record.c.study_id == study_id)
    if ids is not None:
        query = query.where(platform_record.c.external_id.in_(ids))
    return db.execute(query.order_by(platform_record.c.id)).all()


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
