"""Runs of models on a study: what a run is made of, started once, listed, ended."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from sqlalchemy import Connection

from app.agents import wording
from app.agents.playing import AGENT
from app.agents.presets import KNOWN, PRESETS, Preset
from app.errors import StudyError
from app.game.say import ENGINE_VERSION
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.store.models import calls, runs
from app.study import taken
from app.study.design.studies import StudyView
from app.study.models.cells import DIRECT, RunCell
from app.study.models.preset_kept import preset_for, preset_of
from app.study.models.prices import Price

EXPLAINS = ("demonstrations", "played", "none")
PLAYBOOKS = ("other", "same")
MAX_LABEL = 128


class NoRunError(StudyError):
    """The study has no run with this number."""

    code = "models/no_run"


class BadRunError(StudyError):
    """The options of a run contradict each other."""

    code = "models/bad_run"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be run; see the options of `hjstudy model run` and `hjstudy judge run`."""

    kind: str
    model: str
    base_url: str
    method: str
    preset: str
    parameters: Mapping[str, Any]
    cells: tuple[RunCell, ...] = ()
    explains: str = ""
    playbook: str = ""
    repeats: int = 1
    items: str = "all"  # which explanations a judge rates; see judged_items.py
    tasks: tuple[str, ...] = ()  # of those; none = all
    price: tuple[float, float] | None = None  # per million tokens; None: not known
    tokens_name: str = "max_tokens"
    label: str = ""
    code_version: str = ""
    made_by: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run."""

    id: int
    study_id: int
    number: int
    kind: str
    label: str
    model: str
    base_url: str
    method: str
    preset: Preset
    parameters: Mapping[str, Any]
    cells: tuple[RunCell, ...]
    explains: str
    playbook: str
    repeats: int
    items: str
    tasks: tuple[str, ...]
    price: tuple[float, float] | None
    tokens_name: str
    state: str
    problem: str
    code_version: str
    design_version: int
    made_by: str
    created_at: datetime
    finished_at: datetime | None
    prompts: Mapping[str, str] = field(default_factory=dict)
    prompt_version: str = ""
    totals: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_finished(self) -> bool:
        """Return whether nothing was left to do when it ended."""
        return self.state == runs.FINISHED

    @property
    def is_judge(self) -> bool:
        """Return whether the model judges explanations; otherwise it plays."""
        return self.kind == runs.JUDGE

    @property
    def cost(self) -> float | None:
        """Return what the tokens so far cost; None: the price is not known."""
        counts = self.totals["prompt_tokens"], self.totals["completion_tokens"]
        return None if self.price is None else Price(*self.price).of(*counts)


def plain_url(url: str) -> str:
    """Return an address without user, password, query and fragment, which may hold keys."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", "")).rstrip("/")


def check(wanted: Wanted) -> None:
    """Refuse options that contradict each other. Raises: BadRunError."""
    if wanted.preset not in (KNOWN if wanted.method == AGENT else PRESETS):
        raise BadRunError(f"preset: must be one of {', '.join(PRESETS)}.")
    if not re.fullmatch(r"\S.{0,99}", wanted.model) or not wanted.model.isprintable():
        raise BadRunError("model: must have 1 to 100 printable characters.")
    if wanted.method == "ace" and wanted.playbook == "other":
        tasks: dict[str, set[str]] = {}
        for cell in wanted.cells:
            if cell.format == DIRECT:
                continue
            tasks.setdefault(cell.task, set()).add(cell.variant_hash)
        alone = sorted(task for task, hashes in tasks.items() if len(hashes) == 1)
        if alone:
            raise BadRunError(
                f"ACE learns from other variants of a task, and the run has only one of "
                f"{', '.join(alone)}. Add seeds to the study, or use --playbook same."
            )


def create(store: Store, study: StudyView, wanted: Wanted, now: datetime) -> int:
    """Store a new run; return its number. Raises: BadRunError."""
    check(wanted)
    with store.write() as db:
        return create_in(db, study, wanted, now)


