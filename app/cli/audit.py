"""hjstudy audit: check and export the log of researchers' actions and downloads."""

from typing import Annotated

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, explain, open_store, show

audit = typer.Typer(help="Check or print the log of researchers' actions.", no_args_is_help=True)


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(audit, name="audit")


@audit.command("verify")
def verify(*, json: AsJson = False) -> None:
    """Recompute the log's chain of digests. Exits with 1 if an entry was changed."""
    from app.study.people import audit as log

    with open_store() as store, store.read() as db, progress(json=json) as track:
        found = log.verify(db, track)
    if json:
        show({"entries": found.entries, "broken": found.broken, "tip": found.tip})
    elif found.broken:
        explain(f"Entry {found.broken} does not match the one before it: the log was changed.")
    else:
        explain(f"{found.entries} entries, none changed. The last digest: {found.tip or 'none'}")
    if found.broken:
        raise typer.Exit(1)


@audit.command("csv")
def print_csv(
    slug: Annotated[str, typer.Argument(help="the study; without one, the whole server")] = "",
    raw: Annotated[
        bool, typer.Option("--raw", help="texts as stored, which a spreadsheet may run")
    ] = False,
) -> None:
    """Print the log as CSV, newest first."""
    from app.study.people import audit as log

    with open_store() as store, store.read() as db:
        typer.echo(log.to_csv(db, slug or None, raw=raw), nl=False)
