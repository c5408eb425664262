"""Export queries for runs of models: runs, episodes, turns and calls; see dump.py."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.export.dump import Scope
from app.store.models.calls import ANSWERED, model_call
from app.store.models.plays import BOTH, COLUMNS, model_episode
from app.store.models.runs import model_run
from app.store.play.episodes import episode
from app.store.play.turns import turn

RUN = (
    model_run.c.number.label("run"),
    model_run.c.label,
    model_run.c.kind,
    model_run.c.method,
)
FIRST = ("action", "answer")  # purposes of the questions that show an episode's words
SHAPE = (
    *("unit", "player_kind", "task", "seed", "lexicon", "coverage", "format"),
    *("variant_hash", "variant_episode"),
)


def runs(scope: Scope) -> sa.Select[Any]:
    """Return the query for a study's runs."""
    query = sa.select(model_run).where(model_run.c.study_id == scope.study_id)
    return query.order_by(model_run.c.number)


def episodes(scope: Scope) -> sa.Select[Any]:
    """Return the query for the episodes of all runs."""
    query = sa.select(*RUN, model_run.c.preset, model_run.c.settings, *COLUMNS)
    query = query.select_from(BOTH.join(model_run, model_run.c.id == model_episode.c.run_id))
    query = query.where(model_run.c.study_id == scope.study_id)
    return query.order_by(model_run.c.number, model_episode.c.unit)


def turns(scope: Scope, but_not: Sequence[str] = ()) -> sa.Select[Any]:
    """Return the query for the turns of all runs. `but_not`: values of `parse_status`."""
    shape = [column for column in COLUMNS if column.name in SHAPE]
    own = [column for column in turn.c if column.name not in ("id", "episode_id")]
    whole = BOTH.join(turn, turn.c.episode_id == episode.c.id)
    whole = whole.join(model_run, model_run.c.id == model_episode.c.run_id)
    query = sa.select(*RUN, *shape, *own).select_from(whole)
    query = query.where(model_run.c.study_id == scope.study_id)
    if but_not:
        query = query.where(turn.c.parse_status.not_in(but_not))
    return query.order_by(model_run.c.number, model_episode.c.unit, turn.c.seq)


def calls(scope: Scope) -> sa.Select[Any]:
    """Return the query for the calls of all runs."""
    own = [column for column in model_call.c if column.name not in ("id", "run_id")]
    query = sa.select(*RUN, *own).join_from(model_call, model_run)
    query = query.where(model_run.c.study_id == scope.study_id)
    order = (model_call.c[name] for name in ("unit", "n", "attempt"))
    return query.order_by(model_run.c.number, *order)


def first_request(db: Connection, run_id: int, unit: str) -> str:
    """Return the request in which an episode's words were first answered, or ''."""
    own = model_call.c
    query = sa.select(own.request).where(
        own.run_id == run_id,
        own.unit == unit,
        own.purpose.in_(FIRST),
        own.status.in_(ANSWERED),
    )
    return str(db.execute(query.order_by(own.n, own.attempt).limit(1)).scalar() or "")
