"""Ratings: append-only, one row per save; and the long rows that analyses read."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, big_int, table_of, text_field
from app.store.rating import guesses, handovers
from app.store.rating.adjudications import adjudication
from app.store.rating.items import item
from app.store.rating.rounds import TRAINING, assignment, round_item, round_rater
from app.store.rating.scales import CRITERIA, in_scale


class Rating(SQLModel, table=True):
    """One saved rating; the newest revision of an assignment is the current one. Never updated.

    Exactly one of these holds: `value` is set (overall), all four criteria are set (criteria
    mode), or `skip_reason` is not empty.
    """

    __table_args__ = (
        sa.UniqueConstraint("assignment_id", "revision"),
        sa.CheckConstraint("revision >= 1", name="revision"),
        *in_scale("value", *CRITERIA),
    )

    id: int | None = Field(default=None, primary_key=True)
    assignment_id: int = Field(foreign_key="assignment.id", index=True)
    revision: int = Field(description="1 = as first given; the newest is the current one")
    value: int | None = Field(
        default=None, description="0, 1 or 2; empty in criteria mode, skipped"
    )
    inputs: int | None = Field(default=None, description="0 to 2; criteria mode")
    output: int | None = Field(default=None, description="0 to 2; criteria mode")
    structure: int | None = Field(default=None, description="0 to 2; criteria mode")
    generality: int | None = Field(default=None, description="0 to 2; criteria mode")
    skip_reason: str = Field(default="", max_length=32, description="why it cannot be rated")
    flag: bool = Field(default=False, description="the rater wants it reviewed")
    comment: str = text_field("as typed", default="")
    rule_version: str = Field(
        default="", max_length=16, description="wording of the rule on the page; '' = not stored"
    )
    active_ms: int | None = big_int(
        "time the page was visible and in use before this save", default=None
    )
    wall_ms: int | None = big_int("from page served to saved, server clock", default=None)
    ticket: str = Field(max_length=64, unique=True, description="of the form that was sent")
    created_at: Moment = Field(description="server clock, UTC")


rating = table_of(Rating)


def insert(db: Connection, values: dict[str, Any]) -> None:
    """Add a revision; the database refuses a second one with the same number."""
    db.execute(sa.insert(rating).values(values))


def total(column: sa.ColumnElement[Any]) -> sa.Cast[int]:
    """Return a sum as a whole number (PostgreSQL makes decimals of it)."""
    return sa.cast(sa.func.sum(column), sa.BigInteger)


def newest() -> sa.Subquery:
    """Return (assignment_id, revision, n) of the newest ratings, as a subquery."""
    query = sa.select(
        rating.c.assignment_id,
        sa.func.max(rating.c.revision).label("revision"),
        total(rating.c.active_ms).label("active_ms"),
        total(rating.c.wall_ms).label("wall_ms"),
    )
    return query.group_by(rating.c.assignment_id).subquery("newest")


def list_of_rater(db: Connection, round_id: int, account_id: int) -> Sequence[AnyRow]:
    """Return a rater's assignments in order, each with the current rating (empty = none yet).

    Columns: `token, position, kind` of the assignment, its current `guess` of the source, and the
    columns of the rating.
    """
    last = newest()
    query = (
        sa.select(
            *(assignment.c.token, assignment.c.position, round_item.c.kind),
            guesses.current().label("guess"),
            rating,
        )
        .join(round_item, round_item.c.id == assignment.c.round_item_id)
        .outerjoin(last, last.c.assignment_id == assignment.c.id)
        .outerjoin(
            rating,
            sa.and_(
                rating.c.assignment_id == assignment.c.id, rating.c.revision == last.c.revision
            ),
        )
        .where(
            assignment.c.round_id == round_id,
            assignment.c.account_id == account_id,
            handovers.still_theirs(),
        )
    )
    return db.execute(query.order_by(assignment.c.position)).all()


def assignment_of(
    db: Connection, token: str, account_id: int, *, lock: bool = False
) -> AnyRow | None:
    """Return one assignment of this rater with the round's item, or None if it is not theirs."""
    query = (
        sa.select(
            assignment,
            round_item.c.kind,
            round_item.c.known,
            round_item.c.feedback,
            item.c.variant_hash,
            item.c.text,
        )
        .join(round_item, round_item.c.id == assignment.c.round_item_id)
        .join(item, item.c.id == round_item.c.item_id)
        .where(
            assignment.c.token == token,
            assignment.c.account_id == account_id,
            handovers.still_theirs(),
        )
    )
    if lock:  # NO KEY: handing over, which holds the round, refers to the assignment meanwhile
        query = query.with_for_update(of=assignment, key_share=True)
    return db.execute(query).first()


def training_left(db: Connection, round_id: int, account_id: int) -> bool:
    """Tell whether a rater has unanswered training items in a round."""
    query = (
        sa.select(assignment.c.id)
        .join(round_item, round_item.c.id == assignment.c.round_item_id)
        .outerjoin(rating, rating.c.assignment_id == assignment.c.id)
        .where(
            assignment.c.round_id == round_id,
            assignment.c.account_id == account_id,
            round_item.c.kind == TRAINING,
            rating.c.id.is_(None),
        )
    )
    return db.execute(query.limit(1)).first() is not None


