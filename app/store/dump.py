"""Reading whole tables in order, row by row: what `verify` and the exports go through.

Nothing here keeps more than a few thousand rows in memory. Read inside of one `Store.read()`, all
streams see one snapshot.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.episodes import episode
from app.store.participants import participant
from app.store.turns import turn

CHUNK = 2000  # rows fetched from PostgreSQL at a time
TURN_COLUMNS = tuple(
    name for name in turn.c.keys() if name not in {"id", "episode_id", "digest"}  # noqa: SIM118
)
EPISODE_COLUMNS = (
    *("id", "kind", "block_position", "position", "variant_hash", "variant_episode", "entity"),
    *("engine_name", "engine_version", "ref_length", "n_tries", "budget"),
    *("state", "actions_used", "attempts", "digest"),
)
names = itertools.count()


def driver_rows(db: Connection, query: sa.Select[Any]) -> Iterator[tuple[Any, ...]]:
    """Run a query and hand the driver's own tuples on: no objects a row, no conversions."""
    sql = str(query.compile(dialect=db.dialect, compile_kwargs={"literal_binds": True}))
    driver: Any = db.connection.driver_connection
    if db.dialect.name == "sqlite":
        yield from driver.execute(sql)
        return
    with driver.cursor(f"dump_{next(names)}", binary=True) as cursor:
        cursor.itersize = CHUNK
        yield from cursor.execute(sql)


def stored_bytes(db: Connection, column: sa.Column[Any]) -> sa.ColumnElement[Any]:
    """Return a text column as the UTF-8 bytes that are stored, which nothing has decoded."""
    if issubclass(column.type.python_type, int):  # bool too
        return column
    if db.dialect.name == "sqlite":
        return sa.cast(column, sa.LargeBinary)
    return sa.func.convert_to(column, "UTF8")


def turn_tuples(db: Connection, study_id: int | None) -> Iterator[tuple[Any, ...]]:
    """Stream turns in log order: (episode_id, *TURN_COLUMNS, digest), text as bytes.

    SQLite hands booleans over as 0 and 1, PostgreSQL as False and True.
    """
    wanted = [stored_bytes(db, turn.c[name]) for name in (*TURN_COLUMNS, "digest")]
    query = sa.select(turn.c.episode_id, *wanted).order_by(turn.c.episode_id, turn.c.seq)
    if study_id is not None:
        own = (
            sa.select(episode.c.id)
            .join(participant, participant.c.id == episode.c.participant_id)
            .where(participant.c.study_id == study_id)
        )
        query = query.where(turn.c.episode_id.in_(own))
    return driver_rows(db, query)


def episode_tuples(db: Connection, study_id: int | None) -> Iterator[tuple[Any, ...]]:
    """Stream episodes by id: (public_id, *EPISODE_COLUMNS)."""
    wanted = [episode.c[name] for name in EPISODE_COLUMNS]
    query = (
        sa.select(participant.c.public_id, *wanted)
        .join(participant, participant.c.id == episode.c.participant_id)
        .order_by(episode.c.id)
    )
    if study_id is not None:
        query = query.where(participant.c.study_id == study_id)
    return driver_rows(db, query)
