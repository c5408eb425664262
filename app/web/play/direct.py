"""The pages of the direct format: the world, its accounts, and a form instead of a console."""

from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.game.model import ORDERS, Variant
from app.game.view import PlayerView
from app.languages.text import phrase
from app.study.play import direct, rule_form, steps
from app.study.play.players import NotThereError, Player
from app.study.text_checks import AnswerError
from app.study.tickets import new_ticket
from app.web.deps import Now, RawForm, Server, ServerParts
from app.web.forms import Place
from app.web.pages import player_page, render, see_other
from app.web.play.own_pages import home, load, receipt_page
from app.web.play.questions import wrong

router = APIRouter(prefix="/p/{token}")
PLACED = {"before": phrase("before it"), "after": phrase("after it")}


@router.get("/world/{block}/guardian/{position}/answer")
def show_direct(
    request: Request, token: str, block: Place, position: Place, server: ServerParts
) -> Response:
    """Show a guardian's form or the answer given; redirect from a step not reached yet."""
    player = load(server, token)
    step = player.step(steps.DIRECT, block - 1, position - 1)
    if step.done:
        return receipt(request, server, player, step)
    return form_page(request, server, player, step) if player.present == step else home(player)


@router.post("/world/{block}/guardian/{position}/answer")
def answer_direct(
    request: Request,
    token: str,
    block: Place,
    position: Place,
    raw: RawForm,
    server: ServerParts,
    now: Now,
) -> Response:
    """Store the answer and go on; on an error, show the form again with what was typed."""
    place, ticket = (block - 1, position - 1), raw.get("ticket", "")
    try:
        direct.submit(server.store, server.library, token, place, raw, ticket, now)
    except AnswerError as error:
        player = load(server, token)
        step = player.step(steps.DIRECT, *place)
        return form_page(request, server, player, step, raw, error.problems)
    except NotThereError:
        return home(load(server, token))
    return see_other(f"/p/{token}")


def form_page(
    request: Request,
    server: Server,
    player: Player,
    step: steps.Step,
    typed: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
) -> Response:
    """Render the world, the accounts, the notes and the form."""
    row = player.episode(step.block, step.episode)
    with server.store.read() as db:
        variant = server.library.variant(db, row.variant_hash)
        view = server.library.view(db, row.variant_hash, row.variant_episode)
        notes, revision = rule_form.read_draft(db, player.id, f"notes/{step.block}")
    options, fields = player.spec.options, fields_of(variant, view, typed or {}, errors or {})
    g = {
        "view": replace(view, verbs=(), budget_text=""),  # there are no commands and no budget here
        "fields": fields,
        "wrong": wrong(fields),
        "action": f"/p/{player.token}/{step.path}",
        "ticket": new_ticket(),
        "urls": {"notes": f"/p/{player.token}/notes/{step.block + 1}"},
        "notes": {"text": notes.get("text", ""), "revision": revision, "ticket": new_ticket()},
        "options": {"sort": options.sort, "pin": options.pin},
    }
    page = player_page(
        player, "direct", phrase("What defeats {name}?", name=view.goal.entity), step
    )
    return render(request, "play/direct.html", 422 if errors else 200, page=page, g=g)


def fields_of(
    variant: Variant, view: PlayerView, typed: dict[str, str], errors: dict[str, str]
) -> list[dict[str, Any]]:
    """Return the fields as the macros expect them, from the task and the visible world only."""
    labels = {
        "item": phrase("Which item do you have to buy?"),
        "activity": phrase("What else do you have to do?"),
        "placed": phrase("Before or after buying {item}?", item=view.goal.item),
        "times": phrase("How many times?"),
    }
    options: dict[str, list[tuple[str, str]]] = {
        "activity": [(one.verb, f"{one.verb} {one.name}") for one in view.activities],
        "placed": [(order, PLACED[order]) for order in ORDERS],
        "item": [(item.name, item.name) for item in view.items],
    }
    kinds = {"item": "item", "times": "number"}
    most = direct.most_times(variant.task)
    hints = {
        "item": phrase("Spell it as shown under ‘The world’."),
        "times": phrase("A whole number from {least} to {most}", least=1, most=most),
    }
    return [
        {
            "name": name,
            "label": labels[name],
            "kind": kinds.get(name, "radios"),
            "options": options.get(name, []),
            "optional": False,
            "value": typed.get(name, ""),
            "error": errors.get(name, ""),
            "hint": hints.get(name, ""),
            "inputmode": "numeric",
        }
        for name in direct.asked(variant.task)
    ]


def receipt(request: Request, server: Server, player: Player, step: steps.Step) -> Response:
    """Show the answer read-only, without saying whether it is right."""
    with server.store.read() as db:
        row = direct.stated(db, player, step)
    answers, at = ([], None) if row is None else (direct.words(row), row.created_at)
    return receipt_page(request, player, step, answers, at)
