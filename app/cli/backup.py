"""hjstudy backup and restore: copies of the whole database."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.bar import step
from app.cli.common import explain, now, open_store, repeatedly

if TYPE_CHECKING:
    from app.store.retention import Part


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("backup")(backup)
    app.command("restore")(restore)


def backup(
    to: Annotated[Path, typer.Option("--to", help="folder to write to")],
    keep: Annotated[
        str | None,
        typer.Option(
            help="delete older backups there: a number of newest to keep, or a rule such as "
            "'daily=7 weekly=4'",
        ),
    ] = None,
    encrypt_to: Annotated[
        list[str] | None,
        typer.Option(help="encrypt for this public key of age or SSH; can be given repeatedly"),
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(min=1, max=10080, help="repeat after this many minutes, until stopped"),
    ] = None,
) -> None:
    """Back up the database while the server runs. Print the file's name."""
    from app.store import retention

    rule = None if keep is None else retention.read(keep)
    record_copy()
    repeatedly(every, lambda: back_up(to, rule, encrypt_to or []))


def back_up(folder: Path, rule: "tuple[Part, ...] | None", encrypt_to: list[str]) -> None:
    """Make one backup and delete old ones."""
    from app.settings import load_settings
    from app.store import backup as backups

    with step("Copying the database"):
        made = backups.make(load_settings().database_url, folder, now(), encrypt_to)
    typer.echo(made)
    for old in backups.tidy(made, rule) if rule is not None else ():
        explain(f"Deleted {old}.")


def record_copy() -> None:
    """Record the command, unless the tables are older or the database is busy: a backup goes on."""
    from app.errors import BusyError
    from app.settings import load_settings
    from app.store import migrate

    if not migrate.is_current(load_settings().database_url):
        return
    try:
        with open_store():
            pass
    except BusyError:
        explain("This command is not in the audit log: the database is busy.")


def restore(
    file: Annotated[Path, typer.Argument(help="a file that `hjstudy backup` made")],
    identity: Annotated[
        Path | None, typer.Option(help="file with the secret key of an encrypted backup")
    ] = None,
) -> None:
    """Restore a backup into a database that does not exist yet or is empty."""
    from app.settings import load_settings
    from app.store import backup as backups
    from app.store import migrate

    url = load_settings().database_url
    with step("Restoring the database"):
        backups.restore(url, file, identity)
    record_copy()
    first = "" if migrate.is_current(url) else "`hjstudy migrate`, "
    explain(
        f"Restored {file}. Now run {first}`hjstudy sweep` (deletion dates may have passed) and "
        "`hjstudy verify`, then start the server."
    )
