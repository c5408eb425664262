"""How Alembic reaches a database, and how it writes our column types into a new file."""

from typing import Any

import sqlalchemy as sa
from alembic import context
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

from app.settings import Settings
from app.store.db import normal_url
from app.store.migrate import LOCK_KEY, LONGEST_WAIT_S, use_wal
from app.store.tables import metadata


def render_item(kind: str, item: Any, _context: Any) -> str | bool:
    """Write SQLModel's types as plain SQLAlchemy: history must not depend on app or SQLModel."""
    if kind == "type" and isinstance(item, UTCDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, AutoString):
        return f"sa.String(length={item.impl.length})"
    return False


def make_engine(url: sa.URL) -> sa.Engine:
    """Return an engine whose transactions hold table changes too, and keep others out."""
    wait = {"timeout": LONGEST_WAIT_S} if url.get_backend_name() == "sqlite" else {}
    engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args=wait)
    if engine.dialect.name == "sqlite":
        # Foreign keys stay off here (the driver's default): batch mode copies tables and drops
        # the old ones. What is left is checked before the commit.
        def connected(raw: Any, _record: object) -> None:
            raw.isolation_level = None
            use_wal(raw)

        def begun(db: sa.Connection) -> None:
            db.exec_driver_sql("BEGIN IMMEDIATE")

        sa.event.listen(engine, "connect", connected)
        sa.event.listen(engine, "begin", begun)
    return engine


def check_references(db: sa.Connection) -> None:
    """Refuse a migration that leaves rows pointing nowhere."""
    lost = db.exec_driver_sql("PRAGMA foreign_key_check").all()
    if lost:
        message = f"{len(lost)} rows would point nowhere, first in {lost[0][0]}; nothing changed."
        raise RuntimeError(message)


def steps_ahead() -> list[Any]:
    """Return the revisions that an upgrade of this database will apply."""
    here = context.get_context().get_current_heads() or "base"
    return list(context.script.iterate_revisions(context.get_revision_argument(), here))


def run() -> None:
    """Run what was asked in one transaction, alone."""
    given = context.config.attributes
    url = given.get("url") or normal_url(Settings().database_url)
    with make_engine(url).begin() as db:
        if db.dialect.name == "postgresql":
            db.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK_KEY)))
        context.configure(
            connection=db,
            target_metadata=metadata,
            render_item=render_item,
            render_as_batch=True,
            on_version_apply=given.get("applied"),
        )
        if begun := given.get("begun"):
            begun(len(steps_ahead()))
        with context.begin_transaction():
            context.run_migrations()
        if db.dialect.name == "sqlite":
            check_references(db)


if context.is_offline_mode():
    message = "This history is run against a database, never printed as SQL."
    raise RuntimeError(message)
run()
