"""Export queries for large numbers that browsers sent; see dump.py."""

from typing import Any

import sqlalchemy as sa

from app.store.export.dump import Scope
from app.store.play.episodes import episode
from app.store.play.participants import participant
from app.store.play.process_data import process_event
from app.store.play.turns import turn


def long_thoughts(scope: Scope, least: int) -> sa.Select[Any]:
    """Return the query for `episode_id, think_ms` of all turns with at least that time."""
    query = (
        sa.select(turn.c.episode_id, turn.c.think_ms)
        .join(episode, episode.c.id == turn.c.episode_id)
        .join(participant, participant.c.id == episode.c.participant_id)
        .where(turn.c.think_ms >= least)
    )
    return scope.people(query).distinct()


def large_values(scope: Scope, least: int) -> sa.Select[Any]:
    """Return the query for `public_id, page, value` of all events with at least that value."""
    query = (
        sa.select(participant.c.public_id, process_event.c.page, process_event.c.value)
        .join_from(process_event, participant)
        .where(process_event.c.value >= least)
    )
    return scope.people(query).distinct()


def wrong_clocks(scope: Scope, least: int) -> tuple[sa.Select[Any], ...]:
    """Return queries for the `public_id` of those whose browser's clock differs by `least` ms."""
    to_turns = (
        turn.join(episode, episode.c.id == turn.c.episode_id).join(
            participant, participant.c.id == episode.c.participant_id
        ),
        turn.c,
    )
    to_events = process_event.join(participant), process_event.c
    return tuple(
        scope.people(
            sa.select(participant.c.public_id)
            .select_from(rows)
            .where(sa.func.abs(own.client_ms - own.received_ms) >= least)
        ).distinct()
        for rows, own in (to_turns, to_events)
    )
