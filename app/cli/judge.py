"""hjstudy judge: let a model rate a study's explanations."""

from typing import Annotated

import typer

from app.cli import model_calls as calling
from app.cli.common import AsJson, now, open_store
from app.cli.model_parameters import parameters_of

judge = typer.Typer(help="Let models rate explanations.", no_args_is_help=True)


def add(app: typer.Typer) -> None:
    """Add the command."""
    app.add_typer(judge, name="judge")


@judge.callback()
def judges() -> None:
    """Let models rate explanations."""


@judge.command("run")
def run_judge(
    study: Annotated[str, typer.Option(help="slug of the study")],
    model: calling.Model,
    rubric: Annotated[
        str, typer.Option(help="overall (one score) or criteria (four scores)")
    ] = "overall",
    repeats: Annotated[
        int, typer.Option(min=1, max=20, help="scores per explanation; each repeat is a judge")
    ] = 1,
    items: Annotated[
        str, typer.Option(help="explanations to rate: all, players, models or sample:N")
    ] = "all",
    tasks: Annotated[str, typer.Option(help="such as A-Add,P-Comp; default: all")] = "",
    preset: calling.Preset = "paper",
    label: calling.Label = "",
    base_url: calling.BaseUrl = "",
    key_file: calling.KeyFile = None,
    temperature: calling.Temperature = None,
    top_p: calling.TopP = None,
    parameter: calling.Parameter = None,
    tokens_name: calling.TokensName = "max_tokens",
    concurrency: calling.Concurrency = 8,
    timeout: calling.Timeout = 180,
    attempts: calling.Attempts = 6,
    max_calls: calling.MaxCalls = None,
    max_tokens: calling.MaxTokens = None,
    max_cost: calling.MaxCost = None,
    prices: calling.Prices = None,
    *,
    schema: Annotated[
        bool, typer.Option("--schema", help="send the answer's JSON schema; not all servers can")
    ] = False,
    json: AsJson = False,
) -> None:
    """Rate the explanations of a study. Exits with 1 if any is left; see `model resume`."""
    from dataclasses import replace

    from app.agents.answering import RUBRICS, response_format
    from app.study.design import studies
    from app.study.models import judged_items, runs

    calling.one_of("--rubric", rubric, RUBRICS)
    options = calling.Options(
        base_url, key_file, concurrency, timeout, attempts, max_calls, max_tokens, max_cost
    )
    with open_store() as store:
        with store.read() as db:
            found = studies.find(db, study)
            of = tuple(name.strip() for name in tasks.split(",") if name.strip())
            judged_items.check(db, found, items, of)
        sent = parameters_of(preset, model, temperature, top_p, parameter, judges=True)
        if schema:
            sent.setdefault("response_format", response_format(rubric))
        wanted = calling.wanted_of(
            "judge",
            (model, rubric, preset, label),
            options,
            sent,
            prices,
            tokens_name,
        )
        number = runs.create(
            store, found, replace(wanted, repeats=repeats, items=items, tasks=of), now()
        )
        calling.work(store, found, number, options, json=json)
