"""What the live monitor asks: who is under way, who left where. No query reads the whole log.

Finished people are counted, never read one by one; of those under way only the newest turns of
the guardian they stand before are read, by index.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.episodes import episode
from app.store.participants import participant
from app.store.tickets import problem
from app.store.turns import turn

WORLD = 10_000  # a spot is block position * WORLD + episode position
NOBODY_PLAYS = ("finished", "no_consent")


def real(study_id: int) -> sa.ColumnElement[bool]:
    """Return the condition of a study's people, test people left out."""
    return sa.and_(participant.c.study_id == study_id, participant.c.is_test.is_(False))


TOLD = (
    *("id", "public_id", "state", "design_id", "consented_at", "seen_at", "extended_until"),
    *("instructions_at", "practice_at", "created_at", "erased_at"),
)


def under_way(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return those who are under way, in order of arrival."""
    query = sa.select(*(participant.c[name] for name in TOLD))
    query = query.where(real(study_id), participant.c.state == "active")
    return db.execute(query.order_by(participant.c.arrival)).all()


def gone(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return (id, state) of those who agreed and ended without finishing."""
    query = sa.select(participant.c.id, participant.c.state)
    return db.execute(
        query.where(real(study_id), participant.c.state.not_in(("active", *NOBODY_PLAYS)))
    ).all()


def people(db: Connection, ids: Sequence[int]) -> Sequence[AnyRow]:
    """Return the same columns as `under_way` of these people."""
    query = sa.select(*(participant.c[name] for name in TOLD))
    return db.execute(query.where(participant.c.id.in_(ids))).all()


def spots(db: Connection, whose: sa.ColumnElement[bool]) -> dict[int, tuple[int | None, int]]:
    """Return participant id -> (spot of the first open guardian or None, last end of one).

    The end is in milliseconds since 1970, 0 = none has ended.
    """
    is_main = episode.c.kind == "main"
    is_open = sa.and_(is_main, episode.c.state == "open")
    spot = sa.case((is_open, episode.c.block_position * WORLD + episode.c.position))
    query = (
        sa.select(episode.c.participant_id, sa.func.min(spot), sa.func.max(episode.c.finished_at))
        .join(participant, participant.c.id == episode.c.participant_id)
        .where(whose)
        .group_by(episode.c.participant_id)
    )
    return {
        row[0]: (row[1], 0 if row[2] is None else int(row[2].timestamp() * 1000))
        for row in db.execute(query).all()
    }


def active_spots(db: Connection, study_id: int) -> dict[int, tuple[int | None, int]]:
    """Return the spots of those who are under way."""
    return spots(db, sa.and_(real(study_id), participant.c.state == "active"))


def spots_of(db: Connection, ids: Sequence[int]) -> dict[int, tuple[int | None, int]]:
    """Return the spots of these people."""
    return spots(db, participant.c.id.in_(ids))


def newest_turns(db: Connection, study_id: int, number: int) -> Sequence[AnyRow]:
    """Return the last turns of every open episode of active people, in order.

    Args:
        db: a read.
        study_id: whose people.
        number: at most so many turns an episode.
    """
    last = sa.select(sa.func.max(turn.c.seq)).where(turn.c.episode_id == episode.c.id)
    begun = (
        sa.select(
            episode.c.id,
            episode.c.participant_id,
            last.correlate(episode).scalar_subquery().label("last"),
        )
        .join(participant, participant.c.id == episode.c.participant_id)
        .where(real(study_id), participant.c.state == "active", episode.c.state == "open")
        .cte("begun")
    )
    query = (
        sa.select(begun.c.participant_id, turn.c.ok, turn.c.received_ms)
        .select_from(begun)
        .join(turn, sa.and_(turn.c.episode_id == begun.c.id, turn.c.seq > begun.c.last - number))
        .order_by(begun.c.participant_id, turn.c.received_ms, turn.c.seq)
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
