"""Read the log for `verify`: fast, in bulk, and as the stored bytes.

Nothing here keeps more than the turns of the requested episodes.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.moments import to_ms
from app.store.base import AnyRow
from app.store.design.variants import variant
from app.store.export import dump
from app.store.people.manual_actions import hand_action
from app.store.play.answers import direct_answer
from app.store.play.episodes import MAIN, PERSON, PRACTICE, block, episode
from app.store.play.participants import participant
from app.store.play.turns import turn

Part = tuple[int, int]  # (k, n): the k-th (from 0) of n parts
WHOLE: Part = (0, 1)


def episodes_by_world(
    db: Connection,
    fields: Sequence[str],
    stated: Sequence[str],
    study_id: int | None,
    part: Part = WHOLE,
) -> Iterator[tuple[Any, ...]]:
    """Stream episodes, grouped by world.

    A row is (*fields, *PLACE as stored, *PLACE as other rows have it, block_id, finished_at,
    unstuck, *stated). Text is UTF-8 bytes, except times and stated answers.
    `unstuck`: when a researcher moved the person past the episode, otherwise None (also for people
    whose data were erased). `stated`: columns of the direct format's answer, all None without
    one. `part`: of the variants, by their hashes.
    """
    there = [episode.c[name] for name in PLACE]
    unstuck = (
        sa.select(hand_action.c.episode_id, sa.func.max(hand_action.c.at).label("at"))
        .join(participant, participant.c.id == hand_action.c.participant_id)
        .where(hand_action.c.action == "unstick", participant.c.erased_at.is_(None))
        .group_by(hand_action.c.episode_id)
        .subquery()
    )
    query = (
        sa.select(
            *(plain_bytes(db, column) for column in (episode.c[name] for name in fields)),
            *(plain_bytes(db, column) for column in there),
            *(plain_bytes(db, column) for column in place_elsewhere()),
            episode.c.block_id,
            episode.c.finished_at,
            unstuck.c.at,
            *(direct_answer.c[name] for name in stated),
        )
        .select_from(episode)
        .outerjoin(block, block.c.id == episode.c.block_id)
        .outerjoin(unstuck, unstuck.c.episode_id == episode.c.id)
        .outerjoin(direct_answer, direct_answer.c.episode_id == episode.c.id)
        .where(episode.c.participant_id.is_not(None), *hash_bounds(part))
        .order_by(episode.c.variant_hash, episode.c.variant_episode, episode.c.id)
    )
    if study_id is not None:
        people = participant.c.id == episode.c.participant_id
        query = query.join(participant, people).where(participant.c.study_id == study_id)
    return driver_rows(db, statement(db, query))


PLACE = (
    *("player_kind", "run_id", "code_version", "position"),
    *("kind", "participant_id", "block_position", "variant_hash"),
)


def place_elsewhere() -> Sequence[sa.ColumnElement[Any]]:
    """Return the columns of PLACE as other rows have them.

    All episodes of a person are created at once, so they have one version of the code (that of the
    first), and those of a block are in the order of their ids. Episodes of a block take its
    values; an episode without one is the practice of a person who has blocks.
    """
    other, own = episode.alias(), block.alias()
    no_block = episode.c.block_id.is_(None)
    plays = sa.exists().where(own.c.participant_id == episode.c.participant_id)
    return (
        sa.literal(PERSON),
        sa.cast(sa.null(), sa.Integer),
        sa.select(other.c.code_version)
        .where(other.c.participant_id == episode.c.participant_id)
        .order_by(other.c.id)
        .limit(1)
        .scalar_subquery(),
        sa.select(sa.func.count())
        .select_from(other)
        .where(other.c.block_id == episode.c.block_id, other.c.id < episode.c.id)
        .scalar_subquery(),
        sa.case((no_block, PRACTICE), else_=MAIN),
        sa.func.coalesce(block.c.participant_id, sa.case((plays, episode.c.participant_id))),
        sa.func.coalesce(block.c.position, -1),
        sa.func.coalesce(block.c.variant_hash, episode.c.variant_hash),
    )


def plain_bytes(db: Connection, column: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    """Return a column for output: whole numbers unchanged, text as bytes."""
    return column if issubclass(column.type.python_type, int) else as_bytes(db, column)


def as_ms(moment: Any) -> Any:
    """Convert a time from the driver to milliseconds since 1970; None stays None.

    Text that is not a time (SQLite holds anything) stays text.
    """
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        except ValueError:
            return moment
    return to_ms(moment) if isinstance(moment, datetime) else moment


def hash_bounds(part: Part) -> list[sa.ColumnElement[bool]]:
    """Return the conditions for one part: an equal share of the hexadecimal hashes."""
    number, parts = part
    low, high = (f"{4096 * edge // parts:03x}" for edge in (number, number + 1))
    bounds = [] if number == 0 else [episode.c.variant_hash >= low]
    return bounds if number + 1 == parts else [*bounds, episode.c.variant_hash < high]


def number_of_episodes(db: Connection, study_id: int | None) -> int:
    """Return the number of people's episodes, in one study or in all."""
    query = sa.select(sa.func.count()).select_from(episode).join(participant)
    if study_id is not None:
        query = query.where(participant.c.study_id == study_id)
    return int(db.execute(query).scalar_one())


