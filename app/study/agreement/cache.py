"""Agreement reports on request: built once, then reused while the data do not change."""

from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import Any

from app.store.db import Store
from app.study.agreement import data, document
from app.study.agreement.data import Facts
from app.study.design import studies

AGREEMENT = "agreement"  # kind of the job that makes the report of a large round
KEPT = 16  # reports kept per process; building one takes about a second


class Desk:
    """Builder of reports that never computes the same stored facts twice."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._lock = Lock()

    def report(
        self, store: Store, slug: str, number: int, dimension: str = ""
    ) -> tuple[Facts, dict[str, Any]]:
        """Return a round's facts and its report.

        Args: dimension: the score or criterion; empty = the one that stratified the sample.
        Raises: NoStudyError, NoRoundError, NoRatingsError, DimensionError, PanelError.
        """
        with store.read() as db:
            study = studies.find(db, slug)
            facts = data.load(db, study, number)
        return facts, self.of(facts, dimension or facts.default_dimension)

    def of(self, facts: Facts, dimension: str) -> dict[str, Any]:
        """Return the report of a round's facts. Raises DimensionError, PanelError."""
        key = key_of(facts, dimension)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        found = document.build(facts, dimension)
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def forget(self) -> None:
        """Forget all reports, so that none of a deleted study is left."""
        with self._lock:
            self._kept.clear()


def key_of(facts: Facts, dimension: str) -> str:
    """Return a hash of everything a report depends on."""
    digest = sha256(repr((dimension, facts.study, facts.round, facts.sample)).encode())
    for rows in (facts.rows, facts.items, facts.raters, facts.frame):
        digest.update(repr(rows).encode())
    for judge in facts.judges:
        digest.update(repr((judge.label, judge.run)).encode())
        for row in judge.scores.values():
            digest.update(repr(row).encode())
    return digest.hexdigest()


desk = Desk()
