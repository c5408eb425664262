"""Players' explanations become items to be rated by themselves: what comes in, and how it reads."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.store.rating import items

NOT_KNOWN = "I do not know the rule."
PARTS = (
    ("Which traits matter", "inputs"),
    ("What they decide", "output"),
    ("How they decide it", "how"),
)
EMPTY = "(left empty)"


def gather(db: Connection, study_id: int, now: datetime) -> int:
    """Take in what players have explained since the last time; return how many came.

    The study's row must be locked. Called wherever items are counted upon: imports, judge scores,
    samples, rounds, the list of items.
    """
    rows = [as_item(row, study_id, now) for row in items.new_explanations(db, study_id)]
    items.insert(db, rows)
    return len(rows)


def as_item(row: AnyRow, study_id: int, now: datetime) -> dict[str, Any]:
    """Return the item that an explanation becomes; named as in the exports."""
    return {
        "study_id": study_id,
        "external_id": f"{row.public_id}-w{row.block_position + 1}-r{row.after + 1}",
        "kind": "player",
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
    """Return a rule form as the one text that is rated; three parts are labelled."""
    if row.form == "three":
        parts = [(label, getattr(row, name)) for label, name in PARTS]
        said = "\n\n".join(f"{label}: {text.strip() or EMPTY}" for label, text in parts)
        said = said if any(text.strip() for _, text in parts) else ""
    else:
        said = row.text.strip()
    if row.do_not_know:
        return f"{NOT_KNOWN}\n\n{said}".strip()
    return said


def take_in(store: Store, study_id: int, now: datetime) -> int:
    """Gather in a write of its own; return how many explanations came in."""
    with store.write() as db:
        studies.lock(db, study_id)
        return gather(db, study_id, now)
