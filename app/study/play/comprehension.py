"""The comprehension check: every answer right within a number of tries; each try is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.languages.text import phrase
from app.store.db import Store
from app.store.play import answers
from app.study.design.spec_people import Check
from app.study.play import players, seats, steps
from app.study.play.players import Player
from app.study.play.questions import field, read_choice
from app.study.text_checks import AnswerError
from app.study.tickets import once

PHASE = "comprehension"
REASON = "comprehension"


class StaleTryError(StudyError):
    """The page was for try `expected`, which has already been used."""

    code = "check/stale"

    def __init__(self) -> None:
        super().__init__(
            phrase(
                "This page was out of date: you answered these questions in another tab or on "
                "another device, so your answers here were not counted. The page is up to date now."
            )
        )


@dataclass(frozen=True, slots=True)
class Tries:
    """The tries of a person: `used` of `allowed`; `wrong`: keys answered wrong in the last one."""

    used: int
    allowed: int
    chosen: dict[str, str]
    wrong: tuple[str, ...]

    @property
    def left(self) -> int:
        """Return how many tries are left."""
        return self.allowed - self.used


def tries_of(db: Connection, player: Player) -> Tries:
    """Return a person's tries, with the options they chose last."""
    rows = answers.last_of(db, player.id, PHASE)
    return Tries(
        used=rows[0].attempt if rows else 0,
        allowed=player.spec.questions.comprehension_tries,
        chosen={row.question: row.value for row in rows},
        wrong=tuple(row.question for row in rows if not row.is_right),
    )


def read_choices(checks: Sequence[Check], typed: dict[str, str]) -> dict[str, str]:
    """Return question key -> chosen option. Raises AnswerError if one is missing (uses no try)."""
    found, problems = {}, {}
    for check in checks:
        found[check.key], problem = read_choice(check.options, typed.get(field(check.key), ""))
        if problem:
            problems[field(check.key)] = problem
    if problems:
        raise AnswerError(problems)
    return found


def submit(
    store: Store, token: str, attempt: int, typed: dict[str, str], ticket: str, now: datetime
) -> None:
    """Store try number `attempt`, once; a last try with mistakes ends the person's part.

    Raises: AnswerError, StaleTryError, NotThereError, NotActiveError, TicketError.
    """
    with store.write() as db:
        player = players.load(db, token, lock=True)
        step = player.step(steps.CHECK)

        def save() -> dict[str, Any]:
            if step.done:
                return {"done": True}
            players.check_present(player, step)
            seats.touch(db, player.id, now)
            before = tries_of(db, player)
            if attempt != before.used + 1:
                raise StaleTryError
            right = insert(db, player, attempt, typed, now)
            if not right and attempt >= before.allowed:
                seats.end(db, player.id, "failed_check", REASON, now)
            return {"done": True}

        once(db, ticket, f"participant/{player.id}", now, save)


def insert(
    db: Connection, player: Player, attempt: int, typed: dict[str, str], now: datetime
) -> bool:
    """Add one row per question; tell whether all answers are right."""
    checks = player.spec.questions.comprehension
    chosen = read_choices(checks, typed)
    rows = [
        {
            "participant_id": player.id,
            "phase": PHASE,
            "attempt": attempt,
            "question": check.key,
            "value": chosen[check.key],
            "is_right": chosen[check.key] == check.answer,
            "created_at": now,
        }
        for check in checks
    ]
    answers.insert(db, rows)
    return all(row["is_right"] for row in rows)
