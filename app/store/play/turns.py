"""The append-only log of actions, from which every state is rebuilt."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, big_int, one_of, table_of, text_field

PARSE_STATUSES = (
    "ok",
    "normalised",
    "unknown_verb",
    "missing_argument",
    "unknown_name",
    "wrong_kind",
    "extra_argument",
)


class Turn(SQLModel, table=True):
    """One command as typed, and the game's answer. Rows are never updated or deleted."""

    __table_args__ = (
        sa.UniqueConstraint("episode_id", "seq"),
        sa.CheckConstraint("seq >= 1", name="seq"),
        one_of("parse_status", PARSE_STATUSES, "parse_status"),
    )

    id: int | None = Field(
        default=None, primary_key=True, sa_type=sa.BigInteger().with_variant(sa.Integer, "sqlite")
    )
    episode_id: int = Field(foreign_key="episode.id")
    seq: int = Field(description="1 = first action of the episode")
    raw: str = text_field(
        "as typed, at most 200 characters (CRLF as LF, invisible characters dropped, dashes as -)"
    )
    verb: str = Field(max_length=32, description="verb understood, or empty")
    argument: str = text_field("canonical name understood, or empty")
    parse_status: str = Field(max_length=16)
    ok: bool = Field(description="false: refused or without effect (it is still an action)")
    code: str = Field(max_length=32, description="observation code")
    params: str = text_field("observation parameters, JSON list of [name, value] pairs")
    message: str = text_field("the words shown, of the episode's engine version")
    done: bool = Field(description="the episode is over after this action")
    success: bool = Field(description="the guardian is defeated")
    attempt: int = Field(description="number of the attempt this action belongs to")
    actions_used: int = Field(description="actions used after this one")
    location: str = Field(max_length=128, description="where the player is afterwards")
    item: str = Field(max_length=128, description="item carried afterwards, or empty")
    coins: int = Field(description="coins left afterwards")
    did: str = text_field("what this attempt did so far, JSON list, in order")
    received_ms: int = big_int("server clock, milliseconds since 1970 UTC")
    client_ms: int | None = big_int("browser clock at sending, same unit", default=None)
    think_ms: int | None = big_int("browser's monotonic time since the last answer", default=None)
    taps: int | None = Field(
        default=None, description="names and verbs inserted by tapping; empty = no script"
    )
    digest: str = Field(
        max_length=32, description="blake2b-128 over the previous digest and this row"
    )


turn = table_of(Turn)

INSERT = sa.insert(turn)
OF_EPISODE = (
    sa.select(turn).where(turn.c.episode_id == sa.bindparam("episode_id")).order_by(turn.c.seq)
)
RAWS = (
    sa.select(turn.c.raw)
    .where(turn.c.episode_id == sa.bindparam("episode_id"))
    .order_by(turn.c.seq)
)


def insert(db: Connection, values: dict[str, Any]) -> None:
    """Append one turn; the database refuses a second one with the same seq."""
    db.execute(INSERT, values)


def of_episode(db: Connection, episode_id: int) -> Sequence[AnyRow]:
    """Return an episode's turns in order."""
    return db.execute(OF_EPISODE, {"episode_id": episode_id}).all()


def raws(db: Connection, episode_id: int) -> list[str]:
    """Return what was typed in an episode, in order: enough to rebuild its state."""
    return list(db.execute(RAWS, {"episode_id": episode_id}).scalars())


def at(db: Connection, episode_id: int, seq: int) -> AnyRow | None:
    """Return one turn, or None."""
    query = sa.select(turn).where(turn.c.episode_id == episode_id, turn.c.seq == seq)
    return db.execute(query).first()
