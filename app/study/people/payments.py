"""What each person is owed and what of it is settled: pages and files all ask here.

Payments and identifiers are the two tables with platform ids, kept apart from all others.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.people import payment_rows, platforms, sent_bonuses
from app.study.csv_text import csv_table
from app.study.design.spec import StudySpec, parse_spec
from app.study.people import recruitment
from app.study.people.columns import APART
from app.study.play.earned import owed
from app.study.times import iso

PER_PAGE = 50
SENT, DUE = "bonus_sent", "bonus_due"  # manual actions


@dataclass(frozen=True, slots=True)
class Sent:
    """The record that a bonus was sent. `cents` is None if no amount was recorded."""

    at: datetime
    cents: int | None


@dataclass(frozen=True, slots=True)
class Owed:
    """What one person is owed.

    `due`: amounts as in `earned.owed`; `theirs`: their row in the platform's list, or None.
    """

    person: AnyRow
    spec: StudySpec
    due: dict[str, Any]
    theirs: AnyRow | None
    sent: Sent | None

    @property
    def extra_cents(self) -> int:
        """Return what bonus.csv lists: all but the base pay, which a platform pays on approval."""
        return int(self.due["total_cents"]) - int(self.due["base_cents"])

    @property
    def is_listed(self) -> bool:
        """Tell whether bonus.csv lists this person.

        Left out: people without a platform id, under way, who returned or timed out there, or
        whose bonus was sent, and amounts of 0.
        """
        gone = self.theirs is not None and recruitment.has_gone(self.theirs)
        is_left_out = self.person.state == "active" or gone or self.sent is not None
        return bool(self.person.external_id) and self.extra_cents > 0 and not is_left_out

    @property
    def is_changed(self) -> bool:
        """Tell whether another amount is owed now than was recorded as sent."""
        return self.sent is not None and self.sent.cents not in {None, self.extra_cents}

    @property
    def queue(self) -> str:
        """Return the person's queue; '' if they are not in a platform's list."""
        if self.theirs is None:
            return ""
        codes = recruitment.codes_of(self.spec.codes)
        name = self.person.external_id
        return recruitment.match(name, self.person, self.theirs, codes).queue

    @property
    def code(self) -> str:
        """Return the completion code, or the code of another outcome; '' = none."""
        return str(self.person.code or self.spec.codes.of(self.person.state))


@dataclass(frozen=True, slots=True)
class PayPage:
    """A page of the payments, and where it is among all pages."""

    rows: list[Owed]
    people: int
    number: int
    last: int


def pay_page(db: Connection, study_id: int, number: int) -> PayPage:
    """Return one page of payments; a number beyond the last page gives the last."""
    people = payment_rows.number_consented(db, study_id)
    last = max(1, -(-people // PER_PAGE))
    number = min(max(number, 1), last)
    some = payment_rows.consented(db, study_id, PER_PAGE, (number - 1) * PER_PAGE)
    ids = [row.external_id for row in some if row.external_id]
    rows = all_owed(db, study_id, some, platforms.records(db, study_id, ids))
    return PayPage(rows, people, number, last)


def everyone(db: Connection, study_id: int) -> list[Owed]:
    """Return everyone who consented, without test participants, in order of arrival."""
    people = payment_rows.consented(db, study_id)
    return all_owed(db, study_id, people, platforms.records(db, study_id))


def of_person(db: Connection, study_id: int, public_id: str) -> Owed | None:
    """Return one person; None for test participants and people who have not consented."""
    for row in payment_rows.consented(db, study_id, public_id=public_id):
        theirs = platforms.records(db, study_id, [row.external_id] if row.external_id else [])
        return all_owed(db, study_id, [row], theirs)[0]
    return None


def all_owed(db: Connection, study_id: int, people: Any, theirs: Any) -> list[Owed]:
    """Return what these people are owed. `theirs`: rows of the platform's list."""
    listed = {row.external_id: row for row in theirs}
    sent = sent_to(db, study_id, people[0].id if len(people) == 1 else None)
    found = []
    for row in people:
        spec = parse_spec(row.spec)
        there = listed.get(row.external_id or "")
        found.append(Owed(row, spec, owed(db, row, spec), there, sent.get(row.id)))
    return found


def sent_to(db: Connection, study_id: int, person_id: int | None = None) -> dict[int, Sent]:
    """Return participant id -> the record of their bonus, for those whose bonus was sent."""
    found = sent_bonuses.newest(db, study_id, (SENT, DUE), person_id)
    return {one: Sent(row.at, row.cents) for one, row in found.items() if row.action == SENT}


def payments(db: Connection, study_id: int) -> list[dict[str, Any]]:
    """Return one row of payments.csv per person, in whole cents."""
    return [row_of(one) for one in everyone(db, study_id)]


def row_of(one: Owed) -> dict[str, Any]:
    """Return a person's row of payments.csv."""
    due = dict(one.due)
    problem = due.pop("bonus_problem", "")
    return {
        "participant_id": one.person.public_id,
        "platform": one.person.platform or "",
        "external_id": one.person.external_id or "",
        "external_session": one.person.external_session or "",
        "outcome": one.person.state,
        "code": one.code,
        **due,
        "currency": one.spec.payment.currency,
        "bonus_problem": problem,
        "queue": one.queue,
        "bonus_sent_at": iso(None if one.sent is None else one.sent.at),
        "bonus_sent_cents": "" if one.sent is None or one.sent.cents is None else one.sent.cents,
    }


def identifiers(db: Connection, study_id: int) -> list[dict[str, Any]]:
    """Return one row per person whose platform ids are still stored."""
    return [
        {
            "participant_id": row.public_id,
            "platform": row.platform,
            "external_id": row.external_id,
            "external_study": row.external_study,
            "external_session": row.external_session,
        }
        for row in platforms.people(db, study_id)
    ]


ROWS: Mapping[str, Callable[[Connection, int], list[dict[str, Any]]]] = {
    "payments": payments,
    "identifiers": identifiers,
}


def to_csv(db: Connection, study_id: int, name: str, *, raw: bool = False) -> str:
    """Return one of the two tables as CSV."""
    columns = [column.name for column in APART[name].columns]
    return csv_table(columns, ROWS[name](db, study_id), raw=raw)
