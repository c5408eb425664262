"""Blocks (one variant for one participant) and episodes (one gen entity to defeat).

Episodes of models and agents are here too, known by `player_kind`: they belong to a run instead of
a participant. Every query about people starts from participants, so it never meets them.
"""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of
from app.store.play.participants import participant

EPISODE_STATES = ("open", "won", "lost")
MAIN, PRACTICE = EPISODE_KINDS = ("main", "practice")
PERSON = "participant"
PLAYER_KINDS = (PERSON, "model", "agent")


class Block(SQLModel, table=True):
    """One variant played by one participant: demonstrations, episodes, rule form."""

    __table_args__ = (sa.UniqueConstraint("participant_id", "position"),)

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    position: int = Field(description="0 = the participant's first block")
    cell: str = Field(max_length=128, index=True, description="task/seed/lexicon/coverage")
    task: str = Field(max_length=64)
    seed: int = Field(sa_type=sa.BigInteger)
    lexicon: str = Field(max_length=32)
    coverage: str = Field(max_length=8, description="0, 1/3, 2/3, 1 or 2")
    format: str = Field(default="episodic", max_length=8, description="episodic or direct")
    variant_hash: str = Field(foreign_key="variant.hash", max_length=64, index=True)


class Episode(SQLModel, table=True):
    """One gen entity of one block, or the practice. Only state, counts and times ever change.

    Of a model or an agent: one gen entity of one cell of a run, see `model_episode`. Never updated.
    """

    __table_args__ = (
        sa.UniqueConstraint("participant_id", "kind", "block_position", "position"),
        one_of("state", EPISODE_STATES, "state"),
        one_of("kind", EPISODE_KINDS, "kind"),
        one_of("player_kind", PLAYER_KINDS, "player_kind"),
        sa.CheckConstraint(
            f"(player_kind = '{PERSON}') = (participant_id IS NOT NULL)", name="person"
        ),
        sa.CheckConstraint("(participant_id IS NULL) = (run_id IS NOT NULL)", name="player"),
    )

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int | None = Field(default=None, foreign_key="participant.id", index=True)
    block_id: int | None = Field(default=None, foreign_key="block.id", index=True)
    kind: str = Field(max_length=8, description="main, or practice (not exported by default)")
    block_position: int = Field(description="the block's position; -1 for practice; 0 in runs")
    position: int = Field(description="0 = first episode of the block; in runs as the variant's")
    variant_hash: str = Field(foreign_key="variant.hash", max_length=64)
    variant_episode: int = Field(description="index into the variant's episodes")
    entity: str = Field(max_length=128, description="name of the guardian")
    engine_name: str = Field(max_length=32)
    engine_version: str = Field(max_length=16, description="version of rules and words")
    code_version: str = Field(max_length=64, description="version of this server's code")
    ref_length: int = Field(description="actions of a perfect solution")
    n_tries: int = Field(description="attempts of a brute-force enumeration")
    budget: int | None = Field(default=None, description="actions allowed; empty = no limit")
    state: str = Field(max_length=8, default="open", description="open, won or lost")
    actions_used: int | None = Field(default=None, description="set when the episode is over")
    attempts: int | None = Field(default=None, description="failed defeats, + 1 on success")
    digest: str | None = Field(default=None, max_length=32, description="digest of the last turn")
    finished_at: Moment | None = Field(default=None, description="server clock, UTC")
    voided_at: Moment | None = Field(default=None, description="voided manually: counted nowhere")
    player_kind: str = Field(
        default=PERSON,
        max_length=12,
        sa_column_kwargs={"server_default": PERSON},
        description="participant, model (asked by hjstudy) or agent (plays through the API)",
    )
    run_id: int | None = Field(
        default=None, foreign_key="model_run.id", index=True, description="of a model or an agent"
    )


block = table_of(Block)
episode = table_of(Episode)

BLOCKS_OF = (
    sa.select(block).where(block.c.participant_id == sa.bindparam("who")).order_by(block.c.position)
)
EPISODES_OF = (
    sa.select(episode)
    .where(episode.c.participant_id == sa.bindparam("who"))
    .order_by(episode.c.block_position, episode.c.position)
)


def insert_block(db: Connection, values: dict[str, Any]) -> int:
    """Add a block; returns its id."""
    return int(db.execute(sa.insert(block).values(values).returning(block.c.id)).scalar_one())


def test_blocks(db: Connection, study_id: int) -> tuple[int, dict[str, int]]:
    """Return how many test participants have blocks in a study, and cell key -> how many."""
    mine = (participant.c.study_id == study_id, participant.c.is_test.is_(True))
    joined = sa.join(block, participant, block.c.participant_id == participant.c.id)
    people = sa.select(sa.func.count(block.c.participant_id.distinct())).select_from(joined)
    cells = sa.select(block.c.cell, sa.func.count()).select_from(joined).group_by(block.c.cell)
    counts = {str(cell): int(number) for cell, number in db.execute(cells.where(*mine)).all()}
    return int(db.execute(people.where(*mine)).scalar_one()), counts


def insert_episodes(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Add episodes."""
    db.execute(sa.insert(episode), rows)


def blocks_of(db: Connection, participant_id: int) -> Sequence[AnyRow]:
    """Return a participant's blocks in order."""
    return db.execute(BLOCKS_OF, {"who": participant_id}).all()


def episodes_of(db: Connection, participant_id: int) -> Sequence[AnyRow]:
    """Return a participant's episodes in order, the practice first."""
    return db.execute(EPISODES_OF, {"who": participant_id}).all()


def close(db: Connection, episode_id: int, values: dict[str, Any]) -> None:
    """Record how an episode ended."""
    db.execute(sa.update(episode).where(episode.c.id == episode_id).values(values))
