"""hjstudy round: rating rounds."""

from dataclasses import asdict
from typing import Annotated

import typer

from app.cli.common import BY, AsJson, explain, now, open_store, show

rounds = typer.Typer(help="Manage rating rounds.", no_args_is_help=True)


def add(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(rounds, name="round")


@rounds.callback()
def group() -> None:
    """Keep `round hand-over` a subcommand, although it is the only one."""


@rounds.command("hand-over")
def hand_over(
    slug: str,
    number: Annotated[int, typer.Argument(min=1, help="number of the round")],
    source: Annotated[str, typer.Option("--from", help="annotator who left")],
    target: Annotated[str, typer.Option("--to", help="annotator who gets the open items")],
    *,
    json: AsJson = False,
) -> None:
    """Give an annotator's open items to another one. No one gets an item twice."""
    from app.study.design import studies
    from app.study.rating import handover
    from app.study.tickets import new_ticket

    with open_store() as store:
        with store.read() as db:
            study = studies.find(db, slug)
        done = handover.hand_over(store, study.id, number, source, target, BY, new_ticket(), now())
    if json:
        show(asdict(done))
        return
    explain(
        f"{done.moved} open items go from {source} to {target}. {done.left} stay, because "
        f"{target} has or had them. {done.dropped} hidden repeats were dropped."
    )
