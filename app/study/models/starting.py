"""Runs that a page starts: the options in its form, checked and stored."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from app.agents.answering import RUBRICS, response_format
from app.agents.playing import METHODS as PLAYING
from app.agents.presets import PRESETS as KNOWN
from app.agents.presets import sampling
from app.store.db import Store
from app.store.design import studies as study_rows
from app.store.models import runs as run_rows
from app.study import jobs
from app.study.code_version import code_version
from app.study.design.studies import StudyView
from app.study.models import bounds, endpoints, judged_items, runs
from app.study.models.bounds import Bounds
from app.study.models.cells import DIRECT, choose, unlike_preset
from app.study.models.endpoints import Endpoint, EndpointError
from app.study.models.prices import find_price
from app.study.models.runs import BadRunError, Run, Wanted
from app.study.tickets import once

MODEL = "model"  # kind of the job
JUDGE, PLAY = KINDS = (run_rows.JUDGE, run_rows.PLAY)
METHODS = {JUDGE: RUBRICS, PLAY: (*PLAYING, DIRECT)}
PRESETS = tuple(KNOWN)
RUBRIC_OF = {name: preset.rubric for name, preset in KNOWN.items()}
MOST_REPEATS = 20
NO_PACKAGE = "The server needs the package openai: install hjstudy[models]."


def start(
    store: Store,
    study: StudyView,
    kind: str,
    to: Endpoint,
    typed: Mapping[str, str],
    by: str,
    ticket: str,
    now: datetime,
    *,
    prices: Path | None,
) -> str:
    """Store a run and its job; return the job, also if the form is sent twice.

    `prices`: the server's price file, if it has one. Raises BadRunError, NothingToPlayError,
    EndpointError, PriceFileError, TicketError.
    """
    wanted, within = read(study, kind, to, typed, by), bounds.read(typed)
    runs.check(wanted)
    price = find_price(prices, wanted.model) if prices else None
    if within.max_cost is not None and price is None:
        problem = f"Cost: this server has no price for '{wanted.model}', so it cannot be limited."
        raise BadRunError(problem, bounds.MAX_COST)
    if price is not None:
        wanted = replace(wanted, price=(price.input, price.output))
    with store.write() as db:
        study_rows.lock(db, study.id)
        judged_items.check(db, study, wanted.items, ())

        def do() -> dict[str, Any]:
            number = runs.create_in(db, study, wanted, now)
            params = job_params(number, kind, to, within)
            return {"job": jobs.insert(db, study.id, MODEL, params, by, now)}

        return str(once(db, ticket, f"account/{by}", now, do)["job"])


def job_params(number: int, kind: str, to: Endpoint, within: Bounds) -> dict[str, Any]:
    """Return the settings of the job that works on a run."""
    return {"run": number, "run_kind": kind, "key_name": to.key_name, **within._asdict()}


def resumed(run: Run, to: Endpoint, typed: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings of a job that continues a run. Raises BadRunError."""
    within = bounds.read(typed)
    if within.max_cost is not None and run.price is None:
        problem = "Cost: this run has no price, so it cannot be limited."
        raise BadRunError(problem, bounds.MAX_COST)
    return job_params(run.number, run.kind, to, within)


def read(study: StudyView, kind: str, to: Endpoint, typed: Mapping[str, str], by: str) -> Wanted:
    """Return what a form asks for. Raises BadRunError, NothingToPlayError, EndpointError."""
    if not endpoints.can_ask():
        raise EndpointError(NO_PACKAGE)
    if to.key_name and not to.key:
        raise EndpointError(f"The server's environment has no {to.key_name}.")
    rates = kind == JUDGE
    method, preset = typed.get("method", ""), typed.get("preset", "")
    if preset not in KNOWN:
        raise BadRunError(f"preset: must be one of {', '.join(PRESETS)}.")
    if rates:
        method = method or RUBRIC_OF[preset]
    if method not in METHODS[kind]:
        raise BadRunError(f"method: must be one of {', '.join(METHODS[kind])}.")
    repeats, model = typed.get("repeats", "1").strip(), typed.get("model", "").strip()
    chosen = judged_items.chosen(typed.get("items", ""), typed.get("ids", ""))
    digits = repeats.isdecimal() and len(repeats) <= len(str(MOST_REPEATS))
    if not digits or not 1 <= int(repeats) <= MOST_REPEATS:
        raise BadRunError(f"repeats: must be a number from 1 to {MOST_REPEATS}.")
    temperature, top_p = sampling(preset, model, judges=rates)
    shape = response_format(method) if rates and typed.get("schema") else None
    sent = {"temperature": temperature, "top_p": top_p, "response_format": shape}
    wanted = Wanted(
        *(kind, model, to.url, method, preset),
        {name: value for name, value in sent.items() if value is not None},
        repeats=int(repeats) if rates else 1,
        items=chosen if rates else judged_items.ALL,
        label=typed.get("label", ""),
        code_version=code_version(),
        made_by=by,
    )
    return wanted if rates else as_player(wanted, study)


def unlike_presets(study: StudyView) -> list[str]:
    """Return a sentence for each preset whose number of distractors is not the study's."""
    lines = (unlike_preset(study, study.spec.cells(), preset) for preset in PRESETS)
    return [line for line in lines if line]


def as_player(wanted: Wanted, study: StudyView) -> Wanted:
    """Add what only players have: cells, explanations and ACE's playbook, as the preset says."""
    preset = KNOWN[wanted.preset]
    return replace(
        wanted,
        cells=choose(study, (), (), direct=wanted.method == DIRECT),
        explains=preset.explains,
        playbook=preset.playbook_from if wanted.method == "ace" else "",
    )
