"""What the commands share: JSON output, messages on stderr, the store, options."""

import codecs
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from app.errors import StudyError

if TYPE_CHECKING:
    from app.settings import Settings
    from app.store.db import Store
    from app.study.people.opening import Site

AsJson = Annotated[bool, typer.Option("--json", help="print one JSON document on stdout")]
Raw = Annotated[
    bool,
    typer.Option("--raw", help="do not escape text that a spreadsheet would run as a formula"),
]
BAD_ARGUMENTS = 2
BY = "command line"  # who did it, where a page would record an account
SECONDS = 60  # of a minute


class NotMigratedError(StudyError):
    """The database has no tables, or tables of another version."""

    code = "cli/not_migrated"


def show(document: Any) -> None:
    """Print one JSON document, escaped where the output's encoding lacks characters."""
    is_utf8 = codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"
    typer.echo(json.dumps(document, ensure_ascii=not is_utf8, indent=2))


def explain(text: str) -> None:
    """Print a message on stderr."""
    typer.echo(text, err=True)


def refuse(text: str) -> NoReturn:
    """Print what is wrong with the arguments and exit with 2."""
    explain(text)
    sys.exit(BAD_ARGUMENTS)


@contextmanager
def naming_files() -> Iterator[None]:
    """Turn the system's file errors into a message, and exit with 2."""
    try:
        yield
    except OSError as error:
        refuse(f"Cannot write {error.filename}: {error.strerror}.")


def repeatedly(minutes: int | None, action: Callable[[], None]) -> None:
    """Do something now, and again every given number of minutes until stopped; None = once."""
    action()
    while minutes is not None:
        time.sleep(minutes * SECONDS)
        action()


def now() -> datetime:
    """Return the current time: aware, UTC."""
    return datetime.now(UTC)


def shown_url(url: str) -> str:
    """Return a database's address as people may see it: without a password."""
    from sqlalchemy import make_url

    return make_url(url).render_as_string(hide_password=True)


@contextmanager
def open_store(settings: "Settings | None" = None, study: str = "") -> "Iterator[Store]":
    """Open the settings' database, which must have the newest tables, and record the command.

    `study`: whose file the command was given, for the audit log.
    """
    from app import logs
    from app.cli import recording
    from app.settings import load_settings
    from app.store import migrate
    from app.store.db import Store

    settings = settings or load_settings()
    logs.set_up(settings)
    if not migrate.is_current(settings.database_url):
        place = shown_url(settings.database_url)
        raise NotMigratedError(
            f"The database {place} is missing or does not have the newest tables. If this is the "
            "right database, run `hjstudy migrate`. If not, change to the folder that contains "
            "its data folder, or set HJSTUDY_DATA_DIR."
        )
    store = Store(
        settings.database_url,
        write_timeout_s=settings.write_timeout_s,
        threads=settings.threads,
        id_key_path=settings.id_key_path,
        signing_key_path=settings.signing_key_path,
    )
    try:
        recording.record(store, study)
        yield store
    finally:
        store.dispose()


def site() -> "Site":
    """Return what the checklist needs to know of this server's settings."""
    from app.settings import load_settings
    from app.study.people.opening import Site

    own = load_settings()
    return Site(own.base_url, own.htmx_source == "local")
