"""Background questions before and after the game: read, check and store the answers once.

A question with an expected answer is an attention check: whether it was given is stored, without
any consequence. A choice listed under `screen_out` ends the person's part; they are informed and
get the code for it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.languages.text import Text, phrase
from app.store.base import AnyRow
from app.store.db import Store
from app.store.play import answers
from app.study.characters import plain_digits, visible
from app.study.design.spec import StudySpec
from app.study.design.spec_people import WHOLE, Question
from app.study.play import players, seats, steps
from app.study.text_checks import LIMIT, AnswerError, tidy, too_long
from app.study.tickets import once

PHASES = (steps.BEFORE, steps.AFTER)
COMMENT_LABEL = phrase("Is there anything you would like to tell us?")
COMMENT = Question(
    key="comment",
    label=str(COMMENT_LABEL),
    kind="text",
    required=False,
)
CHOOSE = phrase("Please choose one.")
# for a number without bounds, with an upper bound, with a lower bound, with both
HINTS = (
    phrase("A whole number"),
    phrase("A whole number, {most} or less"),
    phrase("A whole number, {least} or more"),
    phrase("A whole number from {least} to {most}"),
)
ASKED = (
    phrase("Please enter a whole number, in digits."),
    phrase("Please enter a whole number, {most} or less, in digits."),
    phrase("Please enter a whole number, {least} or more, in digits."),
    phrase("Please enter a whole number from {least} to {most}, in digits."),
)


def asked(spec: StudySpec, phase: str) -> tuple[Question, ...]:
    """Return the questions of a page, with the final comment last."""
    if phase == steps.BEFORE:
        return spec.questions.before
    return (*spec.questions.after, *([COMMENT] if spec.questions.comment else []))


def label_of(question: Question) -> str:
    """Return what a question asks: the study's words, or for the final comment our own."""
    return COMMENT_LABEL if question == COMMENT else question.label


def field(key: str) -> str:
    """Return the name of a question's form field."""
    return f"q_{key}"


def read_answers(questions: Sequence[Question], typed: dict[str, str]) -> dict[str, str]:
    """Return question key -> answer ('' = none given), including optional questions.

    Args:
        questions: the questions of the page.
        typed: the form's fields as posted.

    Raises: AnswerError: names each missing or invalid field; nothing is truncated.
    """
    found, problems = {}, {}
    for question in questions:
        value, problem = read_one(question, tidy(typed.get(field(question.key), "")))
        found[question.key] = value
        if problem:
            problems[field(question.key)] = problem
    if problems:
        raise AnswerError(problems)
    return found


def read_one(question: Question, text: str) -> tuple[str, str]:
    """Return one answer and its error ('' = none)."""
    if not text.strip():
        missing = CHOOSE if question.kind == "choice" else phrase("Please answer this.")
        return "", missing if question.required else ""
    match question.kind:
        case "choice":
            return read_choice(question.options, text)
        case "number":
            return read_number(question, plain_digits(visible(text)).strip())
        case "text":
            return text, too_long(text, LIMIT)


def read_choice(options: Sequence[str], text: str) -> tuple[str, str]:
    """Return the chosen option and its error; a browser may have changed its line ends."""
    wanted = text.split()
    for option in options:
        if option.split() == wanted:
            return option, ""
    return "", CHOOSE


def read_number(question: Question, text: str) -> tuple[str, str]:
    """Return a whole number within the question's bounds, normalised, and its error."""
    if WHOLE.fullmatch(text) and question.admits(int(text)):
        return str(int(text)), ""
    return "", bounds(question, ASKED)


def bounds(question: Question, words: Sequence[str]) -> Text:
    """Return a sentence on which numbers a question accepts; `words`: HINTS or ASKED."""
    least, most = question.least, question.most
    which = 2 * (least is not None) + (most is not None)
    return phrase(words[which], least=least, most=most)


def meets(question: Question, value: str) -> bool | None:
    """Tell whether an answer is as expected, ignoring case and spaces; None = none expected."""
    if question.answer is None:
        return None
    return value.casefold().split() == question.answer.casefold().split()


def submit(
    store: Store, token: str, phase: steps.Kind, typed: dict[str, str], ticket: str, now: datetime
) -> None:
    """Store a page of answers, once; end the part of a person screened out, or finish it.

    Raises: AnswerError, NotThereError, NotActiveError, TicketError.
    """
    with store.write() as db:
        player = players.load(db, token, lock=True)
        step = player.step(phase)

        def save() -> dict[str, Any]:
            if step.done:  # another tab was first: keep its answers
                return {"done": True}
            players.check_present(player, step)
            seats.touch(db, player.id, now)
            questions = asked(player.spec, phase)
            found = read_answers(questions, typed)
            insert(db, player.id, phase, questions, found, now)
            out = screened_out(questions, found)
            if out:
                seats.end(db, player.id, "screened_out", f"question/{out}", now)
            else:
                players.finish_if_complete(db, token, now)
            return {"done": True}

        once(db, ticket, f"participant/{player.id}", now, save)


def insert(
    db: Connection,
    participant_id: int,
    phase: str,
    questions: Sequence[Question],
    found: dict[str, str],
    now: datetime,
) -> None:
    """Add one row per question, including unanswered ones."""
    rows = [
        {
            "participant_id": participant_id,
            "phase": phase,
            "attempt": 1,
            "question": question.key,
            "value": found[question.key],
            "is_right": meets(question, found[question.key]),
            "created_at": now,
        }
        for question in questions
    ]
    answers.insert(db, rows)


def screened_out(questions: Sequence[Question], found: dict[str, str]) -> str:
    """Return the key of the first question whose answer screens the person out, or ''."""
    for question in questions:
        if found[question.key] in question.screen_out:
            return question.key
    return ""


def given(spec: StudySpec, rows: Sequence[AnyRow]) -> list[tuple[str, str]]:
    """Return stored answers as (question, answer) pairs for a receipt."""
    labels = {one.key: label_of(one) for phase in PHASES for one in asked(spec, phase)}
    labels |= {one.key: one.label for one in spec.questions.comprehension}
    return [(labels.get(row.question, row.question), row.value) for row in rows]


def stated(spec: StudySpec) -> dict[str, str]:
    """Return form field -> an acceptable answer, for programs that play a whole study.

    That is the expected answer if there is one, else the first option that does not screen out, a
    number within the bounds, or a word.
    """
    hints = {field(one.key): one.answer for one in spec.questions.comprehension}
    for one in (question for phase in PHASES for question in asked(spec, phase)):
        options = [option for option in one.options if option not in one.screen_out]
        number = one.least if one.least is not None else min(0, one.most or 0)
        plain = {"choice": (options or [*one.options, ""])[0], "number": str(number)}
        hints[field(one.key)] = one.answer or plain.get(one.kind, "nothing")
    return hints


def stored(db: Connection, player: players.Player, phase: str) -> Sequence[AnyRow]:
    """Return the answers of a phase."""
    return answers.last_of(db, player.id, phase)
