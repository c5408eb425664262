"""The `hjstudy` command. One file per noun; every fact can be had as one JSON document."""

import sys
from importlib import import_module

import typer

from app.cli.common import explain
from app.errors import HjstudyError

app = typer.Typer(
    name="hjstudy",
    help="Human studies on Hero's Journey, a text game of hidden rules.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # errors as plain sentences: people paste them into reports
)
# each module adds its commands to `app` by a function `add(app)`
MODULES = (
    *("server", "variant", "play", "study", "user", "verify", "export", "simulate"),
    *("sweep", "alpha", "report"),
)

for name in MODULES:
    import_module(f"app.cli.{name}").add(app)


def main() -> None:
    """Run the command line: 0 done, 1 the check failed, 2 bad arguments (said in a sentence)."""
    try:
        app()
    except HjstudyError as error:
        explain(error.message)
        sys.exit(2)
