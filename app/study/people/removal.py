"""Archive, restore and delete studies. Deleting needs an export of the data as they are now."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.errors import StudyError
from app.store import jobs, removal
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import designs, studies
from app.store.people import deletions
from app.study.design.change_log import log
from app.study.design.draft import Draft, load, lock

EXPORTED = "exported"
MOST_JOBS = 100_000
KEPT_APART = ("job", "id_hash")  # tables that hold nothing to export


class NotRemovableError(StudyError):
    """The study cannot be archived or deleted yet; the message says what to do first."""

    code = "study/not_removable"


@dataclass(frozen=True, slots=True)
class Standing:
    """What deleting a study would take away. `exported`: the data as they are now were exported."""

    found: Draft
    rows: dict[str, int]
    has_data: bool
    exported: bool
    exported_at: datetime | None
    excluded_by: tuple[str, ...]

    @property
    def may_go(self) -> bool:
        """Tell whether the study can be deleted, once its name is typed."""
        return self.found.state != "open" and (self.exported or not self.has_data)


def mark(rows: dict[str, int]) -> str:
    """Return the number of rows that participants, annotators and judges left, as one line."""
    return ", ".join(f"{name} {number}" for name, number in sorted(rows.items()))


def record_export(store: Store, slug: str, rows: dict[str, int], *, by: str, now: datetime) -> None:
    """Record that all data of a study were exported. `rows`: as `data_of` counted them before."""
    with store.write() as db:
        found = lock(db, slug)
        version = found.published.version if found.published else 0
        changes = [["data", "", mark(rows)]]
        log(db, found.study_id, EXPORTED, version, found.revision, changes, by, now)


def data_of(db: Connection, study_id: int) -> dict[str, int]:
    """Return the number of a study's rows by table, without its design."""
    rows = removal.counts(db, study_id)
    return {name: number for name, number in rows.items() if name not in KEPT_APART}


def count(store: Store, slug: str) -> dict[str, int]:
    """Return `data_of` a study, in its own read transaction."""
    with store.read() as db:
        return data_of(db, load(db, slug).study_id)


def standing(db: Connection, slug: str) -> Standing:
    """Return what deleting a study would take away, and whether that is possible."""
    found = load(db, slug)
    rows = data_of(db, found.study_id)
    last = next((e for e in designs.changes_of(db, found.study_id) if e.event == EXPORTED), None)
    same = last is not None and json.loads(last.changes)[0][2] == mark(rows)
    others = (load(db, one) for one in studies.all_slugs(db) if one != slug)
    return Standing(
        found=found,
        rows=rows,
        has_data=bool(rows),
        exported=same,
        exported_at=None if last is None else last.at,
        excluded_by=tuple(
            one.slug for one in others if slug in excluded(one.document.get("people"))
        ),
    )


def excluded(people: object) -> list[str]:
    """Return the studies whose people a draft turns away, as far as they can be read."""
    named = people.get("exclude_studies") if isinstance(people, dict) else None
    return [str(one) for one in named] if isinstance(named, (list, tuple)) else []


def jobs_of(store: Store, slug: str) -> Sequence[AnyRow]:
    """Return a study's jobs, whose files go with it."""
    with store.read() as db:
        return jobs.of_study(db, load(db, slug).study_id, MOST_JOBS)


def deletions_of(db: Connection) -> Sequence[AnyRow]:
    """Return the log of deleted studies, newest first."""
    return deletions.all_of(db)


def archive(store: Store, slug: str, *, by: str, now: datetime) -> None:
    """Archive a study that is not open: it leaves the list and accepts no one. Idempotent.

    Raises NoStudyError, NotRemovableError.
    """
    set_archived(store, slug, "archived", by=by, now=now)


def restore(store: Store, slug: str, *, by: str, now: datetime) -> None:
    """Put an archived study back on the list; it stays closed. Idempotent. Raises NoStudyError."""
    set_archived(store, slug, "restored", by=by, now=now)


def set_archived(store: Store, slug: str, event: str, *, by: str, now: datetime) -> None:
    """Archive or restore a study, and log it."""
    wanted = event == "archived"
    with store.write() as db:
        found = lock(db, slug)
        if found.is_archived == wanted:
            return
        if wanted and found.state == "open":
            raise NotRemovableError("This study is open. Close it to new players first.")
        studies.set_archived(db, found.study_id, now if wanted else None)
        version = found.published.version if found.published else 0
        log(db, found.study_id, event, version, found.revision, [], by, now)


def delete(store: Store, slug: str, typed: str, *, by: str, now: datetime) -> dict[str, int]:
    """Delete a study with all its data; return the number of rows by table.

    `typed`: the study's address, as the researcher typed it. One line stays in the log of
    deletions. Raises NoStudyError, NotRemovableError.
    """
    with store.write() as db:
        lock(db, slug)
        at = standing(db, slug)
        if at.found.state == "open":
            raise NotRemovableError("This study is open. Close it to new players first.")
        if not at.may_go:
            raise NotRemovableError(
                "Export the full data first: they have changed since the last full export."
                if at.exported_at
                else "Export the full data first."
            )
        if typed.strip() != slug:
            raise NotRemovableError(f"Type the study’s address, {slug}, to confirm.")
        gone = removal.remove(db, at.found.study_id)
        values = {"slug": slug, "kind": at.found.kind, "made_by": by, "at": now}
        deletions.log(db, {**values, "rows": json.dumps(gone)})
    return gone
