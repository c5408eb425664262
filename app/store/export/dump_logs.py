"""Export queries for the logs around the game; see dump.py."""

from typing import Any

import sqlalchemy as sa

from app.store.export.dump import WHO_COLUMNS, Scope, with_release
from app.store.people.manual_actions import hand_action
from app.store.play.episodes import episode
from app.store.play.explanations import draft
from app.store.play.participants import participant
from app.store.play.problems import problem
from app.store.play.process_data import process_event
from app.store.play.seats import seat_event

NOTES = "notes/"  # beginning of a notebook's page; the block's position follows


def process(scope: Scope) -> sa.Select[Any]:
    """Return the query for all process data, in the order of storing."""
    names = ("page", "kind", "value", "detail", "client_ms", "received_ms")
    query = sa.select(*WHO_COLUMNS, *(process_event.c[name] for name in names))
    query = query.join_from(process_event, participant)
    return scope.people(query).order_by(*scope.order(process_event.c.id))


def seats(scope: Scope) -> sa.Select[Any]:
    """Return the query for the seat ledger; lines written before consent have no participant."""
    names = ("event", "reason", "cells", "at")
    query = sa.select(*WHO_COLUMNS, *(seat_event.c[name] for name in names)).select_from(
        seat_event.outerjoin(participant, participant.c.id == seat_event.c.participant_id)
    )
    query = query.where(seat_event.c.study_id == scope.study_id)
    if not scope.include_test:
        real = participant.c.is_test.is_(False)
        query = query.where(sa.or_(participant.c.id.is_(None), real))
    return query.order_by(*scope.order(seat_event.c.id))


def hands(scope: Scope) -> sa.Select[Any]:
    """Return the query for all manual actions, with the place of the episode concerned."""
    query = (
        sa.select(
            *WHO_COLUMNS,
            *(hand_action.c[name] for name in ("action", "reason", "at")),
            *(episode.c[name] for name in ("kind", "block_position", "position")),
        )
        .select_from(hand_action)
        .join(participant, participant.c.id == hand_action.c.participant_id)
        .outerjoin(episode, episode.c.id == hand_action.c.episode_id)
    )
    return scope.people(query).order_by(*scope.order(hand_action.c.id))


def notes(scope: Scope) -> sa.Select[Any]:
    """Return the query for all notebooks, person by person."""
    columns = (draft.c.id, draft.c.page, draft.c.content, draft.c.revision, draft.c.updated_at)
    query: sa.Select[Any] = sa.select(*WHO_COLUMNS, *columns).join_from(draft, participant)
    query = with_release(query, "note", draft.c.id).where(draft.c.page.startswith(NOTES))
    return scope.people(query).order_by(scope.person, draft.c.page)


def problems(scope: Scope) -> sa.Select[Any]:
    """Return the query for all problem reports, in the order of sending."""
    columns = (problem.c.id, problem.c.page, problem.c.text, problem.c.created_at)
    query: sa.Select[Any] = sa.select(*WHO_COLUMNS, *columns).join_from(problem, participant)
    query = with_release(query, "problem", problem.c.id)
    return scope.people(query).order_by(*scope.order(problem.c.id))
