"""The audit log: what researchers did and downloaded, as one chain for the whole server."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, table_of, text_field
from app.store.play.events import link, plain

SEALED = ("seq", "at", "account_id", "name", "verb", "study", "object", "outcome")
BATCH = 1000


class AuditEntry(SQLModel, table=True):
    """A request or command of a researcher. Never updated; it outlives the study it names."""

    __tablename__ = "audit_entry"

    seq: int = Field(primary_key=True, description="1, 2, ... without a gap")
    at: Moment = Field(description="server clock, UTC")
    account_id: int = Field(description="row of the account; 0 = a command", index=True)
    name: str = Field(max_length=64, description="name of the account, or `terminal: USER`")
    verb: str = text_field(
        "method and address of the route, or the command, without what is filled in"
    )
    study: str = Field(max_length=64, index=True, description="the study's address; '' = none")
    object: str = text_field("what it was about: ids of rows, names of tables and choices")
    outcome: str = Field(max_length=16, description="allowed, or refused for want of a right")
    digest: str = Field(max_length=64, description="blake2b-256 over the previous digest and this")


audit_entry = table_of(AuditEntry)


def digest_of(previous: str, values: dict[str, Any]) -> str:
    """Return the digest of an entry."""
    return link(previous, [plain(values[name]) for name in SEALED])


def append(db: Connection, values: dict[str, Any]) -> None:
    """Append an entry; waits for other appends until they have committed."""
    if db.dialect.name == "postgresql":
        db.execute(sa.text("LOCK TABLE audit_entry IN SHARE ROW EXCLUSIVE MODE"))
    query = sa.select(audit_entry.c.seq, audit_entry.c.digest)
    last = db.execute(query.order_by(audit_entry.c.seq.desc()).limit(1)).first()
    seq, previous = (0, "") if last is None else (last.seq, last.digest)
    whole = {**values, "seq": seq + 1}
    db.execute(sa.insert(audit_entry).values({**whole, "digest": digest_of(previous, whole)}))


def holds(db: Connection, account_id: int, verb: str, outcome: str, since: datetime) -> bool:
    """Tell whether an account has an entry of this kind since a time."""
    query = sa.select(audit_entry.c.seq).where(
        audit_entry.c.account_id == account_id,
        audit_entry.c.verb == verb,
        audit_entry.c.outcome == outcome,
        audit_entry.c.at > since,
    )
    return db.execute(query.limit(1)).first() is not None


def entries(db: Connection, study: str | None, before: int, limit: int) -> Sequence[AnyRow]:
    """Return entries older than `before`, newest first; of one study, or of the whole server."""
    query = sa.select(audit_entry).where(audit_entry.c.seq < before)
    if study is not None:
        query = query.where(audit_entry.c.study == study)
    return db.execute(query.order_by(audit_entry.c.seq.desc()).limit(limit)).all()


def oldest_first(db: Connection, last: int) -> Iterator[AnyRow]:
    """Yield the entries up to the number `last`, a batch at a time."""
    seen = 0
    while True:
        query = sa.select(audit_entry).where(audit_entry.c.seq > seen, audit_entry.c.seq <= last)
        rows = db.execute(query.order_by(audit_entry.c.seq).limit(BATCH)).all()
        yield from rows
        if len(rows) < BATCH:
            return
        seen = rows[-1].seq
