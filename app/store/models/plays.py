"""Models' episodes and turns, in the shape of participants' tables but apart from them.

Nothing that counts, pays, seats or exports participants can meet a model here.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, big_int, one_of, table_of, text_field
from app.store.play.turns import PARSE_STATUSES

ENDS = ("won", "lost", "patience", "context")


class ModelEpisode(SQLModel, table=True):
    """One finished episode of a run, or one answer in the direct format. Never updated."""

    __tablename__ = "model_episode"
    __table_args__ = (
        sa.UniqueConstraint("run_id", "cell", "variant_episode"),
        one_of("state", ("won", "lost"), "state"),
        one_of("ended", ENDS, "ended"),
    )

    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="model_run.id", index=True)
    player_kind: str = Field(default="model", max_length=8)
    unit: str = Field(max_length=256, description="of its calls")
    cell: str = Field(max_length=128, description="task/seed/lexicon/coverage")
    task: str = Field(max_length=64)
    seed: int = big_int("the variant's seed")
    lexicon: str = Field(max_length=32)
    coverage: str = Field(max_length=8)
    format: str = Field(max_length=8, description="episodic or direct")
    variant_hash: str = Field(foreign_key="variant.hash", max_length=64)
    variant_episode: int = Field(description="index into the variant's episodes")
    entity: str = Field(max_length=128, description="name of the guardian")
    engine_name: str = Field(max_length=32)
    engine_version: str = Field(max_length=16, description="version of rules and words")
    code_version: str = Field(max_length=64)
    ref_length: int = Field(description="actions of a perfect solution")
    n_tries: int = Field(description="attempts of a brute-force enumeration")
    budget: int = Field(description="actions allowed")
    state: str = Field(max_length=8, description="won or lost")
    ended: str = Field(max_length=16, description="won, lost, patience or context")
    actions_used: int
    attempts: int = Field(description="failed defeats, + 1 on success")
    unreadable: int = Field(description="answers that named no command")
    stated: str = text_field("direct format: JSON of the answer", default="")
    advice: str = text_field("last hypothesis, or the playbook", default="")
    digest: str = Field(max_length=64, description="digest of the last turn")
    finished_at: Moment = Field(description="server clock, UTC")


class ModelTurn(SQLModel, table=True):
    """One command of a model, and the game's answer; see `turns.Turn`. Never updated."""

    __tablename__ = "model_turn"
    __table_args__ = (
        sa.UniqueConstraint("episode_id", "seq"),
        one_of("parse_status", PARSE_STATUSES, "parse_status"),
    )

    id: int | None = Field(default=None, primary_key=True)
    episode_id: int = Field(foreign_key="model_episode.id")
    seq: int = Field(description="1 = first action of the episode")
    raw: str = text_field("the command that the answer named")
    verb: str = Field(max_length=32)
    argument: str = text_field("canonical name understood, or empty")
    parse_status: str = Field(max_length=16)
    ok: bool
    code: str = Field(max_length=32, description="observation code")
    params: str = text_field("observation parameters, JSON")
    message: str = text_field("the words shown, of the episode's engine version")
    done: bool
    success: bool
    attempt: int
    actions_used: int
    location: str = Field(max_length=128)
    item: str = Field(max_length=128)
    coins: int
    did: str = text_field("what this attempt did so far, JSON")
    received_ms: int = big_int("when the answer came, milliseconds since 1970 UTC")
    client_ms: int | None = big_int("as in `turn`: empty", default=None)
    think_ms: int | None = big_int("time of the call that named the command", default=None)
    taps: int | None = Field(default=None, description="as in `turn`: empty")
    digest: str = Field(max_length=32, description="over the previous digest and this row")


model_episode = table_of(ModelEpisode)
model_turn = table_of(ModelTurn)


def insert(db: Connection, values: dict[str, Any]) -> int:
    """Add an episode; returns its id."""
    query = sa.insert(model_episode).values(values).returning(model_episode.c.id)
    return int(db.execute(query).scalar_one())


def insert_turns(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Add an episode's turns."""
    if rows:
        db.execute(sa.insert(model_turn), rows)


def of_run(db: Connection, run_id: int) -> Sequence[AnyRow]:
    """Return a run's episodes in order."""
    query = sa.select(model_episode).where(model_episode.c.run_id == run_id)
    order = (model_episode.c[name] for name in ("task", "seed", "cell", "variant_episode"))
    return db.execute(query.order_by(*order)).all()


def find(db: Connection, run_id: int, unit: str) -> AnyRow | None:
    """Return a unit's episode, or None while it is not over."""
    query = sa.select(model_episode).where(
        model_episode.c.run_id == run_id, model_episode.c.unit == unit
    )
    return db.execute(query).first()


def by_id(db: Connection, run_id: int, episode_id: int) -> AnyRow | None:
    """Return one episode of a run, or None."""
    own = model_episode.c
    query = sa.select(model_episode).where(own.run_id == run_id, own.id == episode_id)
    return db.execute(query).first()


def turns(db: Connection, episode_id: int) -> Sequence[AnyRow]:
    """Return an episode's turns in order."""
    query = sa.select(model_turn).where(model_turn.c.episode_id == episode_id)
    return db.execute(query.order_by(model_turn.c.seq)).all()
