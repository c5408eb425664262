"""Validation samples: items drawn from a frozen frame, stratified by one judge's levels."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection

from app.errors import StudyError
from app.scoring.sampling import Allocation, FrameItem, Sample, SamplingError, draw
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.store.rating import items, judges, samples
from app.store.rating.scales import CRITERIA, LEVELS
from app.study.design.spec import MAX_SEED
from app.study.rating import player_items
from app.study.tickets import once

MEAN = "mean"
LEVEL_OF = ("score", MEAN, *CRITERIA)
DEFAULT_PER_LEVEL = 33
MOST_PER_LEVEL = 5_000


class DrawError(StudyError):
    """The sample cannot be drawn as requested; the message says why."""

    code = "sample/error"


class NoSampleError(StudyError):
    """There is no such sample."""

    code = "sample/none"

    def __init__(self) -> None:
        super().__init__("This study has no such sample.")


def level_of(row: AnyRow, wanted: str) -> int | None:
    """Return a judge's level of an item, or None if malformed or without this score.

    'mean' is the mean of the four criteria, rounded half up.
    """
    if row.status != "ok":
        return None
    if wanted != MEAN:
        found: int | None = getattr(row, wanted)
        return found
    numbers = [getattr(row, name) for name in CRITERIA]
    if None in numbers:
        return None
    return int((2 * sum(numbers) + len(numbers)) // (2 * len(numbers)))


def frame_of(
    db: Connection, study_id: int, run_id: int, wanted: str, which: str
) -> tuple[list[FrameItem], dict[str, int]]:
    """Return the frame (all items with a usable level) and a map from external id to item id."""
    allowed = set(player_items.eligible(db, study_id, which))
    frame, ids = [], {}
    for row in judges.scores(db, run_id):
        level = level_of(row, wanted)
        if level is not None and row.item_id in allowed:
            frame.append(FrameItem(row.external_id, level, row.task, row.source, row.cluster))
            ids[row.external_id] = int(row.item_id)
    return frame, ids


def draw_sample(
    store: Store,
    study_id: int,
    *,
    run_number: int,
    wanted: str,
    which: str,
    per_level: int,
    allocation: str,
    seed: int,
    by: str,
    ticket: str,
    now: datetime,
) -> int:
    """Draw and store a sample, once; return its number. Raises DrawError, TicketError."""
    if wanted not in LEVEL_OF or which not in items.WHICH or allocation not in samples.ALLOCATIONS:
        raise DrawError(
            "Choose a level, explanations and an allocation from the lists.", "level-of"
        )
    if not 1 <= per_level <= MOST_PER_LEVEL or not 0 <= seed <= MAX_SEED:
        raise DrawError(
            f"Enter 1 to {MOST_PER_LEVEL:,} items per level, and a seed from 0 to {MAX_SEED:,}.",
            "seed" if 1 <= per_level <= MOST_PER_LEVEL else "per-level",
        )
    with store.write() as db:
        studies.lock(db, study_id)

        def do() -> dict[str, Any]:
            player_items.gather(db, study_id, now)
            runs = [run for run in judges.runs(db, study_id) if run.number == run_number]
            if not runs:
                raise DrawError("Choose the judge whose scores define the strata.", "judge")
            frame, ids = frame_of(db, study_id, runs[0].id, wanted, which)
            try:
                found = draw(
                    frame,
                    per_level,
                    seed,
                    allocation=cast("Allocation", allocation),
                    levels=LEVELS,
                )
            except SamplingError as error:
                raise DrawError(error.message, "per-level") from error
            values = {
                "study_id": study_id,
                "run_id": runs[0].id,
                "level_of": wanted,
                "which": which,
                "per_level": per_level,
                "allocation": allocation,
                "seed": seed,
                "frame_size": len(frame),
                "frame_hash": found.frame_hash,
                "strata": strata_json(found),
                "shortfalls": json.dumps(found.shortfalls),
                "merged": json.dumps(found.merged),
                "made_by": by,
                "created_at": now,
            }
            return {"number": samples.insert(db, values, frame_rows(frame, ids, found))}

        return int(once(db, ticket, f"account/{by}", now, do)["number"])


def strata_json(found: Sample) -> str:
    """Return the strata as stored: name, level, population (N), drawn (n), weight."""
    return json.dumps([{**asdict(one), "weight": one.weight} for one in found.strata])


def frame_rows(frame: list[FrameItem], ids: dict[str, int], found: Sample) -> list[dict[str, Any]]:
    """Return the frame's rows; only drawn items have a stratum and a weight."""
    drawn = {one.id: (place, one) for place, one in enumerate(found.chosen, start=1)}
    rows = []
    for item in frame:
        place, one = drawn.get(item.id, (None, None))
        rows.append(
            {
                "item_id": ids[item.id],
                "level": item.level,
                "stratum": one.stratum if one else "",
                "place": place,
                "weight": one.weight if one else None,
            }
        )
    return rows


def find(db: Connection, study_id: int, number: int) -> AnyRow:
    """Return a sample. Raises NoSampleError."""
    row = samples.find(db, study_id, number)
    if row is None:
        raise NoSampleError
    return row
