"""hjstudy backup and restore: copies of the whole database."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import explain, now, repeatedly


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("backup")(backup)
    app.command("restore")(restore)


def backup(
    to: Annotated[Path, typer.Option("--to", help="folder to write to")],
    keep: Annotated[
        int | None, typer.Option(min=1, help="delete all but this number of newest backups there")
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(min=1, max=10080, help="repeat after this many minutes, until stopped"),
    ] = None,
) -> None:
    """Back up the database while the server runs. Print the file's name."""
    repeatedly(every, lambda: back_up(to, keep))


def back_up(folder: Path, keep: int | None) -> None:
    """Make one backup and delete old ones."""
    from app.settings import load_settings
    from app.store import backup as backups

    typer.echo(backups.make(load_settings().database_url, folder, now()))
    for old in backups.tidy(folder, keep) if keep is not None else ():
        explain(f"Deleted {old}.")


def restore(
    file: Annotated[Path, typer.Argument(help="a file that `hjstudy backup` made")],
) -> None:
    """Restore a backup into a database that does not exist yet or is empty."""
    from app.settings import load_settings
    from app.store import backup as backups
    from app.store import migrate

    url = load_settings().database_url
    backups.restore(url, file)
    first = "" if migrate.is_current(url) else "`hjstudy migrate`, "
    explain(
        f"Restored {file}. Now run {first}`hjstudy sweep` (deletion dates may have passed) and "
        "`hjstudy verify`, then start the server."
    )
