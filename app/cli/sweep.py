"""hjstudy sweep: what the clocks ask for, once; to be run every few minutes by a timer."""

import typer

from app.cli.common import AsJson, explain, now, open_store, show
from app.study import identifiers, seats
from app.study.library import Library


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sweep")(sweep)


def sweep(*, json: AsJson = False) -> None:
    """End people whose time is over, free stale seats, delete platform ids that are due."""
    with open_store() as store:
        at = now()
        counted = {
            **seats.sweep(store, at),
            "identifiers_deleted": identifiers.sweep(store, Library(), at),
        }
    if json:
        show(counted)
        return
    explain(
        f"Studies swept: {counted['studies']}. Timed out: {counted['timed_out']}. Seats freed: "
        f"{counted['released']}. Platform ids deleted: {counted['identifiers_deleted']}."
    )
