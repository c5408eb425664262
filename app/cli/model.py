"""hjstudy model: let models play what people play; resume, list and verify their runs."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli import model_calls as calling
from app.cli import model_key, model_mcp, model_parity
from app.cli.bar import progress
from app.cli.common import AsJson, explain, now, open_store, refuse, show
from app.cli.model_parameters import parameters_of

if TYPE_CHECKING:
    from app.study.design.studies import StudyView
    from app.study.models.proof import Report
    from app.study.models.runs import Run, Wanted

model = typer.Typer(help="Let models play a study's variants.", no_args_is_help=True)

Study = Annotated[str, typer.Option(help="slug of the study")]
Number = Annotated[int, typer.Option("--run", min=1, help="number of the run")]


def add(app: typer.Typer) -> None:
    """Add the commands."""
    model_parity.add(model)
    model_key.add(model)
    model_mcp.add(model)
    app.add_typer(model, name="model")


@model.command("run")
def run_model(
    study: Study,
    model: calling.Model,
    method: Annotated[
        str, typer.Option(help="plain, react, hr, idea, ace, or direct (answer once)")
    ] = "plain",
    preset: calling.Preset = "paper",
    tasks: Annotated[str, typer.Option(help="such as A-Add,P-Comp; default: all")] = "",
    seeds: Annotated[str, typer.Option(help="such as 0-19; default: all")] = "",
    explanations: Annotated[
        str, typer.Option(help="demonstrations, played or none; default: as the preset says")
    ] = "",
    playbook: Annotated[
        str, typer.Option(help="variants ACE learns from: other or same; default: the preset's")
    ] = "",
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
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="count calls and tokens; send nothing")
    ] = False,
    json: AsJson = False,
) -> None:
    """Let a model play a study. Exits with 1 if anything is left to do; see `model resume`."""
    from app.study.design import studies
    from app.study.models import runs

    options = calling.Options(
        base_url, key_file, concurrency, timeout, attempts, max_calls, max_tokens, max_cost
    )
    with open_store() as store:
        with store.read() as db:
            found = studies.find(db, study)
        wanted = calling.wanted_of(
            "play",
            (model, method, preset, label),
            options,
            parameters_of(preset, model, temperature, top_p, parameter),
            prices,
            tokens_name,
        )
        wanted = with_cells(found, wanted, tasks, seeds, explanations, playbook)
        if dry_run:
            runs.check(wanted)
            tell_estimate(store, wanted, found, json=json)
            return
        number = runs.create(store, found, wanted, now())
        calling.work(store, found, number, options, json=json)


def with_cells(
    study: "StudyView", wanted: "Wanted", tasks: str, seeds: str, explains: str, playbook: str
) -> "Wanted":
    """Return what is wanted with its cells, and the preset's choices where none is given."""
    from dataclasses import replace

    from app.agents.playing import METHODS
    from app.agents.presets import PRESETS
    from app.study.design.seeds import parse_seeds
    from app.study.models import runs
    from app.study.models.cells import DIRECT, choose, unlike_preset

    calling.one_of("--method", wanted.method, (*METHODS, DIRECT))
    preset = PRESETS[wanted.preset]
    explains, playbook = explains or preset.explains, playbook or preset.playbook_from
    calling.one_of("--explanations", explains, runs.EXPLAINS)
    calling.one_of("--playbook", playbook, runs.PLAYBOOKS)
    try:
        chosen = parse_seeds(seeds) if seeds else ()
    except ValueError as error:
        refuse(f"--seeds: {error}.")
    named = [name.strip() for name in tasks.split(",") if name.strip()]
    if tasks and not named:
        refuse("--tasks: name at least one task.")
    cells = choose(study, named, chosen, direct=wanted.method == DIRECT)
    if line := unlike_preset(study, cells, wanted.preset):
        explain(line)
    return replace(wanted, cells=cells, explains=explains, playbook=playbook)


def tell_estimate(store: Any, wanted: "Wanted", study: "StudyView", *, json: bool) -> None:
    """Print what a run would ask."""
    from app.study.models.estimate import estimate, imagined

    found = estimate(store, imagined(study, wanted, now()))
    if json:
        show(found.to_dict())
        return
    typer.echo(f"{found.episodes} episodes.")
    for words, one in (
        ("if each is won at once", found.least),
        ("if none is won", found.lost),
        ("at the very most", found.most),
    ):
        typer.echo(
            f"{one.calls:,} calls {words}: {one.prompt_tokens:,} prompt tokens, "
            f"{one.answer_tokens:,} answer tokens."
        )
    typer.echo(
        "Tokens are characters / 4. The last line is far above what is usual: all that the rules "
        "allow, such as unreadable answers before every action, and answers and lines as long as "
        "they may be."
    )


@model.command("resume")
def resume(
    study: Study,
    number: Number,
    base_url: calling.BaseUrl = "",
    key_file: calling.KeyFile = None,
    concurrency: calling.Concurrency = 8,
    timeout: calling.Timeout = 180,
    attempts: calling.Attempts = 6,
    max_calls: calling.MaxCalls = None,
    max_tokens: calling.MaxTokens = None,
    max_cost: calling.MaxCost = None,
    *,
    json: AsJson = False,
) -> None:
    """Continue a run of a player or a judge. Asks only what has no answer yet."""
    from app.study.design import studies

    options = calling.Options(
        base_url, key_file, concurrency, timeout, attempts, max_calls, max_tokens, max_cost
    )
    with open_store() as store:
        with store.read() as db:
            found = studies.find(db, study)
        calling.work(store, found, number, options, json=json)


@model.command("list")
def list_runs(study: Study, *, json: AsJson = False) -> None:
    """List a study's runs, with calls, tokens and cost."""
    from app.study.design import studies
    from app.study.models import runs

    with open_store() as store, store.read() as db:
        found = runs.listed(db, studies.find(db, study).id)
    facts = [calling.facts_of(one) for one in found]
    if json:
        show({"runs": facts})
        return
    for one in facts:
        typer.echo(
            f"{one['run']:4}  {one['kind']:5} {one['state']:8} {one['label']}: "
            f"{one['calls']:,} calls, {one['prompt_tokens']:,} + {one['completion_tokens']:,} "
            f"tokens{calling.in_money(one)}"
        )


@model.command("verify")
def verify(study: Study, number: Number, *, json: AsJson = False) -> None:
    """Feed a run's stored answers into its method again. Exits with 1 if anything differs."""
    from app.study.design import studies
    from app.study.models import proof, runs

    with open_store() as store, progress(json=json) as track:
        with store.read() as db:
            run = runs.find(db, studies.find(db, study), number)
        report = proof.verify(store, run, track)
    if json:
        show(report.to_dict())
    else:
        typer.echo(in_words(run, report))
    if not report.ok:
        raise typer.Exit(1)


def in_words(run: "Run", report: "Report") -> str:
    """Return a report in sentences."""
    left = f" {report.unfinished} are not finished." if report.unfinished else ""
    text = f"Replayed {report.calls} calls of {report.units} units of '{run.label}'.{left}"
    if report.ok:
        return f"{text} All prompts, commands and outcomes are as stored."
    one = report.differences[0]
    call = "" if one.call is None else f", call {one.call}"
    return (
        f"{text} {len(report.differences)} differ. The first: {one.unit}{call}: {one.field} is "
        f"{one.stored!r}, expected {one.expected!r}."
    )
