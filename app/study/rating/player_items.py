"""Explanations by players become items: which ones, and as what text."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.store.rating import items
from app.study.people import analysed

NOT_KNOWN = "I do not know the rule."
PARTS = (
    ("Which traits matter", "inputs"),
    ("What they decide", "output"),
    ("How they decide it", "how"),
)
EMPTY = "(left empty)"


def gather(db: Connection, study_id: int, now: datetime) -> int:
    """Turn new explanations by players into items; return how many were added.

    The study's row must be locked. Called before anything that uses items: imports, judge scores,
    samples, rounds, the list of items.
    """
    rows = [as_item(row, study_id, now) for row in items.new_explanations(db, study_id)]
    items.insert(db, rows)
    return len(rows)


def eligible(db: Connection, study_id: int, which: str = "last") -> list[int]:
    """Return the ids of the items that rounds and samples may choose, in order of id.

    Models' explanations always count; players' do if their author does (`analysed`).

    Args:
        db: a read.
        study_id: whose items.
        which: the last explanation that a player gave in a block, the first, or all.
    """
    rows = items.candidates(db, study_id, which)
    return [int(row.id) for row in rows if row.kind == items.MODEL or not analysed.of_person(row)]


def new_id(row: AnyRow) -> str:
    """Return the ID of a player's explanation in exports and lists."""
    return f"{row.public_id}-w{row.block_position + 1}-r{row.after + 1}"


def as_item(row: AnyRow, study_id: int, now: datetime) -> dict[str, Any]:
    """Return the item for an explanation, with the same ID as in the exports."""
    return {
        "study_id": study_id,
        "external_id": new_id(row),
        "kind": items.PLAYER,
        "explanation_id": row.id,
        "participant_id": row.participant_id,
        "source": items.PLAYERS,
        "cluster": row.public_id,
        "task": row.task,
        "seed": row.seed,
        "lexicon": row.lexicon,
        "coverage": row.coverage,
        "variant_hash": row.variant_hash,
        "text": text_of(row),
        "is_erased": False,
        "imported_by": "",
        "created_at": now,
    }


def text_of(row: AnyRow) -> str:
    """Return a rule form as one text to rate; three parts get labels."""
    if row.form == "three":
        text = labelled({name: getattr(row, name) for _, name in PARTS})
    else:
        text = row.text.strip()
    if row.do_not_know:
        return f"{NOT_KNOWN}\n\n{text}".strip()
    return text


def labelled(parts: Mapping[str, str]) -> str:
    """Return three parts as one text with headings, or '' if all are empty."""
    texts = [(label, parts.get(name, "").strip()) for label, name in PARTS]
    if not any(text for _, text in texts):
        return ""
    return "\n\n".join(f"{label}: {text or EMPTY}" for label, text in texts)


def take_in(store: Store, study_id: int, now: datetime) -> int:
    """Gather in its own transaction; return how many explanations were added."""
    with store.write() as db:
        studies.lock(db, study_id)
        return gather(db, study_id, now)
