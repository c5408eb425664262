"""hjstudy plan: what a study's design would give, simulated before it opens."""

from typing import Annotated

import typer

from app.cli.bar import progress
from app.cli.common import AsJson, explain, open_store
from app.cli.common import show as show_json
from app.study.report import plan_words


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plan", epilog=f"Words of the result:\n\n{plan_words.everything()}")(plan)


def plan(
    study: Annotated[str, typer.Argument(help="slug of a study, which may still be a draft")],
    people: Annotated[
        str | None,
        typer.Option(
            "--people",
            help="people who arrive; by default enough to fill the study, 60 without quotas",
            show_default=False,
        ),
    ] = None,
    skill: Annotated[
        str, typer.Option("--skill", help="mean chance of winning an episode, or a bot's name")
    ] = "0.6",
    spread: Annotated[
        str, typer.Option("--spread", help="standard deviation of the skill between people")
    ] = "0.2",
    norm_eff: Annotated[str, typer.Option("--norm-eff", help="mean norm_eff of a win")] = "0.9",
    dropout: Annotated[
        str, typer.Option("--dropout", help="chance of leaving in each world")
    ] = "0.05",
    nonce: Annotated[
        str, typer.Option("--nonce", help="added to the skill with nonce words")
    ] = "-0.1",
    direct: Annotated[
        str, typer.Option("--direct", help="added to the skill in the direct format")
    ] = "0.1",
    eff_spread: Annotated[
        str, typer.Option("--eff-spread", help="standard deviation of norm_eff between wins")
    ] = "0.1",
    rv: Annotated[
        str, typer.Option("--rv", help="chance that a rule is right; '' for no RV")
    ] = "0.6",
    model: Annotated[
        str, typer.Option("--model", help="score of a model to compare people with")
    ] = "",
    simulated: Annotated[str, typer.Option("--simulated", help="studies to simulate")] = "200",
    seed: Annotated[str, typer.Option("--seed", help="seed of the simulation")] = "1",
    *,
    json: AsJson = False,
) -> None:
    """Simulate a study: filling, dropout, spreads, widths of intervals, power, money and hours."""
    from app.study.design import publishing
    from app.study.report import whatif

    typed = {
        "skill": skill,
        "spread": spread,
        "norm_eff": norm_eff,
        "dropout": dropout,
        "nonce": nonce,
        "direct": direct,
        "eff_spread": eff_spread,
        "rv": rv,
        "model": model,
        "simulated": simulated,
        "seed": seed,
    }
    if people is not None:
        typed["people"] = people
    with open_store() as store, store.read() as db, progress(json=json) as track:
        found = whatif.plan(db, publishing.planned(db, study), typed, track)
    if json:
        show_json(found)
        return
    lines = [*whatif.lines(found)]
    for line in lines:
        typer.echo(line)
    for line in plan_words.explained(lines):
        explain(line)
    given = ", ".join(f"{name} {value}" for name, value in found["assumed"].items())
    explain(f"A plan is only as good as its assumptions: {given}.")
