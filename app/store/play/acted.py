"""Conditions on what a person did: whether an episode was touched, and whether one counts."""

import sqlalchemy as sa

from app.store.play.answers import direct_answer
from app.store.play.episodes import MAIN, episode
from app.store.play.participants import participant
from app.store.play.turns import turn

UNDERSTOOD = ("ok", "normalised")  # every other parse status is a mistyped command
UNREAD = ("unknown_verb", "unknown_name", "extra_argument")  # the command has words of its own


def is_mistyped() -> sa.ColumnElement[bool]:
    """Return the condition that a turn's command was not understood."""
    return turn.c.parse_status.not_in(UNDERSTOOD)


def turn_counts() -> tuple[sa.Label[int], sa.Label[int]]:
    """Return the columns `turns` and `mistyped` of the episode of the query."""
    own = sa.select(sa.func.count()).where(turn.c.episode_id == episode.c.id)
    mistyped = own.where(is_mistyped())
    return own.scalar_subquery().label("turns"), mistyped.scalar_subquery().label("mistyped")


def is_touched(of: sa.FromClause = episode) -> sa.ColumnElement[bool]:
    """Return the condition that an episode has an action or a stated answer."""
    acted = sa.exists().where(turn.c.episode_id == of.c.id)
    return sa.or_(acted, sa.exists().where(direct_answer.c.episode_id == of.c.id))


def has_episode() -> sa.Label[bool]:
    """Return a column: the participant of the query has a touched main episode, not voided."""
    own = episode.alias("own_episode")
    counts = sa.exists().where(
        own.c.participant_id == participant.c.id,
        own.c.kind == MAIN,
        own.c.voided_at.is_(None),
        is_touched(own),
    )
    return counts.label("has_episode")
