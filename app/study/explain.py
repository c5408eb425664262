"""The rule form: drafts, the answer itself, and the notebook beside it."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store import explanations, participants
from app.store.base import AnyRow
from app.store.db import Store
from app.study import flow, log, seats, way
from app.study.once import once
from app.study.play import NotActiveError

LIMIT = 5_000  # characters of an explanation field
NOTES_LIMIT = 20_000
MOST_SURE = 100
SURROGATES = range(0xD800, 0xE000)
FIELDS = ("text", "inputs", "output", "how", "found_how")


class AnswerError(StudyError):
    """The rule form cannot be accepted as it is; `problems` says why, field by field."""

    code = "explain/answer"

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


class StaleDraftError(StudyError):
    """The draft has been changed elsewhere since this page was loaded."""

    code = "draft/stale"

    def __init__(self) -> None:
        super().__init__(
            "This text was changed in another tab or on another device. What you typed is still "
            "here: copy what you need, then reload the page."
        )


@dataclass(frozen=True, slots=True)
class NewExplanation:
    """A rule form as typed and checked."""

    text: str = ""
    inputs: str = ""
    output: str = ""
    how: str = ""
    found_how: str = ""
    do_not_know: bool = False
    confidence: int | None = None


def read_answer(typed: dict[str, str], form: str) -> NewExplanation:
    """Check a rule form. Raises AnswerError; nothing is cut.

    Args:
        typed: the form's fields as posted.
        form: one (a single text) or three (parts).
    """
    values = {name: tidy(typed.get(name, "")) for name in FIELDS}
    problems = {name: problem for name in FIELDS if (problem := too_long(values[name], LIMIT))}
    do_not_know = bool(typed.get("do_not_know"))
    needed = ("text",) if form == "one" else ("inputs", "output", "how")
    if not do_not_know and not any(values[name].strip() for name in needed):
        problems[needed[0]] = "Please write what you think, or tick 'I do not know'."
    confidence = read_confidence(typed.get("confidence", ""), problems)
    if problems:
        raise AnswerError(problems)
    return NewExplanation(**values, do_not_know=do_not_know, confidence=confidence)


def read_confidence(text: str, problems: dict[str, str]) -> int | None:
    """Read 0 to 100, or nothing; notes a problem under `confidence`."""
    text = text.strip()
    if not text:
        return None
    if (
        text.isascii()
        and text.isdecimal()
        and len(text) <= len(str(MOST_SURE))
        and int(text) <= MOST_SURE
    ):
        return int(text)
    problems["confidence"] = "Please give a whole number from 0 to 100, or leave it empty."
    return None


def tidy(text: str) -> str:
    """Make line ends one character; nothing else is changed."""
    return text.replace("\r\n", "\n")


def too_long(text: str, limit: int) -> str:
    """Return a sentence if a text is too long or cannot be stored, else ''."""
    if len(text) > limit:
        return f"This is {len(text):,} characters; please shorten it to {limit:,}."
    if not storable(text):
        return "This text holds a character that cannot be stored. Please remove it."
    return ""


def storable(text: str) -> bool:
    """Tell whether both databases can hold a text: no NUL, no half of a surrogate pair."""
    return "\x00" not in text and not any(ord(sign) in SURROGATES for sign in text)


def page_of(block: int, after: int) -> str:
    """Return the name of a rule form's draft."""
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
    """Store an explanation, once; finish the participant if it was the last thing to do.

    Raises AnswerError, NotThereError, NotActiveError, TimedOutError, TicketError.
    """
    with store.write() as db:
        player = way.load(db, token, lock=True)
        step = player.step(flow.RULE, block, after)

        def save() -> dict[str, Any]:
            seats.touch(db, player.id, now)
            if step.done:  # another tab was first; its answer stands
                return {"done": True}
            if player.row.state != "active":
                raise NotActiveError
            if player.present != step:
                raise way.NotThereError
            answer = read_answer(typed, player.spec.rule_form.parts)
            insert(db, player, block, after, answer, now)
            way.finish_if_complete(db, token, now)
            return {"done": True}

        once(db, ticket, f"participant/{player.id}", now, save)


def insert(
    db: Connection,
    player: way.Player,
    block: int,
    after: int,
    answer: NewExplanation,
    now: datetime,
) -> None:
    """Add the explanation's row."""
    episode = None if after == flow.AFTER_BLOCK else player.episode(block, after).id
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
    explanations.insert(db, {**row, "digest": log.explanation_digest(row)})


def save_draft(
    store: Store,
    token: str,
    page: str,
    content: dict[str, str],
    revision: int,
    now: datetime,
) -> int:
    """Store a draft and return its new revision; a stale one never overwrites.

    Raises StaleDraftError, AnswerError (too long), NoPlayerError, NotActiveError (somebody who
    has left, and may have had all they typed deleted), TimedOutError.
    """
    limit = NOTES_LIMIT if page.startswith("notes/") else LIMIT * 2
    content = {name: tidy(text) for name, text in content.items()}
    problems = {name: note for name, text in content.items() if (note := too_long(text, limit))}
    if problems:
        raise AnswerError(problems)
    text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    with store.write() as db:
        player = way.load(db, token, lock=True)
        if player.row.state not in {"active", "finished"}:
            raise NotActiveError
        seats.touch(db, player.id, now)
        old = explanations.draft_of(db, player.id, page)
        if old is not None and old.content == text:
            return int(old.revision)  # the same again: nothing to do
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
    """Return a draft's fields and revision; ({}, 0) if there is none."""
    row = explanations.draft_of(db, participant_id, page)
    if row is None:
        return {}, 0
    return dict(json.loads(row.content)), int(row.revision)


def leave(store: Store, token: str, kind: str, ticket: str, now: datetime) -> None:
    """Leave the instructions, or the practice once it is won. Idempotent.

    Raises NotThereError: the practice is not won yet, or the step is not reached; TimedOutError.
    """
    column = {flow.INSTRUCTIONS: "instructions_at", flow.PRACTICE: "practice_at"}[kind]
    with store.write() as db:
        player = way.load(db, token, lock=True)
        step = player.step(kind)

        def mark() -> dict[str, Any]:
            seats.touch(db, player.id, now)
            if step.done:
                return {"done": True}
            if player.row.state != "active":
                raise NotActiveError
            practice = player.progress.practice
            won = practice is not None and practice.success
            if player.is_future(step) or (kind == flow.PRACTICE and not won):
                raise way.NotThereError
            participants.change(db, player.id, {column: now})
            return {"done": True}

        once(db, ticket, f"participant/{player.id}", now, mark)


def answers_of(row: AnyRow) -> list[tuple[str, str]]:
    """Return an explanation as (question, answer) pairs for a receipt."""
    asked = [("The rule", row.text)] if row.form == "one" else []
    if row.form == "three":
        asked = [
            ("Which traits matter", row.inputs),
            ("What they decide", row.output),
            ("How they decide it", row.how),
        ]
    if row.do_not_know:
        asked.append(("I do not know", "ticked"))
    if row.confidence is not None:
        asked.append(("How sure (0 to 100)", str(row.confidence)))
    if row.found_how:
        asked.append(("How you found it", row.found_how))
    return asked
