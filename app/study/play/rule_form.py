"""The rule form: drafts, the answer itself, and the player's notes."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.languages.text import phrase
from app.store.base import AnyRow
from app.store.db import Store
from app.store.play import explanations, participants
from app.study.characters import plain_digits, visible
from app.study.play import digests, players, seats, steps
from app.study.play.commands import NotActiveError
from app.study.text_checks import LIMIT, AnswerError, tidy, too_long
from app.study.tickets import once

NOTES_LIMIT = 20_000
MOST_SURE = 100
NOT_BOTH = phrase(
    "You ticked this, but also gave another answer. Please untick it, or take the other answer out."
)
RULE = {"one": ("text",), "three": ("inputs", "output", "how")}  # fields by form
FIELDS = (*RULE["one"], *RULE["three"], "found_how")


class StaleDraftError(StudyError):
    """The draft was changed elsewhere after this page was loaded."""

    code = "draft/stale"

    def __init__(self) -> None:
        super().__init__(
            phrase(
                "This text was changed in another tab or on another device. What you typed is "
                "still here: copy what you need, then reload the page."
            )
        )


@dataclass(frozen=True, slots=True)
class NewExplanation:
    """A checked rule form, as typed."""

    text: str = ""
    inputs: str = ""
    output: str = ""
    how: str = ""
    found_how: str = ""
    do_not_know: bool = False
    confidence: int | None = None


def read_answer(typed: dict[str, str], form: str, last: AnyRow | None = None) -> NewExplanation:
    """Check a rule form. Raises AnswerError; nothing is truncated.

    Args:
        typed: the form's fields as posted.
        form: one (a single text) or three (parts).
        last: the last answer about the same rule, which `unchanged` repeats.
    """
    values = {name: tidy(typed.get(name, "")) for name in FIELDS}
    problems = {name: problem for name in FIELDS if (problem := too_long(values[name], LIMIT))}
    do_not_know = bool(typed.get("do_not_know"))
    wrote = any(values[name].strip() for name in RULE[form])
    if last is not None and typed.get("unchanged"):
        if wrote or do_not_know:
            problems["unchanged"] = NOT_BOTH
        values |= {name: getattr(last, name) for name in RULE[form]}
        do_not_know = last.do_not_know
    elif do_not_know and wrote:
        problems["do_not_know"] = NOT_BOTH
    elif not do_not_know and not wrote:
        problems[RULE[form][0]] = phrase("Please write what you think, or tick 'I do not know'.")
    confidence = read_confidence(typed.get("confidence", ""), problems)
    if problems:
        raise AnswerError(problems)
    return NewExplanation(**values, do_not_know=do_not_know, confidence=confidence)


def read_confidence(text: str, problems: dict[str, str]) -> int | None:
    """Read 0 to 100 or nothing; add an error under `confidence`."""
    text = plain_digits(visible(text)).strip()
    if not text:
        return None
    if (
        text.isascii()
        and text.isdecimal()
        and len(text) <= len(str(MOST_SURE))
        and int(text) <= MOST_SURE
    ):
        return int(text)
    problems["confidence"] = phrase("Please enter a whole number from 0 to 100, or leave it empty.")
    return None


def page_of(block: int, after: int) -> str:
    """Return the page name under which a rule form's draft is stored."""
    return f"rule/{block}/{after}"


def submit(
    store: Store,
    token: str,
    block: int,
    after: int,
    typed: dict[str, str],
    ticket: str,
    now: datetime,
) -> None:
    """Store an explanation, once; finish the participant if nothing else is left to do.

    Raises AnswerError, NotThereError, NotActiveError, TimedOutError, TicketError.
    """
    with store.write() as db:
        player = players.load(db, token, lock=True)
        step = player.step(steps.RULE, block, after)

        def save() -> dict[str, Any]:
            seats.touch(db, player.id, now)
            if step.done:  # another tab was first: keep its answer
                return {"done": True}
            if player.row.state != "active":
                raise NotActiveError
            if player.present != step:
                raise players.NotThereError
            last = last_row(db, player, block)
            answer = read_answer(typed, player.spec.rule_form.parts, last)
            insert(db, player, block, after, answer, now)
            players.finish_if_complete(db, token, now)
            return {"done": True}

        once(db, ticket, f"participant/{player.id}", now, save)


