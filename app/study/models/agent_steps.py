"""What an agent sends: commands, answers and explanations, each stored once."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Connection

from app.agents.asking import Ask, Asking, hash_of
from app.game.command import clean
from app.store.db import Store
from app.store.models import calls, plays
from app.store.models import runs as run_rows
from app.study.characters import visible
from app.study.design.library import Library
from app.study.models import storing, units
from app.study.models.agents import (
    AlreadyError,
    NoPlaceError,
    NotYetError,
    Shown,
    WrongFormatError,
    episode_of,
    episodes_of,
    shown,
    texts_of,
)
from app.study.models.runs import Run
from app.study.models.units import EXPLAIN, Unit, is_direct
from app.study.play import direct
from app.study.play.commands import EpisodeOverError, StaleSeqError
from app.study.text_checks import AnswerError
from app.study.typed import read_command

T = TypeVar("T")
MAX_MS = 2**31 - 1


def act(
    store: Store, library: Library, run: Run, number: int, seq: int, raw: str, now: datetime
) -> Shown:
    """Play a command as action `seq`, once: the same again returns what is stored.

    Raises: InputError (nothing is stored), StaleSeqError, EpisodeOverError, WrongFormatError.
    """
    text = read_command(raw)
    with store.write() as db:
        run_rows.lock(db, run.id)
        unit = episode_of(db, library, run, number)
        if is_direct(unit.cell):
            raise WrongFormatError("This guardian is not played. Send what defeats it, once.")
        texts, last = texts_of(db, run, unit)
        if seq != len(texts) + 1:
            if not 1 <= seq <= len(texts) or texts[seq - 1] != text:
                raise StaleSeqError(seq, len(texts) + 1)
            return shown(db, library, run, number)
        variant = library.variant(db, unit.cell.variant_hash)
        ask, _ = advance(units.play_of(run, variant, unit.place, ""), texts)
        if ask is None:
            raise EpisodeOverError
        keep(db, run, unit, ask, sent(raw=raw), text, last, now)
        ask, played = advance(units.play_of(run, variant, unit.place, ""), [*texts, text])
        if played is not None:
            acted = [(row.created_at, row.ms) for row in calls.of_unit(db, run.id, unit.name)]
            storing.insert_play(db, run, unit, variant, played, acted, now)
            finish(db, library, run, now)
        return shown(db, library, run, number)


def state_answer(
    store: Store,
    library: Library,
    run: Run,
    number: int,
    typed: Mapping[str, str],
    now: datetime,
) -> Shown:
    """Store an answer in the direct format, once.

    Raises: AnswerError (nothing is stored), AlreadyError, WrongFormatError.
    """
    with store.write() as db:
        run_rows.lock(db, run.id)
        unit = episode_of(db, library, run, number)
        if not is_direct(unit.cell):
            raise WrongFormatError("This guardian is played: send commands.")
        variant = library.variant(db, unit.cell.variant_hash)
        fields = {name: typed.get(name, "") for name in direct.asked(variant.task)}
        direct.read_statement(variant, fields)
        method = units.answer_of(run, variant, unit.place)
        found = once(db, run, unit, method, fields, now)
        if found is not None:
            storing.insert_answer(db, run, unit, variant, found, now)
            finish(db, library, run, now)
        return shown(db, library, run, number)


def explain(
    store: Store, library: Library, run: Run, variant: int, typed: Mapping[str, str], now: datetime
) -> None:
    """Store an explanation, once, when every episode of its variant is over. `variant`: from 1.

    Raises: NoPlaceError, NotYetError, AnswerError, AlreadyError.
    """
    if not 1 <= variant <= len(run.cells):
        raise NoPlaceError(f"Run {run.number} has variants 1 to {len(run.cells)}, not {variant}.")
    cell = run.cells[variant - 1]
    fields = {name: text.strip() for name, text in typed.items() if text.strip()}
    if not fields:
        raise AnswerError({"text": "Send 'text', or 'inputs', 'output' and 'how'."})
    with store.write() as db:
        run_rows.lock(db, run.id)
        played = library.variant(db, cell.variant_hash)
        if sum(row.cell == cell.key for row in plays.of_run(db, run.id)) < len(played.episodes):
            raise NotYetError("Explain the rule when all episodes of its variant are over.")
        unit = Unit(EXPLAIN, cell, -1)
        found = once(db, run, unit, units.explanation_of(run, played, ()), fields, now)
        if found is not None:
            storing.insert_explanation(db, run, cell, found, now)
            finish(db, library, run, now)


def once(
    db: Connection,
    run: Run,
    unit: Unit,
    method: Asking[T],
    fields: Mapping[str, str],
    now: datetime,
) -> T | None:
    """Store the one answer of a unit; None if the same was stored before. Raises AlreadyError."""
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True)
    texts, last = texts_of(db, run, unit)
    if texts:
        if texts != [text]:
            raise AlreadyError("This was already sent with other content. The first counts.")
        return None
    ask = next(method)
    keep(db, run, unit, ask, text, text, last, now)
    return advance_with(method, text)


def advance_with(method: Asking[T], text: str) -> T | None:
    """Give a method of one question its answer; return its result."""
    try:
        method.send(text)
    except StopIteration as ended:
        result: T = ended.value
        return result
    return None


def advance(method: Asking[T], texts: Sequence[str]) -> tuple[Ask | None, T | None]:
    """Drive a method with answers: the next question, or its result when it is over."""
    try:
        ask = next(method)
        for text in texts:
            ask = method.send(text)
    except StopIteration as ended:
        return None, ended.value
    return ask, None


def sent(**body: str) -> str:
    """Return what was sent, as it is stored."""
    return json.dumps(body, ensure_ascii=False)


def received(raw: str) -> tuple[str, str]:
    """Return (status, text) of what was sent, for `verify`."""
    found = json.loads(raw)
    return ("ok", clean(visible(found["raw"]))) if set(found) == {"raw"} else ("ok", raw)


def keep(
    db: Connection,
    run: Run,
    unit: Unit,
    ask: Ask,
    raw: str,
    text: str,
    last: datetime | None,
    now: datetime,
) -> None:
    """Append what was sent to the log of the run, as an answer to what was shown."""
    took = 0 if last is None else int((now - last).total_seconds() * 1000)
    number = len(calls.of_unit(db, run.id, unit.name)) + 1
    message = {"role": "user", "content": ask.prompt}
    row = {
        "run_id": run.id,
        "unit": unit.name,
        "n": number,
        "attempt": 1,
        "purpose": ask.purpose,
        "prompt_hash": hash_of(ask.prompt),
        "request": json.dumps({"model": run.model, "messages": [message]}, ensure_ascii=False),
        "status": "ok",
        "text": text,
        "raw": raw,
        "problem": "",
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "ms": min(max(0, took), MAX_MS),
        "created_at": now,
    }
    calls.insert(db, row)


def finish(db: Connection, library: Library, run: Run, now: datetime) -> None:
    """Record that a run is finished if everything is over."""
    done = len(plays.of_run(db, run.id)) == len(episodes_of(db, library, run))
    explained = {name for name in calls.units_of(db, run.id) if name.startswith(f"{EXPLAIN}/")}
    if done and len(explained) == len(run.cells):
        run_rows.end(db, run.id, {"state": run_rows.FINISHED, "finished_at": now})
