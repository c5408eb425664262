"""Items to rate: explanations by players (added automatically) and by models (imported)."""

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, big_int, one_of, table_of, text_field
from app.store.play.acted import has_episode
from app.store.play.episodes import block
from app.store.play.explanations import explanation
from app.store.play.participants import participant

PLAYER, MODEL = KINDS = ("player", "model")
PLAYERS = "players"  # `source` of every player's explanation
WHICH = ("last", "first", "all")  # which explanations of one author and block


class Item(SQLModel, table=True):
    """One explanation to rate, with its ground truth. Its text never changes, except by erasure.

    `external_id` identifies it in files: the exports' `explanation_id` for a player, the imported
    id for a model. Raters see neither it nor source, cluster, participant or time.
    """

    __tablename__ = "rating_item"
    __table_args__ = (
        sa.UniqueConstraint("study_id", "external_id"),
        one_of("kind", KINDS, "kind"),
    )

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    external_id: str = Field(max_length=200, description="unique within the study, in all files")
    kind: str = Field(max_length=8, description="player or model")
    explanation_id: int | None = Field(
        default=None, foreign_key="explanation.id", unique=True, description="a player's"
    )
    participant_id: int | None = Field(default=None, foreign_key="participant.id", index=True)
    source: str = Field(max_length=128, description="players, or the model's name")
    cluster: str = text_field("author: a player's public id, or model and variant")
    task: str = Field(max_length=64)
    seed: int = big_int("the variant's seed")
    lexicon: str = Field(max_length=32)
    coverage: str = Field(max_length=8)
    variant_hash: str = Field(foreign_key="variant.hash", max_length=64, description="ground truth")
    text: str = text_field("the explanation; three parts as one labelled text; empty once erased")
    is_erased: bool = Field(default=False, description="its author had their data deleted")
    imported_by: str = Field(
        default="", max_length=64, description="account; empty = written by a player"
    )
    created_at: Moment = Field(description="when it became an item, UTC")


item = table_of(Item)


def new_explanations(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return explanations that are not items yet, with block and person, oldest first.

    Test people are left out; the practice asks for no explanation, and erased people have none.
    """
    query = (
        sa.select(
            explanation,
            participant.c.public_id,
            block.c.position.label("block_position"),
            *(block.c[n] for n in ("task", "seed", "lexicon", "coverage", "variant_hash")),
        )
        .join(participant, participant.c.id == explanation.c.participant_id)
        .join(block, block.c.id == explanation.c.block_id)
        .outerjoin(item, item.c.explanation_id == explanation.c.id)
        .where(
            participant.c.study_id == study_id,
            participant.c.is_test.is_(False),
            participant.c.erased_at.is_(None),
            item.c.id.is_(None),
        )
    )
    return db.execute(query.order_by(explanation.c.id)).all()


def insert(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Add items; the database refuses a second one with the same external id."""
    if rows:
        db.execute(sa.insert(item), rows)


def of_study(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return every item of a study that is not erased, oldest first."""
    query = sa.select(item).where(item.c.study_id == study_id, item.c.is_erased.is_(False))
    return db.execute(query.order_by(item.c.id)).all()


def known(db: Connection, study_id: int) -> dict[str, AnyRow]:
    """Return every item of a study by external id, in order of id, erased ones too."""
    query = sa.select(item).where(item.c.study_id == study_id).order_by(item.c.id)
    rows = db.execute(query).all()
    return {row.external_id: row for row in rows}


def state(db: Connection, study_id: int) -> tuple[int | None, ...]:
    """Return what changes whenever a study's items do: number, newest, number of erased ones."""
    erased = sa.func.count().filter(item.c.is_erased)
    query = sa.select(sa.func.count(), sa.func.max(item.c.id), erased)
    return tuple(db.execute(query.where(item.c.study_id == study_id)).one())


def candidates(db: Connection, study_id: int, which: str) -> Sequence[AnyRow]:
    """Return (id, kind, author's is_test, state, excluded, has_episode) of items, in order of id.

    `which`: a player's last explanation in a block, the first, or all. Models' explanations are
    always included and have no author; erased items never are.
    """
    others = explanation.alias()
    of_block = others.c.block_id == explanation.c.block_id
    edge = sa.func.max(others.c.after) if which == "last" else sa.func.min(others.c.after)
    wanted = explanation.c.after == sa.select(edge).where(of_block).scalar_subquery()
    author = (participant.c[name] for name in ("is_test", "state", "excluded"))
    query = (
        sa.select(item.c.id, item.c.kind, *author, has_episode())
        .outerjoin(participant, participant.c.id == item.c.participant_id)
        .outerjoin(explanation, explanation.c.id == item.c.explanation_id)
        .where(
            item.c.study_id == study_id,
            item.c.is_erased.is_(False),
            sa.or_(item.c.kind == MODEL, sa.true() if which == "all" else wanted),
        )
    )
    return db.execute(query.order_by(item.c.id)).all()


def counts(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return (source, task, number) of a study's items that are not erased, in that order."""
    number = sa.func.count().label("number")
    query = (
        sa.select(item.c.source, item.c.task, number)
        .where(item.c.study_id == study_id, item.c.is_erased.is_(False))
        .group_by(item.c.source, item.c.task)
        .order_by(item.c.source, item.c.task)
    )
    return db.execute(query).all()


def by_ids(db: Connection, ids: Iterable[int]) -> dict[int, AnyRow]:
    """Return items by id."""
    wanted = sorted(set(ids))
    found: dict[int, AnyRow] = {}
    for start in range(0, len(wanted), 500):  # SQLite limits the number of parameters
        query = sa.select(item).where(item.c.id.in_(wanted[start : start + 500]))
        found |= {row.id: row for row in db.execute(query)}
    return found


def erase(db: Connection, participant_id: int) -> int:
    """Blank a person's items, but keep their ratings. Returns how many were blanked."""
    query = sa.update(item).where(item.c.participant_id == participant_id)
    blank = {"text": "", "is_erased": True, "explanation_id": None}
    return int(db.execute(query.values(blank)).rowcount)
