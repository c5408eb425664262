"""'Report a problem': a message to the researchers, from any player page."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.languages.text import phrase
from app.study.play import problems
from app.study.play.players import Player
from app.study.text_checks import AnswerError
from app.study.tickets import new_ticket
from app.web.deps import Now, RawForm, ServerParts
from app.web.pages import player_page, render
from app.web.play.own_pages import load_any

router = APIRouter(prefix="/p/{token}")


@router.get("/problem")
def show_form(request: Request, token: str, server: ServerParts) -> Response:
    """Show the problem form."""
    origin = request.query_params.get("from", "")
    return form_page(request, load_any(server, token), origin, "", {})


def form_page(
    request: Request, player: Player, origin: str, typed: str, errors: dict[str, str]
) -> Response:
    """Render the problem form."""
    origin = origin if known_step(player, origin) else ""
    p = {
        "action": f"/p/{player.token}/problem?from={origin}",
        "ticket": new_ticket(),
        "back_url": f"/p/{player.token}/{origin}",
        "typed": typed,
        "errors": errors,
    }
    page = player_page(player, "problem", phrase("Report a problem"))
    return render(request, "play/problem.html", 422 if errors else 200, page=page, p=p)


def known_step(player: Player, path: str) -> bool:
    """Tell whether a path is one of the participant's own steps."""
    return path in {step.path for step in player.progress.steps}


@router.post("/problem")
def send(request: Request, token: str, raw: RawForm, server: ServerParts, now: Now) -> Response:
    """Store a problem report."""
    player = load_any(server, token)
    origin, text = request.query_params.get("from", ""), raw.get("text", "")
    origin = origin if known_step(player, origin) else ""
    try:
        problems.report(server.store, token, origin, text, raw.get("ticket", ""), now)
    except AnswerError as error:
        return form_page(request, player, origin, text, error.problems)
    p = {"back_url": f"/p/{token}/{origin}"}
    return render(
        request,
        "play/problem_thanks.html",
        page=player_page(player, "problem", phrase("Thank you")),
        p=p,
    )
