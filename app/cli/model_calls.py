"""What the commands that ask models share: options, the endpoint, the work itself."""

import json
import math
import os
import signal
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from app.cli.bar import progress
from app.cli.common import BY, explain, now, refuse, show
from app.paths import how_to_add

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.models.asker import Asker
    from app.store.db import Store
    from app.study.design.studies import StudyView
    from app.study.models.runs import Run, Wanted


def finite(value: float | None) -> float | None:
    """Refuse `nan` and `inf`, which pass as numbers."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter("must be a number.")
    return value


KEY, URL = "OPENAI_API_KEY", "OPENAI_BASE_URL"

Model = Annotated[str, typer.Option(help="name of the model at the endpoint")]
Preset = Annotated[str, typer.Option(help="paper or package; see docs/models.md")]
Label = Annotated[str, typer.Option(help="name in tables and reports; default: generated")]
BaseUrl = Annotated[
    str, typer.Option(help=f"address of a chat-completions endpoint; default: {URL}")
]
KeyFile = Annotated[Path | None, typer.Option(help=f"file with the key; default: {KEY}")]
Temperature = Annotated[
    float | None, typer.Option(min=0, max=2, help="default: the preset's", callback=finite)
]
TopP = Annotated[
    float | None, typer.Option(min=0, max=1, help="default: the preset's", callback=finite)
]
Parameter = Annotated[
    list[str] | None, typer.Option(help="NAME=JSON, sent with every request; repeatable")
]
TokensName = Annotated[
    str, typer.Option(help="name of the limit in requests, such as max_completion_tokens")
]
Concurrency = Annotated[int, typer.Option(min=1, max=64, help="requests at a time")]
Timeout = Annotated[
    float,
    typer.Option(min=0.1, max=3600, help="longest wait for an answer, seconds", callback=finite),
]
Attempts = Annotated[int, typer.Option(min=1, max=20, help="most requests for one answer")]
MaxCalls = Annotated[int | None, typer.Option(min=1, help="stop after this many calls of the run")]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="stop after this many tokens")]
MaxCost = Annotated[
    float | None, typer.Option(min=0, help="stop at this cost; needs prices", callback=finite)
]
Prices = Annotated[
    Path | None,
    typer.Option(help='JSON file, per million tokens: {"MODEL": {"input": 0.25, "output": 2}}'),
]


class Options(NamedTuple):
    """How to ask, for one command; none of it is stored but the address."""

    base_url: str
    key_file: Path | None
    concurrency: int
    timeout: float
    attempts: int
    max_calls: int | None
    max_tokens: int | None
    max_cost: float | None


def one_of(option: str, value: str, known: "Sequence[str]") -> None:
    """Refuse a value that is not one of those known."""
    if value not in known:
        refuse(f"{option}: must be one of {', '.join(known)}, not '{value}'.")


def need_sdk() -> None:
    """Refuse to continue without the package that speaks to models."""
    from importlib.util import find_spec

    if find_spec("openai") is None:
        refuse(f"This command needs the package openai. Run: {how_to_add('models')}")


def wanted_of(
    kind: str,
    names: tuple[str, str, str, str],
    options: Options,
    parameters: dict[str, Any],
    prices: Path | None,
    tokens_name: str,
) -> "Wanted":
    """Return what is to be run. `names`: model, method, preset, label."""
    from app.study.code_version import code_version
    from app.study.models.runs import Wanted

    need_sdk()
    from app.models.hiding import SHORTEST
    from app.study.models.prices import read_price

    model, method, preset, label = names
    price = read_price(prices, model) if prices else None
    if options.max_cost is not None and not prices:
        refuse("--max-cost needs --prices FILE.")
    key = key_of(options.key_file)
    if len(key) >= SHORTEST and json.dumps(key)[1:-1] in json.dumps(parameters):
        refuse("--parameter: a value holds the key, and parameters are stored.")
    return Wanted(
        kind=kind,
        model=model,
        base_url=address(options.base_url),
        method=method,
        preset=preset,
        parameters=parameters,
        price=(price.input, price.output) if price else None,
        tokens_name=tokens_name,
        label=label,
        code_version=code_version(),
        made_by=BY,
    )


def address(given: str) -> str:
    """Return the endpoint's address, from the option or the environment."""
    found = given or os.environ.get(URL, "")
    if not found.startswith(("http://", "https://")):
        refuse(f"--base-url (or {URL}) must be an address such as http://127.0.0.1:8080/v1.")
    return found


