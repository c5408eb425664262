"""Export queries for rated items and their ratings; see dump.py.

Test people have no items, so the scope is only the study. Erased items keep their numbers.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.export.dump import Scope, rows, with_release
from app.store.models import results as model_results
from app.store.play.explanations import explanation
from app.store.play.participants import participant
from app.store.rating import guesses, handovers
from app.store.rating.adjudications import adjudication
from app.store.rating.items import item
from app.store.rating.judges import judge_run, judge_score
from app.store.rating.opinions import opinion
from app.store.rating.pauses import rater_pause
from app.store.rating.ratings import newest, rating
from app.store.rating.rounds import assignment, rating_round, round_item, round_rater
from app.store.rating.samples import sample, sample_item
from app.store.rating.scales import CRITERIA

SCORED = ("value", *CRITERIA)
ITEM_COLUMNS = (
    item.c.external_id.label("item_id"),
    item.c.kind.label("item_kind"),
    *(item.c[name] for name in ("source", "task", "seed", "lexicon", "coverage", "variant_hash")),
    participant.c.public_id,
)


def of_items(scope: Scope, *wanted: Any) -> sa.Select[Any]:
    """Return a query over a study's items with their authors' public ids."""
    query = sa.select(*ITEM_COLUMNS, *wanted).select_from(item)
    query = query.outerjoin(participant, participant.c.id == item.c.participant_id)
    return query.where(item.c.study_id == scope.study_id)


def item_order(scope: Scope) -> sa.ColumnElement[Any]:
    """Return what items are sorted by: their age, or their random IDs."""
    return item.c.external_id if scope.is_shuffled else item.c.id


def items(scope: Scope) -> sa.Select[Any]:
    """Return the query for all items, oldest first; players' texts with their release decision."""
    parts = ("text", "inputs", "output", "how", "found_how")
    query = of_items(
        scope,
        *(item.c[name] for name in ("cluster", "text", "is_erased", "created_at")),
        *(explanation.c[name].label(f"own_{name}") for name in parts),
    ).outerjoin(explanation, explanation.c.id == item.c.explanation_id)
    return with_release(query, "explanation", explanation.c.id).order_by(item_order(scope))


def samples(scope: Scope) -> sa.Select[Any]:
    """Return the query for the frames of all samples."""
    query = of_items(
        scope,
        sample.c.number.label("sample"),
        judge_run.c.number.label("judge_run"),
        *(sample_item.c[name] for name in ("level", "stratum", "place", "weight")),
        sample.c.seed.label("draw_seed"),
    )
    query = (
        query.join(sample_item, sample_item.c.item_id == item.c.id)
        .join(sample, sample.c.id == sample_item.c.sample_id)
        .join(judge_run, judge_run.c.id == sample.c.run_id)
    )
    return query.order_by(sample.c.number, item_order(scope))


def ratings(scope: Scope) -> sa.Select[Any]:
    """Return the query for every assignment, rated or not, with the first and current rating."""
    last, first = newest(), rating.alias("first_rating")
    of_round = (
        "mode",
        "rubric_version",
        "rubric_hash",
        "rule_version",
        "presentation",
        "ask_source",
        "gold_feedback",
        "gold_least",
    )
    present = sa.and_(
        rating.c.assignment_id == assignment.c.id, rating.c.revision == last.c.revision
    )
    query = of_items(
        scope,
        rating_round.c.number.label("round"),
        *(rating_round.c[name] for name in of_round),
        sample.c.number.label("sample"),
        round_item.c.kind.label("role"),
        round_item.c.known,
        round_rater.c.pseudonym.label("rater"),
        assignment.c.repeat,
        assignment.c.position,
        *(rating.c[name] for name in SCORED),
        *(rating.c[name] for name in ("skip_reason", "comment", "revision")),
        rating.c.flag.label("is_flagged"),
        *(
            first.c[name].label(f"first_{name}")
            for name in (*SCORED, "skip_reason", "rule_version")
        ),
        rating.c.rule_version.label("saved_rule_version"),
        first.c.created_at.label("first_at"),
        rating.c.created_at.label("saved_at"),
        guesses.current().label("source_guess"),
        guesses.current(first=True).label("first_source_guess"),
        guesses.current("created_at").label("guessed_at"),
        handovers.giver_of().label("handed_from"),
        *(sa.cast(last.c[name], sa.BigInteger).label(name) for name in ("active_ms", "wall_ms")),
    )
    query = (
        query.join(round_item, round_item.c.item_id == item.c.id)
        .join(assignment, assignment.c.round_item_id == round_item.c.id)
        .join(rating_round, rating_round.c.id == assignment.c.round_id)
        .join(
            round_rater,
            sa.and_(
                round_rater.c.round_id == assignment.c.round_id,
                round_rater.c.account_id == assignment.c.account_id,
            ),
        )
        .outerjoin(sample, sample.c.id == rating_round.c.sample_id)
        .outerjoin(last, last.c.assignment_id == assignment.c.id)
        .outerjoin(rating, present)
        .outerjoin(first, sa.and_(first.c.assignment_id == assignment.c.id, first.c.revision == 1))
    )
    order = (rating_round.c.number, item_order(scope), round_rater.c.id, assignment.c.repeat)
    return query.where(handovers.still_theirs()).order_by(*order)


