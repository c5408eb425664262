"""All that an annotator may see, as an allow-list: pages are made only from these values.

No author, model, source, id, time of writing, judge or other annotator is a field here.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.rating import ratings, rounds
from app.store.rating.rounds import GOLD, TRAINING
from app.store.rating.scales import CRITERIA
from app.study.design.library import Library
from app.study.ground_truth import Truth, truth_of
from app.study.rating import pauses, presentation, rubric

TODO, RATED, SKIPPED = "to do", "rated", "skipped"
ERASED = "(This text was deleted at its author's request. Please skip it.)"


class NotYoursError(StudyError):
    """This annotator has no such round or item."""

    code = "rate/none"

    def __init__(self) -> None:
        super().__init__("You have nothing to rate at this address.")


@dataclass(frozen=True, slots=True)
class Given:
    """This annotator's rating of one item; `revision` 0 = not rated yet.

    `guess`: who they think wrote it, or '' = not said.
    """

    revision: int
    value: int | None
    criteria: tuple[int | None, ...]
    skip_reason: str
    flag: bool
    comment: str
    saved_at: datetime | None
    guess: str

    @property
    def status(self) -> str:
        """Return 'to do', 'rated' or 'skipped'."""
        if not self.revision:
            return TODO
        return SKIPPED if self.skip_reason else RATED

    def words(self, mode: str) -> str:
        """Return the rating in words: `1`, `Inputs 2, Output 1, ...`, `skipped`; '' = none yet."""
        if self.status != RATED:
            return "" if self.status == TODO else SKIPPED
        if mode == "overall":
            return str(self.value)
        given = zip(rubric.CRITERIA, self.criteria, strict=True)
        return ", ".join(f"{label} {value}" for (_, label, _), value in given)


@dataclass(frozen=True, slots=True)
class Place:
    """One line of an annotator's list."""

    token: str
    number: int
    training: bool
    given: Given


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round as one annotator sees it."""

    token: str
    title: str
    is_open: bool
    mode: str
    rubric: str
    rubric_version: str
    ask_source: str
    paused: bool
    places: tuple[Place, ...]

    @property
    def done(self) -> int:
        """Number of items rated or skipped."""
        return sum(place.given.revision > 0 for place in self.places)

    @property
    def training_left(self) -> bool:
        """Return whether training items are left to rate."""
        return any(place.training and not place.given.revision for place in self.places)

    @property
    def next_place(self) -> Place | None:
        """Return the first item left to rate, or None."""
        return next((place for place in self.places if not place.given.revision), None)

    @property
    def next_guess(self) -> Place | None:
        """Return the first item to guess the source of, once everything is rated, or None."""
        if self.ask_source != "round" or self.next_place is not None:
            return None
        asked = (place for place in self.places if not place.training)
        return next((place for place in asked if not place.given.guess), None)


@dataclass(frozen=True, slots=True)
class Feedback:
    """The feedback on a training item, or on a gold item in rounds that show it."""

    answer: str
    same: bool
    text: str


@dataclass(frozen=True, slots=True)
class ItemView:
    """One item as one annotator sees it."""

    round: RoundView
    token: str
    number: int
    training: bool
    text: str
    truth: Truth
    given: Given
    feedback: Feedback | None
    previous: str
    following: str

    @property
    def asks_source(self) -> bool:
        """Return whether the form asks who wrote the text."""
        return self.round.ask_source == "item" and not self.training

    @property
    def can_save(self) -> bool:
        """Return whether a rating can be saved: the round is open, and no answer was shown."""
        return self.round.is_open and self.feedback is None


def given_of(row: AnyRow) -> Given:
    """Return the rating in a row of `ratings.list_of_rater`."""
    return Given(
        revision=row.revision or 0,
        value=row.value,
        criteria=tuple(getattr(row, name) for name in CRITERIA),
        skip_reason=row.skip_reason or "",
        flag=bool(row.flag),
        comment=row.comment or "",
        saved_at=row.created_at,
        guess=row.guess or "",
    )


def rounds_of(db: Connection, account_id: int) -> list[RoundView]:
    """Return an annotator's rounds, newest first."""
    return [view_of(db, row, account_id) for row in rounds.of_rater(db, account_id)]


def round_view(db: Connection, account_id: int, token: str) -> RoundView:
    """Return one round of this annotator. Raises NotYoursError."""
    row = rounds.by_rater_token(db, account_id, token)
    if row is None:
        raise NotYoursError
    return view_of(db, row, account_id)


def view_of(db: Connection, row: AnyRow, account_id: int) -> RoundView:
    """Return one annotator's view of a round."""
    places = tuple(
        Place(one.token, one.position, one.kind == TRAINING, given_of(one))
        for one in ratings.list_of_rater(db, row.id, account_id)
    )
    return RoundView(
        token=row.rater_token,
        title=row.title,
        is_open=row.state == "open",
        mode=row.mode,
        rubric=row.rubric,
        rubric_version=row.rubric_version,
        ask_source=row.ask_source,
        paused=pauses.is_paused(db, row.id, account_id),
        places=places,
    )


def item_view(db: Connection, library: Library, account_id: int, token: str) -> ItemView:
    """Return one of this annotator's items. Raises NotYoursError: not theirs, or training left."""
    row = ratings.assignment_of(db, token, account_id)
    if row is None:
        raise NotYoursError
    own = next(one for one in rounds.of_rater(db, account_id) if one.id == row.round_id)
    view = view_of(db, own, account_id)
    place = next(one for one in view.places if one.token == token)
    if view.training_left and not place.training:
        raise NotYoursError
    around = [one.token for one in view.places if one.training or not view.training_left]
    at = around.index(token)
    return ItemView(
        round=view,
        token=token,
        number=place.number,
        training=place.training,
        text=presentation.shown(row.text, own.presentation) or ERASED,
        truth=truth_of(library.variant(db, row.variant_hash)),
        given=place.given,
        feedback=feedback_of(row, place, view.mode) if shows_answer(row, own) else None,
        previous=around[at - 1] if at else "",
        following=around[at + 1] if at + 1 < len(around) else "",
    )


def shows_answer(row: AnyRow, round_row: AnyRow) -> bool:
    """Return whether raters see the known answer of an assignment's item once they rated it."""
    return row.kind == TRAINING or (
        row.kind == GOLD and bool(round_row.gold_feedback) and not row.repeat
    )


def feedback_of(row: AnyRow, place: Place, mode: str) -> Feedback | None:
    """Return the feedback after an item with a known answer is rated."""
    if not place.given.revision:
        return None
    known: dict[str, Any] = json.loads(row.known)
    if mode == "overall":
        given = {"value": place.given.value}
        answer = str(known["value"])
    else:
        given = dict(zip(CRITERIA, place.given.criteria, strict=True))
        labels = {name: label for name, label, _ in rubric.CRITERIA}
        answer = ", ".join(f"{labels[name]} {known[name]}" for name in CRITERIA)
    return Feedback(answer, given == known, row.feedback)
