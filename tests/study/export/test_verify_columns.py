"""One altered value in any column of meaning is found: every column of every table in turn.

Columns that carry no meaning, or cannot be proved, are listed with the reason. A new column is in
the test at once, so it fails until `verify` covers it or the list explains it.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from zlib import crc32

import pytest
import sqlalchemy as sa

from app.store import anchor_rows
from app.store.db import Store
from app.store.tables import metadata
from app.study.export import anchors, chains, signing, verify, verify_work
from app.study.people import audit
from tests.models.played import play
from tests.store.test_removal import Filler
from tests.study.export.test_verify_records import finished
from tests.study.story import NOON

APART = {  # tables that hold no data of a study's results
    "account": "names of researchers and annotators; ratings name the row",
    "login": "logins",
    "login_attempt": "logins",
    "login_link": "logins",
    "recovery_code": "logins",
    "secret": "keys of links and forms",
    "health": "the last health check",
    "clock_reading": "the clocks of the machines",
    "ticket": "forms that were accepted; their results are in other tables",
    "study_deletion": "the log of studies that no longer exist",
    "api_request": "how many requests the API got in a minute",
    **anchor_rows.LEFT_OUT,
}
FREE = {  # columns: table -> reason
    "study.title": "changes at any time",
    "study.state": "opens and closes",
    "study.archived_at": "archived and restored",
    "design.published_at": "decides who sees a version, not what it is",
    "design.frozen_at": "set by the first consent",
    "participant.token": "the secret address",
    "participant.seen_at": "only the clocks use it; every form has its own time",
    "rating_round.state": "opens and closes",
    "rating_round.closed_at": "changes as it closes",
    "model_run.state": "changes as it runs",
    "model_run.problem": "changes as it runs",
    "model_run.finished_at": "changes as it runs",
    "agent_key.digest": "a form sent twice gets another key",
    "agent_key.revoked_at": "set when a key is revoked",
    "turn.id": "seq is the order; the chain of digests names no id",
    "person_event.id": "seq is the order",
    "variant.created_at": "equal variants are shared by studies",
}


SHARES = 15  # of all columns, one is altered in each run of `make test`


class Rest(Filler):
    """Puts a row of the played study into each table that is still empty."""

    def fill(self):
        for table in metadata.sorted_tables:
            row = self.db.execute(sa.select(table).limit(1)).first()
            if row is not None:
                self.keys[table.name] = row._asdict()
        return super().fill()

    def value(self, table, column):
        known = {
            "rating_round.state": "closed",
        }
        return known.get(f"{table.name}.{column.name}") or super().value(table, column)


@pytest.fixture(scope="module")
def played(sqlite_template, tmp_path_factory):
    """A database with a row in every table, and its manifest."""
    folder = tmp_path_factory.mktemp("columns")
    path = folder / "all.db"
    shutil.copyfile(sqlite_template, path)
    store = Store(f"sqlite:///{path}")
    story = finished(store)
    play(store, "story", explains="none")
    with store.write() as db:
        Rest(db, "rest", 1).fill()
    story.begin_logs()
    for verb in ("GET /admin/one", "POST /admin/two"):
        audit.record(store, audit.Action(1, "ada", verb, "story"), NOON)
    key = signing.own_key(folder / "key.pem")
    document = json.loads(json.dumps(anchors.make(store, "story", key, NOON)))
    assert verify.verify(store, manifest=document).first_difference is None
    yield store, path, document
    store.dispose()


def altered(value, column):
    """Return a value that differs in one place."""
    if column is metadata.tables["episode"].c.finished_at:  # proved to the millisecond
        return value.replace(".0000", ".0010")
    if isinstance(value, str):
        last = value[-1:]
        return value[:-1] + ("x" if last != "x" else "y")
    if value is None:
        is_text = isinstance(column.type, sa.String) or "UTC" in type(column.type).__name__
        return "2026-11-28 12:00:00.000000" if is_text else 1
    return 1 - value if isinstance(column.type, sa.Boolean) else value + 1000


def altered_inside(value):
    """Return JSON text that is valid, with another value at its last place, or None."""
    try:
        data = json.loads(value)
    except (TypeError, ValueError):
        return None
    return json.dumps(altered_leaf(data)) if data and isinstance(data, dict | list) else None


def altered_leaf(data):
    """Return JSON data with another last value."""
    if isinstance(data, dict) and data:
        *_, last = data
        return {**data, last: altered_leaf(data[last])}
    if isinstance(data, list) and data:
        return [*data[:-1], altered_leaf(data[-1])]
    if isinstance(data, bool):
        return not data
    return {"human": "judge"}.get(data, "human") if isinstance(data, str) else 7


def is_found(store, document, table):
    """Tell whether `verify` finds something, with its cheap parts first."""
    listed = table.name not in anchor_rows.LOGGED
    cheap = verify.against(document) if listed else chains.compare
    if verify_work.readable(cheap, store, None)[1]:
        return True
    return not verify.verify(store, jobs=1, manifest=document).ok


def test_no_table_that_is_left_out_is_listed_by_manifests():
    assert set(APART) & {table.name for table in anchor_rows.tables()} == set()


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_every_altered_column_of_every_table_is_found(played):
    store, _, document = played
    missed, used, inside = alter_all(played, lambda _: True)
    assert missed == [], "verify must find each of these altered, or FREE must say why not"
    assert used == set(FREE)
    assert inside >= {"design.spec", "design.variants", "variant.content", "study_change.changes"}
    assert verify.verify(store, manifest=document).ok


def test_some_altered_columns_are_found_in_any_run(played):
    """Other columns each day; `make long` has them all."""
    day = datetime.now(UTC).toordinal()
    missed, _, _ = alter_all(played, lambda name: (crc32(name.encode()) + day) % SHARES == 0)
    assert missed == [], f"on day {day}"


def test_round_that_became_a_draft_again_is_found(played):
    """Its ratings would be missing from every report; other states may change."""
    store, path, document = played
    alter = "UPDATE rating_round SET state=? WHERE id=(SELECT min(id) FROM rating_round)"
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute(alter, ("draft",))
        is_missed = verify.verify(store, jobs=1, manifest=document).ok
        raw.execute(alter, ("closed",))
    assert not is_missed
    assert verify.verify(store, jobs=1, manifest=document).ok


def alter_all(played, is_chosen):
    """Alter the first, a middle and the last row in each chosen column, one after another.

    Returns what was missed, the columns of FREE that exist, and those altered inside JSON.
    """
    store, path, document = played
    missed, used, inside = [], set(), set()
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA synchronous=OFF")
        raw.execute("PRAGMA ignore_check_constraints=ON")
        for table in metadata.sorted_tables:
            if table.name in APART:
                continue
            for column in table.columns:
                name = f"{table.name}.{column.name}"
                if name in FREE:
                    used.add(name)
                elif is_chosen(name):
                    for rowid in some_rows(raw, table):
                        found = altered_ways(raw, column, rowid, inside)
                        missed += [
                            f"{name}, row {rowid}, {way}"
                            for way in found
                            if not is_found(store, document, table)
                        ]
    return missed, used, inside


def some_rows(raw, table):
    """Return the row ids of the first, a middle and the last row of a table."""
    order = ", ".join(one.name for one in table.primary_key.columns)
    query = f'SELECT rowid FROM "{table.name}" ORDER BY {order}'
    rows = [row for (row,) in raw.execute(query)]
    assert rows, f"{table.name} is empty"
    return list(dict.fromkeys((rows[0], rows[len(rows) // 2], rows[-1])))


def altered_ways(raw, column, rowid, inside):
    """Alter one value in each way in turn, yield the way, and put the value back."""
    table = column.table
    place = f'"{table.name}" SET "{column.name}"=? WHERE rowid=?'
    query = f'SELECT "{column.name}" FROM "{table.name}" WHERE rowid=?'
    before = raw.execute(query, (rowid,)).fetchone()[0]
    within = altered_inside(before)
    if within is not None:
        inside.add(f"{table.name}.{column.name}")
        raw.execute(f"UPDATE {place}", (within, rowid))
        yield "a value inside"
    after = altered(before, column)
    try:
        raw.execute(f"UPDATE {place}", (after, rowid))
    except sqlite3.IntegrityError:  # another row has that key, so the database refuses it
        raw.execute(f"UPDATE {place}", (before, rowid))
        return
    yield "the value"
    is_rowid = column.primary_key and len(table.primary_key.columns) == 1
    moved = is_rowid and isinstance(column.type, sa.Integer)
    raw.execute(f"UPDATE {place}", (before, after if moved else rowid))
