"""What `hjstudy doctor` counts: people with contradictory rows, or who were never swept."""

import sqlalchemy as sa
from sqlalchemy import Connection

from app.moments import to_ms
from app.store.base import Moment
from app.store.play.acted import has_episode
from app.store.play.episodes import episode
from app.store.play.participants import participant
from app.store.play.turns import turn

FINISHED, ACTIVE, HELD = "finished", "active", "held"


def finished_without_data(db: Connection) -> int:
    """Count people who finished, whose data were not erased, and who neither acted nor answered."""
    real = (sa.not_(participant.c.is_test), participant.c.erased_at.is_(None))
    query = sa.select(sa.func.count()).select_from(participant)
    played = has_episode().element
    return db.execute(
        query.where(participant.c.state == FINISHED, *real, sa.not_(played))
    ).scalar_one()


def seats_of_the_gone(db: Connection) -> int:
    """Count people who hold seats although their part is over."""
    query = sa.select(sa.func.count()).select_from(participant)
    return db.execute(
        query.where(participant.c.seat == HELD, participant.c.state != ACTIVE)
    ).scalar_one()


def silent(db: Connection, since: Moment) -> int:
    """Count active people with seats who entered before a time and have sent nothing since."""
    acted = sa.exists().where(
        episode.c.participant_id == participant.c.id,
        turn.c.episode_id == episode.c.id,
        turn.c.received_ms >= to_ms(since),
    )
    seen = sa.func.coalesce(participant.c.seen_at, participant.c.created_at)
    query = sa.select(sa.func.count()).select_from(participant)
    mine = (participant.c.state == ACTIVE, participant.c.seat == HELD)
    return db.execute(query.where(*mine, seen < since, sa.not_(acted))).scalar_one()
