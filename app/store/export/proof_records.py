"""Read designs, blocks and people for `verify`, as stored."""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.design.studies import design, study
from app.store.play.answers import answer
from app.store.play.episodes import block, episode
from app.store.play.explanations import explanation
from app.store.play.participants import participant

CHUNK = 500


def designs(db: Connection, study_id: int | None) -> Sequence[AnyRow]:
    """Return the designs of one study, or of all."""
    query = sa.select(design).order_by(design.c.id)
    if study_id is not None:
        query = query.where(design.c.study_id == study_id)
    return db.execute(query).all()


def kind_of(db: Connection, study_id: int) -> str:
    """Return the kind in a study's row."""
    return str(db.execute(sa.select(study.c.kind).where(study.c.id == study_id)).scalar())


def people(db: Connection, study_id: int | None) -> Iterator[AnyRow]:
    """Stream the participants of one study, or of all, in order."""
    query = sa.select(participant).order_by(participant.c.id)
    if study_id is not None:
        query = query.where(participant.c.study_id == study_id)
    yield from db.execute(query, execution_options={"yield_per": CHUNK})


def ids_of_people(db: Connection, study_id: int | None) -> Iterator[int]:
    """Return the row ids of the participants of one study, or of all."""
    query = sa.select(participant.c.id).order_by(participant.c.id)
    if study_id is not None:
        query = query.where(participant.c.study_id == study_id)
    return iter(db.execute(query).scalars().all())


COMPARED: dict[str, tuple[sa.Table, tuple[str, ...]]] = {  # reading every column takes longer
    "block": (
        block,
        ("id", "position", "cell", "variant_hash", "task", "seed", "lexicon", "coverage", "format"),
    ),
    "episode": (episode, ("block_id", "position")),
    "explanation": (explanation, ("block_id", "after")),
    "answer": (answer, ("phase", "question")),
}


def of_people(
    db: Connection, table: sa.Table, names: Sequence[str], ids: Sequence[int]
) -> dict[int, list[AnyRow]]:
    """Return some columns of a table's rows by participant, each in the order of their keys."""
    query = sa.select(table.c.participant_id, *(table.c[name] for name in names))
    key = next(iter(table.primary_key.columns))
    found: dict[int, list[AnyRow]] = {one: [] for one in ids}
    for row in db.execute(query.where(table.c.participant_id.in_(ids)).order_by(key)).all():
        found[row[0]].append(row)
    return found


def batch(db: Connection, ids: Sequence[int]) -> dict[str, dict[int, list[AnyRow]]]:
    """Return what some people were given and left, by table and person."""
    return {name: of_people(db, *compared, ids) for name, compared in COMPARED.items()}
