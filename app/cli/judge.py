"""hjstudy judge: let a model rate a study's explanations."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import model_calls as calling
from app.cli.common import AsJson, now, open_store, show
from app.cli.model_parameters import parameters_of

if TYPE_CHECKING:
    from app.study.design.studies import StudyView
    from app.study.models.runs import Wanted

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
        str,
        typer.Option(help="overall (one score) or criteria (four scores); default: the preset's"),
    ] = "",
    repeats: Annotated[
        int, typer.Option(min=1, max=20, help="scores per explanation; each repeat is a judge")
    ] = 1,
    items: Annotated[
        str, typer.Option(help="explanations to rate: all, players, models, sample:N or ids:ID,ID")
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
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="count calls and tokens; send nothing")
    ] = False,
    json: AsJson = False,
) -> None:
    """Rate the explanations of a study. Exits with 1 if any is left; see `model resume`."""
    from dataclasses import replace

    from app.agents.answering import RUBRICS, response_format
    from app.agents.presets import PRESETS
    from app.study.design import studies
    from app.study.models import judged_items, runs

    calling.one_of("--preset", preset, tuple(PRESETS))
    rubric = rubric or PRESETS[preset].rubric
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
        wanted = replace(wanted, repeats=repeats, items=items, tasks=of)
        if dry_run:
            runs.check(wanted)
            tell_estimate(store, wanted, found, json=json)
            return
        number = runs.create(store, found, wanted, now())
        calling.work(store, found, number, options, json=json)


def tell_estimate(store: Any, wanted: "Wanted", study: "StudyView", *, json: bool) -> None:
    """Print what a judge would ask."""
    from app.study.models.estimate import estimate_judge, imagined

    found = estimate_judge(store, imagined(study, wanted, now()))
    if json:
        show(found.to_dict())
        return
    typer.echo(
        f"{found.items:,} explanations, {found.repeats} each: {found.calls:,} calls, "
        f"{found.prompt_tokens:,} prompt tokens, at most {found.answer_tokens:,} answer tokens. "
        "Tokens of prompts are characters / 4."
    )
