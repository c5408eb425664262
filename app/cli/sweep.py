"""hjstudy sweep: apply the time limits, once or repeatedly."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, explain, now, open_store, repeatedly, show

if TYPE_CHECKING:
    from app.store.db import Store

Every = Annotated[
    int | None, typer.Option(min=1, max=1440, help="repeat after this many minutes, until stopped")
]

WAITS = (
    "This machine has just booted, or its clock has jumped. Nothing is ended or deleted until a "
    "sweep at least ten minutes later confirms the time."
)


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sweep")(sweep)


def sweep(*, every: Every = None, json: AsJson = False) -> None:
    """Time out participants, free expired seats, and delete platform IDs and files that are due."""
    with open_store() as store:
        repeatedly(every, lambda: tell(sweep_once(store, json=json), json=json))


def sweep_once(store: "Store", *, json: bool) -> dict[str, int]:
    """Do what is due now; return the counts."""
    from app.settings import load_settings
    from app.study import jobs, second_look
    from app.study.design.library import Library
    from app.study.people import identifiers, wiping
    from app.study.play import seats

    at = now()
    if not second_look.passed(store):
        explain(WAITS)
    with progress(json=json) as track:
        counted = seats.sweep(store, at, track)
        deleted = identifiers.sweep(store, Library(), at, track)
    compacted = wiping.sweep(store, at, again=deleted > 0)
    files = jobs.tidy(store, Path(load_settings().data_dir) / jobs.FOLDER, at)
    return {
        **counted,
        "identifiers_deleted": deleted,
        "files_deleted": files,
        "compacted": compacted,
    }


def tell(counted: dict[str, int], *, json: bool) -> None:
    """Print what was done."""
    if json:
        show(counted)
        return
    explain(
        f"Studies swept: {counted['studies']}. Timed out: {counted['timed_out']}. Seats freed: "
        f"{counted['released']}. Platform IDs deleted: {counted['identifiers_deleted']}. "
        f"Files of jobs deleted: {counted['files_deleted']}."
        f"{' Erased data were removed from the files.' if counted['compacted'] else ''}"
    )
