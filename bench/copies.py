"""Copies of people with all their rows, made inside PostgreSQL: hundreds of millions in minutes.

Every table with a reference to `participant`, directly or through other tables, is copied. IDs and
references are shifted, unique texts get the number of the copy. Digests contain the IDs of
episodes, so `hjstudy verify` would refuse the copies; nothing else tells them from played rows.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import AutoString, SQLModel

from app.store import tables
from app.store.db import Store

ROOT = "participant"
PLACES = {"study_id": "study_id", "design_id": "design_id"}  # column -> column of `copy_place`
TRUSTING = (
    "SET LOCAL session_replication_role = replica"  # references are right as they are shifted
)
BATCH = 5_000_000  # rows in one transaction
assert tables.MODULES  # importing them fills the metadata


def hanging() -> list[sa.Table]:
    """Return `participant` and every table that refers to it, parents first."""
    found: dict[str, sa.Table] = {}
    for table in SQLModel.metadata.sorted_tables:
        if table.name == ROOT or any(one.column.table.name in found for one in table.foreign_keys):
            found[table.name] = table
    return list(found.values())


def multiply(store: Store, places: Sequence[tuple[int, int]], copies: int) -> None:
    """Copy everyone who is stored `copies` times, in turn into these (study ID, design ID)."""
    copied = hanging()
    with store.write() as db:
        values = ", ".join(f"({n}, {study}, {design})" for n, (study, design) in enumerate(places))
        db.exec_driver_sql("CREATE TABLE copy_place (number int, study_id int, design_id int)")
        db.exec_driver_sql(f"INSERT INTO copy_place VALUES {values}")  # noqa: S608 - numbers
        last = {table.name: newest(db, table) for table in copied}
    for table in copied:
        with store.read() as db:
            rows = db.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
        if not rows:
            continue
        statement, at_once = copying(table, last, len(places)), max(1, BATCH // rows)
        for first in range(1, copies + 1, at_once):
            with store.write() as db:
                db.exec_driver_sql(TRUSTING)
                db.exec_driver_sql(statement, (first, min(copies, first + at_once - 1)))
        with store.write() as db:
            continue_numbers(db, table)
    with store.write() as db:
        db.exec_driver_sql("DROP TABLE copy_place")
        db.exec_driver_sql("ANALYZE")


def key(table: sa.Table) -> str:
    """Return the column that tells a table's rows apart."""
    return str(next(iter(table.primary_key)).name)


def newest(db: Connection, table: sa.Table) -> int:
    """Return the largest ID of a table, 0 for an empty one."""
    return int(db.execute(sa.select(sa.func.max(table.c[key(table)]))).scalar_one() or 0)


def copying(table: sa.Table, last: dict[str, int], places: int) -> str:
    """Return the statement that adds the copies with numbers from one parameter to the other."""
    taken = [expression(table, column, last) for column in table.columns]
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    return (
        f'INSERT INTO "{table.name}" ({names}) SELECT {", ".join(taken)} '  # noqa: S608 - our names
        f"FROM generate_series(%s::int, %s::int) AS n JOIN copy_place ON number = n %% {places}, "
        f'"{table.name}" AS t WHERE t."{key(table)}" <= {last[table.name]}'
    )


def expression(table: sa.Table, column: "sa.Column[object]", last: dict[str, int]) -> str:
    """Return a copied column's value in terms of the row `t` and the number `n` of the copy."""
    name = f't."{column.name}"'
    if column.name in PLACES:
        return f"copy_place.{PLACES[column.name]}"
    parents = [one.column.table.name for one in column.foreign_keys]
    if parents and parents[0] in last:
        return f"{name} + n * {last[parents[0]]}"
    if column.primary_key or column.name == "arrival":
        return f"{name} + n * {last[table.name]}"
    if isinstance(column.type, AutoString) and is_unique(table, column.name):
        return f"{name} || '-' || n"
    return name


def is_unique(table: sa.Table, name: str) -> bool:
    """Tell whether no two rows share this text (for a person's ID, within a study)."""
    rules = [one for one in table.constraints if isinstance(one, sa.UniqueConstraint)]
    return [name] in [list(rule.columns.keys()) for rule in rules] or name == "external_id"


def continue_numbers(db: Connection, table: sa.Table) -> None:
    """Let the rows that are added next get IDs after those of the copies."""
    if key(table) == "id":
        db.exec_driver_sql(
            f"SELECT setval(pg_get_serial_sequence('\"{table.name}\"', 'id'), {newest(db, table)})"
        )
