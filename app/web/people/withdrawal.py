"""Leaving the study for good, after a page that says what happens and asks to confirm."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.languages.text import phrase
from app.study.people import withdrawal
from app.study.tickets import new_ticket
from app.web.deps import Now, RawForm, ServerParts
from app.web.forgetting import forget_built
from app.web.pages import go_to, player_page, render
from app.web.play.own_pages import home, load

router = APIRouter(prefix="/p/{token}")


@router.get("/leave")
def show_leave(request: Request, token: str, server: ServerParts) -> Response:
    """Say what leaving means and ask for confirmation."""
    player = load(server, token)
    if player.row.state not in {"active", "finished"}:
        return home(player)
    codes, is_finished = player.spec.codes, player.row.state == "finished"
    w = {
        "action": f"/p/{token}/leave",
        "ticket": new_ticket(),
        "back_url": f"/p/{token}",
        "erase": player.spec.people.withdrawal == "erase",
        "finished": is_finished,
        "code": player.row.code or codes.of("finished") if is_finished else "",
        "gets_code": bool(codes.of("withdrawn")),
        "is_paid": is_finished or bool(player.spec.payment.hourly_cents),
    }
    page = player_page(player, "leave", phrase("Leave the study"))
    return render(request, "people/withdrawal.html", page=page, w=w)


@router.post("/leave")
def leave(request: Request, token: str, raw: RawForm, server: ServerParts, now: Now) -> Response:
    """Withdraw the participant, once."""
    server.runner.remove_files(withdrawal.withdraw(server.store, token, raw.get("ticket", ""), now))
    forget_built(server)  # reports that count the person
    return go_to(request, f"/p/{token}")
