"""What the live monitor asks: who is under way, who left where. No query reads the whole log.

Finished people are counted, never read one by one; of those under way only the newest turns of
the guardian they stand before are read, by index.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.clocks import LAST_TURN_MS
from app.store.episodes import episode
from app.store.participants import participant
from app.store.tickets import problem
from app.store.turns import turn

WORLD = 10_000  # a spot is block position * WORLD + episode position
NOBODY_PLAYS = ("finished", "no_consent")
SPOT = (
    sa.select(sa.func.min(episode.c.block_position * WORLD + episode.c.position))
    .where(
        episode.c.participant_id == participant.c.id,
        episode.c.kind == "main",
        episode.c.state == "open",
    )
    .correlate(participant)
    .scalar_subquery()
)


def real(study_id: int) -> sa.ColumnElement[bool]:
    """Return the condition of a study's people, test people left out."""
    return sa.and_(participant.c.study_id == study_id, participant.c.is_test.is_(False))


def under_way_or_gone(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return everybody who agreed and has not finished: times, design, spot of the next guardian.

    `spot`: None = no guardian is open. `last_turn_ms`: of active people only, else None.
    """
    told = (
        *("id", "public_id", "state", "design_id", "consented_at", "seen_at", "extended_until"),
        *("instructions_at", "practice_at", "end_reason", "resume_count", "created_at"),
    )
    is_active = participant.c.state == "active"
    query = sa.select(
        *(participant.c[name] for name in told),
        SPOT.label("spot"),
        sa.case((is_active, LAST_TURN_MS), else_=sa.null()).label("last_turn_ms"),
    ).where(real(study_id), participant.c.state.not_in(NOBODY_PLAYS))
    return db.execute(query.order_by(participant.c.arrival)).all()


def newest_turns(db: Connection, study_id: int, number: int) -> Sequence[AnyRow]:
    """Return the last turns of every open episode of active people, in order.

    Args:
        db: a read.
        study_id: whose people.
        number: at most so many turns an episode.
    """
    other = turn.alias()
    last = sa.select(sa.func.max(other.c.seq)).where(other.c.episode_id == episode.c.id)
    query = (
        sa.select(
            episode.c.participant_id,
            turn.c.ok,
            turn.c.parse_status,
            turn.c.received_ms,
        )
        .select_from(participant)
        .join(episode, episode.c.participant_id == participant.c.id)
        .join(turn, turn.c.episode_id == episode.c.id)
        .where(
            real(study_id),
            participant.c.state == "active",
            episode.c.state == "open",
            turn.c.seq > last.correlate(episode).scalar_subquery() - number,
        )
        .order_by(episode.c.participant_id, turn.c.received_ms, turn.c.seq)
    )
    return db.execute(query).all()


def newest_finished(db: Connection, study_id: int, number: int) -> Sequence[AnyRow]:
    """Return those who finished last: id, times, design."""
    query = (
        sa.select(
            participant.c.id,
            participant.c.public_id,
            participant.c.consented_at,
            participant.c.finished_at,
            participant.c.design_id,
            participant.c.state,
        )
        .where(real(study_id), participant.c.state == "finished")
        .order_by(participant.c.finished_at.desc(), participant.c.id.desc())
        .limit(number)
    )
    return db.execute(query).all()


def outcomes(db: Connection, study_id: int) -> dict[str, int]:
    """Return state -> number of ended main episodes, voided ones left out."""
    query = (
        sa.select(episode.c.state, sa.func.count())
        .join(participant, participant.c.id == episode.c.participant_id)
        .where(
            real(study_id),
            episode.c.kind == "main",
            episode.c.state != "open",
            episode.c.voided_at.is_(None),
        )
        .group_by(episode.c.state)
    )
    return {str(state): int(count) for state, count in db.execute(query).all()}


def problem_count(db: Connection, study_id: int) -> int:
    """Return how many problems were reported."""
    query = sa.select(sa.func.count()).select_from(problem).join(participant)
    return int(db.execute(query.where(real(study_id))).scalar_one())


def newest_problems(db: Connection, study_id: int, number: int) -> Sequence[AnyRow]:
    """Return the problems reported last, newest first."""
    query = (
        sa.select(participant.c.public_id, problem.c.page, problem.c.text, problem.c.created_at)
        .join_from(problem, participant)
        .where(real(study_id))
        .order_by(problem.c.id.desc())
        .limit(number)
    )
    return db.execute(query).all()
