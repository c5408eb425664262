"""Bonuses: the file for a platform's bulk payment, and the record of who has been sent theirs.

A manual action records that a person's bonus was sent, with the amount; from then on, the file
leaves them out, so that no one is paid twice by the same file. Another action lists them again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.counted import counted
from app.languages.amounts import money
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.store.people import manual_actions, payment_rows, platforms, sent_bonuses
from app.study.csv_text import csv_of, harmless_cell
from app.study.design.spec import StudySpec
from app.study.design.studies import StudyView, hides_outcomes
from app.study.people import payments, recruitment
from app.study.people.sent_file import BonusFileError, amounts_in
from app.study.tickets import once

REASON = "listed in a file of sent bonuses"
MOST_NAMED = 5
APPROVED = ("settled", "approved_unfinished")  # queues in which nothing but a bonus can be due
MOST_WORKED_OUT = 200  # people of a queue; each takes several queries
LISTED = "bonus.csv lists what is due: record it as sent."
NONE_LEFT = "No bonus is still to be sent to them."
HIDDEN = "Bonuses are hidden with the outcomes: bonus.csv lists those that are still to be sent."


@dataclass(frozen=True, slots=True)
class Recorded:
    """How many bonuses a file recorded as sent, and how many were recorded before."""

    new: int
    before: int


def bonus_lines(db: Connection, study_id: int, *, raw: bool = False) -> str:
    """Return the lines `id,amount` of a platform's bulk bonus, in pounds, dollars, ...

    The amount is everything but the base pay, which the platform pays on approval: the bonus, and
    the pay for time; `Owed.is_listed` says who is left out. No header, as platforms take none.
    """
    lines = [
        [one.person.external_id, f"{one.extra_cents // 100}.{one.extra_cents % 100:02}"]
        for one in payments.everyone(db, study_id)
        if one.is_listed
    ]
    return csv_of(lines, raw=raw)


def to_send(
    db: Connection, study: StudyView, matches: Sequence[recruitment.Match]
) -> dict[str, str]:
    """Return what is still to be sent to the people of each queue that the platform has approved.

    `matches`: everyone in their queue. {} before the first list, and if the study pays nothing that
    bonus.csv lists.
    """
    if not matches or not pays_extra(study.spec):
        return {}
    if hides_outcomes(study.spec, study.state):
        return dict.fromkeys(APPROVED, HIDDEN)
    theirs, sent = platforms.records(db, study.id), payments.sent_to(db, study.id)
    queues = {one.external_id: one.queue for one in matches}
    left = dict[str, list[AnyRow]]()
    for row in payment_rows.consented(db, study.id):
        if row.id not in sent:
            left.setdefault(queues.get(row.external_id, ""), []).append(row)
    found = dict[str, str]()
    for queue in APPROVED:
        people = left.get(queue, [])
        if len(people) > MOST_WORKED_OUT:
            found[queue] = f"No bonus is recorded as sent to {len(people)} of them. {LISTED}"
            continue
        owed = payments.all_owed(db, study.id, people, theirs)
        found[queue] = due_words([one.extra_cents for one in owed if one.is_listed], study.spec)
    return found


def due_words(due: Sequence[int], spec: StudySpec) -> str:
    """Return how much is still to be sent; `due`: cents of each person to whom something is."""
    if not due:
        return NONE_LEFT
    amount, people = money(spec.payment.currency, sum(due)), counted(len(due), "person", "people")
    return f"Still to be sent: {amount} to {people}. {LISTED}"


def pays_extra(spec: StudySpec) -> bool:
    """Tell whether a study can pay anything that bonus.csv lists."""
    own = spec.payment
    return bool(own.hourly_cents or (own.bonus.strip() and own.bonus_cap_cents))


def record_sent(
    store: Store, study_id: int, account_id: int | None, text: str, ticket: str, now: datetime
) -> Recorded:
    """Record that everyone in a file of lines `id,amount` was sent that amount.

    `account_id`: None = by a command. Raises BonusFileError: a line is not of this form, or an id
    is not of this study; TicketError.
    """
    wanted = amounts_in(text)
    with store.write() as db:
        studies.lock(db, study_id)
        people = people_in(db, study_id, wanted)

        def do() -> dict[str, int]:
            new = sorted(set(people) - set(payments.sent_to(db, study_id)))
            made = [(log_sent(db, one, account_id, now), people[one]) for one in new]
            sent_bonuses.add(db, made)
            return {"new": len(new), "before": len(people) - len(new)}

        owner = "command" if account_id is None else f"account/{account_id}"
        return Recorded(**once(db, ticket, owner, now, do))


def people_in(db: Connection, study_id: int, wanted: dict[str, int]) -> dict[int, int]:
    """Return participant id -> cents for platform id -> cents. Raises BonusFileError."""
    known = {row.external_id: row.id for row in platforms.people(db, study_id)}
    known |= {str(harmless_cell(one)): person for one, person in known.items()}
    if strange := [one for one in wanted if one not in known]:
        named = ", ".join(strange[:MOST_NAMED])
        more = f" and {len(strange) - MOST_NAMED} more" if len(strange) > MOST_NAMED else ""
        raise BonusFileError(f"No one in this study has these IDs: {named}{more}.")
    found = dict[int, int]()
    for one, cents in wanted.items():
        found[known[one]] = found.get(known[one], 0) + cents
    return found


def log_sent(db: Connection, person: int, account_id: int | None, now: datetime) -> int:
    """Log that a person's bonus was sent; return the id of the manual action."""
    row = {
        "participant_id": person,
        "episode_id": None,
        "account_id": account_id,
        "action": payments.SENT,
        "reason": REASON,
        "at": now,
    }
    return manual_actions.log_action(db, row)
