"""Storing the result of a unit: an episode with its turns, an explanation, a row for the report."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.agents.answering import Explanation
from app.agents.playing import AGENT, Played
from app.game.model import Variant
from app.store.db import Store
from app.store.design import studies
from app.store.models import plays, results, runs
from app.store.rating import items
from app.study.models.cells import RunCell
from app.study.models.runs import Run
from app.study.models.units import (
    Unit,
    episode_row,
    played_values,
    stated_values,
    turn_rows,
)
from app.study.rating.player_items import EMPTY
from app.study.rating.player_items import PARTS as LABELLED

Acted = list[tuple[datetime, int]]
SOURCES = {True: "api", False: "run"}  # played through the API, or asked by hjstudy


def keep_play(
    store: Store,
    run: Run,
    unit: Unit,
    variant: Variant,
    played: Played,
    acted: Acted,
    now: datetime,
) -> None:
    """Store a played episode with its turns and its row for the report, once."""
    with store.write() as db:
        insert_play(db, run, unit, variant, played, acted, now)


def insert_play(
    db: Connection,
    run: Run,
    unit: Unit,
    variant: Variant,
    played: Played,
    acted: Acted,
    now: datetime,
) -> None:
    """Store it in a transaction, unless it is there."""
    turns = turn_rows(unit, played.turns, acted)
    row = {
        **episode_row(run, unit, variant, now),
        **played_values(played),
        "digest": turns[-1]["digest"] if turns else "",
    }
    runs.lock(db, run.id)  # another process may be storing the same
    if plays.find(db, run.id, unit.name) is None:
        episode_id = plays.insert(db, row)
        plays.insert_turns(db, [{**turn, "episode_id": episode_id} for turn in turns])
        results.insert(db, [result_row(run, row)])


def keep_answer(
    store: Store, run: Run, unit: Unit, variant: Variant, typed: dict[str, str], now: datetime
) -> None:
    """Store an answer in the direct format, once."""
    with store.write() as db:
        insert_answer(db, run, unit, variant, typed, now)


def insert_answer(
    db: Connection, run: Run, unit: Unit, variant: Variant, typed: dict[str, str], now: datetime
) -> None:
    """Store it in a transaction, unless it is there."""
    row = {
        **episode_row(run, unit, variant, now),
        **stated_values(variant, unit.place, typed),
        "digest": "",
    }
    runs.lock(db, run.id)
    if plays.find(db, run.id, unit.name) is None:
        plays.insert(db, row)
        results.insert(db, [result_row(run, row)])


def result_row(run: Run, row: dict[str, Any]) -> dict[str, Any]:
    """Return an episode as the report reads models' results."""
    shape = {name: row[name] for name in ("task", "seed", "lexicon", "coverage", "format")}
    return {
        "study_id": run.study_id,
        "model": run.label,
        **shape,
        "variant_hash": row["variant_hash"],
        "episode_index": row["variant_episode"] + 1,
        "success": row["state"] == "won",
        "actions_used": max(1, row["actions_used"]),
        "ref_length": row["ref_length"],
        "n_tries": row["n_tries"],
        "rv": None,
        "source": SOURCES[run.method == AGENT],
        "imported_by": run.made_by,
        "created_at": row["finished_at"],
    }


def keep_explanation(
    store: Store, run: Run, cell: RunCell, explanation: Explanation, now: datetime
) -> None:
    """Store an explanation as an item to rate, once; an empty one is not stored."""
    with store.write() as db:
        insert_explanation(db, run, cell, explanation, now)


def insert_explanation(
    db: Connection, run: Run, cell: RunCell, explanation: Explanation, now: datetime
) -> None:
    """Store it in a transaction, unless it is there or empty."""
    text = text_of(explanation)
    if not text:
        return
    name = item_id(run, cell)
    studies.lock(db, run.study_id)
    if name not in items.known(db, run.study_id):
        items.insert(db, [item_row(run, cell, name, text, now)])


def item_id(run: Run, cell: RunCell) -> str:
    """Return the id of a run's explanation in files."""
    return f"run{run.number}/{cell.key}"


def text_of(explanation: Explanation) -> str:
    """Return an explanation as one text to rate, labelled as people's are."""
    if explanation.form == "one":
        return explanation.text.strip()
    if not explanation.form:
        return ""
    parts = ((label, getattr(explanation, name).strip() or EMPTY) for label, name in LABELLED)
    return "\n\n".join(f"{label}: {text}" for label, text in parts)


def item_row(run: Run, cell: RunCell, name: str, text: str, now: datetime) -> dict[str, Any]:
    """Return the row of an item."""
    return {
        "study_id": run.study_id,
        "external_id": name,
        "kind": items.MODEL,
        "explanation_id": None,
        "participant_id": None,
        "source": run.label,
        "cluster": f"{run.label}|{cell.variant_hash[:16]}",
        **{key: getattr(cell, key) for key in ("task", "seed", "lexicon", "coverage")},
        "variant_hash": cell.variant_hash,
        "text": text,
        "is_erased": False,
        "imported_by": run.made_by,
        "created_at": now,
    }
