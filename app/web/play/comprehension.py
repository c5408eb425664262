"""The comprehension check, shown next to the instructions."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.languages.text import Text, joined, phrase, phrases
from app.study.design.spec_people import Check
from app.study.play import comprehension, questions, steps
from app.study.play.comprehension import StaleTryError, Tries
from app.study.play.players import NotThereError, Player
from app.study.text_checks import AnswerError
from app.study.tickets import new_ticket
from app.web.deps import Now, RawForm, Server, ServerParts
from app.web.forms import read_count
from app.web.pages import player_page, render, see_other, to_html
from app.web.play.own_pages import facts, home, load
from app.web.play.questions import receipt, wrong
from app.web.play.said_commands import commands_of

router = APIRouter(prefix="/p/{token}")
MOST_TRIES = 100
WRONG = phrase("Not right yet.")
ENDS = phrase("If an answer is still wrong after your last try, the study ends for you.")


@router.get("/check")
def show_check(request: Request, token: str, server: ServerParts) -> Response:
    """Show the questions or the answers given; redirect from a step not reached yet."""
    player = load(server, token)
    step = player.step(steps.CHECK)
    if step.done:
        return receipt(request, server, player, step, comprehension.PHASE)
    return form_page(request, server, player) if player.present == step else home(player)


@router.post("/check")
def answer_check(
    request: Request, token: str, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Store one try and redirect to the next step, the same page or the end."""
    attempt = read_count(raw.get("attempt", ""), MOST_TRIES) or 0
    try:
        comprehension.submit(server.store, token, attempt, raw, raw.get("ticket", ""), now)
    except AnswerError as error:
        return form_page(request, server, load(server, token), 422, raw, error.problems)
    except StaleTryError as error:
        return form_page(request, server, load(server, token), 409, raw, alert=error.message)
    except NotThereError:
        return home(load(server, token))
    return see_other(f"/p/{token}")


def form_page(
    request: Request,
    server: Server,
    player: Player,
    status: int = 200,
    typed: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
    alert: str = "",
) -> Response:
    """Render the questions with what was just typed, else with the last try and its mistakes."""
    with server.store.read() as db:
        tries = comprehension.tries_of(db, player)
    chosen = {questions.field(key): value for key, value in tries.chosen.items()}
    mistakes: dict[str, str] = {questions.field(key): WRONG for key in tries.wrong}
    shown = errors if errors is not None else {} if alert else mistakes
    step, checks = player.step(steps.CHECK), player.spec.questions.comprehension
    fields = [field_of(one, typed or chosen, shown) for one in checks]
    k = {
        "fields": fields,
        "errors": errors or {},
        "alert": alert,
        "wrong": wrong(fields),
        "left_text": left_text(tries),
        "attempt": tries.used + 1,
        "action": f"/p/{player.token}/{step.path}",
        "ticket": new_ticket(),
        "text_html": to_html(player.spec.texts.instructions),
        "facts": facts(player),
        "verbs": commands_of(server, player),
    }
    page = player_page(player, "comprehension", phrase("Check how to play"), step)
    return render(request, "play/comprehension.html", status, page=page, k=k)


def field_of(check: Check, typed: dict[str, str], errors: dict[str, str]) -> dict[str, Any]:
    """Return a question as the macro expects it."""
    name = questions.field(check.key)
    return {
        "name": name,
        "label": check.label,
        "options": [(option, option) for option in check.options],
        "optional": False,
        "value": typed.get(name, ""),
        "error": errors.get(name, ""),
        "hint": "",
    }


def left_text(tries: Tries) -> Text:
    """Return sentences that say how many tries are left, and what follows the last one."""
    if tries.left == 1:
        left = phrase("This is your last try.") if tries.used else phrase("You have one try.")
    elif tries.used:
        left = phrases("You have {n} more try.", "You have {n} more tries.", tries.left)
    else:
        left = phrases("You have {n} try.", "You have {n} tries.", tries.left)
    return joined([left, ENDS])
