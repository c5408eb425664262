"""Queries for manual actions, withdrawal and deletion dates."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store import uploads
from app.store.base import AnyRow, Moment, note_change, table_of, text_field
from app.store.design.studies import study
from app.store.people.accounts import account
from app.store.people.platforms import LISTED, platform_record
from app.store.play.participants import identity, participant


def log_action(db: Connection, values: dict[str, Any]) -> int:
    """Append one manual action; return its id."""
    query = sa.insert(hand_action).values(values).returning(hand_action.c.id)
    made = int(db.execute(query).scalar_one())
    note_change(db, values["participant_id"])
    return made


def actions_of(db: Connection, participant_id: int) -> Sequence[AnyRow]:
    """Return a participant's manual actions with the account's name, oldest first.

    The name is None for actions by a command.
    """
    query = (
        sa.select(hand_action, account.c.name)
        .outerjoin(account, account.c.id == hand_action.c.account_id)
        .where(hand_action.c.participant_id == participant_id)
        .order_by(hand_action.c.id)
    )
    return db.execute(query).all()


def find_people(db: Connection, text: str, limit: int = 50) -> Sequence[AnyRow]:
    """Return participants with exactly that platform id, code or export id, newest first."""
    query = (
        sa.select(
            participant.c.public_id,
            participant.c.state,
            participant.c.code,
            study.c.slug,
            study.c.title,
            identity.c.platform,
            identity.c.external_id,
        )
        .join(study, study.c.id == participant.c.study_id)
        .outerjoin(identity, identity.c.participant_id == participant.c.id)
        .where(
            sa.or_(
                identity.c.external_id == text,
                identity.c.external_session == text,
                participant.c.public_id == text,
                participant.c.code == text,
            )
        )
        .order_by(participant.c.id.desc())
        .limit(limit)
    )
    return db.execute(query).all()


def ended_people(db: Connection) -> Sequence[AnyRow]:
    """Return people who have ended but whose platform ids are still stored, with their end time."""
    query = sa.select(
        participant.c.id,
        participant.c.study_id,
        participant.c.design_id,
        participant.c.state,
        participant.c.finished_at,
        participant.c.ended_at,
        participant.c.created_at,
        participant.c.erased_at,
        identity.c.platform,
        identity.c.external_id,
        identity.c.external_session,
    ).join(identity, identity.c.participant_id == participant.c.id)
    return db.execute(query.where(participant.c.state != "active")).all()


def forget(db: Connection, row: AnyRow) -> None:
    """Delete a person's platform ids and platform records, and uploaded lists with them."""
    uploads.drop_lists(db, row.study_id)
    db.execute(sa.delete(identity).where(identity.c.participant_id == row.id))
    db.execute(
        sa.delete(platform_record).where(
            platform_record.c.study_id == row.study_id,
            platform_record.c.external_id == row.external_id,
        )
    )


def take_strangers(db: Connection, study_id: int, before: datetime) -> Sequence[AnyRow]:
    """Delete records of unknown people imported before then; return their IDs there."""
    known = sa.exists().where(
        identity.c.study_id == study_id, identity.c.external_id == platform_record.c.external_id
    )
    query = sa.delete(platform_record).where(
        platform_record.c.study_id == study_id, platform_record.c.imported_at <= before, ~known
    )
    columns = (platform_record.c[name] for name in LISTED)
    return db.execute(query.returning(*columns)).all()


class HandAction(SQLModel, table=True):
    """A researcher's manual action on one participant. Rows are never updated."""

    __tablename__ = "hand_action"

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    episode_id: int | None = Field(default=None, foreign_key="episode.id")
    account_id: int | None = Field(default=None, foreign_key="account.id")
    action: str = Field(max_length=16, description="extend, unstick, void, exclude, end, note, ...")
    reason: str = text_field("as typed by the researcher")
    at: Moment = Field(description="server clock, UTC")


hand_action = table_of(HandAction)
