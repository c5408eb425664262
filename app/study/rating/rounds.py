"""Rating rounds: set up as drafts, checked as an assignment matrix, opened, closed."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.store.rating import rounds
from app.store.rating.rounds import GOLD, MAIN, TRAINING
from app.study import ground_truth
from app.study.rating import player_items, presentation, rubric
from app.study.rating.round_form import Known, Setup, read_setup
from app.study.rating.round_plan import turns_of
from app.study.tickets import once


class NoRoundError(StudyError):
    """There is no such round."""

    code = "round/none"

    def __init__(self) -> None:
        super().__init__("This study has no such rating round.")


class RoundStateError(StudyError):
    """The round's state does not allow the action; the message says why."""

    code = "round/state"


class StaleRoundError(StudyError):
    """The set-up was saved elsewhere after the page was loaded."""

    code = "round/stale"

    def __init__(self) -> None:
        super().__init__(
            "This round was saved in another tab or by someone else after you loaded this page. "
            "Nothing was overwritten, and your changes are still here. Save again to replace it."
        )


def find(db: Connection, study_id: int, number: int, *, lock: bool = False) -> AnyRow:
    """Return a round. Raises NoRoundError."""
    row = rounds.find(db, study_id, number, lock=lock)
    if row is None:
        raise NoRoundError
    return row


def create(
    store: Store, study_id: int, typed: Mapping[str, str], by: str, ticket: str, now: datetime
) -> int:
    """Create a draft, once; return its number. Raises RoundFormError, TicketError."""
    with store.write() as db:
        studies.lock(db, study_id)

        def do() -> dict[str, Any]:
            player_items.gather(db, study_id, now)
            setup = read_setup(db, study_id, typed)
            number = rounds.next_number(db, study_id)
            values = {"study_id": study_id, "number": number, "made_by": by, "created_at": now}
            round_id = rounds.insert(db, {**columns_of(setup), **values, "state": "draft"})
            fill(db, study_id, round_id, setup)
            return {"number": number}

        return int(once(db, ticket, f"account/{by}", now, do)["number"])


def update(
    store: Store,
    study_id: int,
    number: int,
    revision: int,
    typed: Mapping[str, str],
    by: str,
    ticket: str,
    now: datetime,
) -> None:
    """Change a draft, once.

    Raises RoundFormError, NoRoundError, RoundStateError (it was opened), StaleRoundError.
    """
    with store.write() as db:
        studies.lock(db, study_id)
        row = find(db, study_id, number, lock=True)

        def do() -> dict[str, Any]:
            if row.state != "draft":
                raise RoundStateError(
                    "This round has been opened, so its set-up can no longer change."
                )
            player_items.gather(db, study_id, now)
            setup = read_setup(db, study_id, typed)
            if row.revision != revision:
                raise StaleRoundError
            rounds.change(db, row.id, {**columns_of(setup), "revision": revision + 1})
            fill(db, study_id, row.id, setup)
            return {"done": True}

        once(db, ticket, f"account/{by}", now, do)


OPTIONS = ("ask_source", "adjudicators", "gold_feedback", "gold_least", "gold_after")


def columns_of(setup: Setup) -> dict[str, Any]:
    """Return the columns of a set-up."""
    names = ("title", "mode", "rubric", "rubric_version", "k", "seed", "repeat_percent")
    values = {name: getattr(setup, name) for name in (*names, *OPTIONS, "sample_id")}
    return {**values, "rubric_hash": rubric.hash_of(setup.rubric)}


def fill(db: Connection, study_id: int, round_id: int, setup: Setup) -> None:
    """Store who rates what; an annotator keeps one pseudonym in all rounds of a study."""
    names = rounds.pseudonyms(db, study_id)
    rater_rows = []
    for account_id in setup.raters:
        if account_id not in names:
            names[account_id] = next_pseudonym(names.values())
        token = secrets.token_urlsafe(12)
        rater_rows.append(
            {
                "round_id": round_id,
                "account_id": account_id,
                "pseudonym": names[account_id],
                "token": token,
            }
        )
    rounds.set_raters(db, round_id, rater_rows)
    main = [Known(item_id, "", "") for item_id in setup.main]
    kinds = ((MAIN, main), (TRAINING, setup.training), (GOLD, setup.gold))
    rows = [
        {
            "round_id": round_id,
            "item_id": one.item_id,
            "kind": kind,
            "known": one.known,
            "feedback": one.feedback,
        }
        for kind, listed in kinds
        for one in listed
    ]
    rounds.set_items(db, round_id, rows)


def next_pseudonym(taken: Iterable[str]) -> str:
    """Return an unused pseudonym; pseudonyms of annotators removed from a draft are not reused."""
    highest = max((int(name.removeprefix("rater_")) for name in taken), default=0)
    return f"rater_{highest + 1}"


def open_round(store: Store, study_id: int, number: int, revision: int, now: datetime) -> None:
    """Open a draft: annotators see it and its set-up is fixed. A repeat does nothing.

    Raises NoRoundError, RoundStateError (closed, an annotator deactivated, nothing to rate),
    StaleRoundError (the draft changed after the page was loaded), MatrixError.
    """
    with store.write() as db:
        row = find(db, study_id, number, lock=True)
        if row.state == "open":
            return
        if row.state == "closed":
            raise RoundStateError("This round is closed. Create a new one.")
        if row.revision != revision:
            raise StaleRoundError
        raters = list(rounds.raters(db, row.id))
        gone = [one.name for one in raters if not one.active]
        if gone:
            raise RoundStateError(
                f"Deactivated since: {', '.join(gone)}. Choose other annotators first."
            )
        listed = list(rounds.items(db, row.id))
        if not any(one.kind == MAIN and not one.is_erased for one in listed):
            raise RoundStateError("There is nothing to rate: all texts were erased.")
        turns = turns_of(row, len(raters), listed)
        assigned = [
            {
                "round_id": row.id,
                "round_item_id": listed[turn.item].round_item_id,
                "account_id": who.account_id,
                "repeat": turn.repeat,
                "position": place,
                "token": secrets.token_urlsafe(12),
            }
            for who, mine in zip(raters, turns, strict=True)
            for place, turn in enumerate(mine, start=1)
        ]
        rounds.insert_assignments(db, assigned)
        opened = {
            "state": "open",
            "opened_at": now,
            "rule_version": ground_truth.VERSION,
            "presentation": presentation.VERSION,
        }
        rounds.change(db, row.id, opened)


def close_round(store: Store, study_id: int, number: int, now: datetime) -> None:
    """Close an open round, which makes its ratings final. A repeat does nothing.

    Raises NoRoundError, RoundStateError (it was never opened).
    """
    with store.write() as db:
        row = find(db, study_id, number, lock=True)
        if row.state == "draft":
            raise RoundStateError("This round has not been opened yet.")
        if row.state == "open":
            rounds.change(db, row.id, {"state": "closed", "closed_at": now})