def adjudications(scope: Scope) -> sa.Select[Any]:
    """Return the query for the newest decision on each item of each round."""
    other = adjudication.alias()
    top = sa.select(sa.func.max(other.c.revision))
    top = top.where(other.c.round_item_id == adjudication.c.round_item_id)
    query = of_items(
        scope,
        rating_round.c.number.label("round"),
        *(adjudication.c[name] for name in (*SCORED, "comment", "revision")),
        adjudication.c.created_at.label("decided_at"),
        adjudication.c.round_item_id,
    )
    query = (
        query.join(round_item, round_item.c.item_id == item.c.id)
        .join(adjudication, adjudication.c.round_item_id == round_item.c.id)
        .join(rating_round, rating_round.c.id == round_item.c.round_id)
        .where(adjudication.c.revision == top.scalar_subquery())
    )
    return query.order_by(rating_round.c.number, item_order(scope))


def opinions(scope: Scope) -> sa.Select[Any]:
    """Return the query for the opinions of several adjudicators, oldest first."""
    query = sa.select(opinion).join(round_item, round_item.c.id == opinion.c.round_item_id)
    query = query.join(rating_round, rating_round.c.id == round_item.c.round_id)
    return query.where(rating_round.c.study_id == scope.study_id).order_by(opinion.c.id)


def judged(scope: Scope) -> sa.Select[Any]:
    """Return the query for all answers of judges, run by run."""
    query = of_items(
        scope,
        judge_run.c.number.label("judge_run"),
        judge_run.c.kind.label("run_kind"),
        *(judge_run.c[name] for name in ("judge", "model", "prompt_version", "parameters")),
        judge_score.c.score.label("value"),
        *(judge_score.c[name] for name in ("status", *CRITERIA, "problem", "raw", "created_at")),
    )
    query = query.join(judge_score, judge_score.c.item_id == item.c.id).join(
        judge_run, judge_run.c.id == judge_score.c.run_id
    )
    return query.order_by(judge_run.c.number, item_order(scope))


def scores(db: Connection, query: sa.Select[Any], *names: str) -> list[AnyRow]:
    """Return only some columns of one of these queries, unordered."""
    inner = query.order_by(None).subquery()
    return list(rows(db, sa.select(*(inner.c[name] for name in names))))


def pauses(scope: Scope) -> sa.Select[Any]:
    """Return the query for the log of paused annotators, oldest first."""
    query = (
        sa.select(
            rating_round.c.number.label("round"),
            round_rater.c.pseudonym.label("rater"),
            rater_pause.c.kind.label("action"),
            *(rater_pause.c[name] for name in ("right", "rated", "made_by")),
            rater_pause.c.created_at.label("at"),
        )
        .join(rating_round, rating_round.c.id == rater_pause.c.round_id)
        .join(
            round_rater,
            sa.and_(
                round_rater.c.round_id == rater_pause.c.round_id,
                round_rater.c.account_id == rater_pause.c.account_id,
            ),
        )
    )
    return query.where(rating_round.c.study_id == scope.study_id).order_by(rater_pause.c.id)


def results(scope: Scope) -> sa.Select[Any]:
    """Return the query for the models' results stored with the study."""
    return model_results.query(scope.study_id)
