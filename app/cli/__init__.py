"""The `hjstudy` command. One file per noun; most commands can print one JSON document.

The modules here hold signatures and words. A command imports what it works with (the server, the
database, NumPy) when it runs, so that `hjstudy --help` and shell completion answer at once.
"""

import io
import sys
from importlib import import_module
from typing import Annotated

import typer

from app.cli import recording
from app.cli.common import explain
from app.errors import HjstudyError

app = typer.Typer(
    name="hjstudy",
    help="Human studies on Hero's Journey, a text game of hidden rules.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # errors as plain sentences: people paste them into reports
)
# each module's function `add(app)` adds its commands to `app`
MODULES = (
    *(
        "server",
        "variant",
        "play",
        "study",
        "user",
        "member",
        "audit",
        "verify",
        "export",
        "payments",
        "simulate",
    ),
    *("sweep", "backup", "doctor", "alpha", "report", "plan", "model", "judge", "round"),
    "example",
)

for name in MODULES:
    import_module(f"app.cli.{name}").add(app)
recording.follow(app)


def print_version(wanted: bool) -> None:
    """Print the versions and exit."""
    if wanted:
        from app.cli.version import line

        typer.echo(line())
        raise typer.Exit


@app.callback()
def root(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=print_version,
            is_eager=True,
            help="Show the versions of hjstudy and of the game's engine, and the git commit.",
        ),
    ] = False,
) -> None:
    """Read the options before the command."""
    del version


def print_anywhere() -> None:
    """Escape characters that the terminal's encoding lacks, instead of failing at them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 the check failed, 2 bad arguments."""
    print_anywhere()
    try:
        app(prog_name="hjstudy")  # also as python -m app.cli
    except HjstudyError as error:
        explain(error.for_commands or error.message)
        sys.exit(2)
