"""Participants (a person's row in a study) and, kept apart, their platform identities."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, note_change, one_of, table_of, text_field
from app.store.design.studies import study

STATES = (
    "active",
    "finished",
    "no_consent",
    "screened_out",
    "failed_check",
    "over_quota",
    "withdrawn",
    "timed_out",
    "technical",
)
UNSEALED = {"token", "seen_at"}  # columns without an event: no analysis depends on them
SEATS = ("", "held", "released", "done")


class Participant(SQLModel, table=True):
    """One person in one study. The token in their address is 128 random bits."""

    __table_args__ = (
        one_of("state", STATES, "state"),
        one_of("seat", SEATS, "seat"),
        sa.UniqueConstraint("study_id", "arrival"),
    )

    id: int | None = Field(default=None, primary_key=True)
    public_id: str = Field(max_length=32, unique=True, description="random id used in exports")
    token: str = Field(max_length=64, unique=True, description="secret part of their address")
    study_id: int = Field(foreign_key="study.id", index=True)
    design_id: int = Field(foreign_key="design.id", index=True)
    arrival: int = Field(
        description="1, 2, ... in the order of consent within the study, with test people"
    )
    state: str = Field(max_length=16, description="our own outcome state")
    seat: str = Field(default="", max_length=8, description="state of their seats; empty = none")
    is_test: bool = Field(default=False, description="a researcher's preview or a bot")
    consent_hash: str = Field(max_length=64, description="sha256 of the consent text agreed to")
    consented_at: Moment | None = Field(default=None, description="time of 'I agree', UTC")
    instructions_at: Moment | None = Field(default=None, description="instructions left, UTC")
    practice_at: Moment | None = Field(default=None, description="practice left, UTC")
    finished_at: Moment | None = Field(default=None, description="end of the finish transaction")
    code: str | None = Field(default=None, max_length=64, description="completion code")
    seen_at: Moment | None = Field(default=None, description="last post other than a command, UTC")
    resume_count: int = Field(default=0, description="returns after the idle limit")
    longest_gap_s: int = Field(default=0, description="longest time away beyond that, seconds")
    extended_until: Moment | None = Field(default=None, description="clocks extended manually")
    ended_at: Moment | None = Field(default=None, description="when the state stopped being active")
    end_reason: str = Field(
        default="", max_length=64, description="stable code that explains the state"
    )
    excluded: str = text_field("reason of exclusion from analysis; empty = included", default="")
    erased_at: Moment | None = Field(default=None, description="data erased on withdrawal, UTC")
    owed: str | None = Field(
        default=None, sa_type=sa.Text, description="JSON: minutes and cents before an erasure"
    )
    tag: str = Field(default="", max_length=64, description="group, such as linguist")
    created_at: Moment = Field(description="server clock, UTC")


class Identity(SQLModel, table=True):
    """A participant's ids on a recruitment platform; exported only in their own file."""

    __table_args__ = (sa.UniqueConstraint("study_id", "platform", "external_id"),)

    participant_id: int = Field(foreign_key="participant.id", primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    platform: str = Field(max_length=32, description="prolific, connect, mturk, link, ...")
    external_id: str = Field(max_length=128, description="the person's id there")
    external_study: str = text_field("STUDY_ID there, or empty", default="")
    external_session: str = text_field("SESSION_ID there, or empty", default="")


participant = table_of(Participant)
identity = table_of(Identity)


def by_identity(db: Connection, study_id: int, platform: str, external_id: str) -> AnyRow | None:
    """Return the participant with a platform id, or None."""
    query = (
        sa.select(participant)
        .join(identity, identity.c.participant_id == participant.c.id)
        .where(
            identity.c.study_id == study_id,
            identity.c.platform == platform,
            identity.c.external_id == external_id,
        )
    )
    return db.execute(query).first()


def took_part(db: Connection, slugs: Sequence[str], platform: str, external_id: str) -> bool:
    """Tell whether a person with a platform id has consented in one of these studies."""
    query = (
        sa.select(participant.c.id)
        .join(identity, identity.c.participant_id == participant.c.id)
        .join(study, study.c.id == participant.c.study_id)
        .where(
            study.c.slug.in_(slugs),
            identity.c.platform == platform,
            identity.c.external_id == external_id,
            participant.c.consented_at.is_not(None),
            participant.c.is_test.is_(False),
        )
    )
    return db.execute(query.limit(1)).first() is not None


def next_arrival(db: Connection, study_id: int) -> int:
    """Return the next arrival number. Lock the study's row first."""
    query = sa.select(sa.func.max(participant.c.arrival)).where(participant.c.study_id == study_id)
    return int(db.execute(query).scalar() or 0) + 1


def number_of_tests(db: Connection, study_id: int) -> int:
    """Return how many test participants a study has."""
    query = sa.select(sa.func.count()).select_from(participant)
    mine = (participant.c.study_id == study_id, participant.c.is_test.is_(True))
    return int(db.execute(query.where(*mine)).scalar_one())


def insert(db: Connection, values: dict[str, Any]) -> int:
    """Add a participant; returns the id."""
    query = sa.insert(participant).values(values).returning(participant.c.id)
    added = int(db.execute(query).scalar_one())
    note_change(db, added)
    return added


def insert_identity(db: Connection, values: dict[str, Any]) -> None:
    """Add a participant's platform ids."""
    db.execute(sa.insert(identity).values(values))


def change(db: Connection, participant_id: int, values: dict[str, Any]) -> None:
    """Update columns of one participant."""
    query = sa.update(participant).where(participant.c.id == participant_id)
    db.execute(query.values(values))
    if values.keys() - UNSEALED:
        note_change(db, participant_id)


def by_public_id(db: Connection, public_id: str) -> AnyRow | None:
    """Return a participant's row by the id used in exports, or None."""
    query = sa.select(participant).where(participant.c.public_id == public_id)
    return db.execute(query).first()


def numbers(db: Connection) -> Sequence[tuple[str, str, int]]:
    """Return (kind of study, state, number of people) of everyone but test participants."""
    query = (
        sa.select(study.c.kind, participant.c.state, sa.func.count())
        .join(study, study.c.id == participant.c.study_id)
        .where(sa.not_(participant.c.is_test))
        .group_by(study.c.kind, participant.c.state)
        .order_by(study.c.kind, participant.c.state)
    )
    return [(kind, state, number) for kind, state, number in db.execute(query)]
