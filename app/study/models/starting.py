"""Runs that a page starts: the options in its form, checked and stored."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from app import __version__
from app.agents.answering import RUBRICS
from app.agents.playing import METHODS as PLAYING
from app.agents.presets import PRESETS as KNOWN
from app.agents.presets import sampling
from app.store.db import Store
from app.store.models import runs as run_rows
from app.study.design.studies import StudyView
from app.study.models import endpoints, runs
from app.study.models.endpoints import Endpoint, EndpointError
from app.study.models.runs import DIRECT, BadRunError, Wanted

MODEL = "model"  # kind of the job
KINDS = (run_rows.JUDGE, run_rows.PLAY)
METHODS = {run_rows.JUDGE: RUBRICS, run_rows.PLAY: (*PLAYING, DIRECT)}
PRESETS = tuple(KNOWN)
MOST_REPEATS = 20
NO_PACKAGE = "The server needs the package openai: install hjstudy[models]."


def create(
    store: Store,
    study: StudyView,
    kind: str,
    to: Endpoint,
    typed: Mapping[str, str],
    by: str,
    now: datetime,
) -> int:
    """Store a run; return its number. Raises BadRunError, NothingToPlayError, EndpointError."""
    if not endpoints.can_ask():
        raise EndpointError(NO_PACKAGE)
    if to.key_name and not to.key:
        raise EndpointError(f"The server's environment has no {to.key_name}.")
    method, preset = typed.get("method", ""), typed.get("preset", "")
    if method not in METHODS[kind]:
        raise BadRunError(f"method: must be one of {', '.join(METHODS[kind])}.")
    if preset not in KNOWN:
        raise BadRunError(f"preset: must be one of {', '.join(PRESETS)}.")
    repeats, model = typed.get("repeats", "1").strip(), typed.get("model", "").strip()
    if not repeats.isdecimal() or not 1 <= int(repeats[:3]) <= MOST_REPEATS:
        raise BadRunError(f"repeats: must be a number from 1 to {MOST_REPEATS}.")
    rates = kind == run_rows.JUDGE
    temperature, top_p = sampling(preset, model)
    sent = {"temperature": 0 if rates else temperature, "top_p": None if rates else top_p}
    wanted = Wanted(
        *(kind, model, to.url, method, preset),
        {name: value for name, value in sent.items() if value is not None},
        repeats=int(repeats) if rates else 1,
        label=typed.get("label", ""),
        code_version=__version__,
        made_by=by,
    )
    return runs.create(store, study, wanted if rates else as_player(wanted, study), now)


def as_player(wanted: Wanted, study: StudyView) -> Wanted:
    """Add what only players have: cells, explanations and ACE's playbook, as the preset says."""
    preset = KNOWN[wanted.preset]
    return replace(
        wanted,
        cells=runs.choose(study, (), (), direct=wanted.method == DIRECT),
        explains=preset.explains,
        playbook=preset.playbook_from if wanted.method == "ace" else "",
    )
