"""Queries for what a participant has earned."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.moments import to_ms
from app.store.base import AnyRow
from app.store.play.acted import turn_counts
from app.store.play.answers import answer, direct_answer
from app.store.play.episodes import MAIN, block, episode
from app.store.play.explanations import explanation
from app.store.play.participants import participant
from app.store.play.turns import turn


def main_episodes(db: Connection, participant_id: int) -> Sequence[AnyRow]:
    """Return a participant's main episodes: `format`, `is_right`, `turns` and `mistyped` too."""
    query = (
        sa.select(episode, block.c.format, direct_answer.c.is_right, *turn_counts())
        .join(block, block.c.id == episode.c.block_id)
        .outerjoin(direct_answer, direct_answer.c.episode_id == episode.c.id)
        .where(episode.c.participant_id == participant_id, episode.c.kind == MAIN)
    )
    return db.execute(query).all()


def moments(db: Connection, participant_id: int) -> list[int]:
    """Return the times of a participant's actions and forms, milliseconds since 1970 UTC."""
    played = (
        sa.select(turn.c.received_ms)
        .join(episode, episode.c.id == turn.c.episode_id)
        .where(episode.c.participant_id == participant_id)
    )
    found = [int(value) for value in db.execute(played).scalars()]
    for table in (explanation, answer, direct_answer):
        sent = sa.select(table.c.created_at).where(table.c.participant_id == participant_id)
        found += [to_ms(value) for value in db.execute(sent).scalars()]
    own = sa.select(
        participant.c.consented_at,
        participant.c.instructions_at,
        participant.c.practice_at,
        participant.c.finished_at,
    ).where(participant.c.id == participant_id)
    row = db.execute(own).one()
    return found + [to_ms(value) for value in row if value is not None]


def explanation_count(db: Connection, participant_id: int) -> int:
    """Return how many rule forms a participant sent."""
    query = sa.select(sa.func.count()).where(explanation.c.participant_id == participant_id)
    return int(db.execute(query).scalar_one())
