"""The audit log: record what researchers ask for, list it, check its chain."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.db import Store
from app.store.people import accounts, audit
from app.study.csv_text import csv_table
from app.study.times import moment

ALLOWED, REFUSED = "allowed", "refused"
PAGE = 200
EVERY = 2**31 - 1
MOST_OBJECT = 400
FAILED_EVERY = timedelta(hours=1)  # between two entries of failed logins with one name
TERMINAL = 0  # the account of commands; their entries name the operating system's user
COLUMNS = ("seq", "at", "account", "verb", "study", "object", "outcome", "digest")


@dataclass(frozen=True, slots=True)
class Action:
    """What someone asked for. `verb`: method and route; `about`: ids and choices, no texts."""

    account_id: int
    name: str
    verb: str
    study: str = ""
    about: str = ""
    outcome: str = ALLOWED


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking the chain. `broken`: the first entry that does not fit; 0 = none."""

    entries: int
    broken: int
    tip: str


def record(store: Store, action: Action, now: datetime) -> None:
    """Append to the log, before the action happens: what cannot be recorded is not done."""
    values = {
        "at": now,
        "account_id": action.account_id,
        "name": action.name,
        "verb": action.verb,
        "study": action.study[:64],
        "object": action.about[:MOST_OBJECT],
        "outcome": action.outcome,
    }
    with store.write() as db:
        audit.append(db, values)


def record_failed(store: Store, name: str, verb: str, now: datetime) -> None:
    """Record that someone failed to log in as a researcher, at most once an hour for each of them.

    Nothing about who it was. Other names have no entry, so that no stranger can fill the log.
    """
    with store.read() as db:
        account = accounts.by_name(db, name)
        if account is None or account.role != "researcher":
            return
        if audit.holds(db, account.id, verb, REFUSED, now - FAILED_EVERY):
            return
    record(store, Action(account.id, account.name, verb, outcome=REFUSED), now)


def tip(db: Connection) -> tuple[int, str]:
    """Return the number and the digest of the newest entry; 0 and '' = the log is empty."""
    newest = audit.entries(db, None, EVERY, 1)
    return (newest[0].seq, newest[0].digest) if newest else (0, "")


def verify(db: Connection, track: Track = untracked, last: int = EVERY) -> Checked:
    """Recompute the chain up to the entry `last`.

    An altered, inserted or deleted entry breaks it, except at its end.
    """
    previous, number = "", 0
    for row in track(audit.oldest_first(db, last), "Checking the log"):
        number += 1
        if row.seq != number or row.digest != audit.digest_of(previous, row._asdict()):
            return Checked(number, number, previous)
        previous = row.digest
    return Checked(number, 0, previous)


def page(db: Connection, study: str | None, before: int = EVERY) -> tuple[list[AnyRow], int]:
    """Return a page of entries, newest first, and where the next page begins; 0 = no more."""
    rows = list(audit.entries(db, study, before, PAGE + 1))
    return rows[:PAGE], rows[PAGE - 1].seq if len(rows) > PAGE else 0


def to_csv(db: Connection, study: str | None, *, raw: bool = False) -> str:
    """Return the log as CSV, newest first. `raw`: with texts that a spreadsheet would run."""
    return csv_table(COLUMNS, [line(row) for row in whole(db, study)], raw=raw)


def whole(db: Connection, study: str | None) -> Sequence[AnyRow]:
    """Return every entry of a study, or of the server."""
    return audit.entries(db, study, EVERY, EVERY)


def line(row: AnyRow) -> dict[str, str]:
    """Return one entry as text."""
    return {
        "seq": str(row.seq),
        "at": moment(row.at),
        "account": row.name,
        "verb": row.verb,
        "study": row.study,
        "object": row.object,
        "outcome": row.outcome,
        "digest": row.digest,
    }
