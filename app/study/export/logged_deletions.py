"""What the logs say was deleted since a manifest was signed: those rows are missing rightly.

Whoever can write to the database can also add a line to a log, so a report names each deletion.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.store import anchor_rows
from app.store.base import AnyRow
from app.store.design import designs, studies
from app.store.people import deletions
from app.study.design import gone_rows
from app.study.times import moment

DELETABLE = {  # tables whose rows researchers can delete, with a line in the log of changes
    *("judge_run", "judge_score", "rating_item", "sample", "sample_item"),
    "model_result",
}


def of_study(db: Connection, document: dict[str, Any]) -> AnyRow | None:
    """Return the line of the log that says that a manifest's study was deleted since, or None.

    A later study may have the same address.
    """
    made, slug = datetime.fromisoformat(document["made_at"]), document["study"]
    found = studies.by_slug(db, slug)
    lines = (one for one in deletions.all_of(db) if one.slug == slug and one.at >= made)
    return next((one for one in lines if found is None or found.created_at >= one.at), None)


def since(db: Connection, study_id: int, listed: Mapping[str, Any]) -> Iterator[AnyRow]:
    """Yield the lines of a study's log of changes that a manifest does not list, oldest first."""
    known = listed.get("study_change", {})
    for row in reversed(designs.changes_of(db, study_id)):
        if str(row.id) not in known:
            yield row


def keys(db: Connection, study_id: int, listed: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return table -> keys of the rows that the log says were deleted since."""
    found: dict[str, set[str]] = {name: set() for name in DELETABLE}
    for row in since(db, study_id, listed):
        for name, some in gone_rows.named(row).items():
            if name in DELETABLE:
                found[name] |= some
    return found


def in_words(db: Connection, document: dict[str, Any]) -> Iterator[str]:
    """Yield each logged deletion of rows that a manifest lists: what, how many rows, who, when."""
    if (line := of_study(db, document)) is not None:
        yield f"the study {line.slug}, by {line.made_by} at {moment(line.at)}"
        return
    study, rows = studies.by_slug(db, document["study"]), document["rows"]
    if study is None:
        return
    for row in since(db, study.id, rows):
        gone = gone_rows.named(row)
        number = sum(len(gone.get(name, set()) & set(rows.get(name, ()))) for name in DELETABLE)
        if number:
            place = f"row {row.id} of the log of changes"
            what = f"{number} rows ({gone_rows.what(row)})"
            yield f"{what}, by {row.made_by} at {moment(row.at)}, {place}"
    for person in anchor_rows.erased_people(db, study.id):
        owned = (digest for some in rows.values() for digest in some.values())
        number = sum(person.id in digest[1:] for digest in owned)
        if number:
            yield f"{number} rows of {person.public_id}, erased at {moment(person.erased_at)}"
