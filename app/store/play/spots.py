"""Where participants are in their worlds: the guardian that is open, the rule form that is due.

A spot is a number: the position of the block times `WORLD`, plus the episode's position in it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.play.episodes import MAIN, episode
from app.store.play.explanations import AFTER_BLOCK, explanation
from app.store.play.participants import participant

WORLD = 10_000


class Spots(NamedTuple):
    """Two spots of a participant.

    `open`: their first open guardian; None = all are over.
    `untold`: their last guardian that is over, if neither it nor its block has a rule form yet.
    """

    open: int | None
    untold: int | None


def spot_of(own: sa.FromClause) -> sa.ColumnElement[Any]:
    """Return the spot of an episode, as a column. `own`: the table or an alias of it."""
    return own.c.block_position * WORLD + own.c.position


def untold(who: sa.ColumnElement[Any]) -> sa.ScalarSelect[Any]:
    """Return `Spots.untold` of the participant with this id, as a column."""
    over = episode.alias("over")
    is_told = sa.exists().where(
        explanation.c.block_id == over.c.block_id,
        explanation.c.after.in_((over.c.position, AFTER_BLOCK)),
    )
    query = sa.select(sa.case((~is_told, spot_of(over)))).where(
        over.c.participant_id == who, over.c.kind == MAIN, over.c.state != "open"
    )
    last = query.order_by(over.c.block_position.desc(), over.c.position.desc()).limit(1)
    return last.correlate_except(over, explanation).scalar_subquery()


def first_open() -> sa.ScalarSelect[Any]:
    """Return `Spots.open` of the outer query's participant, as a column."""
    query = sa.select(sa.func.min(spot_of(episode))).where(
        episode.c.participant_id == participant.c.id,
        episode.c.kind == MAIN,
        episode.c.state == "open",
    )
    return query.correlate(participant).scalar_subquery()


def spots(db: Connection, *whose: sa.ColumnElement[bool]) -> dict[int, Spots]:
    """Return participant id -> their spots, of those for whom the conditions hold."""
    query = sa.select(participant.c.id, first_open(), untold(participant.c.id)).where(*whose)
    return {row[0]: Spots(row[1], row[2]) for row in db.execute(query)}


def of_ids(db: Connection, ids: Sequence[int]) -> dict[int, Spots]:
    """Return participant id -> their spots."""
    return spots(db, participant.c.id.in_(ids))


def of_active(db: Connection, study_id: int) -> dict[int, Spots]:
    """Return participant id -> their spots, of a study's people under way."""
    return spots(db, participant.c.study_id == study_id, participant.c.state == "active")
