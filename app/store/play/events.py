"""The chained log of each participant: what decides an analysis, after every change.

Whenever a transaction changed a participant's row, or added rows of theirs, it ends by appending
one event. An event holds the columns of the participant's row, a digest over their rows in every
table of `APPENDED`, which only grow, one over what may change, and the tip of each episode's
chain of turns. Its digest covers the previous event's. A chain belongs to one participant, so
participants never wait for each other, and a command appends nothing.
"""

import json
import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import CLOSERS, AnyRow, table_of, text_field
from app.store.design.studies import design
from app.store.play.answers import answer, direct_answer
from app.store.play.episodes import block, episode
from app.store.play.explanations import explanation
from app.store.play.participants import UNSEALED, participant
from app.store.play.seats import seat, seat_event
from app.store.play.turns import turn

PROVED = ("state", "actions_used", "attempts", "digest", "finished_at")  # of episodes, by replay
SAME = ("player_kind", "run_id")  # of all people's episodes
HAND = ("id", "participant_id", "episode_id", "account_id", "action", "reason", "at")
hand_action = sa.table("hand_action", *map(sa.column, HAND))  # of a room above this one
APPENDED: dict[str, tuple[sa.FromClause, tuple[str, ...]]] = {  # name -> table, columns left out
    "block": (block, ()),
    "episode": (episode, (*PROVED, *SAME, "voided_at")),
    "answer": (answer, ()),
    "direct_answer": (direct_answer, ()),
    "explanation": (explanation, ()),
    "seat_event": (seat_event, ()),
    "hand_action": (hand_action, ()),
}
CHANGING: dict[str, tuple[sa.FromClause, tuple[str, ...]]] = {
    "seat": (seat, ()),
    "voided": (
        episode,
        tuple(c.name for c in episode.columns if c.name not in {"id", "voided_at"}),
    ),
}


class PersonEvent(SQLModel, table=True):
    """One link of a participant's chain. Rows are never updated, except that erasure blanks them.

    `content` is empty if the participant's data have been erased since.
    """

    __tablename__ = "person_event"
    __table_args__ = (sa.UniqueConstraint("participant_id", "seq"),)

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int = Field(foreign_key="participant.id")
    seq: int = Field(description="1, 2, ... of the participant")
    content: str = text_field("JSON of what was stored after a change")
    digest: str = Field(max_length=64, description="blake2b-256 over the previous digest and this")


person_event = table_of(PersonEvent)


class Found(NamedTuple):
    """What is stored of one participant now. `tips`: episode id -> (seq, digest) of its last turn.

    `chains`: for each table that only grows, the running digest after 0, 1, 2, ... rows.
    """

    person: dict[str, Any]
    chains: dict[str, list[str]]
    now: dict[str, str]
    tips: dict[str, list[Any]]


AS_IT_IS = frozenset({int, float, str, type(None)})
# `json.dumps` would make an encoder for every call
encode = json.JSONEncoder(ensure_ascii=True, sort_keys=True).encode


def plain(value: Any) -> Any:
    """Return a driver's value as JSON can hold it; the same on every read."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value.hex() if isinstance(value, bytes) else value


def raw(columns: Iterable[sa.ColumnElement[Any]]) -> list[sa.ColumnElement[Any]]:
    """Return columns to select as the driver has them: altered values must not stop the reader."""
    return [sa.type_coerce(one, sa.types.NullType()).label(None) for one in columns]


def link(previous: str, row: Any) -> str:
    """Return the next running digest."""
    return blake2b(encode([previous, row]).encode(), digest_size=32).hexdigest()


def look(db: Connection, ids: Sequence[int]) -> dict[int, Found]:
    """Return what is stored of some participants now."""
    people = persons(db, ids)
    chains: dict[int, dict[str, list[str]]] = {one: {} for one in people}
    now: dict[int, dict[str, str]] = {one: {} for one in people}
    for name, (table, without) in APPENDED.items():
        for one, tips in running(db, table, without, list(people)).items():
            chains[one][name] = tips
    for name, (table, without) in CHANGING.items():
        for one, tips in running(db, table, without, list(people)).items():
            now[one][name] = tips[-1]
    ends = turn_tips(db, list(people))
    return {one: Found(people[one], chains[one], now[one], ends[one]) for one in people}


SEALED = [one for one in participant.columns if one.name not in UNSEALED]
PERSONS = (
    sa.select(*raw([*SEALED, design.c.spec_hash, design.c.version]))
    .outerjoin_from(participant, design)
    .where(participant.c.id.in_(sa.bindparam("ids", expanding=True)))
    .order_by(participant.c.id)
)


def persons(db: Connection, ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the sealed columns of participants, and the hash of their design."""
    names = [*(one.name for one in SEALED), "spec_hash", "design_version"]
    rows = db.execute(PERSONS, {"ids": list(ids)})
    found = (dict(zip(names, map(plain, row), strict=True)) for row in rows)
    return {one["id"]: one for one in found}


