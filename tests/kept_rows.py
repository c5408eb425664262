"""Every row that hangs on a person, as two people who did the same should both have it."""

from datetime import datetime

import sqlalchemy as sa

from bench.copies import hanging

TABLES = {  # left out -> why
    "process_event": "what the browser measured: milliseconds, in batches that come when they come",
}
COLUMNS = {  # left out -> why; keys and references are, too
    "content": "the log of a person holds digests, ids and times; a draft is gone once it is sent",
    "public_id": "drawn",
    "token": "drawn",
    "code": "drawn for each study",
    "digest": "covers ids and times",
    "consent_hash": "of the text that they read, which is in their language",
    "longest_gap_s": "a time",
    "received_ms": "a time",
    "client_ms": "a time",
    "think_ms": "a time",
}
KEPT_REFERENCES = {"variant_hash"}  # the same in every study
WHEN = "set"  # instead of a time: only whether there is one


def kept_rows(db, person_id):
    """Return (table, {column: value}) of every row of a person, in the order in which they came.

    Times are `WHEN` or None. Raises nothing if the person has no rows.
    """
    found, ids = [], {"participant": [person_id]}
    for table in hanging():
        rows = rows_of(db, table, ids)
        ids[table.name] = [row[key_of(table)] for row in rows]
        if table.name not in TABLES:
            found += [(table.name, kept(table, row)) for row in rows]
    return found


def rows_of(db, table, ids):
    """Return a table's rows that refer to known ones; of `participant`, the person's."""
    if table.name == "participant":
        wanted = [table.c.id.in_(ids[table.name])]
    else:
        references = [(column, one) for column in table.c for one in column.foreign_keys]
        owned = [(column, ids.get(one.column.table.name)) for column, one in references]
        wanted = [column.in_(known) for column, known in owned if known]
    if not wanted:
        return []
    query = table.select().where(sa.or_(*wanted)).order_by(*table.primary_key.columns)
    return [row._mapping for row in db.execute(query)]


def key_of(table):
    return next(iter(table.primary_key.columns)).name


def kept(table, row):
    return {
        column.name: plain(row[column.name])
        for column in table.columns
        if not is_reference(column) and column.name not in COLUMNS
    }


def is_reference(column):
    refers = column.primary_key or bool(column.foreign_keys)
    return refers and column.name not in KEPT_REFERENCES


def plain(value):
    return WHEN if isinstance(value, datetime) else value
