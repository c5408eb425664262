"""Wrong imports are deleted, with a line in the study's log, and can then be imported again."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.db import Store
from app.store.design import studies
from app.store.rating import items, judges, undo
from app.store.rating.undo import Gone
from app.study.design import change_log, gone_rows
from app.study.design.studies import StudyView
from app.study.tickets import once


class NoImportError(StudyError):
    """There is no such judge or source in this study."""

    code = "import/none"

    def __init__(self) -> None:
        super().__init__("This study has no such import. Reload the page to see what is stored.")


def log_deleted(
    db: Connection, study: StudyView, what: str, gone: Gone, by: str, now: datetime
) -> None:
    """Add a line to the study's log: what was deleted, how much, and which rows.

    `gone`: table -> keys of the rows; the first table is what was asked for.
    """
    number = len(next(iter(gone.values())))
    changes = [(what, str(number), "deleted"), *gone_rows.lines(gone)]
    change_log.log(db, study.id, "changed", study.version, study.revision, changes, by, now)


def delete_judge(
    store: Store, study: StudyView, number: int, by: str, ticket: str, now: datetime
) -> int:
    """Delete a judge's scores, once; return their number. Raises NoImportError.

    The judge itself stays, without scores, if a sample was drawn from its levels. `number`: of the
    judge run.
    """
    with store.write() as db:
        studies.lock(db, study.id)

        def do() -> dict[str, Any]:
            runs = judges.runs(db, study.id)
            run = next((one for one in runs if one.number == number), None)
            if run is None:
                raise NoImportError
            name = judges.labels(runs)[run.id]
            gone = undo.delete_scores(db, run.id)
            log_deleted(db, study, f"scores of the judge {name}", gone, by, now)
            return {"deleted": len(gone["judge_score"])}

        return int(once(db, ticket, f"account/{by}", now, do)["deleted"])


def delete_source(
    store: Store, study: StudyView, source: str, by: str, ticket: str, now: datetime
) -> tuple[int, int]:
    """Delete a model's items that are in no round, once; return (deleted, kept).

    Raises NoImportError.
    """
    with store.write() as db:
        studies.lock(db, study.id)

        def do() -> dict[str, Any]:
            if source == items.PLAYERS:
                raise NoImportError
            gone, kept = undo.delete_items(db, study.id, source)
            deleted = len(gone[items.item.name])
            if not deleted and not kept:
                raise NoImportError
            log_deleted(db, study, f"items of {source}", gone, by, now)
            return {"deleted": deleted, "kept": kept}

        done = once(db, ticket, f"account/{by}", now, do)
        return int(done["deleted"]), int(done["kept"])
