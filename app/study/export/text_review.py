"""Review of free texts: decide which can be shared; every decision is logged."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.export import dump, dump_logs, releases
from app.store.export.dump import Scope
from app.study.design import studies
from app.study.export import release, rows_play
from app.study.export.release import FIELDS, RELEASED, UNREVIEWED, WITHHELD
from app.study.export.rows_logs import note_text
from app.study.export.source import FREE_TEXT, Source
from app.study.name_marks import NameMarker
from app.study.text_checks import storable
from app.study.tickets import once

PAGE = 25  # texts per page
MAX_NOTE = 500
STATES = (UNREVIEWED, RELEASED, WITHHELD)
QUERIES: Mapping[str, Callable[[Scope], Any]] = {
    "explanation": dump.all_explanations,
    "answer": dump.all_answers,
    "note": dump_logs.notes,
    "problem": dump_logs.problems,
    "turn": dump.unread_commands,
}


class TextError(StudyError):
    """The decision is not valid; the message says what to do."""

    code = "text/error"


@dataclass(frozen=True, slots=True)
class Text:
    """One text to decide on. `parts`: (label, typed text), without empty ones."""

    kind: str
    row_id: int
    participant_id: int
    public_id: str
    hash: str
    state: str
    parts: tuple[tuple[str, str], ...]
    kept_back: str  # why a shareable bundle leaves it out even if it is released; '' = it does not
    names: tuple[str, ...] = ()  # words that may be names of people or places

    @property
    def name(self) -> str:
        """Return the name of the text in the form."""
        return f"{self.kind}-{self.row_id}"


def all_texts(source: Source) -> Iterator[Text]:
    """Yield every free text of a study's participants (without test participants), kind by kind."""
    gate = release.gate_of(source.db, source.study.id, source.key)
    for kind, query in QUERIES.items():
        for rows in release.pages(kind, dump.rows(source.db, query(source.scope))):
            held = gate.holding([written(source, kind, row) for row in rows])
            for row, is_held in zip(rows, held, strict=True):
                facts = typed(source, kind, row)
                state = "" if facts is None else release.state_of(kind, facts, row)
                if facts is not None and state:
                    parts = tuple((name, facts[name]) for name in FIELDS[kind] if facts[name])
                    yield Text(
                        kind,
                        row.id,
                        row.participant_row,
                        row.public_id,
                        release.text_hash(kind, facts),
                        state,
                        parts,
                        gate.reason([text for _, text in parts], release.RELEASED, held=is_held),
                    )


def written(source: Source, kind: str, row: AnyRow) -> str:
    """Return all that someone typed in a row."""
    if kind == "answer":
        return rows_play.typed_answer(source, row)
    facts = typed(source, kind, row) or {}
    return "\n".join(str(facts[name]) for name in FIELDS[kind] if facts[name])


def typed(source: Source, kind: str, row: AnyRow) -> dict[str, Any] | None:
    """Return the typed text by column, or None if it is not free text."""
    facts = row._asdict()
    if kind == "note":
        return {**facts, "text": note_text(row.content)}
    if kind == "answer":
        asked = source.kind_of(row.design_id, row.phase, row.question)
        return facts if asked in FREE_TEXT else None
    return facts


def of_study(db: Connection, slug: str, key: bytes = b"") -> Source:
    """Return the source of a study's texts. Raises NoStudyError."""
    study = studies.find(db, slug)
    # the practice too, because bundles may hold it
    scope = Scope(study.id, include_test=False, include_practice=True)
    return Source(db, study, scope, key=key)


def overview(db: Connection, slug: str) -> dict[str, int]:
    """Return state -> number of texts. Raises NoStudyError."""
    found = dict.fromkeys(STATES, 0)
    for text in all_texts(of_study(db, slug)):
        found[text.state] += 1
    return found


def page(
    db: Connection, slug: str, state: str, number: int, key: bytes = b""
) -> tuple[list[Text], bool]:
    """Return a page (from 1) of texts in one state, and whether more follow."""
    source = of_study(db, slug, key)
    chosen = (text for text in all_texts(source) if text.state == state)
    start = (number - 1) * PAGE
    found = list(islice(chosen, start, start + PAGE + 1))
    marker = source.name_marker()
    return [marked(text, marker) for text in found[:PAGE]], len(found) > PAGE


def marked(text: Text, marker: NameMarker) -> Text:
    """Return a text with the words in it that may be names."""
    whole = "\n".join(typed for _, typed in text.parts)
    return replace(text, names=tuple(marker.marks(whole)))


def decide(
    store: Store,
    slug: str,
    wanted: Mapping[str, tuple[str, str]],
    note: str,
    account: tuple[int, str],
    ticket: str,
    now: datetime,
) -> dict[str, Any]:
    """Store decisions, once; skip texts that changed since they were read.

    Args:
        store: the database.
        slug: of the study.
        wanted: `Text.name` -> (released or withheld, hash of the text that was read).
        note: the reason for all decisions; may be empty.
        account: id and name of the researcher.
        ticket: of the form.
        now: the clock.

    Returns: `decided` and `changed`, numbers. Raises NoStudyError, TextError, TicketError.
    """
    if not wanted:
        raise TextError("Choose 'Release' or 'Withhold' for at least one text.")
    if any(state not in (RELEASED, WITHHELD) for state, _ in wanted.values()):
        raise TextError("Choose 'Release' or 'Withhold'.")
    if len(note) > MAX_NOTE or not storable(note):
        raise TextError(
            f"Use at most {MAX_NOTE} characters for the note, without control characters.", "note"
        )
    with store.write() as db:
        source = of_study(db, slug)

        def do() -> dict[str, Any]:
            rows = [
                {
                    "participant_id": text.participant_id,
                    "kind": text.kind,
                    "row_id": text.row_id,
                    "text_hash": text.hash,
                    "state": wanted[text.name][0],
                    "note": note,
                    "made_by": account[1],
                    "at": now,
                }
                for text in all_texts(source)
                if text.name in wanted and text.hash == wanted[text.name][1]
            ]
            releases.insert(db, rows)
            return {"decided": len(rows), "changed": len(wanted) - len(rows)}

        return once(db, ticket, f"account/{account[0]}", now, do)
