"""Rows of the logs around the game: process, seat, hand, note, problem, sign, pause."""

import json
from collections.abc import Iterator
from typing import Any

from app.store.base import AnyRow
from app.store.export import dump, dump_logs, dump_rated
from app.study.design.spec import StudySpec
from app.study.export import verify
from app.study.export.row_keys import of_episode, of_page
from app.study.export.source import Facts, Source
from app.study.people import signs as people_signs
from app.study.play import process_data

NOT_OURS = "not_from_the_script"
OF_BROWSERS = ("keys", "pasted", "hidden_s")  # of the signs: sums of numbers that browsers sent


def process(source: "Source") -> Iterator["Facts"]:
    """Yield events recorded by browsers."""
    query = dump_logs.process(source.scope)
    for number, row in enumerate(dump.rows(source.db, query), start=1):
        facts = {**row._asdict(), **source.who(row), **of_page(row), "event_index": number}
        spec = source.library.spec(source.db, row.design_id)
        yield {**facts, **(left_out(source, row, spec) if source.gate.shareable else {})}


def left_out(source: "Source", row: AnyRow, spec: StudySpec) -> dict[str, str | None]:
    """Return, empty, what a shareable bundle does not have of an event."""
    numbers, why = source.numbers, source.gate.number_reason
    facts = row._asdict()
    kept = {"value": numbers.kept(row.value), "client_ms": numbers.clock(*clocks(row))}
    found = source.empty("process", facts, [one for one in kept if kept[one] != facts[one]], why)
    if not process_data.is_ordinary(row.detail, spec):
        return {**found, **source.empty("process", facts, ["detail"], NOT_OURS, "")}
    if numbers.hides(process_data.sides(row.detail)):
        return {**found, **source.empty("process", facts, ["detail"], why, "")}
    return found


def clocks(row: AnyRow) -> tuple[int | None, int]:
    """Return the browser's and the server's clock of an event."""
    return row.client_ms, row.received_ms


def seats(source: "Source") -> Iterator["Facts"]:
    """Yield the lines of the seat ledger."""
    query = dump_logs.seats(source.scope)
    for number, row in enumerate(dump.rows(source.db, query), start=1):
        facts = {**row._asdict(), **source.who(row), "line": number}
        yield {**facts, "is_test": bool(row.is_test)}


def hands(source: "Source") -> Iterator["Facts"]:
    """Yield manual actions, without the researcher's name."""
    query = dump_logs.hands(source.scope)
    for number, row in enumerate(dump.rows(source.db, query), start=1):
        facts = row._asdict()
        place = (row.kind, row.block_position, row.position)
        yield {
            **facts,
            **source.gate.own(facts, "reason"),
            **source.who(row),
            **of_episode(row),
            "line": number,
            "episode_id": row.kind and verify.episode_name(row.public_id, *place),
        }


def notes(source: "Source") -> Iterator["Facts"]:
    """Yield the notebooks; the practice notebook has no block."""
    for row in dump.rows(source.db, dump_logs.notes(source.scope)):
        facts = {**row._asdict(), "text": note_text(row.content)}
        position = int(row.page.removeprefix(dump_logs.NOTES))
        yield {
            **facts,
            **source.gate.passes("note", facts, row),
            **source.who(row),
            "block_id": f"{row.public_id}-w{position + 1}" if position >= 0 else None,
            "block_index": position + 1 if position >= 0 else None,
        }


def note_text(content: str) -> str:
    """Return the text of a stored notebook."""
    found: dict[str, Any] = json.loads(content)
    return str(found.get("text", ""))


def problems(source: "Source") -> Iterator["Facts"]:
    """Yield the problem reports."""
    query = dump_logs.problems(source.scope)
    for number, row in enumerate(dump.rows(source.db, query), start=1):
        facts = row._asdict()
        passed = source.gate.passes("problem", facts, row)
        yield {**facts, **passed, **source.who(row), **of_page(row), "line": number}


def signs(source: "Source") -> Iterator["Facts"]:
    """Yield each participant's signs of automation; empty = not observed, never clean."""
    own = source.db, source.study.id
    found = people_signs.evidence_of(*own, people_signs.read(*own))
    key = "public_id" if source.scope.is_shuffled else "arrival"
    for person, evidence in sorted(found, key=lambda one: getattr(one[0], key)):
        numbers = source.numbers
        is_left_out = person.public_id in numbers.people or any(map(numbers.hides, sums(evidence)))
        facts = {name: getattr(evidence, name) for name in (*people_signs.NUMBERS, "alike_with")}
        held, why = OF_BROWSERS if is_left_out else (), source.gate.number_reason
        yield {
            **facts,
            **source.empty("sign", facts, held, why),
            **{f"sign_{name}": seen for name, seen in people_signs.signs_of(evidence).items()},
            "study": source.study.slug,
            "participant_id": person.public_id,
            "is_test": False,
            "observed": evidence.automated is not None,
        }


def sums(evidence: people_signs.Evidence) -> tuple[int | None, ...]:
    """Return the sums of what a browser sent, as whole numbers."""
    away = evidence.hidden_s
    return evidence.keys, evidence.pasted, None if away is None else round(away * 1000)


def pauses(source: "Source") -> Iterator["Facts"]:
    """Yield the log of paused annotators, without the researcher's name."""
    rows = dump.rows(source.db, dump_rated.pauses(source.scope))
    for number, row in enumerate(rows, start=1):
        facts = {**row._asdict(), "study": source.study.slug, "line": number}
        yield {**facts, "by_threshold": not row.made_by}
