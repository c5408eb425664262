"""How often each key of the API, or each address without one, asked within its minute.

On PostgreSQL, where server processes share these rows; with SQLite, each process counts in memory.
"""

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import big_int, table_of

# One statement, so that simultaneous requests wait for each other and each is counted. A minute
# that ends too far in the future began before a clock was set back.
COUNT = sa.text("""
    INSERT INTO api_request AS stored (name, requests, until_ms) VALUES (:name, 1, :until_ms)
    ON CONFLICT (name) DO UPDATE SET
        requests = CASE WHEN stored.until_ms BETWEEN :from_ms AND :to_ms
            THEN stored.requests + 1 ELSE 1 END,
        until_ms = CASE WHEN stored.until_ms BETWEEN :from_ms AND :to_ms
            THEN stored.until_ms ELSE excluded.until_ms END
    RETURNING requests, until_ms""")


class ApiRequest(SQLModel, table=True):
    """A name's requests in its current minute; deleted when that is over."""

    __tablename__ = "api_request"

    name: str = Field(
        primary_key=True, max_length=64, description="`key` and its id, or `stranger` and a source"
    )
    requests: int = Field(description="also those that were refused")
    until_ms: int = big_int("when the minute ends, milliseconds since 1970", index=True)


api_request = table_of(ApiRequest)


def count(db: Connection, name: str, now_ms: int, length_ms: int) -> tuple[int, int]:
    """Count a request. Return (requests in its window, when the window ends in ms since 1970)."""
    until_ms, most_ms = now_ms + length_ms, now_ms + 2 * length_ms
    values = {"name": name, "until_ms": until_ms, "from_ms": now_ms + 1, "to_ms": most_ms}
    found = db.execute(COUNT, values).one()
    return int(found.requests), int(found.until_ms)


def drop_old(db: Connection, now_ms: int) -> None:
    """Delete the rows of minutes that are over."""
    db.execute(sa.delete(api_request).where(api_request.c.until_ms <= now_ms))
