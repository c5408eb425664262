"""Bonuses: the file for a platform's bulk payment, and the record of who has been sent theirs.

A manual action records that a person's bonus was sent; from then on, the file leaves them out, so
that no one is paid twice by the same file. Another action lists them again.
"""

import csv
import re
from dataclasses import dataclass
from datetime import datetime
from io import StringIO

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.db import Store
from app.store.design import studies
from app.store.people import manual_actions, platforms
from app.study.csv_text import csv_of, harmless_cell
from app.study.people import payments, recruitment
from app.study.tickets import once

REASON = "listed in a file of sent bonuses"
AMOUNT = re.compile(r"\d{1,7}([.,]\d{1,2})?")
WIDTH = 2  # columns: ID and amount
MOST_NAMED = 5


class BonusFileError(StudyError):
    """The file of sent bonuses is refused; the message says why."""

    code = "bonus/file"


@dataclass(frozen=True, slots=True)
class Recorded:
    """How many bonuses a file recorded as sent, and how many were recorded before."""

    new: int
    before: int


def bonus_lines(db: Connection, study_id: int, *, raw: bool = False) -> str:
    """Return the lines `id,amount` of a platform's bulk bonus, in pounds, dollars, ...

    The amount is everything but the base pay, which the platform pays on approval: the bonus, and
    the pay for time. Left out: people without a platform id, under way, who returned or timed out
    there, or whose bonus was sent, and amounts of 0. No header, as platforms take none.
    """
    records = platforms.records(db, study_id)
    gone = {row.external_id for row in records if recruitment.has_gone(row)}
    lines = []
    for row in payments.payments(db, study_id):
        cents = row["total_cents"] - row["base_cents"]
        name = row["external_id"]
        is_left_out = row["outcome"] == "active" or name in gone or row["bonus_sent_at"]
        if name and cents > 0 and not is_left_out:
            lines.append([name, f"{cents // 100}.{cents % 100:02}"])
    return csv_of(lines, raw=raw)


def record_sent(
    store: Store, study_id: int, account_id: int, text: str, ticket: str, now: datetime
) -> Recorded:
    """Record that everyone in a file of lines `id,amount` was sent their bonus.

    Raises BonusFileError: a line is not of this form, or an id is not of this study; TicketError.
    """
    wanted = ids_in(text)
    with store.write() as db:
        studies.lock(db, study_id)
        known = {row.external_id: row.id for row in platforms.people(db, study_id)}
        known |= {str(harmless_cell(one)): person for one, person in known.items()}
        if strange := [one for one in wanted if one not in known]:
            named = ", ".join(strange[:MOST_NAMED])
            more = f" and {len(strange) - MOST_NAMED} more" if len(strange) > MOST_NAMED else ""
            raise BonusFileError(f"No one in this study has these IDs: {named}{more}.")
        people = {known[one] for one in wanted}

        def do() -> dict[str, int]:
            new = sorted(people - set(payments.sent_at(db, study_id)))
            for person in new:
                row = {
                    "participant_id": person,
                    "episode_id": None,
                    "account_id": account_id,
                    "action": payments.SENT,
                    "reason": REASON,
                    "at": now,
                }
                manual_actions.log_action(db, row)
            return {"new": len(new), "before": len(people) - len(new)}

        return Recorded(**once(db, ticket, f"account/{account_id}", now, do))


def ids_in(text: str) -> list[str]:
    """Return the ids of lines `id,amount`. Raises BonusFileError."""
    found = list[str]()
    for number, line in enumerate(csv.reader(StringIO(text, newline="")), 1):
        if not line:
            continue
        if len(line) != WIDTH or not line[0] or not AMOUNT.fullmatch(line[1].strip()):
            raise BonusFileError(
                f"Line {number} is not an ID and an amount, as in bonus.csv. Nothing was recorded."
            )
        found.append(line[0].strip())
    if not found:
        raise BonusFileError("The file has no lines. Choose the bonus.csv that you sent.")
    return found
