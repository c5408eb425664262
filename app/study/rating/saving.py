"""Save a rating: once per form, never over a newer one, and only while the round is open."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.moments import from_ms, to_ms
from app.store.base import AnyRow
from app.store.db import Store
from app.store.rating import guesses, handovers, ratings, rounds
from app.store.rating.guesses import GUESSES
from app.store.rating.rounds import GOLD, TRAINING
from app.store.rating.scales import CRITERIA
from app.study import ground_truth
from app.study.rating import pauses, rubric
from app.study.rating.pauses import PausedError
from app.study.rating.rater_view import NotYoursError, shows_answer
from app.study.text_checks import tidy, too_long
from app.study.tickets import once

MAX_COMMENT = 2_000
MAX_MS = 7 * 24 * 3600 * 1000  # longer times say nothing: the page was left open
SKIP = "skip"
DIGITS = {"0": 0, "1": 1, "2": 2}
NO_GUESS = "Choose person, model or don’t know."
REASONS = tuple(code for code, _ in rubric.SKIP_REASONS)


class RatingError(StudyError):
    """The form is incomplete; `problems` says what is missing, field by field."""

    code = "rate/incomplete"

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


class StaleRatingError(StudyError):
    """The item was rated elsewhere after the page was loaded."""

    code = "rate/stale"

    def __init__(self) -> None:
        super().__init__(
            "You rated this item in another tab or on another device after you loaded this page. "
            "That rating was kept; nothing was overwritten."
        )


class RoundClosedError(StudyError):
    """The round is closed: nothing can be added or changed."""

    code = "rate/closed"

    def __init__(self) -> None:
        super().__init__(
            "This round is closed, so this was not saved. Your earlier ratings are kept."
        )


class FinalError(StudyError):
    """The annotator has seen the answer to this item."""

    code = "rate/final"

    def __init__(self) -> None:
        super().__init__("You have already seen the answer to this item; your first rating counts.")


@dataclass(frozen=True, slots=True)
class NewRating:
    """A checked rating: the columns of the table, and the guess of the source ('' = none)."""

    scores: Mapping[str, int | None]
    skip_reason: str
    flag: bool
    comment: str
    rule_version: str
    active_ms: int | None
    wall_ms: int | None
    guess: str


@dataclass(frozen=True, slots=True)
class Saved:
    """What was saved, and when, as the server knows it."""

    revision: int
    at: datetime


def read_rating(
    typed: Mapping[str, str], mode: str, now: datetime, *, asks_source: bool = False
) -> NewRating:
    """Parse a rating form: `value` 0, 1, 2 or skip, or the four criteria. Raises RatingError.

    `asks_source`: the form asks who wrote the text, which must be answered unless it is skipped.

    `rule_version` is the wording that the page showed, which may be older than the running
    release. An unknown or missing version is stored as ''.
    """
    problems: dict[str, str] = {}
    comment = tidy(typed.get("comment", "")).strip()
    if note := too_long(comment, MAX_COMMENT):
        problems["comment"] = note
    names = ("value",) if mode == "overall" else CRITERIA
    scores: dict[str, int | None] = dict.fromkeys(("value", *CRITERIA))
    reason = typed.get("skip_reason", "")
    skipped = typed.get("value") == SKIP
    if skipped:
        if reason not in REASONS:
            problems["skip_reason"] = "Choose a reason for skipping this item."
        elif reason == "other" and not comment:
            problems["comment"] = "Say in the comment why you are skipping this item."
    else:
        reason = ""
        for name in names:
            scores[name] = DIGITS.get(typed.get(name, ""))
            if scores[name] is None:
                problems[name] = "Choose 0, 1 or 2, or skip the item."
    guess = typed.get("guess", "") if asks_source else ""
    if asks_source and guess not in GUESSES and (guess or not skipped):
        problems["guess"] = NO_GUESS
    if problems:
        raise RatingError(problems)
    shown_wording = typed.get("rule_version", "")
    shown = milliseconds(typed.get("shown_ms", ""))
    wall = None if shown is None else to_ms(now) - shown
    return NewRating(
        scores=scores,
        skip_reason=reason,
        flag=bool(typed.get("flag")),
        comment=comment,
        rule_version=shown_wording if shown_wording in ground_truth.VERSIONS else "",
        active_ms=within(milliseconds(typed.get("active_ms", ""))),
        wall_ms=within(wall),
        guess=guess,
    )


def milliseconds(text: str) -> int | None:
    """Parse a whole number of milliseconds, or None."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= len("1" * 15) else None


def within(value: int | None) -> int | None:
    """Return a duration if it is plausible, or None."""
    return value if value is not None and 0 <= value <= MAX_MS else None


def save(
    store: Store, account_id: int, token: str, typed: Mapping[str, str], now: datetime
) -> Saved:
    """Store a rating as a new revision of this annotator's item, once.

    `typed["revision"]` is the revision that the page showed (0 = none). If the same form is sent
    twice, `typed["ticket"]` makes the second call return the first result.
    Raises NotYoursError, RatingError, StaleRatingError, RoundClosedError,
    FinalError, PausedError, TicketError.
    """
    with store.write() as db:
        row = ratings.assignment_of(db, token, account_id, lock=True)
        if row is None:
            raise NotYoursError
        ticket = typed.get("ticket", "")

        def do() -> dict[str, Any]:
            present = rounds.by_id(db, row.round_id, share=True)
            revision = latest(db, row.id)
            refuse(db, present, row, account_id, revision)
            if typed.get("revision", "") != str(revision):
                raise StaleRatingError
            asked = present.ask_source == "item" and row.kind != TRAINING
            new = read_rating(typed, present.mode, now, asks_source=asked)
            values = {
                "assignment_id": row.id,
                "revision": revision + 1,
                **new.scores,
                "skip_reason": new.skip_reason,
                "flag": new.flag,
                "comment": new.comment,
                "rule_version": new.rule_version,
                "active_ms": new.active_ms,
                "wall_ms": new.wall_ms,
                "ticket": ticket,
                "created_at": now,
            }
            ratings.insert(db, values)
            if row.kind == GOLD and not revision:
                pauses.check(db, present, account_id, now)
            if new.guess:
                guesses.add(db, row.id, new.guess, now)
            return {"revision": revision + 1, "ms": to_ms(now)}

        done = once(db, ticket, f"rating/{token}", now, do)
    return Saved(done["revision"], from_ms(done["ms"]))


def refuse(db: Connection, present: AnyRow, row: AnyRow, account_id: int, revision: int) -> None:
    """Raise why this annotator cannot rate an assignment now, if so.

    Raises RoundClosedError, NotYoursError, FinalError, PausedError.
    """
    if present.state != "open":
        raise RoundClosedError
    if handovers.is_gone(db, row.id):  # while this waited for the round
        raise NotYoursError
    if shows_answer(row, present) and revision:
        raise FinalError
    if pauses.is_paused(db, present.id, account_id):
        raise PausedError
    if row.kind != TRAINING and ratings.training_left(db, row.round_id, account_id):
        raise NotYoursError


def latest(db: Connection, assignment_id: int) -> int:
    """Return the newest revision of an assignment, or 0 if there is none."""
    rows = ratings.history(db, assignment_id)
    return int(rows[-1].revision) if rows else 0
