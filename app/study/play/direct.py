"""The direct format: instead of playing, the player says once what each guardian takes.

An attribute task asks for the item. A procedural task asks for the activity, whether it comes
before or after the purchase and, if the rule decides it, the number of times. An answer is right
if it is exactly what the guardian requires. Neither people nor models are told whether it is.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.game.command import fold
from app.game.model import ACTIVITIES, ORDERS, Task, Variant
from app.languages.text import joined, phrase, phrases
from app.store.base import AnyRow
from app.store.db import Store
from app.store.play import answers, episodes
from app.study.characters import plain_digits, visible
from app.study.design.library import Library
from app.study.play import players, seats, steps
from app.study.text_checks import AnswerError
from app.study.tickets import once

FIELDS = ("item", "activity", "placed", "times")
PLACED = {"before": phrase("before the purchase"), "after": phrase("after the purchase")}
MOST_TIMES = 9  # upper bound of the field, unless a task has larger counts
MAX_TYPED = 200  # characters of an item, the same as of a command


@dataclass(frozen=True, slots=True)
class Statement:
    """An answer; '' or None where the task does not ask. `item` is as typed."""

    item: str = ""
    activity: str = ""
    placed: str = ""
    times: int | None = None


def asked(task: Task) -> tuple[str, ...]:
    """Return which of FIELDS a task asks for; this depends only on the task."""
    if task.family == "attribute":
        return ("item",)
    return FIELDS[1:] if most_times(task) else FIELDS[1:3]


def most_times(task: Task) -> int:
    """Return the largest number that can be given, or 0 if the rule does not decide it."""
    values = [max(one.values) for one in task.dimensions if one.name == "count"]
    return max(MOST_TIMES, *values) if values else 0


def read_statement(variant: Variant, typed: dict[str, str]) -> Statement:
    """Check a form. Raises AnswerError, which names each missing or invalid field."""
    task, problems = variant.task, dict[str, str]()
    found: dict[str, Any] = {}
    for name in asked(task):
        found[name], problem = READERS[name](variant, visible(typed.get(name, "")))
        if problem:
            problems[name] = problem
    if problems:
        raise AnswerError(problems)
    return Statement(**found)


def read_item(variant: Variant, text: str) -> tuple[str, str]:
    """Return the item as typed if this world has it, matched as in commands."""
    if not text.strip():
        return "", phrase("Please write the name of the item.")
    known = {fold(item.name) for item in variant.items}
    if len(text) > MAX_TYPED or fold(text) not in known:
        return text, phrase(
            "There is no item with that name. All items are listed under ‘The world’."
        )
    return text, ""


def read_activity(_variant: Variant, text: str) -> tuple[str, str]:
    """Return perform or drink."""
    return text, "" if text in ACTIVITIES else phrase("Please choose what to do.")


def read_placed(_variant: Variant, text: str) -> tuple[str, str]:
    """Return before or after."""
    return text, "" if text in ORDERS else phrase("Please choose before or after.")


def read_times(variant: Variant, text: str) -> tuple[int, str]:
    """Return how many times."""
    text, most = plain_digits(text).strip(), most_times(variant.task)
    digits = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
    number = int(text) if digits else 0
    if 1 <= number <= most:
        return number, ""
    return number, phrase("Please enter a whole number from 1 to {most}.", most=most)


READERS: dict[str, Any] = {
    "item": read_item,
    "activity": read_activity,
    "placed": read_placed,
    "times": read_times,
}


def is_right(variant: Variant, index: int, statement: Statement) -> bool:
    """Tell whether an answer is exactly what the guardian of an episode requires."""
    process = variant.episodes[index].process
    if variant.task.family == "attribute":
        return fold(statement.item) == fold(process.item)
    verb = process.activity.verb if process.activity else ""
    counted = statement.times == process.count or not most_times(variant.task)
    return (statement.activity, statement.placed) == (verb, process.order) and counted


def submit(
    store: Store,
    library: Library,
    token: str,
    place: tuple[int, int],
    typed: dict[str, str],
    ticket: str,
    now: datetime,
) -> None:
    """Store the answer for one guardian (block, episode; from 0), once, and close its episode.

    Raises: AnswerError (nothing is stored), NotThereError, NotActiveError, TicketError.
    """
    with store.write() as db:
        player = players.load(db, token, lock=True)
        step = player.step(steps.DIRECT, *place)

        def save() -> dict[str, Any]:
            if step.done:  # another tab was first: keep its answer
                return {"done": True}
            players.check_present(player, step)
            seats.touch(db, player.id, now)
            row = player.episode(*place)
            variant = library.variant(db, row.variant_hash)
            insert(db, row, variant, read_statement(variant, typed), now)
            players.finish_if_complete(db, token, now)
            return {"done": True}

        once(db, ticket, f"participant/{player.id}", now, save)


def insert(
    db: Connection, row: AnyRow, variant: Variant, statement: Statement, now: datetime
) -> None:
    """Add the answer and end its episode as won or lost, without an action."""
    right = is_right(variant, row.variant_episode, statement)
    place = {"episode_id": row.id, "participant_id": row.participant_id}
    values = {**place, **asdict(statement), "is_right": right, "created_at": now}
    answers.insert_direct(db, values)
    episodes.close(db, row.id, {"state": "won" if right else "lost", "finished_at": now})


def words(row: AnyRow) -> list[tuple[str, str]]:
    """Return a stored answer as (question, answer) pairs, without whether it is right."""
    pairs: list[tuple[str, str]] = [
        (phrase("Item"), row.item),
        (phrase("What"), row.activity),
        (phrase("When"), PLACED.get(row.placed, "")),
        (phrase("How many times"), "" if row.times is None else str(row.times)),
    ]
    return [(label, text) for label, text in pairs if text]


def sentence(row: AnyRow) -> str:
    """Return a stored answer as one line, such as `perform, before the purchase, 2 times`."""
    times = "" if row.times is None else phrases("once", "{n} times", row.times)
    parts = (row.item, row.activity, PLACED.get(row.placed, ""), times)
    return joined((text for text in parts if text), ", ")


def stated(db: Connection, player: players.Player, step: steps.Step) -> AnyRow | None:
    """Return the answer given at a step, if any."""
    return answers.direct_of(db, player.id).get(player.episode(step.block, step.episode).id)
