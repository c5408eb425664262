"""Queries of the live monitor: who is under way, who left where. None reads the whole log.

Finished people are counted, never read one by one; for those under way, only the newest turns of
their present guardian are read, by index.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.base import AnyRow, Moment
from app.store.play.episodes import MAIN, PRACTICE, episode
from app.store.play.participants import participant
from app.store.play.problems import problem
from app.store.play.spots import WORLD, spot_of, untold
from app.store.play.turns import turn

ONCE = "MATERIALIZED"  # otherwise SQLite reruns a subquery wherever its column is used
NOBODY_PLAYS = ("finished", "no_consent")


def real(study_id: int | sa.BindParameter[int]) -> sa.ColumnElement[bool]:
    """Return the condition for a study's people, leaving out test people."""
    return sa.and_(participant.c.study_id == study_id, participant.c.is_test.is_(False))


PERSON = (
    *("id", "public_id", "state", "design_id", "consented_at", "seen_at", "extended_until"),
    *("instructions_at", "practice_at", "created_at", "erased_at"),
)


def open_episode(kind: str) -> sa.ScalarSelect[int]:
    """Return the id of the first open episode of the outer query's participant."""
    query = sa.select(episode.c.id).where(
        episode.c.participant_id == participant.c.id,
        episode.c.kind == kind,
        episode.c.state == "open",
    )
    first = query.order_by(episode.c.block_position, episode.c.position).limit(1)
    return first.correlate(participant).scalar_subquery()


def active() -> sa.ColumnElement[bool]:
    """Return the condition for people under way in the study given as `study_id`."""
    return sa.and_(real(sa.bindparam("study_id")), participant.c.state == "active")


def under_way_query() -> sa.Select[*tuple[Any, ...]]:
    """Return the query of `under_way`."""
    here = (
        sa.select(*(participant.c[name] for name in (*PERSON, "arrival")))
        .add_columns(open_episode(MAIN).label("episode_id"))
        .where(active())
        .cte("here")
        .prefix_with(ONCE)
    )
    earlier = episode.alias("earlier")
    place = (earlier.c.block_position, earlier.c.position)
    before = (
        sa.func.coalesce(episode.c.block_position, WORLD),  # all are over: the last one counts
        sa.func.coalesce(episode.c.position, 0),
    )
    newest = (  # as clocks.LAST_TURN_MS counts, without reading every guardian of every person
        sa.select(turn.c.received_ms)
        .join(earlier, earlier.c.id == turn.c.episode_id)
        .where(earlier.c.participant_id == here.c.id)
        .order_by(*(one.desc() for one in (*place, turn.c.seq)))  # as the indexes are
        .limit(1)
        .correlate(here, episode)
    )
    guardian = newest.where(earlier.c.kind == MAIN, sa.tuple_(*place) < sa.tuple_(*before))
    practice = newest.where(earlier.c.kind == PRACTICE)
    return (
        sa.select(*(here.c[name] for name in PERSON), spot_of(episode).label("spot"))
        .add_columns(untold(here.c.id).label("untold"))
        .add_columns(guardian.scalar_subquery().label("guardian_ms"))
        .add_columns(practice.scalar_subquery().label("practice_ms"))
        .select_from(here.outerjoin(episode, episode.c.id == here.c.episode_id))
        .order_by(here.c.arrival)
    )


def newest_turns_query() -> sa.Select[*tuple[Any, ...]]:
    """Return the query of `newest_turns`."""
    practice = sa.case((participant.c.practice_at.is_(None), open_episode(PRACTICE)))
    here = (
        sa.select(participant.c.id, sa.func.coalesce(practice, open_episode(MAIN)).label("open"))
        .where(active())
        .cte("here")
        .prefix_with(ONCE)
    )
    newest = sa.select(sa.func.max(turn.c.seq)).where(turn.c.episode_id == here.c.open)
    last = newest.correlate(here).scalar_subquery().label("last")
    begun = sa.select(here.c.id, here.c.open, last).cte("begun").prefix_with(ONCE)
    is_new = turn.c.seq > begun.c.last - sa.bindparam("number")
    is_refused = turn.c.ok.is_(False)
    is_late = turn.c.seq > begun.c.last - sa.bindparam("row_of")
    return (
        sa.select(
            begun.c.id.label("participant_id"),
            sa.func.count().label("seen"),
            sa.func.count(sa.case((is_refused, 1))).label("refused"),
            sa.func.count(sa.case((is_refused & is_late, 1))).label("refused_in_row"),
            sa.func.aggregate_strings(sa.cast(turn.c.received_ms, sa.String), ",").label("times"),
        )
        .select_from(begun)
        .join(turn, sa.and_(turn.c.episode_id == begun.c.open, is_new))
        .group_by(begun.c.id)
    )


