"""Secrets generated once for this database, such as the key that signs test links."""

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import table_of


def value_of(db: Connection, name: str) -> str | None:
    """Return a secret, or None if it does not exist yet."""
    found = db.execute(sa.select(secret.c.value).where(secret.c.name == name)).scalar()
    return None if found is None else str(found)


def make(db: Connection, name: str, value: str) -> str:
    """Store a secret unless one of that name exists; returns the stored one."""
    text = "INSERT INTO secret (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING"
    db.execute(sa.text(text), {"name": name, "value": value})
    return str(value_of(db, name))


def drop_others(db: Connection, prefix: str, name: str) -> None:
    """Delete the secrets whose names have this prefix, except one."""
    query = sa.delete(secret).where(secret.c.name.startswith(prefix, autoescape=True))
    db.execute(query.where(secret.c.name != name))


class Secret(SQLModel, table=True):
    """A secret generated for this database, such as the key that signs test links."""

    name: str = Field(primary_key=True, max_length=32)
    value: str = Field(max_length=128)


secret = table_of(Secret)
