"""The two tables with platform ids, kept apart from all others: payments and identifiers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.store.people import payment_rows, platforms
from app.study.csv_text import csv_of, csv_table
from app.study.design.spec import StudySpec, parse_spec
from app.study.people.columns import APART
from app.study.play.earned import owed

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class PayPage:
    """A page of the payments: rows as in payments.csv, and where it is among all pages."""

    rows: list[dict[str, Any]]
    people: int
    number: int
    last: int


def pay_page(db: Connection, study_id: int, number: int) -> PayPage:
    """Return one page of payments; a number beyond the last page gives the last."""
    people = payment_rows.number_consented(db, study_id)
    last = max(1, -(-people // PER_PAGE))
    number = min(max(number, 1), last)
    rows = payments(db, study_id, PER_PAGE, (number - 1) * PER_PAGE)
    return PayPage(rows, people, number, last)


def payments(
    db: Connection, study_id: int, limit: int | None = None, offset: int = 0
) -> list[dict[str, Any]]:
    """Return one row per person who consented, without test participants, in whole cents."""
    rows = []
    for row in payment_rows.consented(db, study_id, limit, offset):
        spec: StudySpec = parse_spec(row.spec)
        due = owed(db, row, spec)
        problem = due.pop("bonus_problem", "")
        rows.append(
            {
                "participant_id": row.public_id,
                "platform": row.platform or "",
                "external_id": row.external_id or "",
                "external_session": row.external_session or "",
                "outcome": row.state,
                "code": row.code or spec.codes.of(row.state),
                **due,
                "currency": spec.payment.currency,
                "bonus_problem": problem,
            }
        )
    return rows


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


def bonus_lines(db: Connection, study_id: int, *, raw: bool = False) -> str:
    """Return the lines `id,amount` of a platform's bulk bonus, in pounds, dollars, ...

    The amount is everything but the base pay, which the platform pays on approval: the bonus, and
    the pay for time. People without a platform id, and amounts of 0, are left out. No header, as
    platforms take none.
    """
    lines = []
    for row in payments(db, study_id):
        cents = row["total_cents"] - row["base_cents"]
        if row["external_id"] and cents > 0:
            lines.append([row["external_id"], f"{cents // 100}.{cents % 100:02}"])
    return csv_of(lines, raw=raw)


def to_csv(db: Connection, study_id: int, name: str, *, raw: bool = False) -> str:
    """Return one of the two tables as CSV."""
    columns = [column.name for column in APART[name].columns]
    return csv_table(columns, ROWS[name](db, study_id), raw=raw)
