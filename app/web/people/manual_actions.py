"""Finding a participant, and manual actions for one; every action is logged."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import members
from app.study.people import manual_actions
from app.study.people.manual_actions import HandError
from app.study.rights import Right
from app.web.deps import Now, RawForm, Researcher, ServerParts
from app.web.forms import read_count
from app.web.pages import render, see_other
from app.web.people.overview import participant_page
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin")
MAX_ROW_ID = 2**31 - 1
MAX_SEARCH = 200


@router.get("/search")
def search(request: Request, server: ServerParts, account: Researcher) -> Response:
    """Find participants by platform id, submission id, completion code or our own id."""
    text = request.query_params.get("q", "").strip()[:MAX_SEARCH]
    found: list[Any] = []
    if text and text.isprintable():
        with server.store.read() as db:
            mine = members.studies_of(db, account.who)
            people = manual_actions.find_people(db, text)
        found = [one for one in people if Right.PEOPLE in mine.get(one.slug, ())]
    page = admin_page(account, "search", "Find a participant")
    return render(request, "people/search.html", page=page, q=text, found=found)


@router.post("/participants/{public_id}/actions")
def act(
    request: Request,
    public_id: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Perform one action and return to the participant's page."""
    try:
        manual_actions.act(
            server.store,
            account.id,
            public_id,
            raw.get("action", ""),
            raw.get("reason", ""),
            raw.get("ticket", ""),
            now,
            read_count(raw.get("episode", ""), MAX_ROW_ID),
            raw.get("amount", ""),
        )
    except HandError as error:
        return participant_page(request, server, account, public_id, 422, error, raw)
    return see_other(f"/admin/participants/{public_id}")
