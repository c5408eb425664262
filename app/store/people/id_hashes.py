"""Keyed hashes of deleted platform IDs, by which texts are still searched for them."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, table_of


class IdHash(SQLModel, table=True):
    """One piece of a deleted ID. The key is in a file, never in this database."""

    __tablename__ = "id_hash"

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    participant_id: int | None = Field(
        default=None,
        foreign_key="participant.id",
        index=True,
        description="none: someone on a platform's list who never arrived",
    )
    key_name: str = Field(max_length=16, description="fingerprint of the key")
    place: str = Field(max_length=8, description="where in a text the piece counts")
    size: int = Field(description="length of the piece, characters")
    digest: str = Field(max_length=32, description="keyed hash of the normalised piece")


id_hash = table_of(IdHash)


def insert(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Add hashes."""
    if rows:
        db.execute(sa.insert(id_hash), rows)


def of_study(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return the hashes of a study's deleted IDs."""
    return db.execute(sa.select(id_hash).where(id_hash.c.study_id == study_id)).all()


def erase(db: Connection, participant_id: int) -> None:
    """Delete the hashes of a person whose data are erased."""
    db.execute(sa.delete(id_hash).where(id_hash.c.participant_id == participant_id))
