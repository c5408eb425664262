"""The report of a study on this server: the same document, made from the database."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from app.errors import StudyError
from app.store.db import Store
from app.study.design import studies
from app.study.report.document import document, fingerprint
from app.study.report.options import Options
from app.study.report.tables import Facts, Tables, of_study

KEPT = 8  # documents


class HiddenError(StudyError):
    """The study's outcomes are hidden until it is closed."""

    code = "report/hidden"

    def __init__(self) -> None:
        super().__init__(
            "This study hides outcomes until it is closed (options.hide_outcomes). Close it first."
        )


class Reports:
    """Builder of documents that keeps the newest few, for the same data and settings.

    A large study's intervals take long, so simultaneous requests for a document share one build,
    and so do its page, JSON, tables and figures.
    """

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, Any]] = {}
        self._made_of: dict[str, str] = {}  # sha256 of data and settings -> sha256 of the document
        self._lock = Lock()
        self._making: dict[
            str, tuple[Lock, int]
        ] = {}  # sha256 of data and settings -> lock, number of waiting requests

    def of(
        self, store: Store, slug: str, options: Options, mark: str = ""
    ) -> tuple[str, dict[str, Any]]:
        """Return (sha256, document) of a study's current data.

        `mark`: sha256 of an earlier document to return instead, if it is still kept.
        Raises NoStudyError, HiddenError, ReportError.
        """
        with store.read() as db:
            study = studies.find(db, slug)
            if studies.hides_outcomes(study.spec, study.state):
                raise HiddenError
            kept = self._kept.get(mark)
            if kept is not None and kept["study"] == {"study": slug, "kind": study.kind}:
                return mark, kept
            tables, facts = of_study(db, study)
        state = state_of(tables, facts, options)
        with self._alone(state):
            sha = self._made_of.get(state, "")
            kept = self._kept.get(sha)
            return (sha, kept) if kept is not None else self._make(state, tables, facts, options)

    def keep(self, sha: str, made: dict[str, Any]) -> None:
        """Keep a document that a job made, so that its files come from it."""
        with self._lock:
            self._kept[sha] = made
            while len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]

    def forget(self) -> None:
        """Forget all documents, so that none of a deleted study is left."""
        with self._lock:
            self._kept.clear()
            self._made_of.clear()

    @contextmanager
    def _alone(self, state: str) -> Iterator[None]:
        """Let one request at a time build the document of a state; the others wait for it."""
        with self._lock:
            own, waiting = self._making.get(state, (Lock(), 0))
            self._making[state] = own, waiting + 1
        try:
            with own:
                yield
        finally:
            with self._lock:
                own, waiting = self._making.pop(state)
                if waiting > 1:
                    self._making[state] = own, waiting - 1

    def _make(
        self, state: str, tables: Tables, facts: Facts, options: Options
    ) -> tuple[str, dict[str, Any]]:
        made = document(tables, facts, options)
        sha = fingerprint(made)
        with self._lock:
            self._kept[sha] = made
            self._made_of[state] = sha
            while len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
            self._made_of = {one: of for one, of in self._made_of.items() if of in self._kept}
        return sha, made


def state_of(tables: Tables, facts: Facts, options: Options) -> str:
    """Return the sha256 of everything a document depends on, row by row."""
    sha = hashlib.sha256(json.dumps([facts, options.as_dict()]).encode())
    for name, rows in tables.items():
        sha.update(name.encode())
        for row in rows:
            sha.update(json.dumps(list(row.values())).encode())
    return sha.hexdigest()
