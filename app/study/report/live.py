"""The report of a study that runs or ran: the same document, made from the database's tables."""

from threading import Lock
from typing import Any

from app.errors import StudyError
from app.store.db import Store
from app.study import studies
from app.study.report.document import document, fingerprint
from app.study.report.options import Options
from app.study.report.tables import Facts, Tables, of_study
from app.study.studies import StudyView

KEPT = 8  # documents


class HiddenError(StudyError):
    """The study's outcomes are hidden until it is closed."""

    code = "report/hidden"

    def __init__(self) -> None:
        super().__init__(
            "This study hides outcomes until it is closed (options.hide_outcomes): close it first."
        )


def is_hidden(study: StudyView) -> bool:
    """Tell whether scores may not be shown yet."""
    return study.spec.options.hide_outcomes and study.state != "closed"


class Reports:
    """Makes documents, and keeps the newest few, so that their figures need not be made anew."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, Any]] = {}
        self._lock = Lock()

    def of(
        self, store: Store, slug: str, options: Options, mark: str = ""
    ) -> tuple[str, dict[str, Any]]:
        """Return (sha256, document) of a study's data as they are now.

        `mark`: sha256 of a document that is wanted just as it was, if it is still kept.
        Raises NoStudyError, HiddenError, ReportError.
        """
        with store.read() as db:
            study = studies.find(db, slug)
            if is_hidden(study):
                raise HiddenError
            kept = self._kept.get(mark)
            if kept is not None and kept["study"] == {"study": slug, "kind": study.kind}:
                return mark, kept
            tables, facts = of_study(db, study)
        return self._make(tables, facts, options)

    def _make(self, tables: Tables, facts: Facts, options: Options) -> tuple[str, dict[str, Any]]:
        made = document(tables, facts, options)
        sha = fingerprint(made)
        with self._lock:
            self._kept[sha] = made
            while len(self._kept) > KEPT:
                del self._kept[next(iter(self._kept))]
        return sha, made
