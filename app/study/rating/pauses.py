"""Pause annotators whose gold items are too often wrong, until a researcher lets them continue."""

import json
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.people import accounts as account_table
from app.store.rating import pauses
from app.store.rating.pauses import GO_ON, PAUSE
from app.study.people import accounts
from app.study.rating import rounds as cases
from app.study.tickets import once

PERCENT = 100


class PausedError(StudyError):
    """The annotator is paused in this round."""

    code = "rate/paused"

    def __init__(self) -> None:
        super().__init__("You are paused in this round, so this was not saved.")


class NotPausedError(StudyError):
    """The annotator is not paused."""

    code = "round/not_paused"

    def __init__(self, name: str) -> None:
        super().__init__(f"'{name[:60]}' is not paused in this round.")


def newest(db: Connection, round_id: int) -> dict[int, AnyRow]:
    """Return account -> the newest row of the log."""
    return {row.account_id: row for row in pauses.of_round(db, round_id)}


def paused(db: Connection, round_id: int) -> dict[int, AnyRow]:
    """Return account -> the row that paused them, for those who are paused."""
    return {who: row for who, row in newest(db, round_id).items() if row.kind == PAUSE}


def is_paused(db: Connection, round_id: int, account_id: int) -> bool:
    """Tell whether an annotator is paused in a round."""
    return account_id in paused(db, round_id)


def check(db: Connection, row: AnyRow, account_id: int, now: datetime) -> None:
    """Pause an annotator if too few gold items are right, of those since they last continued.

    A skipped one is not right: otherwise, anyone who skips them all would never be noticed.
    """
    if not row.gold_least:
        return
    last = newest(db, row.id).get(account_id)
    answers = [
        one
        for one in pauses.gold_answers(db, row.id, account_id)
        if last is None or one.created_at > last.created_at
    ]
    right = sum(is_right(one) for one in answers)
    if len(answers) < row.gold_after or right * PERCENT >= row.gold_least * len(answers):
        return
    pauses.insert(db, entry(row, account_id, PAUSE, now) | {"right": right, "rated": len(answers)})


def is_right(one: AnyRow) -> bool:
    """Return whether all scores of a gold item are the known ones."""
    return all(getattr(one, name) == value for name, value in json.loads(one.known).items())


def entry(row: AnyRow, account_id: int, kind: str, now: datetime, by: str = "") -> dict[str, Any]:
    """Return a row of the log."""
    who = {"round_id": row.id, "account_id": account_id, "kind": kind}
    return {**who, "right": 0, "rated": 0, "made_by": by, "created_at": now}


def go_on(
    store: Store, study_id: int, number: int, name: str, by: str, ticket: str, now: datetime
) -> None:
    """Let a paused annotator continue, once; the count of gold items starts again.

    Raises NoRoundError, NotPausedError, TicketError.
    """
    with store.write() as db:
        row = cases.find(db, study_id, number, lock=True)

        def do() -> dict[str, Any]:
            account = account_table.by_name(db, accounts.fold_name(name))
            if account is None or not is_paused(db, row.id, account.id):
                raise NotPausedError(name)
            pauses.insert(db, entry(row, account.id, GO_ON, now, by))
            return {"done": True}

        once(db, ticket, f"account/{by}", now, do)
