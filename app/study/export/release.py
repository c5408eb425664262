"""Free text in exports: the decisions about it, and what a shareable bundle leaves out.

A text is `unreviewed` until a researcher has read it and released or withheld it. A plain bundle
contains all texts. A shareable one leaves out texts that are not released, and every text with a
platform ID, a code or a token of the study, an e-mail address or a telephone number, released or
not.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.export import dump_figures, releases
from app.store.people import id_hashes
from app.study import id_key
from app.study.design.spec import parse_spec
from app.study.id_marks import LEAST_NUMBER, Finder, HashedPiece, listed
from app.study.mail_marks import holds_email
from app.study.phone_marks import holds_phone

# kind -> columns of its export table with typed text
FIELDS: Mapping[str, tuple[str, ...]] = {
    "explanation": ("text", "inputs", "output", "how", "found_how"),
    "answer": ("value",),
    "note": ("text",),
    "problem": ("text",),
    "turn": ("raw",),
}
UNREVIEWED, RELEASED, WITHHELD = "unreviewed", "released", "withheld"
# kind -> what the texts that someone typed on one page have in common; others stand alone
PAGE_OF = {
    "answer": attrgetter("participant_row", "phase", "attempt"),
    "turn": attrgetter("episode_id"),
}
ACROSS = 8  # characters of an ID that count if they stand in several texts of a page
NO_IDS: frozenset[str] = frozenset()
HOLDS_ID = "holds_an_id"
HOLDS_EMAIL = "holds_an_email"
HOLDS_PHONE = "holds_a_phone"
NO_KEY = "id_key_missing"  # deleted IDs cannot be looked for
RESEARCHERS_OWN = "not_shared"  # notes of researchers, annotators and judges are not reviewed
Facts = Mapping[str, Any]


def ids_of(db: Connection, study_id: int) -> set[str]:
    """Return everything that a shared text must not contain.

    Platform IDs, sessions, tokens and codes of the study's participants, codes they typed, and
    IDs, submissions and codes on the platforms' lists.
    """
    designs = dump_figures.designs(db, study_id).values()
    typed = {code for text in designs for code in parse_spec(text).codes.typed()}
    on_lists = (listed(*row) for row in releases.listed_ids(db, study_id))
    return releases.known_ids(db, study_id).union(typed, *on_lists)


def finder(db: Connection, study_id: int, key: bytes) -> Finder | None:
    """Return what finds the IDs of a study, stored or deleted.

    None: there are hashes of deleted IDs, but this is not the key they were made with.
    """
    stored = id_hashes.of_study(db, study_id)
    if any(one.key_name != id_key.name_of(key) for one in stored):
        return None
    hashes = {HashedPiece(one.place, one.size, one.digest) for one in stored}
    return Finder(ids_of(db, study_id), key, hashes)


def text_hash(kind: str, facts: Facts) -> str:
    """Return the sha256 of a row's texts, the key of decisions."""
    return sha256("\x1f".join(str(facts[name]) for name in FIELDS[kind]).encode()).hexdigest()


def state_of(kind: str, facts: Facts, row: AnyRow) -> str:
    """Return the decision about a row's texts, or '' if they are empty."""
    if not any(facts[name] for name in FIELDS[kind]):
        return ""
    known = row.release_state is not None and row.release_hash == text_hash(kind, facts)
    return str(row.release_state) if known else UNREVIEWED


def pages(kind: str, rows: Iterable[AnyRow]) -> Iterator[list[AnyRow]]:
    """Yield the rows of a kind page by page: answers given at once, commands of an episode."""
    for _, some in groupby(rows, PAGE_OF.get(kind, attrgetter("id"))):
        yield list(some)


def gate_of(db: Connection, study_id: int, key: bytes) -> "Gate":
    """Return the gate of a shareable bundle; without the right key, it keeps every text back."""
    found = finder(db, study_id, key)
    gate = Gate(shareable=True, finder=found or Finder(ids_of(db, study_id)))
    gate.is_blind = found is None
    return gate


class Gate:
    """Gate for every free text of a bundle. Without `shareable`, all texts pass."""

    def __init__(
        self, *, shareable: bool, ids: Collection[str] = NO_IDS, finder: Finder | None = None
    ) -> None:
        """Make a gate that looks for `ids`, or for what `finder` finds."""
        self.shareable, self.is_blind = shareable, False
        self._finder = finder or Finder(ids)

    def passes(
        self, kind: str, facts: Facts, row: AnyRow, *, held: bool | None = None
    ) -> dict[str, Any]:
        """Return `release`, `text_reason`, and empty texts where they are left out.

        `held`: whether `holding` found an ID; None = look for one.
        """
        state = state_of(kind, facts, row)
        if held is None:
            (held,) = self.holding(["\n".join(str(facts[name] or "") for name in FIELDS[kind])])
        return {"release": state, **self.texts(facts, FIELDS[kind], state, held=held)}

    def texts(
        self, facts: Facts, fields: tuple[str, ...], state: str, *, held: bool | None = None
    ) -> dict[str, Any]:
        """Return `text_reason`, and empty texts where they are left out."""
        reason = self.reason([facts[name] for name in fields], state, held=held)
        return {"text_reason": reason, **(dict.fromkeys(fields, "") if reason else {})}

    def own(self, facts: Facts, *fields: str) -> dict[str, Any]:
        """Return the same for what researchers, annotators and judges wrote."""
        return self.texts(facts, fields, RESEARCHERS_OWN)

    def reason(self, texts: Sequence[Any], state: str, *, held: bool | None = None) -> str:
        """Return why the texts of one form are left out, or '' if they are not.

        They are read one after the other too, because an ID may stand in several of them.
        """
        if not self.shareable or not any(texts):
            return ""
        if state != RELEASED:
            return state
        if self.is_blind:
            return NO_KEY
        joined = "\n".join(str(text) for text in texts if text)
        if self.holds_id(joined) if held is None else held:
            return HOLDS_ID
        if holds_email(joined):
            return HOLDS_EMAIL
        return HOLDS_PHONE if holds_phone(joined) else ""

    def identifies(self, text: str) -> bool:
        """Return whether a text that someone typed contains an ID, or something in its form."""
        return self._finder.identifies(text)

    def holding(self, texts: Sequence[str]) -> list[bool]:
        """Return which texts of a page contain an ID, alone or only together with others."""
        nothing = [False] * len(texts)
        if not self.shareable or self.is_blind or not self.identifies("\n".join(texts)):
            return nothing
        alone = [self.identifies(text) for text in texts]
        rest = [text for text, is_held in zip(texts, alone, strict=True) if not is_held]
        is_split = self._finder.finds("\n".join(rest), ACROSS)
        return [
            is_held or (is_split and text != "") for text, is_held in zip(texts, alone, strict=True)
        ]

    def holds_id(self, text: str) -> bool:
        """Return whether a text contains a platform ID, a code or a token, however spelt.

        Time grows with the text and the number of distinct ID lengths, not the number of IDs.
        """
        return self._finder.finds(text)

    def hides_number(self, number: int | None) -> bool:
        """Return whether a whole number that a browser sent must be left out."""
        if not self.shareable or number is None or number < LEAST_NUMBER:
            return False
        return self.is_blind or self._finder.finds_number(number)

    def held(self, text: str) -> str:
        """Return why a text that nobody reads, such as a program's command, is left out, or ''."""
        return self.reason([text], RELEASED)

    @property
    def number_reason(self) -> str:
        """Return why numbers are left out, if they are."""
        return NO_KEY if self.is_blind else HOLDS_ID
