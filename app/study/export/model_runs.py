"""Replay models' runs for `verify`."""

from app.store.db import Store
from app.store.models import runs as run_rows
from app.study.export.records import Wrong
from app.study.models import proof, runs


def replay(store: Store, study_id: int | None) -> tuple[int, list[Wrong]]:
    """Feed the stored answers of all runs of models into their methods again.

    Returns the number of units, and the first difference of each unit that differs.
    """
    with store.read() as db:
        found = [runs.run_of(db, row) for row in run_rows.every(db, study_id)]
    number, wrong = 0, list[Wrong]()
    for run in found:
        report = proof.verify(store, run)
        number += report.units
        for one in report.differences:
            place = f"run {run.number}, {one.unit}"
            wrong.append(Wrong(run.label, place, one.field, one.stored, one.expected))
    return number, wrong
