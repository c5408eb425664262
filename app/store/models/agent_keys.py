"""Keys with which other people's programs play a study, and the log of their events."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of

PLAY = "play"
SCOPES = (PLAY, "read")
MADE, REVOKED, RUN = EVENTS = ("made", "revoked", "run")


class AgentKey(SQLModel, table=True):
    """A key of one study. Only its hash is stored; later only its revocation changes."""

    __tablename__ = "agent_key"
    __table_args__ = (
        sa.UniqueConstraint("study_id", "name"),
        one_of("scope", SCOPES, "scope"),
    )

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    name: str = Field(max_length=48, description="whose it is, or what for")
    digest: str = Field(max_length=64, unique=True, description="SHA-256 of the key")
    scope: str = Field(max_length=8, description="play, or read results")
    made_by: str = Field(max_length=64, description="account")
    created_at: Moment = Field(description="server clock, UTC")
    revoked_at: Moment | None = Field(default=None, description="server clock, UTC")


class AgentKeyEvent(SQLModel, table=True):
    """An event of a key: created, revoked, or a run opened. Never updated."""

    __tablename__ = "agent_key_event"
    __table_args__ = (one_of("kind", EVENTS, "kind"),)

    id: int | None = Field(default=None, primary_key=True)
    key_id: int = Field(foreign_key="agent_key.id", index=True)
    kind: str = Field(max_length=8, description="made, revoked or run")
    run_id: int | None = Field(default=None, foreign_key="model_run.id", description="run opened")
    made_by: str = Field(max_length=64, description="account, or the key itself")
    at: Moment = Field(description="server clock, UTC")


agent_key = table_of(AgentKey)
agent_key_event = table_of(AgentKeyEvent)


def insert(db: Connection, values: dict[str, Any]) -> int:
    """Add a key; returns its id."""
    query = sa.insert(agent_key).values(values).returning(agent_key.c.id)
    return int(db.execute(query).scalar_one())


def log(db: Connection, values: dict[str, Any]) -> None:
    """Append an event."""
    db.execute(sa.insert(agent_key_event).values(values))


def of_study(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return a study's keys in the order they were made."""
    query = sa.select(agent_key).where(agent_key.c.study_id == study_id)
    return db.execute(query.order_by(agent_key.c.id)).all()


def names(db: Connection, study_id: int) -> set[str]:
    """Return the names of a study's keys."""
    return set(
        db.execute(sa.select(agent_key.c.name).where(agent_key.c.study_id == study_id)).scalars()
    )


def by_name(db: Connection, study_id: int, name: str) -> AnyRow | None:
    """Return a study's key by its name, or None."""
    own = agent_key.c
    return db.execute(
        sa.select(agent_key).where(own.study_id == study_id, own.name == name)
    ).first()


def by_digest(db: Connection, digest: str) -> AnyRow | None:
    """Return a key by its hash, or None."""
    return db.execute(sa.select(agent_key).where(agent_key.c.digest == digest)).first()


def renew(db: Connection, key_id: int, digest: str, since: Moment) -> bool:
    """Give a valid key that was made after `since` another hash; returns whether it is one."""
    own = agent_key.c
    mine = (own.id == key_id, own.revoked_at.is_(None), own.created_at > since)
    return db.execute(sa.update(agent_key).where(*mine).values(digest=digest)).rowcount == 1


def revoke(db: Connection, key_id: int, now: Moment) -> bool:
    """Revoke a key; returns whether it was valid until now."""
    own = agent_key.c
    query = sa.update(agent_key).where(own.id == key_id, own.revoked_at.is_(None))
    return db.execute(query.values(revoked_at=now)).rowcount == 1


def runs_of(db: Connection, key_id: int) -> list[int]:
    """Return the ids of the runs that a key opened, in order."""
    own = agent_key_event.c
    query = sa.select(own.run_id).where(own.key_id == key_id, own.kind == RUN)
    return [int(one) for one in db.execute(query.order_by(own.id)).scalars()]


def runs_of_study(db: Connection, study_id: int) -> list[int]:
    """Return the ids of the runs that any key of a study opened, in order."""
    own = agent_key_event.c
    query = sa.select(own.run_id).join(agent_key, agent_key.c.id == own.key_id)
    query = query.where(agent_key.c.study_id == study_id, own.kind == RUN)
    return [int(one) for one in db.execute(query.order_by(own.id)).scalars()]


def events(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return the events of a study's keys, newest first: with each key's name."""
    query = sa.select(agent_key_event, agent_key.c.name).join(agent_key)
    query = query.where(agent_key.c.study_id == study_id)
    return db.execute(query.order_by(agent_key_event.c.id.desc())).all()
