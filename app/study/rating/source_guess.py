"""The question at the end of a round: did a person or a model write this text?"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.db import Store
from app.store.rating import guesses, ratings, rounds
from app.store.rating.guesses import GUESSES
from app.study.rating import presentation, rater_view
from app.study.rating.rater_view import ERASED, NotYoursError, RoundView
from app.study.rating.saving import NO_GUESS, RatingError, RoundClosedError
from app.study.tickets import once


@dataclass(frozen=True, slots=True)
class GuessView:
    """One text, without its rule and rating, as one annotator sees it."""

    round: RoundView
    token: str
    number: int
    text: str
    guess: str


def guess_view(db: Connection, account_id: int, token: str) -> GuessView:
    """Return the question on one item. Raises NotYoursError: not theirs, not asked, not yet."""
    row = ratings.assignment_of(db, token, account_id)
    if row is None:
        raise NotYoursError
    own = next(one for one in rounds.of_rater(db, account_id) if one.id == row.round_id)
    view = rater_view.view_of(db, own, account_id)
    place = next(one for one in view.places if one.token == token)
    if place.training or own.ask_source != "round" or view.next_place is not None:
        raise NotYoursError
    text = presentation.shown(row.text, own.presentation) or ERASED
    return GuessView(view, token, place.number, text, place.given.guess)


def save(
    store: Store, account_id: int, token: str, typed: Mapping[str, str], now: datetime
) -> None:
    """Store a guess as a new revision, once per form.

    Raises NotYoursError, RatingError (nothing chosen), RoundClosedError, TicketError.
    """
    with store.write() as db:
        row = ratings.assignment_of(db, token, account_id, lock=True)
        if row is None:
            raise NotYoursError
        do = _adder(db, row, account_id, typed, now)
        once(db, typed.get("ticket", ""), f"guess/{token}", now, do)


def _adder(
    db: Connection, row: AnyRow, account_id: int, typed: Mapping[str, str], now: datetime
) -> Any:
    def do() -> dict[str, Any]:
        if rounds.by_id(db, row.round_id, share=True).state != "open":
            raise RoundClosedError
        guess_view(db, account_id, row.token)
        guess = typed.get("guess", "")
        if guess not in GUESSES:
            raise RatingError({"guess": NO_GUESS})
        guesses.add(db, row.id, guess, now)
        return {"done": True}

    return do
