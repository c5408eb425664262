"""Variants as they were generated, by content hash; never regenerated."""

from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import Moment, table_of, text_field


class StoredVariant(SQLModel, table=True):
    """One variant's canonical JSON and its certificate. Rows are never updated."""

    __tablename__ = "variant"

    hash: str = Field(primary_key=True, max_length=64, description="sha256 of the content")
    content: str = text_field("canonical JSON of the variant, rule included")
    certificate: str = text_field("JSON of certify(variant)")
    created_at: Moment = Field(description="server clock, UTC")


variant = table_of(StoredVariant)


def content(db: Connection, content_hash: str) -> str:
    """Return the canonical JSON of a stored variant. Raises KeyError if the hash is unknown."""
    found = db.execute(sa.select(variant.c.content).where(variant.c.hash == content_hash))
    row = found.first()
    if row is None:
        raise KeyError(content_hash)
    return str(row.content)


def certificate(db: Connection, content_hash: str) -> str:
    """Return the certificate (JSON) of a stored variant; `{}` for the practice."""
    query = sa.select(variant.c.certificate).where(variant.c.hash == content_hash)
    return str(db.execute(query).scalar_one())


def add_missing(db: Connection, rows: Iterable[dict[str, object]]) -> None:
    """Store variants that are not stored yet; `rows` hold every column of the table."""
    for row in rows:
        there = db.execute(sa.select(variant.c.hash).where(variant.c.hash == row["hash"])).first()
        if there is None:
            db.execute(sa.insert(variant), row)
