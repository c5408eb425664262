"""Rows of models' runs: model_run, model_episode, model_turn, model_call."""

import json
from collections.abc import Iterator
from typing import Any

from app.agents.asking import hash_of
from app.agents.playing import AGENT, setting_of
from app.agents.words import given
from app.game.command import UNDERSTOOD
from app.game.say import is_worded_here
from app.scoring.plays import DIRECT, efficiency
from app.store.base import AnyRow
from app.store.export import dump, dump_models
from app.store.models import runs as run_rows
from app.study.design.sources import source_of
from app.study.export.release import RELEASED, RESEARCHERS_OWN
from app.study.export.source import Facts, Source
from app.study.models.preset_kept import preset_of
from app.study.models.runs import run_of

TEXTS = ("request", "text", "raw", "problem")
MODEL = "model"


def kind_of(method: str) -> str:
    """Return who plays in a run with this method: a model that is asked, or an agent."""
    return AGENT if method == AGENT else MODEL


def who(source: Source, row: AnyRow) -> Facts:
    """Return the columns that name the study and the kind of player."""
    return {**row._asdict(), "study": source.study.slug, "player_kind": kind_of(row.method)}


def runs(source: Source) -> Iterator[Facts]:
    """Yield the runs with what they used."""
    for row in dump.rows(source.db, dump_models.runs(source.scope)):
        run = run_of(source.db, row)
        yield {
            **who(source, row),
            **run.totals,
            "run": row.number,
            "problem": "" if source.gate.shareable else row.problem,
            "explains": run.explains,
            "playbook": run.playbook,
            "repeats": run.repeats,
            "cells": len(run.cells),
            "price_input": run.price[0] if run.price else None,
            "price_output": run.price[1] if run.price else None,
            "cost": run.cost,
        }


def episodes(source: Source) -> Iterator[Facts]:
    """Yield the episodes with their scores and the hash of the words given."""
    held = units_with_held_commands(source)
    for row in dump.rows(source.db, dump_models.episodes(source.scope)):
        is_direct = row.format == DIRECT
        counts = row.actions_used, row.ref_length, row.n_tries
        worth = efficiency(*counts, won=row.state == "won", scored=not is_direct)
        yield {
            **who(source, row),
            "t": None if is_direct else row.actions_used / row.ref_length,
            "norm_eff": None if worth is None else max(0.0, worth),
            "advice": "" if source.gate.shareable else row.advice,
            "words_hash": words_given(source, row),
            "source": source_of(row.engine_name),
            **without_ids(source, row, is_hidden=(row.run, row.unit) in held),
        }


def without_ids(source: Source, row: AnyRow, *, is_hidden: bool) -> Facts:
    """Return, empty, what a shareable bundle does not have of an episode.

    `is_hidden`: a command was left out, so the digest would confirm a guess at it.
    """
    found = {"digest": ""} if is_hidden else {}
    if reason := source.gate.held(row.stated):
        return {**found, **source.empty("model_episode", row._asdict(), ["stated"], reason, "")}
    return found


def held_command(source: Source, row: AnyRow) -> str:
    """Return why a command is left out, or ''; nobody reads the commands of models."""
    return "" if row.parse_status in UNDERSTOOD else source.gate.held(row.raw)


def units_with_held_commands(source: Source) -> frozenset[tuple[int, str]]:
    """Return (run, unit) of the episodes in which a command is left out."""
    if not source.gate.shareable:
        return frozenset()
    rows = dump.rows(source.db, dump_models.turns(source.scope, but_not=UNDERSTOOD))
    return frozenset((row.run, row.unit) for row in rows if held_command(source, row))


def words_given(source: Source, row: AnyRow) -> str:
    """Return the hash of an episode's words, if the stored request has exactly them; or ''."""
    setting = setting_of(source.variant(row.variant_hash), row.variant_episode, preset_of(row))
    words = given(setting.view, row.format)
    request = dump_models.first_request(source.db, row.run_id, row.unit)
    same = is_worded_here(row.engine_name, row.engine_version)
    if not same or words not in prompt_of(request):
        return ""
    return hash_of(words)


def prompt_of(request: str) -> str:
    """Return the prompt of a stored request, or '' if there is none."""
    try:
        return str(json.loads(request)["messages"][0]["content"])
    except (ValueError, KeyError, IndexError, TypeError):
        return ""


def turns(source: Source) -> Iterator[Facts]:
    """Yield the turns; from a command that is left out to the end of its episode, no digest."""
    hidden: tuple[int, str] | None = None
    for row in dump.rows(source.db, dump_models.turns(source.scope)):
        held, own = dict[str, Any](), (row.run, row.unit)
        if reason := held_command(source, row):
            held, hidden = source.empty("model_turn", row._asdict(), ["raw"], reason, ""), own
        if hidden == own:
            held["digest"] = ""
        yield {**who(source, row), **held}


def calls(source: Source) -> Iterator[Facts]:
    """Yield the calls; a shareable bundle has their texts only on request, and never a judge's.

    What a judge was asked holds people's explanations.
    """
    for row in dump.rows(source.db, dump_models.calls(source.scope)):
        shared = source.with_prompts and row.kind == run_rows.PLAY
        texts = [getattr(row, name) for name in TEXTS]
        reason = source.gate.reason(texts, RELEASED if shared else RESEARCHERS_OWN)
        empty = dict.fromkeys(TEXTS, "") if reason else {}
        yield {**who(source, row), **empty, "text_reason": reason}