def key_of(path: Path | None) -> str:
    """Return the key, from a file or the environment; '' for endpoints without one."""
    if path is None:
        return os.environ.get(KEY, "").strip()
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"--key-file: cannot read {path}: {error}")


def work(store: "Store", study: "StudyView", number: int, options: Options, *, json: bool) -> None:
    """Do what a run has left to do; exit with 1 if something is still left."""
    need_sdk()
    from app.study.models import runs

    with store.read() as db:
        run = runs.find(db, study, number)
    if options.base_url and runs.plain_url(options.base_url) != run.base_url:
        refuse(
            f"--base-url: run {number} asks {run.base_url}, and its answers must all come from "
            "there. Start a new run for another endpoint."
        )
    asker = asker_of(run, options)
    with stopping(asker), progress(json=json) as track:
        outcome = runner_of(store, run, asker).drive(options.concurrency, track)
    asker.close()
    runs.end(store, run, outcome.problems, now())
    with store.read() as db:
        facts = facts_of(runs.find(db, study, number))
    if json:
        show({**facts, "problems": outcome.problems})
    else:
        tell(study, facts)
        for problem in outcome.problems:
            explain(problem)
    if outcome.problems:
        raise typer.Exit(1)


def asker_of(run: "Run", options: Options) -> "Asker":
    """Return the asker of a run, whose meter starts at what the run has used."""
    from app.models.asker import Asker, Endpoint
    from app.models.limits import Limits, Meter
    from app.study.models.prices import Price

    if options.max_cost is not None and run.price is None:
        refuse(
            f"--max-cost: run {run.number} was started without --prices, so its cost is unknown."
        )
    meter = Meter(
        Limits(options.max_calls, options.max_tokens, options.max_cost),
        Price(*run.price) if run.price else None,
        calls=run.totals["calls"],
        read=run.totals["prompt_tokens"],
        written=run.totals["completion_tokens"],
    )
    endpoint = Endpoint(
        base_url=options.base_url or run.base_url,
        model=run.model,
        key=key_of(options.key_file),
        parameters=run.parameters,
        tokens_name=run.tokens_name,
        timeout_s=options.timeout,
        attempts=options.attempts,
    )
    return Asker(endpoint, meter, options.concurrency)


def runner_of(store: "Store", run: "Run", asker: "Asker") -> Any:
    """Return what does the work of a run."""
    from app.study.models.judging import JudgeRunner
    from app.study.models.running import Runner

    return (JudgeRunner if run.is_judge else Runner)(store, run, asker, now)


@contextmanager
def stopping(asker: "Asker") -> "Iterator[None]":
    """Let Ctrl-C and SIGTERM stop a run in order: answers under way are still stored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signal: int, _frame: object) -> None:
        asker.stop()

    before = {one: signal.signal(one, stop) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, old in before.items():
            signal.signal(one, old)


def facts_of(run: "Run") -> dict[str, Any]:
    """Return a run as plain values."""
    return {
        "run": run.number,
        "kind": run.kind,
        "label": run.label,
        "model": run.model,
        "method": run.method,
        "preset": run.preset.name,
        "state": run.state,
        **run.totals,
        "cost": None if run.cost is None else round(run.cost, 6),
    }


def in_money(facts: dict[str, Any]) -> str:
    """Return a run's cost in words, or '' if it is not known."""
    return "" if facts["cost"] is None else f", cost {facts['cost']:.2f}"


def tell(study: "StudyView", facts: dict[str, Any]) -> None:
    """Print the state of a run."""
    typer.echo(
        f"Run {facts['run']} of '{study.slug}', {facts['label']}: {facts['state']}, "
        f"{facts['calls']:,} calls, {facts['prompt_tokens']:,} + {facts['completion_tokens']:,} "
        f"tokens{in_money(facts)}."
    )
    if facts["state"] != "finished":
        explain(f"Continue with: hjstudy model resume --study {study.slug} --run {facts['run']}")
