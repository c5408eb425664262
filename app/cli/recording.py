"""The audit log of commands: which are recorded, as whose, and with what.

Everything that changes a study or an account, or hands out data, is recorded before it happens,
like a request on a page; a test lists the commands that are not, and why. On a database that takes
no writes, such as a replica, a command says that it is not recorded, and goes on: it can only read.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from functools import wraps
from typing import TYPE_CHECKING, Any

import typer

from app.errors import UnavailableError

if TYPE_CHECKING:
    from app.store.db import Store

RECORDED = frozenset(
    {
        *("demo", "simulate", "backup", "restore"),
        *("export", "manifest", "payments", "bonuses-sent", "audit csv"),
        *(f"study {one}" for one in ("create", "update", "open", "close", "file", "link")),
        *(f"user {one}" for one in ("add", "admin", "one-factor")),
        *("member put", "member remove"),
        *("model run", "model resume", "model key add", "model key revoke", "judge run"),
        *(f"round {one}" for one in ("sample", "create", "open", "close", "hand-over")),
        "round agreement",
    }
)
# Arguments that say what was done, as on pages; never texts, IDs, files, addresses or secrets.
CHOICES = (
    *("name", "role", "revoke", "number", "flavour", "shareable", "include_test", "times"),
    *("include_practice", "with_prompts", "bonus", "raw", "test", "dry_run", "anyway"),
)
LONGEST, SHORT = 64, 64  # characters of a name in the log, and of one choice
running: ContextVar[tuple[str, Mapping[str, Any]] | None] = ContextVar("running", default=None)


def commands_of(app: typer.Typer, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every command with its name after `hjstudy`."""
    for one in app.registered_commands:
        yield f"{before}{one.name}", one
    for group in app.registered_groups:
        if group.typer_instance is not None:
            yield from commands_of(group.typer_instance, f"{before}{group.name} ")


def follow(app: typer.Typer) -> None:
    """Let the recorded commands remember what they were asked, until `record` is called."""
    for name, one in commands_of(app):
        if name in RECORDED:
            one.callback = remembering(name, one.callback)


def remembering(name: str, command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that remembers its name and its arguments."""

    @wraps(command)
    def remembered(**given: Any) -> None:
        token = running.set((name, given))
        try:
            command(**given)
        finally:
            running.reset(token)

    return remembered


def record(store: "Store", study: str = "") -> None:
    """Append the command that is running to the audit log, once.

    `study`: whose file the command was given. Raises BusyError.
    """
    from app.cli.common import explain, now
    from app.study.people import audit

    asked = running.get()
    if asked is None:
        return
    running.set(None)
    name, given = asked
    slug = str(study or given.get("study") or given.get("slug") or "")
    about = " ".join(f"{key}={clean(given[key])}" for key in CHOICES if given.get(key))
    action = audit.Action(audit.TERMINAL, who(), f"hjstudy {name}", clean(slug), about)
    try:
        audit.record(store, action, now())
    except UnavailableError as error:
        explain(
            f"This command is not in the audit log: the database takes no writes ({error.reason})."
        )


def clean(value: object) -> str:
    """Return a choice as it is shown in the log."""
    text = str(value)[:SHORT]
    return text if text.isprintable() else "?"


def who() -> str:
    """Return the operating system's user, and who became that user with sudo."""
    import pwd

    own = f"user {os.getuid()}"
    with suppress(KeyError):  # a container may run as a user without a name
        own = pwd.getpwuid(os.getuid()).pw_name
    before = os.environ.get("SUDO_USER", "")
    return clean(f"terminal: {own}{f' (sudo: {before})' if before else ''}")[:LONGEST]
