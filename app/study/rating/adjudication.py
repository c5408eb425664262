"""Where raters disagreed: the queue, and decisions that stand beside the ratings, never in them."""

from collections import defaultdict
from collections.abc import Mapping
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
from app.study.rating import rounds as round_cases
from app.study.text_checks import tidy, too_long
from app.study.tickets import once

MAX_COMMENT = 2_000
DIGITS = {"0": 0, "1": 1, "2": 2}


class AdjudicationError(StudyError):
    """The decision cannot be stored as it is; the message says why."""

    code = "adjudication/error"


class StaleAdjudicationError(StudyError):
    """Somebody decided this item since the page was made."""

    code = "adjudication/stale"

    def __init__(self) -> None:
        super().__init__(
            "This item was decided in another tab or by somebody else since this page was made. "
            "That decision stands; look at it, then save again to replace it."
        )


@dataclass(slots=True)
class Case:
    """One item of a round with what each rater said of it; raters by pseudonym alone.

    `said`: (rater, words, comment, flagged). `decided`: the newest decision in words, or ''.
    """

    round_item_id: int
    item_id: int
    item: str
    said: list[tuple[str, str, str, bool]] = field(default_factory=list)
    values: set[tuple[int | None, ...]] = field(default_factory=set)
    decided: str = ""
    revision: int = 0
    comment: str = ""
    flagged: bool = False

    @property
    def differs(self) -> bool:
        """Tell whether two raters gave different scores."""
        return len(self.values) > 1


def names_of(mode: str) -> tuple[str, ...]:
    """Return the columns that hold a round's scores."""
    return ("value",) if mode == "overall" else CRITERIA


def words_of(row: Any, names: tuple[str, ...], prefix: str = "") -> str:
    """Return scores in few words, or '' where there are none."""
    found = [getattr(row, prefix + name) for name in names]
    return "" if None in found else " ".join(map(str, found))


def cases(db: Connection, row: AnyRow) -> list[Case]:
    """Return every main and gold item of a round, in the order of the items.

    Hidden second showings are left out: they measure a rater against themselves.
    """
    names = names_of(row.mode)
    found: dict[int, Case] = {}
    for one in ratings.long_rows(db, row.id):
        if one.kind == TRAINING or one.repeat:
            continue
        case = found.setdefault(one.round_item_id, Case(one.round_item_id, one.item_id, one.item))
        if one.revision is None:
            continue
        words = words_of(one, names)
        if words:
            case.values.add(tuple(getattr(one, name) for name in names))
        shown = words or f"skipped ({one.skip_reason})"
        case.said.append((one.rater, shown, one.comment, bool(one.flag)))
        case.flagged = case.flagged or bool(one.flag)
    newest: dict[int, list[AnyRow]] = defaultdict(list)
    for decision in adjudications.of_round(db, row.id):
        newest[decision.round_item_id].append(decision)
    for round_item_id, decisions in newest.items():
        last = decisions[-1]
        case = found[round_item_id]
        case.decided, case.comment = words_of(last, names), last.comment
        case.revision = last.revision
    return list(found.values())


def queue(db: Connection, row: AnyRow) -> list[Case]:
    """Return the items on which raters differ, undecided ones first."""
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
    """Store a decision as a new revision, once; ratings stay as they are.

    Only in a closed round: raters may still change their minds before.
    Raises NoRoundError, RoundStateError, AdjudicationError, StaleAdjudicationError, TicketError.
    """
    with store.write() as db:
        row = round_cases.find(db, study_id, number, lock=True)

        def do() -> dict[str, Any]:
            if row.state != "closed":
                raise round_cases.RoundStateError("Close the round before you adjudicate.")
            if round_item_id not in {case.round_item_id for case in cases(db, row)}:
                raise AdjudicationError("This is no item that raters of this round can differ on.")
            before = [
                one
                for one in adjudications.of_round(db, row.id)
                if one.round_item_id == round_item_id
            ]
            if typed.get("revision", "") != str(len(before)):
                raise StaleAdjudicationError
            adjudications.insert(
                db,
                {
                    "round_item_id": round_item_id,
                    "revision": len(before) + 1,
                    **read(typed, row.mode),
                    "made_by": by,
                    "created_at": now,
                },
            )
            return {"done": True}

        once(db, typed.get("ticket", ""), f"account/{by}", now, do)


def read(typed: Mapping[str, str], mode: str) -> dict[str, Any]:
    """Read a decision form. Raises AdjudicationError."""
    comment = tidy(typed.get("comment", "")).strip()
    if note := too_long(comment, MAX_COMMENT):
        raise AdjudicationError(note)
    scores = {name: DIGITS.get(typed.get(name, "")) for name in names_of(mode)}
    if None in scores.values():
        raise AdjudicationError("Please choose 0, 1 or 2 everywhere.")
    return {**scores, "comment": comment}