def history(db: Connection, assignment_id: int) -> Sequence[AnyRow]:
    """Return every revision of an assignment, oldest first."""
    query = sa.select(rating).where(rating.c.assignment_id == assignment_id)
    return db.execute(query.order_by(rating.c.revision)).all()


def progress(db: Connection, round_id: int) -> Sequence[AnyRow]:
    """Return each rater's progress, one row per `account_id` and `kind` of item.

    Columns: `assigned, rated, skipped, flagged, guessed` (numbers; the last: answers to the
    question who wrote it), `active_ms, wall_ms` (sums), `last_at`.
    """
    last = newest()
    query = (
        sa.select(
            assignment.c.account_id,
            round_item.c.kind,
            sa.func.count().label("assigned"),
            sa.func.count(rating.c.id).filter(rating.c.skip_reason == "").label("rated"),
            sa.func.count(rating.c.id).filter(rating.c.skip_reason != "").label("skipped"),
            sa.func.count(rating.c.id).filter(rating.c.flag.is_(True)).label("flagged"),
            sa.func.count(guesses.current()).label("guessed"),
            total(last.c.active_ms).label("active_ms"),
            total(last.c.wall_ms).label("wall_ms"),
            sa.func.max(rating.c.created_at).label("last_at"),
        )
        .join(round_item, round_item.c.id == assignment.c.round_item_id)
        .outerjoin(last, last.c.assignment_id == assignment.c.id)
        .outerjoin(
            rating,
            sa.and_(
                rating.c.assignment_id == assignment.c.id, rating.c.revision == last.c.revision
            ),
        )
        .where(assignment.c.round_id == round_id, handovers.still_theirs())
        .group_by(assignment.c.account_id, round_item.c.kind)
    )
    return db.execute(query).all()


def long_rows(db: Connection, round_id: int) -> Sequence[AnyRow]:
    """Return every assignment of a round, rated or not, ordered by item, rater, repeat.

    Columns: `item` (external id), `item_id`, `round_item_id`, `item_kind` (player, model), `kind`
    (main, gold, training), `rater` (pseudonym), `repeat` (1 = hidden second showing), `position`;
    `first_*`: revision 1 of value, the four criteria, skip_reason, created_at; `value`, criteria,
    `skip_reason, flag, comment, created_at, revision, rule_version` of the current one (all empty =
    not rated);
    `active_ms, wall_ms` summed over revisions; `known` (JSON); `adjudicated_*` (value, criteria,
    empty = not adjudicated); `guess` of the source; `source, cluster, task, seed, lexicon,
    coverage, variant_hash`.
    For judge scores and sample weights, see `judges.scores` and `samples.items_of`.
    """
    query = long_query().where(assignment.c.round_id == round_id)
    return db.execute(query.order_by(item.c.id, round_rater.c.id, assignment.c.repeat)).all()


def long_query() -> sa.Select[Any]:
    """Return the query of `long_rows` over all rounds, without an order."""
    last, first, ruled = newest(), rating.alias("first_rating"), adjudication.alias("ruled")
    top = sa.select(sa.func.max(adjudication.c.revision))
    top = top.where(adjudication.c.round_item_id == round_item.c.id)
    scored = ("value", *CRITERIA)
    now = (*scored, "skip_reason", "flag", "comment", "created_at", "revision", "rule_version")
    return (
        sa.select(
            item.c.external_id.label("item"),
            item.c.id.label("item_id"),
            round_item.c.id.label("round_item_id"),
            item.c.kind.label("item_kind"),
            round_item.c.kind,
            round_item.c.known,
            round_rater.c.pseudonym.label("rater"),
            assignment.c.repeat,
            assignment.c.position,
            *(
                first.c[name].label(f"first_{name}")
                for name in (*scored, "skip_reason", "created_at")
            ),
            *(rating.c[name] for name in now),
            last.c.active_ms,
            last.c.wall_ms,
            guesses.current().label("guess"),
            *(ruled.c[name].label(f"adjudicated_{name}") for name in scored),
            *(
                item.c[name]
                for name in ("source", "cluster", "task", "seed", "lexicon", "coverage")
            ),
            item.c.variant_hash,
        )
        .select_from(assignment)
        .join(round_item, round_item.c.id == assignment.c.round_item_id)
        .join(item, item.c.id == round_item.c.item_id)
        .join(
            round_rater,
            sa.and_(
                round_rater.c.round_id == assignment.c.round_id,
                round_rater.c.account_id == assignment.c.account_id,
            ),
        )
        .outerjoin(last, last.c.assignment_id == assignment.c.id)
        .outerjoin(
            rating,
            sa.and_(
                rating.c.assignment_id == assignment.c.id, rating.c.revision == last.c.revision
            ),
        )
        .outerjoin(first, sa.and_(first.c.assignment_id == assignment.c.id, first.c.revision == 1))
        .outerjoin(
            ruled,
            sa.and_(
                ruled.c.round_item_id == round_item.c.id,
                ruled.c.revision == top.correlate(round_item).scalar_subquery(),
            ),
        )
        .where(handovers.still_theirs())
    )