# Built once: making them takes as long as running them in a small study.
UNDER_WAY, NEWEST_TURNS = under_way_query(), newest_turns_query()


def under_way(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return the people under way, in order of arrival: `PERSON` and four more columns.

    `spot`: of their first open guardian, None = all are over; `untold`: see `spots.Spots`;
    `guardian_ms`, `practice_ms`: when their last command came at that guardian and in the
    practice, in milliseconds since 1970, None = never.
    """
    return db.execute(UNDER_WAY, {"study_id": study_id}).all()


def entered(db: Connection, study_id: int, since: Moment) -> tuple[int, int]:
    """Return how many people have agreed since then, and how many of them have only agreed."""
    idle = sa.and_(  # leaving the instructions, the first step, changes `seen_at`
        participant.c.state == "active",
        participant.c.seen_at <= participant.c.consented_at,
    )
    query = sa.select(sa.func.count(), sa.func.count(sa.case((idle, 1))))
    row = db.execute(query.where(real(study_id), participant.c.consented_at > since)).one()
    return int(row[0]), int(row[1])


def gone(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return (id, state) of people who consented and ended without finishing."""
    query = sa.select(participant.c.id, participant.c.state)
    return db.execute(
        query.where(real(study_id), participant.c.state.not_in(("active", *NOBODY_PLAYS)))
    ).all()


def people(db: Connection, ids: Sequence[int]) -> Sequence[AnyRow]:
    """Return the same columns as `under_way` for these people."""
    query = sa.select(*(participant.c[name] for name in PERSON))
    return db.execute(query.where(participant.c.id.in_(ids))).all()


def newest_turns(db: Connection, study_id: int, number: int, row_of: int) -> Sequence[AnyRow]:
    """Summarise the last turns of people under way, one row per person.

    The database does the summing, because reading rows costs most. Only the open guardian (or the
    practice, until it is over) counts; people who have not begun it are not in the list.

    Args:
        db: a read.
        study_id: whose people.
        number: most turns per person.
        row_of: how many of them count for `refused_in_row`.

    Returns:
        `participant_id`; `seen` turns; how many of them were `refused`, and `refused_in_row` among
        the last `row_of`; `times` of arrival: comma-separated milliseconds since 1970, unordered.
    """
    values = {"study_id": study_id, "number": number, "row_of": row_of}
    return db.execute(NEWEST_TURNS, values).all()


def newest_finished(db: Connection, study_id: int, number: int) -> Sequence[AnyRow]:
    """Return the people who finished last: id, times, design."""
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
    """Return state -> number of ended main episodes, leaving out voided ones."""
    query = (
        sa.select(episode.c.state, sa.func.count())
        .join(participant, participant.c.id == episode.c.participant_id)
        .where(
            real(study_id),
            episode.c.kind == MAIN,
            episode.c.state != "open",
            episode.c.voided_at.is_(None),
        )
        .group_by(episode.c.state)
    )
    return {str(state): int(count) for state, count in db.execute(query).all()}


def problem_count(db: Connection, study_id: int) -> int:
    """Return the number of reported problems."""
    query = sa.select(sa.func.count()).select_from(problem).join(participant)
    return int(db.execute(query.where(real(study_id))).scalar_one())


def newest_problems(db: Connection, study_id: int, number: int) -> Sequence[AnyRow]:
    """Return the latest reported problems, newest first."""
    query = (
        sa.select(participant.c.public_id, problem.c.page, problem.c.text, problem.c.created_at)
        .join_from(problem, participant)
        .where(real(study_id))
        .order_by(problem.c.id.desc())
        .limit(number)
    )
    return db.execute(query).all()