def running(
    db: Connection, table: sa.FromClause, without: Sequence[str], ids: Sequence[int]
) -> dict[int, list[str]]:
    """Return the running digests of a table's rows, by participant, in the order of their keys."""
    query = rows_query(table, tuple(without))
    found = {one: [""] for one in ids}
    for owner, *values in db.execute(query, {"ids": list(ids)}).all():
        row = [one if type(one) in AS_IT_IS else plain(one) for one in values]
        found[owner].append(link(found[owner][-1], row))
    return found


@cache
def rows_query(table: sa.FromClause, without: tuple[str, ...]) -> sa.Select[Any]:
    """Return the query for (participant, columns) of the rows of `ids`; building it is slow."""
    columns = [one for one in table.columns if one.name not in without]
    query = sa.select(*raw([table.c.participant_id, *columns]))
    mine = table.c.participant_id.in_(sa.bindparam("ids", expanding=True))
    return query.where(mine).order_by(next(iter(table.columns)))


LAST = sa.select(sa.func.max(turn.c.seq)).where(turn.c.episode_id == episode.c.id)


def turn_tips(db: Connection, ids: Sequence[int]) -> dict[int, dict[str, list[Any]]]:
    """Return (seq, digest) of the last turn of every episode that has one, by participant."""
    last = LAST.correlate(episode).scalar_subquery()
    query = (
        sa.select(episode.c.participant_id, episode.c.id, turn.c.seq, turn.c.digest)
        .join(turn, sa.and_(turn.c.episode_id == episode.c.id, turn.c.seq == last))
        .where(episode.c.participant_id.in_(ids))
    )
    found: dict[int, dict[str, list[Any]]] = {one: {} for one in ids}
    for owner, number, seq, digest in db.execute(query).all():
        found[owner][str(number)] = [seq, digest]
    return found


def seal(db: Connection, participant_id: int, *, adopted: bool = False) -> None:
    """Append an event if anything has changed. `adopted`: the rows are older than the chain."""
    found = look(db, [participant_id]).get(participant_id)
    if found is None:
        return
    last = newest(db, participant_id)
    rows = {name: [len(tips) - 1, tips[-1]] for name, tips in found.chains.items()}
    content = {"person": found.person, "rows": rows, "now": found.now, "tips": found.tips}
    if last is not None and last.content:
        before = json.loads(last.content)
        if all(before[name] == value for name, value in content.items()):
            return
    facts = {**content, "adopted": adopted, "salt": secrets.token_hex(16)}
    text = json.dumps(facts, sort_keys=True)
    seq, previous = (0, "") if last is None else (last.seq, last.digest)
    values = {"participant_id": participant_id, "seq": seq + 1, "content": text}
    digest = event_digest(previous, participant_id, seq + 1, text)
    db.execute(sa.insert(person_event).values({**values, "digest": digest}))


def event_digest(previous: str, participant_id: int, seq: int, content: str) -> str:
    """Return the digest of an event."""
    return link(previous, [participant_id, seq, content])


def newest(db: Connection, participant_id: int) -> AnyRow | None:
    """Return a participant's last event, or None."""
    query = sa.select(person_event).where(person_event.c.participant_id == participant_id)
    return db.execute(query.order_by(person_event.c.seq.desc()).limit(1)).first()


def of_people(db: Connection, ids: Sequence[int]) -> dict[int, list[AnyRow]]:
    """Return the chains of some participants."""
    query = sa.select(person_event).where(person_event.c.participant_id.in_(ids))
    found: dict[int, list[AnyRow]] = {one: [] for one in ids}
    for row in db.execute(query.order_by(person_event.c.participant_id, person_event.c.seq)):
        found[row.participant_id].append(row)
    return found


def blank(db: Connection, participant_id: int) -> None:
    """Erase what a participant's events hold; their digests stay, so that the chain holds."""
    query = sa.update(person_event).where(person_event.c.participant_id == participant_id)
    db.execute(query.values(content=""))


def adopt(db: Connection) -> int:
    """Begin the chains of participants that are older than the log; return how many.

    Does nothing once any chain exists.
    """
    if db.execute(sa.select(person_event.c.id).limit(1)).first() is not None:
        return 0
    ids = list(db.execute(sa.select(participant.c.id).order_by(participant.c.id)).scalars())
    for one in ids:
        seal(db, one, adopted=True)
    return len(ids)


def seal_changed(db: Connection, ids: Iterable[int]) -> None:
    """Append the events of a transaction that is about to commit."""
    for one in sorted(ids):
        seal(db, one)


CLOSERS.append(seal_changed)
