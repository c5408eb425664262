"""Queries for the payment table."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.design.studies import design
from app.store.play.participants import identity, participant


def consented(
    db: Connection,
    study_id: int,
    limit: int | None = None,
    offset: int = 0,
    public_id: str = "",
) -> Sequence[AnyRow]:
    """Return people who consented, with platform ids and design, in order of arrival.

    `public_id`: only this person.
    """
    query = (
        sa.select(
            participant,
            design.c.spec,
            identity.c.platform,
            identity.c.external_id,
            identity.c.external_session,
        )
        .join(design, design.c.id == participant.c.design_id)
        .outerjoin(identity, identity.c.participant_id == participant.c.id)
        .where(*to_pay(study_id), participant.c.public_id == public_id if public_id else sa.true())
        .order_by(participant.c.arrival)
        .limit(limit)
        .offset(offset)
    )
    return db.execute(query).all()


def number_consented(db: Connection, study_id: int) -> int:
    """Return how many people consented."""
    query = sa.select(sa.func.count()).select_from(participant).where(*to_pay(study_id))
    return int(db.execute(query).scalar_one())


def to_pay(study_id: int) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions on people whom a study may owe something."""
    return (
        participant.c.study_id == study_id,
        participant.c.is_test.is_(False),
        participant.c.consented_at.is_not(None),
    )


def test_plays(db: Connection, study_id: int, limit: int) -> Sequence[AnyRow]:
    """Return the newest test participants who finished, with the hash of their frozen design."""
    query = (
        sa.select(participant.c.id, design.c.spec_hash)
        .join(design, design.c.id == participant.c.design_id)
        .where(
            participant.c.study_id == study_id,
            participant.c.is_test,
            participant.c.finished_at.is_not(None),
        )
        .order_by(participant.c.id.desc())
        .limit(limit)
    )
    return db.execute(query).all()
