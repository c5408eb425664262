"""The annotator's question at the end of a round: who wrote this text?"""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.rating import rubric, source_guess
from app.study.rating.saving import RatingError, RoundClosedError
from app.study.tickets import new_ticket
from app.web.deps import Account, Annotator, Now, RawForm, Server, ServerParts
from app.web.pages import go_to, render
from app.web.rating.rater_pages import guess_url
from app.web.researcher import rate_page

router = APIRouter(prefix="/rate/guess")


@router.get("/{token}")
def show_guess(request: Request, token: str, server: ServerParts, account: Annotator) -> Response:
    """Show one text and the question who wrote it."""
    return guess_page(request, server, account, token)


@router.post("/{token}")
def save_guess(
    request: Request,
    token: str,
    raw: RawForm,
    server: ServerParts,
    account: Annotator,
    now: Now,
) -> Response:
    """Save a guess and go on to the next text, or to the round."""
    try:
        source_guess.save(server.store, account.id, token, raw, now)
    except RatingError as error:
        return guess_page(request, server, account, token, 422, errors=error.problems)
    except RoundClosedError as error:
        return guess_page(request, server, account, token, 409, notice=error.message)
    with server.store.read() as db:
        view = source_guess.guess_view(db, account.id, token).round
    return go_to(request, guess_url(view.next_guess) or f"/rate/round/{view.token}")


def guess_page(
    request: Request,
    server: Server,
    account: Account,
    token: str,
    status: int = 200,
    *,
    errors: dict[str, str] | None = None,
    notice: str = "",
) -> Response:
    """Render the question on one text."""
    with server.store.read() as db:
        view = source_guess.guess_view(db, account.id, token)
    asked = [place for place in view.round.places if not place.training]
    g = {
        "number": view.number,
        "text": view.text,
        "action": f"/rate/guess/{token}",
        "ticket": new_ticket(),
        "sources": rubric.SOURCES,
        "typed": {"guess": view.guess},
        "errors": errors or {},
        "notice": notice,
        "is_open": view.round.is_open,
        "done": sum(bool(place.given.guess) for place in asked),
        "total": len(asked),
        "round_url": f"/rate/round/{view.round.token}",
        "round_title": view.round.title,
    }
    page = rate_page(account, "guess", f"Who wrote item {view.number}? {view.round.title}")
    return render(request, "rating/rater/guess.html", status, page=page, g=g)
