"""When people last did something, for the clocks of a study."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.design.studies import design, study
from app.store.play.episodes import episode
from app.store.play.participants import identity, participant
from app.store.play.turns import turn

LAST_OF_EPISODE = (
    sa.select(turn.c.received_ms)
    .where(turn.c.episode_id == episode.c.id)
    .order_by(turn.c.seq.desc())
    .limit(1)
    .correlate(episode)
    .scalar_subquery()
)
LAST_TURN_MS = (
    sa.select(sa.func.max(LAST_OF_EPISODE))
    .where(episode.c.participant_id == participant.c.id)
    .correlate(participant)
    .scalar_subquery()
)
HAS_ID = sa.exists().where(identity.c.participant_id == participant.c.id)
PEOPLE = (
    sa.select(
        participant.c.id,
        participant.c.study_id,
        participant.c.state,
        participant.c.seat,
        participant.c.is_test,
        participant.c.consented_at,
        participant.c.created_at,
        participant.c.seen_at,
        participant.c.extended_until,
        participant.c.resume_count,
        participant.c.longest_gap_s,
        study.c.slug,
        design.c.spec,
        LAST_TURN_MS.label("last_turn_ms"),
        HAS_ID.label("has_id"),
    )
    .join(design, design.c.id == participant.c.design_id)
    .join(study, study.c.id == participant.c.study_id)
)


def person(db: Connection, participant_id: int) -> AnyRow:
    """Return a participant's times, seat and study file; locks the row."""
    query = PEOPLE.where(participant.c.id == participant_id)
    return db.execute(query.with_for_update(of=participant)).one()


def person_if_free(db: Connection, participant_id: int) -> AnyRow | None:
    """Return the same without waiting: None while another transaction holds the row."""
    query = PEOPLE.where(participant.c.id == participant_id)
    return db.execute(query.with_for_update(of=participant, skip_locked=True)).first()


def id_of(db: Connection, token: str) -> int | None:
    """Return the id of the participant with that token, or None."""
    query = sa.select(participant.c.id).where(participant.c.token == token)
    return db.execute(query).scalar()


def active(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return the times of everyone under way in a study, without locks."""
    query = PEOPLE.where(participant.c.study_id == study_id, participant.c.state == "active")
    return db.execute(query.order_by(participant.c.id)).all()


def last_turn_ms(db: Connection, participant_id: int) -> int | None:
    """Return when the person's last command came, milliseconds since 1970, or None."""
    query = sa.select(LAST_TURN_MS).select_from(participant)
    return db.execute(query.where(participant.c.id == participant_id)).scalar()
