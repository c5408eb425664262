"""The two tables with platform ids, kept apart from all others: payments and identifiers."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection

from app.scoring.plays import DIRECT, Play, pay_scores
from app.store.base import AnyRow
from app.store.people import payment_rows, platforms
from app.study.csv_text import csv_of, csv_table
from app.study.design.formula import METRICS
from app.study.design.spec import StudySpec, parse_spec
from app.study.people.columns import APART
from app.study.people.pay import active_minutes, payment
from app.study.people.plays import play_of


def stored_metrics(db: Connection, row: AnyRow, spec: StudySpec) -> dict[str, float]:
    """Return one person's metrics for the bonus formula, from all that is stored of them.

    `row`: the participant; someone who left after finishing counts as finished.
    """
    stated: list[Play] = []
    played: list[Play] = []
    for one in payment_rows.main_episodes(db, row.id):
        (stated if one.format == DIRECT else played).append(play_of(one))
    found = pay_scores(played, stated)
    metrics: dict[str, float] = {
        "finished": row.finished_at is not None,
        **asdict(found),
        "explanations": payment_rows.explanation_count(db, row.id),
        "minutes": active_minutes(payment_rows.moments(db, row.id), spec.clocks.idle_minutes),
    }
    return {name: float(metrics[name]) for name in METRICS}


def owed(db: Connection, row: AnyRow, spec: StudySpec) -> dict[str, Any]:
    """Return what a participant is owed: minutes (one decimal) and whole cents per part of the pay.

    For people whose data were erased, this was computed just before.
    """
    if row.owed:
        kept: dict[str, Any] = json.loads(row.owed)
        return kept
    metrics = stored_metrics(db, row, spec)
    due = payment(spec.payment, metrics)
    return {
        "active_minutes": f"{metrics['minutes']:.1f}",
        "base_cents": due.base_cents,
        "time_cents": due.time_cents,
        "bonus_cents": due.bonus_cents,
        "total_cents": due.total_cents,
        "bonus_problem": due.bonus_problem,
    }


def payments(db: Connection, study_id: int) -> list[dict[str, Any]]:
    """Return one row per person who consented, without test participants, in whole cents."""
    rows = []
    for row in payment_rows.consented(db, study_id):
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
