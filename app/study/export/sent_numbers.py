"""Numbers that browsers send: a shareable bundle leaves out those that hold an ID.

Times of thought, clocks, keystrokes and pastes come from participants' browsers, which can send
anything in their place. So they are compared with the study's IDs, as typed text is. A sum with
such a number in it is left out too, because subtraction would reveal the number.
"""

from functools import cached_property

from sqlalchemy import Connection

from app.store.export import dump, dump_sent
from app.store.export.dump import Scope
from app.study.export.release import Gate
from app.study.id_marks import LEAST_NUMBER

DAY_MS = 86_400_000  # a browser's clock that is closer to ours than this shows the time


class SentNumbers:
    """Which of the numbers of a bundle are left out."""

    def __init__(self, db: Connection, scope: Scope, gate: Gate) -> None:
        self._db, self._scope, self._gate = db, scope, gate

    @cached_property
    def episodes(self) -> frozenset[int]:
        """Return the episodes in which a time of thought holds an ID."""
        if not self._gate.shareable:
            return frozenset()
        rows = dump.rows(self._db, dump_sent.long_thoughts(self._scope, LEAST_NUMBER))
        return frozenset(row.episode_id for row in rows if self.hides(row.think_ms))

    @cached_property
    def pages(self) -> frozenset[tuple[str, str]]:
        """Return (participant, page) of each page from which an event's value holds an ID."""
        if not self._gate.shareable:
            return frozenset()
        rows = dump.rows(self._db, dump_sent.large_values(self._scope, LEAST_NUMBER))
        return frozenset((row.public_id, row.page) for row in rows if self.hides(row.value))

    @cached_property
    def people(self) -> frozenset[str]:
        """Return the participants with such a page."""
        return frozenset(who for who, _ in self.pages)

    @cached_property
    def people_with_a_wrong_clock(self) -> frozenset[str]:
        """Return the participants whose browser's clock was ever a day or more off ours."""
        queries = dump_sent.wrong_clocks(self._scope, DAY_MS)
        return frozenset(row.public_id for query in queries for row in dump.rows(self._db, query))

    def hides(self, number: int | None) -> bool:
        """Return whether a number holds an ID."""
        return self._gate.hides_number(number)

    def kept(self, number: int | None) -> int | None:
        """Return a number, or None if it holds an ID."""
        return None if self.hides(number) else number

    def clock(self, client_ms: int | None, received_ms: int) -> int | None:
        """Return a browser's clock, or None if it shows no time near ours and holds an ID."""
        if client_ms is not None and abs(client_ms - received_ms) < DAY_MS:
            return client_ms
        return self.kept(client_ms)
