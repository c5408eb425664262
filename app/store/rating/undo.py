"""Delete what a file imported: a judge's scores, and items that no one was asked to rate."""

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.rating.items import MODEL, item
from app.store.rating.judges import judge_run, judge_score
from app.store.rating.rounds import rating_round, round_item
from app.store.rating.samples import sample, sample_item

Gone = dict[str, list[str]]  # table -> keys of deleted rows, as manifests write them


def take(db: Connection, table: sa.Table, where: sa.ColumnElement[bool]) -> list[str]:
    """Delete rows; return their keys."""
    keys = list(table.primary_key.columns)
    rows = db.execute(sa.delete(table).where(where).returning(*keys)).all()
    return ["/".join(map(str, row)) for row in rows]


def delete_scores(db: Connection, run_id: int) -> Gone:
    """Delete a judge's scores, and the judge unless a sample was drawn from it.

    Returns the keys of the deleted rows.
    """
    gone = {"judge_score": take(db, judge_score, judge_score.c.run_id == run_id)}
    drawn = sa.select(sample.c.id).where(sample.c.run_id == run_id)
    if db.execute(drawn.limit(1)).first() is None:
        gone["judge_run"] = take(db, judge_run, judge_run.c.id == run_id)
    return gone


def delete_items(db: Connection, study_id: int, source: str) -> tuple[Gone, int]:
    """Delete a model's items with their judge scores, and samples of them that no round uses.

    Items of a round stay. Returns the keys of the deleted rows, and how many items stay.
    """
    own = sa.select(item.c.id).where(
        item.c.study_id == study_id, item.c.kind == MODEL, item.c.source == source
    )
    used = sa.select(rating_round.c.sample_id).where(rating_round.c.sample_id.is_not(None))
    drawn = sa.select(sample_item.c.sample_id).where(sample_item.c.item_id.in_(own))
    idle = sa.and_(sample.c.id.in_(drawn), sample.c.id.not_in(used))
    ids = list(db.execute(sa.select(sample.c.id).where(idle)).scalars())
    gone: Gone = {item.name: []}
    gone["sample_item"] = take(db, sample_item, sample_item.c.sample_id.in_(ids))
    gone["sample"] = take(db, sample, sample.c.id.in_(ids))
    free = own.where(
        item.c.id.not_in(sa.select(round_item.c.item_id)),
        item.c.id.not_in(sa.select(sample_item.c.item_id)),
    )
    gone["judge_score"] = take(db, judge_score, judge_score.c.item_id.in_(free))
    gone[item.name] = take(db, item, item.c.id.in_(free))
    left = sa.select(sa.func.count()).select_from(own.subquery())
    return gone, int(db.execute(left).scalar_one())
