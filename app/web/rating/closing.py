"""The page before a round is closed: what is missing, and that nothing can be added later."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.rating import missing, rounds
from app.study.tickets import new_ticket
from app.web.deps import Researcher, ServerParts
from app.web.pages import render, see_other
from app.web.rating.overview import own_url
from app.web.rating.rounds import number_of
from app.web.researcher import admin_page, find_study

router = APIRouter(prefix="/admin/studies/{slug}/rating/rounds/{number}")


@router.get("/close")
def ask_to_close(
    request: Request, slug: str, number: str, server: ServerParts, account: Researcher
) -> Response:
    """Say what is missing, and ask whether to close the round."""
    study = find_study(server, slug)
    with server.store.read() as db:
        row = rounds.find(db, study.id, number_of(number))
        lacks = missing.of_round(db, row)
    back = own_url(slug, "rounds", row.number)
    if row.state != "open":
        return see_other(back)
    c = {
        "title": row.title,
        "back": back,
        "action": own_url(slug, "rounds", row.number, "close"),
        "ticket": new_ticket(),
        "missing": lacks.sentence,
        "asks": row.ask_source != "off",
    }
    page = admin_page(account, "rating", f"Close: {row.title}")
    return render(request, "rating/close.html", page=page, c=c)
