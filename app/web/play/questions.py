"""The pages of background questions, before and after the game."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from app.languages.text import phrase
from app.study.design.spec_people import Question
from app.study.play import questions, steps
from app.study.play.players import NotThereError, Player
from app.study.text_checks import AnswerError
from app.study.tickets import new_ticket
from app.web.deps import Now, RawForm, Server, ServerParts
from app.web.pages import player_page, render, see_other
from app.web.play.own_pages import home, load, receipt_page

router = APIRouter(prefix="/p/{token}")
Phase = Annotated[Literal["before", "after"], Path()]

MOST_RADIOS = 8  # a question with more options becomes a drop-down list
NO_ANSWER = phrase("No answer")
TITLES = {
    steps.BEFORE: phrase("A few questions about you"),
    steps.AFTER: phrase("A few last questions"),
}
LEADS = {
    steps.BEFORE: phrase("Please answer these before you begin."),
    steps.AFTER: phrase("Please answer these, and then you are done."),
}
COMMENT_ALONE = phrase("Before you go")


@router.get("/questions/{phase}")
def show_questions(request: Request, token: str, phase: Phase, server: ServerParts) -> Response:
    """Show a page of questions or the answers given; redirect from a step not reached yet."""
    player = load(server, token)
    step = player.step(phase)
    if step.done:
        return receipt(request, server, player, step, step.kind)
    return form_page(request, player, step) if player.present == step else home(player)


@router.post("/questions/{phase}")
def answer_questions(
    request: Request, token: str, phase: Phase, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Store the answers; on an error, show the form again with what was typed."""
    try:
        questions.submit(server.store, token, phase, raw, raw.get("ticket", ""), now)
    except AnswerError as error:
        player = load(server, token)
        return form_page(request, player, player.step(phase), raw, error.problems)
    except NotThereError:
        return home(load(server, token))
    return see_other(f"/p/{token}")


def form_page(
    request: Request,
    player: Player,
    step: steps.Step,
    typed: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
) -> Response:
    """Render the questions with what was typed and any errors."""
    asked = questions.asked(player.spec, step.kind)
    fields = [field_of(one, typed or {}, errors or {}) for one in asked]
    alone = asked == (questions.COMMENT,)
    q = {
        "lead": "" if alone else LEADS[step.kind],
        "fields": fields,
        "wrong": wrong(fields),
        "action": f"/p/{player.token}/{step.path}",
        "ticket": new_ticket(),
        "button": phrase("Finish") if step.kind == steps.AFTER else phrase("Continue"),
    }
    title = COMMENT_ALONE if alone else TITLES[step.kind]
    page = player_page(player, "questions", title, step)
    status = 422 if errors else 200
    return render(request, "play/questions.html", status, page=page, q=q)


def wrong(fields: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return name and label of the fields that have an error."""
    return [(one["name"], one["label"]) for one in fields if one["error"]]


def field_of(question: Question, typed: dict[str, str], errors: dict[str, str]) -> dict[str, Any]:
    """Return a question as the macros expect it."""
    name = questions.field(question.key)
    options: list[tuple[str, str]] = [(option, option) for option in question.options]
    kind: str = question.kind
    if kind == "choice":
        kind = "radios" if len(options) <= MOST_RADIOS else "select"
    if kind == "radios" and not question.required:
        options.append(("", NO_ANSWER))
    hint = questions.bounds(question, questions.HINTS) if kind == "number" else ""
    return {
        "name": name,
        "label": questions.label_of(question),
        "kind": kind,
        "options": options,
        "optional": not question.required,
        "value": typed.get(name, ""),
        "error": errors.get(name, ""),
        "hint": hint,
        "inputmode": "numeric" if (question.least or -1) >= 0 else "text",  # a minus sign
        "rows": 5 if question.key == questions.COMMENT.key else 2,
    }


def receipt(
    request: Request, server: Server, player: Player, step: steps.Step, phase: str
) -> Response:
    """Show the answers of a phase, read-only."""
    with server.store.read() as db:
        rows = questions.stored(db, player, phase)
    answers, at = questions.given(player.spec, rows), rows[0].created_at
    return receipt_page(request, player, step, answers, at, phrase("Your answers are saved"))
