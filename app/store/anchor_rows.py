"""Digests of a study's rows, table by table, for signed manifests."""

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store import removal
from app.store.base import AnyRow
from app.store.models import plays
from app.store.play import events
from app.store.play.episodes import episode
from app.store.play.participants import participant
from app.store.play.turns import turn
from app.store.rating.items import item
from app.store.rating.rounds import rating_round
from app.store.tables import metadata

SHORT = 16  # hexadecimal digits of a row's digest
LOGGED = {  # the participants' chained log and the turns' chain have them, but not those of runs
    *events.APPENDED,
    *("participant", "person_event", "seat", "turn"),
}
LEFT_OUT = {  # tables whose rows are replaced or deleted in the course of a study
    "draft": "unsent text and notebooks, replaced with each save",
    "identity": "platform IDs, deleted on their date",
    "platform_record": "the newest list of a platform",
    "study_draft": "replaced with each save",
    "study_member": "may be changed by owners; the audit log has each change",
    "job": "long work and its progress",
    "upload": "files that are waiting to be imported",
    "entry_pace": "who may enter from one address; deleted as soon as it limits no one",
}
CHANGING: dict[str, set[str]] = {  # columns that change in the course of a study
    "study": {"title", "kind", "state", "archived_at"},
    "design": {"spec", "published_at", "frozen_at"},
    "rating_round": {"state", "closed_at"},
    "model_run": {"state", "problem", "finished_at"},
    "agent_key": {"digest", "revoked_at"},  # a form sent twice gets another key
}
OF_RUNS = (episode, turn)
SETUP = ("round_rater", "round_item", "assignment")  # may change while the round is a draft


def tables() -> Iterator[sa.Table]:
    """Yield the tables whose rows a manifest lists."""
    for table in metadata.sorted_tables:
        is_listed = removal.belongs(table) and table.name not in {*LOGGED, *LEFT_OUT}
        if is_listed or table in OF_RUNS:
            yield table


def digests(db: Connection, table: sa.Table, study_id: int) -> dict[str, tuple[str, int | None]]:
    """Return key -> (digest, participant concerned) of a study's rows in one table."""
    columns = [c for c in table.columns if c.name not in CHANGING.get(table.name, ())]
    keys = [c.name for c in table.primary_key.columns]
    query = sa.select(*events.raw(columns)).where(listed(table, study_id), fixed(table))
    of_item = owners(db, study_id)
    names = [c.name for c in columns]
    found = {}
    for row in db.execute(query):
        values = dict(zip(names, map(events.plain, row), strict=True))
        key = "/".join(str(values[name]) for name in keys)
        digest = events.link(table.name, list(values.values()))[:SHORT]
        found[key] = digest, owner(values, of_item)
    return found


def listed(table: sa.Table, study_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that a manifest lists a row: of a run where people's are logged."""
    of_run = table in OF_RUNS
    return plays.belongs(table, study_id) if of_run else removal.rows_of(table, study_id)


def fixed(table: sa.Table) -> sa.ColumnElement[bool]:
    """Return the condition that a row's round, if it has one, is set up."""
    begun = sa.select(rating_round.c.id).where(rating_round.c.state != "draft")
    if table is rating_round:
        return rating_round.c.state != "draft"
    return table.c.round_id.in_(begun) if table.name in SETUP else sa.true()


def owners(db: Connection, study_id: int) -> dict[int, int]:
    """Return item id -> participant, for players' items."""
    query = sa.select(item.c.id, item.c.participant_id).where(
        item.c.study_id == study_id, item.c.participant_id.is_not(None)
    )
    return {row.id: row.participant_id for row in db.execute(query)}


def owner(values: dict[str, Any], of_item: dict[int, int]) -> int | None:
    """Return the participant whose erasure changes a row, or None."""
    if "participant_id" in values:
        found = values["participant_id"]
        return None if found is None else int(found)
    unit = str(values.get("unit", "")).split("/")
    judged = unit[1] if unit[0] == "judge" and len(unit) > 1 else str(values.get("item_id"))
    return of_item.get(int(judged)) if judged.isdecimal() else None


def tips(db: Connection, study_id: int) -> dict[int, dict[str, list[Any]]]:
    """Return the tips of the chains of turns, by participant and episode."""
    query = sa.select(participant.c.id).where(participant.c.study_id == study_id)
    return events.turn_tips(db, list(db.execute(query).scalars()))


def chains(db: Connection, study_id: int) -> dict[int, list[Any]]:
    """Return participant -> [seq, digest] of their newest event."""
    query = (
        sa.select(events.person_event)
        .join(participant)
        .where(participant.c.study_id == study_id)
        .order_by(events.person_event.c.seq)
    )
    return {row.participant_id: [row.seq, row.digest] for row in db.execute(query)}


def event_digests(db: Connection, study_id: int) -> dict[tuple[int, int], str]:
    """Return (participant, seq) -> digest of every event of a study."""
    query = sa.select(events.person_event).join(participant)
    rows = db.execute(query.where(participant.c.study_id == study_id))
    return {(row.participant_id, row.seq): row.digest for row in rows}


def erased_people(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return `id, public_id, erased_at` of the participants whose data were erased."""
    own = participant.c
    query = sa.select(own.id, own.public_id, own.erased_at).order_by(own.id)
    return db.execute(query.where(own.study_id == study_id, own.erased_at.is_not(None))).all()


def erased(db: Connection, study_id: int) -> set[int]:
    """Return the participants whose data were erased."""
    return {row.id for row in erased_people(db, study_id)}


def turn_digest(db: Connection, episode_id: int, seq: int) -> str | None:
    """Return the digest of one turn, or None if there is no such turn."""
    query = sa.select(turn.c.digest).join(episode)
    found = db.execute(query.where(episode.c.id == episode_id, turn.c.seq == seq)).scalar()
    return None if found is None else str(found)