def statement(db: Connection, query: sa.Select[Any]) -> str:
    """Return a query as SQL for the driver, with its values filled in."""
    return str(query.compile(dialect=db.dialect, compile_kwargs={"literal_binds": True}))


def driver_rows(db: Connection, sql: str) -> Iterator[tuple[Any, ...]]:
    """Stream the driver's own tuples: no objects, no conversions (SQLite's booleans are 0, 1)."""
    driver: Any = db.connection.driver_connection
    if db.dialect.name == "sqlite":
        yield from driver.execute(sql)
        return
    with driver.cursor("proof", binary=True) as cursor:
        cursor.itersize = dump.CHUNK
        yield from cursor.execute(sql)


def episode_place(db: Connection, episode_id: int) -> AnyRow:
    """Return an episode's owner and place: (public_id, kind, block, position)."""
    own = (participant.c.public_id, episode.c.kind, episode.c.block_position, episode.c.position)
    query = sa.select(*own).join_from(episode, participant).where(episode.c.id == episode_id)
    return db.execute(query).one()


def variant_content(db: Connection, content_hash: str) -> bytes:
    """Return the stored text of a variant as UTF-8 bytes; empty if there is none."""
    query = sa.select(as_bytes(db, variant.c.content)).where(variant.c.hash == content_hash)
    return bytes(db.execute(query).scalar() or b"")


def variant_certificate(db: Connection, content_hash: str) -> str:
    """Return the stored certificate of a variant, unchecked; empty if there is none."""
    query = sa.select(as_bytes(db, variant.c.certificate)).where(variant.c.hash == content_hash)
    return bytes(db.execute(query).scalar() or b"").decode("utf-8", "backslashreplace")


class TurnTexts:
    """Turns as (episode_id, raw, text, digest), with all text as stored UTF-8 bytes.

    `text`: the fields as Python would print them (True, None), each after a separator, joined by
    the database: reading one value per row is several times faster than twenty, and nothing
    decodes it. The statement is built once and passed directly to the driver.
    """

    def __init__(self, db: Connection, fields: Sequence[str], separator: str) -> None:
        text = joined(db, [printed(db, turn.c[name]) for name in fields], separator)
        wanted = [as_bytes(db, one) for one in (turn.c.raw, text, turn.c.digest)]
        self._sqlite = db.dialect.name == "sqlite"
        ids = "IN (SELECT value FROM json_each(?))" if self._sqlite else "= ANY(%s)"
        query = sa.select(turn.c.episode_id, *wanted)
        sql = statement(db, query)
        self._sql = f"{sql} WHERE turn.episode_id {ids} ORDER BY turn.episode_id, turn.seq"
        self._driver: Any = db.connection.driver_connection

    def of(self, episode_ids: list[int]) -> list[tuple[int, bytes, bytes, bytes]]:
        """Return the turns of some episodes, by episode and seq."""
        given = json.dumps(episode_ids) if self._sqlite else episode_ids
        found: list[tuple[int, bytes, bytes, bytes]]
        found = self._driver.execute(self._sql, (given,)).fetchall()
        return found


def printed(db: Connection, column: sa.Column[Any]) -> sa.ColumnElement[Any]:
    """Return a column as Python prints it; a non-boolean in a boolean column stays as it is."""
    text = column if db.dialect.name == "sqlite" else sa.cast(column, sa.Text)
    if isinstance(column.type, sa.Boolean):
        names = ((column.is_(sa.true()), "True"), (column.is_(sa.false()), "False"))
        return sa.case(*names, else_=text)
    return sa.func.coalesce(text, "None") if column.nullable else column


def joined(
    db: Connection, columns: Sequence[sa.ColumnElement[Any]], separator: str
) -> sa.ColumnElement[str]:
    """Join columns to one text, a separator before each (SQLite has concat_ws only since 3.44)."""
    if db.dialect.name == "sqlite":
        return sa.func.printf(f"{separator}%s" * len(columns), *columns)
    return sa.func.concat_ws(separator, "", *columns)


def as_bytes(db: Connection, text: sa.ColumnElement[Any]) -> sa.ColumnElement[bytes]:
    """Return text as its stored UTF-8 bytes, without decoding."""
    if db.dialect.name == "sqlite":
        return sa.cast(text, sa.LargeBinary)
    return sa.func.convert_to(text, "UTF8")
