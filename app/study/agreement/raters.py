"""The agreement report's facts on each rater: ratings, skipped, repeats, known answers."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from app.scoring import alphareport
from app.scoring.agreement import alpha
from app.scoring.longrows import Row, from_rows
from app.store.base import AnyRow
from app.store.rating.rounds import GOLD, MAIN, TRAINING
from app.store.rating.scales import CRITERIA, LEVELS
from app.study.agreement import data
from app.study.agreement.data import Facts

SKIPPED = "skipped"


def sections(facts: Facts, dimension: str) -> dict[str, Any]:
    """Return the report's parts on raters."""
    return {
        "raters": [of_rater(facts, one, dimension) for one in facts.raters],
        "skipped_as_category": skipped_as_category(facts, dimension),
    }


def of_rater(facts: Facts, rater: AnyRow, dimension: str) -> dict[str, Any]:
    """Return one rater's facts. Times are sums in milliseconds; None = not recorded."""
    own = [row for row in facts.rows if row.rater == rater.pseudonym]
    main = [row for row in own if row.kind == MAIN and not row.repeat]
    skipped = [row for row in main if row.skip_reason]
    rated = [row for row in main if data.as_edited(row, dimension) is not None]
    done = len(skipped) + len(rated)
    changed = [
        row for row in rated if data.first_given(row, dimension) != data.as_edited(row, dimension)
    ]
    return {
        "rater": rater.pseudonym,
        "assigned": len(main),
        "rated": len(rated),
        "skipped": len(skipped),
        "skip_share": len(skipped) / done if done else None,
        "skip_reasons": dict(sorted(Counter(row.skip_reason for row in skipped).items())),
        "skipped_by_task": dict(sorted(Counter(row.task for row in skipped).items())),
        "flagged": sum(bool(row.flag) for row in main),
        "changed": len(changed),
        "active_ms": total(own, "active_ms"),
        "wall_ms": total(own, "wall_ms"),
        "values": {
            str(level): sum(data.as_edited(row, dimension) == level for row in rated)
            for level in LEVELS
        },
        "repeats": repeats(own, dimension),
        "gold": gold(own, dimension),
    }


def total(rows: Sequence[AnyRow], name: str) -> int | None:
    """Return the sum of a column, or None if nothing was recorded."""
    known = [getattr(row, name) for row in rows if getattr(row, name) is not None]
    return int(sum(known)) if known else None


def repeats(own: Sequence[AnyRow], dimension: str) -> dict[str, Any]:
    """Return one rater's agreement with themselves on hidden repeats."""
    pairs: dict[int, dict[int, int]] = {}
    for row in own:
        value = data.as_edited(row, dimension)
        if value is not None and row.kind != TRAINING:
            pairs.setdefault(row.item_id, {})[row.repeat] = value
    both = {item: shown for item, shown in pairs.items() if len(shown) > 1}
    rows = [
        Row(str(item), ("first", "second")[showing], value)
        for item, shown in both.items()
        for showing, value in shown.items()
    ]
    found = alpha(from_rows(rows, domain=LEVELS), "ordinal")
    same = sum(len(set(shown.values())) == 1 for shown in both.values())
    return {
        "items": len(both),
        "same": same,
        "alpha": found.alpha,
        "status": found.status,
        "flags": list(found.flags),
    }


def gold(own: Sequence[AnyRow], dimension: str) -> dict[str, int]:
    """Return how many gold items a rater answered correctly."""
    answers = [
        (data.as_edited(row, dimension), known_level(row.known, dimension))
        for row in own
        if row.kind == GOLD and not row.repeat and row.known
    ]
    rated = [(given, known) for given, known in answers if given is not None]
    return {"items": len(rated), "right": sum(given == known for given, known in rated)}


def known_level(known: str, dimension: str) -> int | None:
    """Return a known answer as one score."""
    values = json.loads(known)
    return data.level_of([values.get(name) for name in ("value", *CRITERIA)], dimension)


def skipped_as_category(facts: Facts, dimension: str) -> dict[str, Any]:
    """Return nominal alpha with 'skipped' as an additional value."""
    rows = [
        Row(row.item, row.rater, SKIPPED if row.skip_reason else str(value))
        for row in facts.main
        if row.skip_reason or (value := data.as_edited(row, dimension)) is not None
    ]
    scale = [*map(str, LEVELS), SKIPPED]
    found = alphareport.result(from_rows(rows, domain=scale), "nominal")
    return found.to_dict()
