"""Check participants' chained logs for `verify`: see app/store/play/events.py."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.export import proof_records
from app.store.play import events
from app.study.export.records import BATCH, Wrong

AGREED = ("is_test", "consent_hash", "consented_at", "arrival", "design_id", "spec_hash")


def compare(db: Connection, study_id: int | None) -> tuple[int, list[Wrong]]:
    """Check every chain; return the number of events and what is wrong."""
    number, wrong = 0, list[Wrong]()
    people = proof_records.ids_of_people(db, study_id)
    while some := list(islice(people, BATCH)):
        chains = events.of_people(db, some)
        for one, found in events.look(db, some).items():
            number += len(chains[one])
            wrong += chain_problems(found, chains[one])
    return number, wrong


def chain_problems(found: events.Found, chain: Sequence[AnyRow]) -> Iterator[Wrong]:
    """Yield the first problem of one participant's chain, and of each value that it seals."""
    who = str(found.person["public_id"])
    if not chain:
        yield Wrong(who, who, "events", "none", "a log of changes")
        return
    contents = list[tuple[int, dict[str, Any]]]()
    previous = ""
    for number, row in enumerate(chain, start=1):
        if row.seq != number or not is_link(previous, row):
            yield Wrong(who, f"{who}, event {number}", "digest", row.digest, "the chain's")
            return
        previous = row.digest
        if row.content:
            contents.append((row.seq, json.loads(row.content)))
        else:
            contents.clear()
    if not contents:
        yield Wrong(who, who, "events", "(blank)", "a last event with content")
        return
    yield from last_problems(who, found, *contents[-1])
    yield from past_problems(who, found, contents)


def is_link(previous: str, row: AnyRow) -> bool:
    """Tell whether an event continues the chain. What an erased event said cannot be checked."""
    own = events.event_digest(previous, row.participant_id, row.seq, row.content)
    return not row.content or bool(own == row.digest)


def last_problems(
    who: str, found: events.Found, seq: int, content: dict[str, Any]
) -> Iterator[Wrong]:
    """Yield what differs between the rows and the last event."""
    place = f"{who}, event {seq}"
    for name, value in content["person"].items():
        if name in found.person and found.person[name] != value:
            yield Wrong(who, place, name, found.person[name], value)
    for name, value in content["now"].items():
        if found.now.get(name) != value:
            yield Wrong(who, place, name, "other rows", "the rows of the log")
    for name, (count, _) in content["rows"].items():
        stored = len(found.chains.get(name, [""])) - 1
        if stored != count:
            yield Wrong(who, place, name, f"{stored} rows", f"{count} rows")


def past_problems(
    who: str, found: events.Found, contents: Sequence[tuple[int, dict[str, Any]]]
) -> Iterator[Wrong]:
    """Yield tables whose older rows changed, turns that are gone, and changed agreements."""
    wrong = set[str]()
    for seq, content in contents:
        for name, (count, tip) in content["rows"].items():
            chain = found.chains.get(name, [""])
            if name not in wrong and (count >= len(chain) or chain[count] != tip):
                wrong.add(name)
                yield Wrong(who, f"{who}, event {seq}", name, "other rows", "the rows of the log")
        for episode, (last, _) in content["tips"].items():
            if found.tips.get(episode, [0])[0] < last and "turn" not in wrong:
                wrong.add("turn")
                yield Wrong(who, f"{who}, event {seq}", "turn", "fewer turns", f"{last} turns")
    agreed = [one["person"] for _, one in contents if one["person"]["consented_at"] is not None]
    for name in AGREED:
        for before, after in pairwise(agreed):
            if before[name] != after[name]:
                yield Wrong(who, who, name, after[name], before[name])
