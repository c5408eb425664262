"""Compare a recruitment platform's list with what is stored, show the result, then store it.

It is stored in batches, each in a short transaction of its own, so that no player waits for the
whole of a long list. If that stops half-way, importing the same list again stores the rest.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection

from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.store.people import platforms
from app.study.people.platform_list import (
    FIELDS,
    MEANINGS,
    NEEDED,
    RULE,
    WORDS,
    Chosen,
    Found,
    read,
)
from app.study.table_cells import fold
from app.study.table_file import check_whole
from app.study.table_rows import TableFileError

PLATFORM = "prolific_pid"
SAMPLE, MOST_SETTLED, MOST_CHOSEN = 5, 100, 50  # rows, settled people and unknown states shown
BATCH = 1000  # people stored in one transaction
PAUSE_S = 0.05  # between two batches: players who wait get their turn
Row = dict[str, str]


def with_stored(db: Connection, study_id: int, chosen: Chosen) -> Chosen:
    """Return the choices, and those of earlier lists for states about which nothing was chosen."""
    earlier = platforms.meanings(db, study_id, PLATFORM)
    return replace(chosen, meanings={**{fold(k): v for k, v in earlier.items()}, **chosen.meanings})


def check(
    store: Store, study_id: int, text: str, chosen: Chosen, track: Track = untracked
) -> Found:
    """Return what an import would do, without storing anything. Raises TableFileError."""
    with store.read() as db:
        chosen = with_stored(db, study_id, chosen)
        known = platforms.known(db, study_id, PLATFORM)
    found = read(text, chosen, track)
    for name, row in found.people.items():
        count(found, known.get(name), chosen.stored(row))
    return found


def count(found: Found, old: AnyRow | None, row: Mapping[str, str]) -> None:
    """Count a person as new, changed or the same."""
    if old is None:
        found.new += 1
    elif differs(old, row):
        found.changed += 1
    else:
        found.same += 1


def differs(old: Any, row: Mapping[str, str]) -> bool:
    """Tell whether a line, as it would be stored, differs from what is stored."""
    return any(getattr(old, name) != value for name, value in row.items())


def store_list(
    store: Store,
    study_id: int,
    text: str,
    chosen: Chosen,
    now: datetime,
    track: Track = untracked,
) -> Found:
    """Store the newest state of each person on the platform; the same file again changes nothing.

    A field without a column keeps what is stored. Raises TableFileError.
    """
    with store.read() as db:
        chosen = with_stored(db, study_id, chosen)
    found = read(text, chosen, track)
    if found.missing:
        raise TableFileError("Choose the columns with the person's ID and the status.")
    check_whole(found.problems)
    rows = {name: chosen.stored(row) for name, row in found.people.items()}
    batches = list(in_batches(rows))
    for at, batch in enumerate(track(batches, "Storing people, in batches", len(batches))):
        if at:
            time.sleep(PAUSE_S)
        with store.write() as db:
            studies.lock(db, study_id)
            store_batch(db, study_id, batch, found, now)
    return found


def in_batches(rows: Mapping[str, Row]) -> Iterator[dict[str, Row]]:
    """Yield the rows in parts that are stored at once."""
    left = iter(rows.items())
    while batch := dict(islice(left, BATCH)):
        yield batch


def store_batch(
    db: Connection, study_id: int, batch: Mapping[str, Row], found: Found, now: datetime
) -> None:
    """Store some people, and count them."""
    known = platforms.known(db, study_id, PLATFORM, batch)
    new, changed, same = list[dict[str, Any]](), list[dict[str, Any]](), list[int]()
    for name, own in batch.items():
        old = known.get(name)
        count(found, old, own)
        if old is None:
            new.append({**dict.fromkeys(FIELDS, ""), **own})
        elif differs(old, own):
            kept = {field: getattr(old, field) for field in FIELDS}
            changed.append({"row_id": old.id, **kept, **own})
        else:
            same.append(old.id)
    platforms.put(db, study_id, PLATFORM, new, changed, same, now)


def done(found: Found) -> dict[str, Any]:
    """Return what an import has stored, in numbers."""
    numbers = {name: getattr(found, name) for name in ("new", "changed", "same")}
    return {"people": len(found.people), **numbers}


def facts(found: Found) -> dict[str, Any]:
    """Return what a preview shows of a list, as JSON can hold it."""
    labels = {name: names[0] for name, names in FIELDS.items()}
    shown = {name: getattr(found, name) for name in ("mapping", "missing", "unused", "states")}
    return {
        **shown,
        **done(found),
        "n_settled": len(found.settled),
        "n_unknown": len(found.unknown),
        "columns": list(found.columns),
        "sample": list(islice(found.people.values(), SAMPLE)),
        "settled": [asdict(one) for one in found.settled[:MOST_SETTLED]],
        "unknown": list(islice(found.unknown.items(), MOST_CHOSEN)),
        "labels": labels,
        "needed": list(NEEDED),
        "rule": RULE,
        "meanings": {name: WORDS[name] for name in ("", *MEANINGS)},
    }
