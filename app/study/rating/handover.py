"""Give the open items of an annotator who left to another one, while the round is open."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.game.names import shuffled
from app.store.base import AnyRow
from app.store.db import Store
from app.store.people import accounts as account_table
from app.store.rating import handovers, ratings, rounds
from app.store.rating.rounds import GOLD, MAIN, TRAINING
from app.study.people import accounts
from app.study.rating import matrix
from app.study.rating import rounds as cases
from app.study.rating.rounds import RoundStateError
from app.study.tickets import once


class HandoverError(StudyError):
    """The items cannot go from one to the other; the message says why."""

    code = "round/handover"


@dataclass(frozen=True, slots=True)
class Moved:
    """How many items moved, stayed because the other one has or had them, and were dropped.

    Dropped: hidden repeats of moved items, which compare one annotator with themselves.
    """

    moved: int
    left: int
    dropped: int


def hand_over(
    store: Store,
    study_id: int,
    number: int,
    source: str,
    target: str,
    by: str,
    ticket: str,
    now: datetime,
) -> Moved:
    """Give the unrated main items of one annotator (account name) to another, once per ticket.

    An annotator who is new to the round also gets its training and gold items.
    Raises NoRoundError, RoundStateError (not open), HandoverError, TicketError.
    """
    with store.write() as db:
        row = cases.find(db, study_id, number, lock=True)

        def do() -> dict[str, Any]:
            if row.state != "open":
                raise RoundStateError("Items can be handed over only while the round is open.")
            giver, taker = people(db, row, source, target)
            return move(db, row, giver, taker, by, now)

        done = once(db, ticket, f"account/{by}", now, do)
    return Moved(done["moved"], done["left"], done["dropped"])


def people(db: Connection, row: AnyRow, source: str, target: str) -> tuple[int, int]:
    """Return the accounts of both. Raises HandoverError."""
    found = []
    for name in (source, target):
        account = account_table.by_name(db, accounts.fold_name(name))
        if account is None or account.role != "annotator":
            raise HandoverError(f"There is no annotator called '{name[:60]}'.")
        found.append(account)
    giver, taker = found
    if giver.id == taker.id:
        raise HandoverError("Choose two different annotators.")
    if giver.id not in {one.account_id for one in rounds.raters(db, row.id)}:
        raise HandoverError(f"'{giver.name}' does not rate in this round.")
    if not taker.active:
        raise HandoverError(f"'{taker.name}' is deactivated. Activate the account first.")
    return int(giver.id), int(taker.id)


def move(
    db: Connection, row: AnyRow, giver: int, taker: int, by: str, now: datetime
) -> dict[str, int]:
    """Move what can be moved; the round is locked, so nothing is saved meanwhile."""
    rated = {one.token for one in ratings.list_of_rater(db, row.id, giver) if one.revision}
    had = handovers.of_account(db, row.id, taker)
    known = {one.round_item_id for one in had}
    mine = [
        one
        for one in handovers.of_account(db, row.id, giver)
        if one.kind == MAIN and not one.gone and one.token not in rated
    ]
    moving = [one for one in mine if not one.repeat and one.round_item_id not in known]
    left = [one for one in mine if not one.repeat and one.round_item_id in known]
    items = {one.round_item_id for one in moving}
    dropped = [one for one in mine if one.repeat and one.round_item_id in items]
    made = give(db, row, taker, moving, had)
    log: list[tuple[int, int | None]] = [(one.id, made[one.round_item_id]) for one in moving]
    log += [(one.id, None) for one in dropped]
    handovers.insert(
        db,
        [
            {"assignment_id": old, "to_assignment_id": new, "made_by": by, "created_at": now}
            for old, new in log
        ],
    )
    return {"moved": len(moving), "left": len(left), "dropped": len(dropped)}


def give(
    db: Connection, row: AnyRow, taker: int, moving: Sequence[AnyRow], had: Sequence[AnyRow]
) -> dict[int, int]:
    """Append items to an annotator's list in a drawn order; return round item -> assignment."""
    if not moving:
        return {}
    new = taker not in {one.account_id for one in rounds.raters(db, row.id)}
    if new:
        names = rounds.pseudonyms(db, row.study_id)
        pseudonym = names.get(taker) or cases.next_pseudonym(names.values())
        token = secrets.token_urlsafe(12)
        rater = {"round_id": row.id, "account_id": taker, "pseudonym": pseudonym, "token": token}
        handovers.insert_rater(db, rater)
    items = rounds.items(db, row.id) if new else []
    begin = [one.round_item_id for one in items if one.kind == TRAINING]
    mixed = [one.round_item_id for one in items if one.kind == GOLD and not one.is_erased]
    mixed += [one.round_item_id for one in moving]
    rng = matrix.stream(row.seed, f"handover/{taker}/{len(had)}")
    start = max((one.position for one in had), default=0)
    return {
        item: handovers.insert_assignment(
            db,
            {
                "round_id": row.id,
                "round_item_id": item,
                "account_id": taker,
                "repeat": 0,
                "position": place,
                "token": secrets.token_urlsafe(12),
            },
        )
        for place, item in enumerate([*begin, *shuffled(mixed, rng)], start=start + 1)
    }
