"""Delete what a file imported: a judge's scores, and items that no one was asked to rate."""

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.rating.items import MODEL, item
from app.store.rating.judges import judge_run, judge_score
from app.store.rating.rounds import rating_round, round_item
from app.store.rating.samples import sample, sample_item


def delete_scores(db: Connection, run_id: int) -> int:
    """Delete a judge's scores, and the judge unless a sample was drawn from it.

    Returns the number of scores.
    """
    mine = judge_score.c.run_id == run_id
    number = int(db.execute(sa.delete(judge_score).where(mine)).rowcount)
    drawn = sa.select(sample.c.id).where(sample.c.run_id == run_id)
    if db.execute(drawn.limit(1)).first() is None:
        db.execute(sa.delete(judge_run).where(judge_run.c.id == run_id))
    return number


def delete_items(db: Connection, study_id: int, source: str) -> tuple[int, int]:
    """Delete a model's items with their judge scores, and samples of them that no round uses.

    Items of a round stay. Returns how many were deleted and how many stay.
    """
    own = sa.select(item.c.id).where(
        item.c.study_id == study_id, item.c.kind == MODEL, item.c.source == source
    )
    used = sa.select(rating_round.c.sample_id).where(rating_round.c.sample_id.is_not(None))
    drawn = sa.select(sample_item.c.sample_id).where(sample_item.c.item_id.in_(own))
    idle = sa.and_(sample.c.id.in_(drawn), sample.c.id.not_in(used))
    ids = list(db.execute(sa.select(sample.c.id).where(idle)).scalars())
    db.execute(sa.delete(sample_item).where(sample_item.c.sample_id.in_(ids)))
    db.execute(sa.delete(sample).where(sample.c.id.in_(ids)))
    free = own.where(
        item.c.id.not_in(sa.select(round_item.c.item_id)),
        item.c.id.not_in(sa.select(sample_item.c.item_id)),
    )
    db.execute(sa.delete(judge_score).where(judge_score.c.item_id.in_(free)))
    number = int(db.execute(sa.delete(item).where(item.c.id.in_(free))).rowcount)
    left = sa.select(sa.func.count()).select_from(own.subquery())
    return number, int(db.execute(left).scalar_one())
