"""Many rows stored in one short transaction.

On SQLite, everyone who writes waits for a transaction. So the rows go to a temporary table first,
which is a file of its own and locks nothing; the transaction only copies them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.schema import CreateTable, DropTable

MANY = 500  # fewer rows are stored at once
ALL = slice(None)
ROW_ID: sa.ColumnClause[int] = sa.column("rowid", sa.Integer)


class Incoming:
    """New rows of a table. Pass them to `Store.write`, then call `insert` in its block."""

    def __init__(self, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Take rows that all have the same columns."""
        self.table, self.rows = table, rows
        names = list(rows[0]) if len(rows) >= MANY else []
        columns = [sa.Column(name, table.c[name].type) for name in names]
        self._waiting = sa.Table("incoming", sa.MetaData(), *columns, schema="temp")
        self._is_ready = False

    def prepare(self, db: Connection) -> None:
        """Write many rows to a temporary table, before a SQLite transaction begins."""
        if not self._waiting.c:
            return
        raw: Any = db.connection.dbapi_connection  # it is outside of SQLAlchemy's transactions
        raw.execute(str(CreateTable(self._waiting).compile(db)))
        raw.execute("BEGIN")
        raw.executemany(str(sa.insert(self._waiting).compile(db)), self._stored_values(db))
        raw.execute("COMMIT")
        self._is_ready = True

    def end(self, db: Connection) -> None:
        """Drop the temporary table."""
        if self._waiting.c and not db.invalidated:
            raw: Any = db.connection.dbapi_connection
            raw.execute(str(DropTable(self._waiting, if_exists=True).compile(db)))
        self._is_ready = False

    def _stored_values(self, db: Connection) -> list[tuple[Any, ...]]:
        """Return the rows as the driver takes them."""
        names = list(self._waiting.c.keys())
        makers = [self.table.c[name].type.bind_processor(db.dialect) for name in names]
        pairs = [
            (name, make or (lambda value: value)) for name, make in zip(names, makers, strict=True)
        ]
        return [tuple(make(row[name]) for name, make in pairs) for row in self.rows]

    def insert(self, db: Connection, part: slice = ALL, **values: Any) -> None:
        """Add rows; the database refuses those that exist. `values`: the same in all of them."""
        start, stop, _ = part.indices(len(self.rows))
        if start == stop:
            return
        if not self._is_ready:
            db.execute(sa.insert(self.table), [{**row, **values} for row in self.rows[part]])
            return
        own = [column for column in self._waiting.c if column.name not in values]
        same = [sa.literal(value, self.table.c[name].type) for name, value in values.items()]
        query = sa.select(*own, *same).where(start < ROW_ID, stop >= ROW_ID).order_by(ROW_ID)
        names = [*(column.name for column in own), *values]
        db.execute(sa.insert(self.table).from_select(names, query))
