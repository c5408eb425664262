"""What a researcher does about an open round's annotators: hand over open items, end a pause."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.rating import handover, pauses
from app.study.rating.handover import HandoverError
from app.study.rating.pauses import NotPausedError
from app.study.rating.rounds import RoundStateError
from app.web.deps import Now, RawForm, Researcher, ServerParts
from app.web.pages import see_other
from app.web.rating.overview import own_url
from app.web.rating.rounds import number_of, round_page
from app.web.researcher import find_study

router = APIRouter(prefix="/admin/studies/{slug}/rating/rounds/{number}/raters")


@router.post("/handover")
def hand_over(
    request: Request,
    slug: str,
    number: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Give an annotator's open items to another."""
    study, place = find_study(server, slug), number_of(number)
    source, target = raw.get("source", ""), raw.get("target", "")
    by, ticket = account.name, raw.get("ticket", "")
    try:
        moved = handover.hand_over(server.store, study.id, place, source, target, by, ticket, now)
    except (HandoverError, RoundStateError) as error:
        status = 422 if isinstance(error, HandoverError) else 409
        return round_page(request, server, account, study, place, status, error.message)
    if moved.moved:
        return see_other(own_url(slug, "rounds", place))
    notice = (
        f"Nothing was handed over: {target} has or had all {moved.left} open items of {source}."
        if moved.left
        else f"{source} has no open items."
    )
    return round_page(request, server, account, study, place, 409, notice)


@router.post("/go-on")
def go_on(
    request: Request,
    slug: str,
    number: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Let a paused annotator continue."""
    study, place = find_study(server, slug), number_of(number)
    name, ticket = raw.get("who", ""), raw.get("ticket", "")
    try:
        pauses.go_on(server.store, study.id, place, name, account.name, ticket, now)
    except NotPausedError as error:
        return round_page(request, server, account, study, place, 409, error.message)
    return see_other(own_url(slug, "rounds", place))
