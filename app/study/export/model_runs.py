"""Replay models' runs for `verify`."""

from app.errors import GameError, StudyError
from app.store.db import Store
from app.store.models import runs as run_rows
from app.study.export.records import Wrong
from app.study.models import proof, runs

# What altered settings of a run can lead to: its row is wrong, and the other runs go on.
UNREADABLE = (GameError, StudyError, LookupError, TypeError, ValueError, AttributeError)


def replay(store: Store, study_id: int | None) -> tuple[int, list[Wrong]]:
    """Feed the stored answers of all runs of models into their methods again.

    Returns the number of units, and the first difference of each unit that differs.
    """
    with store.read() as db:
        rows = run_rows.every(db, study_id)
    number, wrong = 0, list[Wrong]()
    for row in rows:
        try:
            with store.read() as db:
                run = runs.run_of(db, row)
            report = proof.verify(store, run)
        except UNREADABLE as error:
            reason = f"{type(error).__name__}: {error}"
            wrong.append(Wrong(row.label, f"run {row.number}", "unreadable", reason, "a run"))
            continue
        number += report.units
        for one in report.differences:
            place = f"run {run.number}, {one.unit}"
            wrong.append(Wrong(run.label, place, one.field, one.stored, one.expected))
    return number, wrong