def insert(
    db: Connection,
    player: players.Player,
    block: int,
    after: int,
    answer: NewExplanation,
    now: datetime,
) -> None:
    """Add the explanation's row."""
    episode = None if after == steps.AFTER_BLOCK else player.episode(block, after).id
    values = {name: getattr(answer, name) for name in (*FIELDS, "do_not_know", "confidence")}
    place = {
        "participant_id": player.id,
        "block_id": player.block(block).id,
        "episode_id": episode,
        "after": after,
        "form": player.spec.rule_form.parts,
        "design_version": player.row.design_version,
        "created_at": now,
    }
    row = {**values, **place}
    explanations.insert(db, {**row, "digest": digests.explanation_digest(row)})


def save_draft(
    store: Store,
    token: str,
    page: str,
    content: dict[str, str],
    revision: int,
    now: datetime,
) -> int:
    """Store a draft and return its new revision; a stale one never overwrites.

    Raises StaleDraftError, AnswerError (too long), NoPlayerError, NotActiveError (the person has
    left, and what they typed may have been deleted), TimedOutError.
    """
    limit = NOTES_LIMIT if page.startswith("notes/") else LIMIT * 2
    content = {name: tidy(text) for name, text in content.items()}
    problems = {name: note for name, text in content.items() if (note := too_long(text, limit))}
    if problems:
        raise AnswerError(problems)
    text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    with store.write() as db:
        player = players.load(db, token, lock=True)
        if player.row.state not in {"active", "finished"}:
            raise NotActiveError
        seats.touch(db, player.id, now)
        old = explanations.draft_of(db, player.id, page)
        if old is not None and old.content == text:
            return int(old.revision)  # unchanged: nothing to do
        if revision != (0 if old is None else old.revision):
            raise StaleDraftError
        values = {
            "participant_id": player.id,
            "page": page,
            "content": text,
            "revision": revision + 1,
            "updated_at": now,
        }
        explanations.put_draft(db, values, old)
    return revision + 1


def read_draft(db: Connection, participant_id: int, page: str) -> tuple[dict[str, str], int]:
    """Return a draft's fields and revision, or ({}, 0) if there is none."""
    row = explanations.draft_of(db, participant_id, page)
    if row is None:
        return {}, 0
    return dict(json.loads(row.content)), int(row.revision)


def leave(store: Store, token: str, kind: steps.Kind, ticket: str, now: datetime) -> None:
    """Leave the instructions, or the practice once it is won. Idempotent.

    Raises NotThereError if the practice is not won or the step not reached yet; TimedOutError.
    """
    column = {steps.INSTRUCTIONS: "instructions_at", steps.PRACTICE: "practice_at"}[kind]
    with store.write() as db:
        player = players.load(db, token, lock=True)
        step = player.step(kind)

        def mark() -> dict[str, Any]:
            seats.touch(db, player.id, now)
            if step.done:
                return {"done": True}
            if player.row.state != "active":
                raise NotActiveError
            practice = player.progress.practice
            won = practice is not None and practice.success
            if player.is_future(step) or (kind == steps.PRACTICE and not won):
                raise players.NotThereError
            participants.change(db, player.id, {column: now})
            return {"done": True}

        once(db, ticket, f"participant/{player.id}", now, mark)


def answers_of(row: AnyRow) -> list[tuple[str, str]]:
    """Return an explanation as (question, answer) pairs for a receipt."""
    asked: list[tuple[str, str]] = [(phrase("The rule"), row.text)] if row.form == "one" else []
    if row.form == "three":
        asked = [
            (phrase("Which traits matter"), row.inputs),
            (phrase("What they decide"), row.output),
            (phrase("How they decide it"), row.how),
        ]
    if row.do_not_know:
        asked.append((phrase("I do not know"), phrase("ticked")))
    if row.confidence is not None:
        asked.append((phrase("How sure (0 to 100)"), str(row.confidence)))
    if row.found_how:
        asked.append((phrase("How you found it"), row.found_how))
    return asked


def last_answer(db: Connection, player: players.Player, block: int) -> dict[str, str]:
    """Return what the player last wrote about the rule of a world, {} if nothing yet.

    Only fields that are not blank. `do_not_know` is `yes` if that was ticked.
    """
    row = last_row(db, player, block)
    if row is None:
        return {}
    texts = {name: getattr(row, name) for name in FIELDS if getattr(row, name).strip()}
    return {**texts, **({"do_not_know": "yes"} if row.do_not_know else {})}


def last_row(db: Connection, player: players.Player, block: int) -> AnyRow | None:
    """Return the player's last explanation of a world, whose guardians all follow one rule."""
    rows = explanations.of_participant(db, player.id)
    own = [row for row in rows if row.block_id == player.block(block).id]
    return max(own, key=lambda one: one.after, default=None)


def stored(db: Connection, player: players.Player, step: steps.Step) -> AnyRow | None:
    """Return the explanation sent at a step, if any."""
    return explanations.at(db, player.block(step.block).id, step.episode)
