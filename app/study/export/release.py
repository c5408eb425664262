"""Free text in exports: what was decided about it, and what a shareable bundle leaves out.

A text is `unreviewed` until a researcher has read it and released or withheld it. Everything stands
in a bundle for the researchers themselves; a shareable one empties what is not released, and
whatever holds a platform id, a code or a token of the study, released or not.
"""

from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.export import dump_figures, releases
from app.study.design.spec import parse_spec

# kind -> columns of its table in exports that hold what was typed
FIELDS: Mapping[str, tuple[str, ...]] = {
    "explanation": ("text", "inputs", "output", "how", "found_how"),
    "answer": ("value",),
    "note": ("text",),
    "problem": ("text",),
}
UNREVIEWED, RELEASED, WITHHELD = "unreviewed", "released", "withheld"
NO_IDS: frozenset[str] = frozenset()
SHORTEST = 4  # characters of an id that is looked for: a shorter one stands in every text
HOLDS_ID = "holds_an_id"
RESEARCHERS_OWN = "not_shared"  # notes of researchers, raters and judges are not reviewed
Facts = Mapping[str, Any]


def ids_of(db: Connection, study_id: int) -> set[str]:
    """Return all that a shared text must not hold.

    Platform ids, sessions, tokens and codes of the study's people, and the codes typed in.
    """
    designs = dump_figures.designs(db, study_id).values()
    typed = {code for text in designs for code in parse_spec(text).codes.typed()}
    return releases.known_ids(db, study_id) | typed


def text_hash(kind: str, facts: Facts) -> str:
    """Return the sha256 of a row's texts, as decisions are kept by."""
    return sha256("\x1f".join(str(facts[name]) for name in FIELDS[kind]).encode()).hexdigest()


def state_of(kind: str, facts: Facts, row: AnyRow) -> str:
    """Return what was decided about a row's texts; '' where nothing was written."""
    if not any(facts[name] for name in FIELDS[kind]):
        return ""
    known = row.release_state is not None and row.release_hash == text_hash(kind, facts)
    return str(row.release_state) if known else UNREVIEWED


class Gate:
    """Decides on every free text of a bundle. Without `shareable` all of it passes."""

    def __init__(self, *, shareable: bool, ids: Collection[str] = NO_IDS) -> None:
        self.shareable = shareable
        self._ids = frozenset(one.casefold() for one in ids if len(one) >= SHORTEST)
        self._sizes = sorted({len(one) for one in self._ids})

    def passes(self, kind: str, facts: Facts, row: AnyRow) -> dict[str, Any]:
        """Return `release`, `text_reason`, and the texts emptied where they are kept back."""
        state = state_of(kind, facts, row)
        return {"release": state, **self.texts(facts, FIELDS[kind], state)}

    def texts(self, facts: Facts, fields: tuple[str, ...], state: str) -> dict[str, Any]:
        """Return `text_reason`, and the texts emptied where they are kept back."""
        reason = self.reason([facts[name] for name in fields], state)
        return {"text_reason": reason, **(dict.fromkeys(fields, "") if reason else {})}

    def own(self, facts: Facts, *fields: str) -> dict[str, Any]:
        """Return the same for what researchers, raters and judges wrote."""
        return self.texts(facts, fields, RESEARCHERS_OWN)

    def reason(self, texts: list[Any], state: str) -> str:
        """Return why texts are kept back, '' if they are not."""
        if not self.shareable or not any(texts):
            return ""
        if state != RELEASED:
            return state
        return HOLDS_ID if any(self.holds_id(str(text)) for text in texts if text) else ""

    def holds_id(self, text: str) -> bool:
        """Tell whether a text holds a platform id, a code or a token of the study, in any case.

        Time grows with the text and with how many lengths ids have, not with the number of ids.
        """
        folded = text.casefold()
        return any(
            folded[at : at + size] in self._ids
            for size in self._sizes
            for at in range(len(folded) - size + 1)
        )

    def hides(self, text: str) -> bool:
        """Tell whether what nobody reviews, such as a command or a number, must be kept back."""
        return self.shareable and self.holds_id(text)
