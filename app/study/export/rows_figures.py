"""Rows of timing, variant and flow, as a stream."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from app.game.expectation import floors
from app.game.tiers import FLOORS
from app.moments import from_ms, to_ms
from app.store.base import AnyRow
from app.store.export import dump, dump_figures
from app.store.play.episodes import MAIN
from app.study.design.sources import of_variant
from app.study.design.spec import parse_spec
from app.study.export.row_keys import page_of_play
from app.study.export.source import Facts, Source
from app.study.people import analysed
from app.study.play.pay import MS_PER_MINUTE

THOUGHT, AWAY = ("first_think_ms", "think_ms", "clock_back_ms"), ("hidden_ms",)
STAGES = ("arrived", "consented", "instructions", "practice", "played", "finished")


def idle_limits(source: "Source") -> dict[int, int]:
    """Return design id -> idle limit in milliseconds."""
    texts = dump_figures.designs(source.db, source.study.id)
    return {
        one: parse_spec(text).clocks.idle_minutes * MS_PER_MINUTE for one, text in texts.items()
    }


def timing(source: "Source") -> Iterator["Facts"]:
    """Yield the times of every episode, participant by participant, in order."""
    limits = idle_limits(source)
    person, ready = "", None
    for row in dump.rows(source.db, dump_figures.timing(source.scope, limits)):
        if row.public_id != person:
            person = row.public_id
            ready = latest(row.consented_at, row.instructions_at, row.answered_at)
        if row.kind == MAIN:
            ready = latest(ready, row.practice_at)
        has_actions = row.actions is not None
        wall = row.last_ms - row.first_ms if has_actions else None
        idle = row.idle_ms if has_actions else None
        facts = {
            **row._asdict(),
            **source.spot(row),
            "actions": row.actions or 0,
            "lead_ms": lead(ready, row.first_ms),
            "clock_back_ms": set_back(ready, row) if has_actions else None,
            "wall_ms": wall,
            "idle_ms": idle,
            "active_ms": None if wall is None else wall - row.idle_ms,
            "idle_limit_ms": limits[row.design_id],
        }
        yield {**facts, **left_out(source, row, facts)}
        ended = from_ms(row.last_ms) if has_actions else None
        ready = latest(ready, ended, row.explained_at, row.stated_at)


def left_out(source: "Source", row: Any, facts: Facts) -> "Facts":
    """Return the columns that are empty because numbers from the browser hold an ID.

    `clock_back_ms` is computed from a time of thought.
    """
    numbers, page = source.numbers, (row.public_id, page_of_play(row))
    thought = row.id in numbers.episodes or numbers.hides(row.think_ms)
    away = page in numbers.pages or numbers.hides(row.hidden_ms)
    names = (*(THOUGHT if thought else ()), *(AWAY if away else ()))
    return source.empty("timing", facts, names, source.gate.number_reason)


def latest(*moments: datetime | None) -> datetime | None:
    """Return the latest known time, or None."""
    return max((one for one in moments if one is not None), default=None)


def set_back(ready: datetime | None, row: Any) -> int | None:
    """Return how far the server clock went back, as seen by a later step with an earlier time.

    Also by the browser's monotonic clock, if less time passed on the server than in the browser.
    None: not seen, but the browser's clock did not measure every pause.
    """
    back = row.back_ms or 0
    if ready is not None and row.kind == MAIN:
        back = max(back, to_ms(ready) - row.first_ms)
    if back > dump_figures.SLACK_MS:
        return int(back)
    return None if row.unmeasured else 0


def lead(ready: datetime | None, first_ms: int | None) -> int | None:
    """Return the milliseconds from a time to the first action, if both are known and ordered."""
    if ready is None or first_ms is None:
        return None
    return max(0, first_ms - to_ms(ready))


def variants(source: "Source") -> Iterator["Facts"]:
    """Yield the variants with the results of their certificates."""
    for row in dump.rows(source.db, dump_figures.variants(source.scope)):
        variant = source.variant(row.hash)
        task, proof = variant.task, json.loads(row.certificate)
        yield {
            "study": source.study.slug,
            "variant_hash": row.hash,
            "task": task.name,
            "seed": variant.seed,
            "lexicon": variant.lexicon,
            "coverage": str(variant.coverage),
            "family": task.family,
            "form": task.form,
            "classes": task.n_class,
            "roles": task.n_role,
            "distractors": variant.distractors,
            "demonstrations": len(variant.demonstrations),
            "episodes": len(variant.episodes),
            "n_tries": task.n_tries,
            "unique": proof["unique"],
            "rules_consistent": proof["rules_consistent"],
            "twins": proof["n_twins"],
            "rivals": proof["n_rivals"],
            "contextual_bias": proof["contextual_bias"],
            "share_determined": proof["share_determined"],
            "conditions": json.dumps(proof["conditions"], sort_keys=True),
            **dict.fromkeys(f"floor_{name}" for name in FLOORS),
            **{f"floor_{name}": float(value) for name, value in floors(variant).items()},
            "source": of_variant(variant),
            "certificate": row.certificate,
            "content": row.content,
        }


def last_stage(row: AnyRow) -> int:
    """Return the last stage that a participant reached, as an index of STAGES."""
    signs = (
        True,
        row.consented_at is not None,
        row.instructions_at is not None,
        row.practice_at is not None,
        row.has_episode,
        row.state == "finished",
    )
    return max(place for place, sign in enumerate(signs) if sign)


def flow(source: "Source") -> Iterator["Facts"]:
    """Yield the stages with the number of people who reached them, and why others left.

    Reaching a stage includes all earlier ones. The last stage, `analysed`, covers all who arrived.
    """
    reached, left = [0] * len(STAGES), Counter[tuple[int, str]]()
    analysed_ones, reasons = 0, Counter[str]()
    for row in dump.rows(source.db, dump.participants(source.scope)):
        far = last_stage(row)
        for stage in range(far + 1):
            reached[stage] += 1
        if far + 1 < len(STAGES):
            left[far, " ".join(filter(None, (row.state, row.end_reason)))] += 1
        why = analysed.of_person(row)
        analysed_ones += not why
        reasons.update([why] if why else [])
    for stage, name in enumerate(STAGES):
        yield flow_row(source, name, stage, "reached", "", reached[stage])
        for (far, why), number in sorted(left.items()):
            if far == stage:
                yield flow_row(source, name, stage, "left", why, number)
    yield flow_row(source, "analysed", len(STAGES), "reached", "", analysed_ones)
    for why, number in sorted(reasons.items()):
        yield flow_row(source, "analysed", len(STAGES), "left", why, number)


def flow_row(
    source: "Source", stage: str, place: int, kind: str, reason: str, people: int
) -> dict[str, Any]:
    """Return one row of the flow table."""
    return {
        "study": source.study.slug,
        "stage": stage,
        "stage_index": place + 1,
        "kind": kind,
        "reason": reason,
        "people": people,
    }
