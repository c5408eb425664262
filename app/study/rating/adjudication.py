"""Disagreements between annotators: the queue, and decisions stored separately from ratings."""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.rating import adjudications, ratings
from app.store.rating.rounds import TRAINING
from app.store.rating.scales import CRITERIA
from app.study.rating import opinions
from app.study.rating import rounds as round_cases
from app.study.text_checks import tidy, too_long
from app.study.tickets import once

MAX_COMMENT = 2_000
DIGITS = {"0": 0, "1": 1, "2": 2}


class AdjudicationError(StudyError):
    """The decision is not valid; the message says why."""

    code = "adjudication/error"


class StaleAdjudicationError(StudyError):
    """The item was decided after the page was loaded."""

    code = "adjudication/stale"

    def __init__(self) -> None:
        super().__init__(
            "This item was decided in another tab or by someone else after you loaded this page. "
            "Check that decision, then save again to replace it."
        )


class OwnerDecidesError(StudyError):
    """The adjudicators differ, so only the round's owner can decide."""

    code = "adjudication/owner"

    def __init__(self, owner: str) -> None:
        super().__init__(f"All opinions on this item are in, and {owner} decides.")


@dataclass(slots=True)
class Case:
    """One item of a round with each annotator's rating; annotators are known by pseudonym only.

    `number`: its place in a shuffled order, so that neither number nor order names the source.
    `ratings`: (pseudonym, words, comment, flagged). `decided`: the newest decision in words, or ''.
    """

    round_item_id: int
    item_id: int
    number: int = 0
    ratings: list[tuple[str, str, str, bool]] = field(default_factory=list)
    values: set[tuple[int | None, ...]] = field(default_factory=set)
    decided: str = ""
    revision: int = 0
    comment: str = ""
    flagged: bool = False

    @property
    def differs(self) -> bool:
        """Return whether two annotators gave different scores."""
        return len(self.values) > 1


def names_of(mode: str) -> tuple[str, ...]:
    """Return the columns of a round's scores."""
    return ("value",) if mode == "overall" else CRITERIA


def words_of(row: Any, names: tuple[str, ...], prefix: str = "") -> str:
    """Return scores as short text, or '' if there are none."""
    found = [getattr(row, prefix + name) for name in names]
    return "" if None in found else " ".join(map(str, found))


def cases(db: Connection, row: AnyRow) -> list[Case]:
    """Return every main and gold item of a round, in an order drawn by the round's seed.

    Hidden repeats are left out: they compare annotators with themselves.
    """
    names = names_of(row.mode)
    rows = list(ratings.long_rows(db, row.id))
    numbers = case_numbers(rows, row.seed)
    found: dict[int, Case] = {}
    for one in rows:
        if one.kind == TRAINING or one.repeat:
            continue
        case = found.setdefault(one.round_item_id, Case(one.round_item_id, one.item_id))
        if one.revision is None:
            continue
        words = words_of(one, names)
        if words:
            case.values.add(tuple(getattr(one, name) for name in names))
        shown = words or f"skipped ({one.skip_reason})"
        case.ratings.append((one.rater, shown, one.comment, bool(one.flag)))
        case.flagged = case.flagged or bool(one.flag)
    newest: dict[int, list[AnyRow]] = defaultdict(list)
    for decision in adjudications.of_round(db, row.id):
        newest[decision.round_item_id].append(decision)
    for round_item_id, decisions in newest.items():
        last = decisions[-1]
        case = found[round_item_id]
        case.decided, case.comment = words_of(last, names), last.comment
        case.revision = last.revision
    for case in found.values():
        case.number = numbers[case.round_item_id]
    return sorted(found.values(), key=lambda case: case.number)


def case_numbers(rows: Iterable[AnyRow], seed: int) -> dict[int, int]:
    """Return round item -> its number among the cases, in an order drawn by the round's seed.

    Neither number nor order reveals anything about the item, as its ID or place would.
    """
    ids = sorted({row.round_item_id for row in rows if row.kind != TRAINING and not row.repeat})
    rng = random.Random(f"{seed}:adjudicate")
    keys = [rng.random() for _ in ids]
    order = sorted(range(len(ids)), key=keys.__getitem__)
    return {ids[at]: number for number, at in enumerate(order, start=1)}


def queue(db: Connection, row: AnyRow) -> list[Case]:
    """Return the items on which annotators disagree, undecided ones first."""
    return sorted((c for c in cases(db, row) if c.differs), key=lambda c: bool(c.decided))


def decide(
    store: Store,
    study_id: int,
    number: int,
    round_item_id: int,
    typed: Mapping[str, str],
    by: str,
    now: datetime,
) -> None:
    """Store a decision as a new revision, once; ratings are not changed.

    The round must be closed: before, annotators can still change their ratings.
    With several adjudicators it is an opinion until all have given theirs. Equal opinions are the
    decision; otherwise the round's owner decides.
    Raises NoRoundError, RoundStateError, AdjudicationError, StaleAdjudicationError,
    OwnerDecidesError, TicketError.
    """
    with store.write() as db:
        row = round_cases.find(db, study_id, number, lock=True)

        def do() -> dict[str, Any]:
            if row.state != "closed":
                raise round_cases.RoundStateError("Close the round before you decide.")
            if round_item_id not in {case.round_item_id for case in cases(db, row)}:
                raise AdjudicationError("Items of this kind are not adjudicated.")
            before = [
                one
                for one in adjudications.of_round(db, row.id)
                if one.round_item_id == round_item_id
            ]
            if typed.get("revision", "") != str(len(before)):
                raise StaleAdjudicationError
            values = read(typed, row.mode)
            if is_decision(db, row, round_item_id, values, by, now, decided=bool(before)):
                made = {"made_by": by, "created_at": now, "revision": len(before) + 1}
                adjudications.insert(db, {"round_item_id": round_item_id, **values, **made})
            return {"done": True}

        once(db, typed.get("ticket", ""), f"account/{by}", now, do)


def is_decision(
    db: Connection,
    row: AnyRow,
    round_item_id: int,
    values: Mapping[str, Any],
    by: str,
    now: datetime,
    *,
    decided: bool,
) -> bool:
    """Store an opinion if several are needed; return whether there is a decision to store."""
    if row.adjudicators == 1:
        return True
    standing = opinions.of_round(db, row).get(round_item_id, opinions.Standing(row.adjudicators))
    if standing.complete or decided:
        owner = opinions.owner_of(db, row)
        if owner not in {"", by}:
            raise OwnerDecidesError(owner)
        return True
    opinions.add(db, standing, round_item_id, values, by, now)
    after = opinions.of_round(db, row)[round_item_id]
    return after.complete and len(after.scores(names_of(row.mode))) == 1


def read(typed: Mapping[str, str], mode: str) -> dict[str, Any]:
    """Parse a decision form. Raises AdjudicationError."""
    comment = tidy(typed.get("comment", "")).strip()
    if note := too_long(comment, MAX_COMMENT):
        raise AdjudicationError(note, "comment")
    scores = {name: DIGITS.get(typed.get(name, "")) for name in names_of(mode)}
    for name, score in scores.items():
        if score is None:
            raise AdjudicationError("Choose 0, 1 or 2 for every criterion.", name)
    return {**scores, "comment": comment}
