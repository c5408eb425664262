"""Episodes and turns of runs: in the tables of people's, with what a run adds to an episode."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, big_int, one_of, table_of, text_field
from app.store.models.runs import model_run
from app.store.play.episodes import episode
from app.store.play.turns import turn

ENDS = ("won", "lost", "patience", "context")


class ModelEpisode(SQLModel, table=True):
    """What is stored of a run's episode beside its row in `episode`. Never updated.

    An answer in the direct format is an episode without turns.
    """

    __tablename__ = "model_episode"
    __table_args__ = (
        sa.UniqueConstraint("run_id", "unit"),
        one_of("ended", ENDS, "ended"),
    )

    episode_id: int = Field(foreign_key="episode.id", primary_key=True)
    run_id: int = Field(foreign_key="model_run.id")
    unit: str = Field(max_length=256, description="of its calls; names the cell and the episode")
    cell: str = Field(max_length=128, description="task/seed/lexicon/coverage")
    task: str = Field(max_length=64)
    seed: int = big_int("the variant's seed")
    lexicon: str = Field(max_length=32)
    coverage: str = Field(max_length=8)
    format: str = Field(max_length=8, description="episodic or direct")
    ended: str = Field(max_length=16, description="won, lost, patience or context")
    unreadable: int = Field(description="answers that named no command")
    stated: str = text_field("direct format: JSON of the answer", default="")
    advice: str = text_field("last hypothesis, or the playbook", default="")


model_episode = table_of(ModelEpisode)
ADDED = [one for one in model_episode.c if one.name not in {"episode_id", "run_id"}]
OF_PEOPLE = ("participant_id", "block_id")
SHARED = [one for one in episode.c if one.name not in OF_PEOPLE]
COLUMNS = (*SHARED, *ADDED)  # of an episode of a run
BOTH = sa.join(
    *(model_episode, episode),
    sa.and_(model_episode.c.episode_id == episode.c.id, model_episode.c.run_id == episode.c.run_id),
)


def insert(db: Connection, values: dict[str, Any]) -> int:
    """Add an episode of a run, given all `COLUMNS` but the id; returns its id."""
    added = {one.name: values[one.name] for one in ADDED}
    shared = {name: value for name, value in values.items() if name not in added}
    query = sa.insert(episode).values(shared).returning(episode.c.id)
    episode_id = int(db.execute(query).scalar_one())
    own = {**added, "episode_id": episode_id, "run_id": values["run_id"]}
    db.execute(sa.insert(model_episode).values(own))
    return episode_id


def insert_turns(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Add an episode's turns."""
    if rows:
        db.execute(sa.insert(turn), rows)


def rows() -> sa.Select[Any]:
    """Return the query for the episodes of all runs."""
    return sa.select(*COLUMNS).select_from(BOTH)


def of_run(db: Connection, run_id: int) -> Sequence[AnyRow]:
    """Return a run's episodes in order."""
    own = model_episode.c
    query = rows().where(own.run_id == run_id)
    order = own.task, own.seed, own.cell, episode.c.variant_episode
    return db.execute(query.order_by(*order)).all()


def find(db: Connection, run_id: int, unit: str) -> AnyRow | None:
    """Return a unit's episode, or None while it is not over."""
    own = model_episode.c
    return db.execute(rows().where(own.run_id == run_id, own.unit == unit)).first()


def by_id(db: Connection, run_id: int, episode_id: int) -> AnyRow | None:
    """Return one episode of a run, or None."""
    own = model_episode.c
    query = rows().where(own.run_id == run_id, own.episode_id == episode_id)
    return db.execute(query).first()


def units(db: Connection, run_id: int) -> Sequence[AnyRow]:
    """Return `episode_id, unit` of every row that names a run; None where another does not."""
    own = model_episode.c
    same = sa.and_(own.episode_id == episode.c.id, own.run_id == episode.c.run_id)
    played = sa.select(episode.c.id.label("episode_id"), own.unit)
    played = played.outerjoin_from(episode, model_episode, same).where(episode.c.run_id == run_id)
    added = sa.select(own.episode_id, sa.null().label("unit")).where(
        own.run_id == run_id, ~sa.exists().where(same)
    )
    return [*db.execute(played), *db.execute(added)]


def belongs(table: sa.Table, study_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that a row of `episode` or `turn` is of a run of this study."""
    runs = sa.select(model_run.c.id).where(model_run.c.study_id == study_id)
    if table is episode:
        return episode.c.run_id.in_(runs)
    return turn.c.episode_id.in_(sa.select(episode.c.id).where(episode.c.run_id.in_(runs)))