def create_in(db: Connection, study: StudyView, wanted: Wanted, now: datetime) -> int:
    """Store a new run in a transaction; return its number. Raises: BadRunError."""
    settings = {
        "cells": [list(cell) for cell in wanted.cells],
        "explains": wanted.explains,
        "playbook": wanted.playbook,
        "repeats": wanted.repeats,
        "items": wanted.items,
        "tasks": wanted.tasks,
        "price": wanted.price or (0.0, 0.0),
        "has_price": wanted.price is not None,
        "tokens_name": wanted.tokens_name,
        "budget_shown": preset_for(study, wanted.preset).budget_shown,
    }
    studies.lock(db, study.id)
    return runs.insert(
        db,
        {
            "study_id": study.id,
            "kind": wanted.kind,
            "label": free_label(db, study.id, wanted),
            "model": wanted.model,
            "base_url": plain_url(wanted.base_url),
            "method": wanted.method,
            "preset": wanted.preset,
            "parameters": json.dumps(dict(wanted.parameters), sort_keys=True),
            "settings": json.dumps(settings),
            "prompts": json.dumps(wording.hashes(), sort_keys=True),
            "prompt_version": wording.VERSION,
            "design_version": study.version,
            "engine_version": ENGINE_VERSION,
            "code_version": wanted.code_version[:64],
            "state": runs.OPEN,
            "problem": "",
            "made_by": wanted.made_by[:64],
            "created_at": now,
        },
    )


def free_label(db: Connection, study_id: int, wanted: Wanted) -> str:
    """Return the wanted label, or one made of model, method and preset that is not taken."""
    used = runs.labels(db, study_id)
    given = wanted.label.strip()
    if given:
        if given in used or len(given) > MAX_LABEL or not given.isprintable():
            problem = f"label: '{given[:80]}' is too long or not printable."
            if given in used:
                problem = f"label: {taken.words('label', given, used, MAX_LABEL, 'another run')}"
            raise BadRunError(problem)
        return given
    base = f"{wanted.model} {wanted.method} {wanted.preset}"
    names = (base, *(f"{base} #{number}" for number in range(2, len(used) + 3)))
    return next(name for name in names if name not in used)


def find(db: Connection, study: StudyView, number: int) -> Run:
    """Return a run with its totals. Raises: NoRunError."""
    row = runs.find(db, study.id, number)
    if row is None:
        raise NoRunError(f"'{study.slug}' has no model run {number}. See `hjstudy model list`.")
    return run_of(db, row)


def listed(db: Connection, study_id: int) -> list[Run]:
    """Return a study's runs with their totals."""
    return [run_of(db, row) for row in runs.of_study(db, study_id)]


def run_of(db: Connection, row: AnyRow) -> Run:
    """Return a run from its row."""
    settings = json.loads(row.settings)
    totals = calls.totals(db, row.id)
    return Run(
        id=row.id,
        study_id=row.study_id,
        number=row.number,
        kind=row.kind,
        label=row.label,
        model=row.model,
        base_url=row.base_url,
        method=row.method,
        preset=preset_of(row),
        parameters=json.loads(row.parameters),
        cells=tuple(RunCell(*cell) for cell in settings["cells"]),
        explains=settings["explains"],
        playbook=settings["playbook"],
        repeats=settings["repeats"],
        items=settings.get("items", "all"),
        tasks=tuple(settings.get("tasks", ())),
        price=price_of(settings),
        tokens_name=settings["tokens_name"],
        state=row.state,
        problem=row.problem,
        code_version=row.code_version,
        design_version=row.design_version,
        made_by=row.made_by,
        created_at=row.created_at,
        finished_at=row.finished_at,
        prompts=json.loads(row.prompts),
        prompt_version=row.prompt_version,
        totals={name: int(value) for name, value in totals._asdict().items()},
    )


def price_of(settings: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return a run's price. Runs that are older than `has_price` stored 0 for an unknown one."""
    read, written = settings["price"]
    return (read, written) if settings.get("has_price", read or written) else None


def end(store: Store, run: Run, problems: Sequence[str], now: datetime) -> None:
    """Record that a run is finished, or why it is not."""
    done = {"state": runs.FINISHED, "problem": "", "finished_at": now}
    left = {"state": runs.STOPPED, "problem": "\n".join(problems)[:4000], "finished_at": None}
    with store.write() as db:
        runs.end(db, run.id, left if problems else done)
