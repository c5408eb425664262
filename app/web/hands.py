"""Finding a person, and what a researcher does for one by hand; every deed is logged."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.store import hands as table
from app.study import hands
from app.study.hands import HandError
from app.web.admin import admin_page, participant_page
from app.web.deps import Now, RawForm, Researcher, ServerParts
from app.web.game import read_count
from app.web.pages import render, see_other

router = APIRouter(prefix="/admin")
MAX_ROW_ID = 2**31 - 1
MAX_SEARCH = 200


@router.get("/search")
def search(request: Request, server: ServerParts, account: Researcher) -> Response:
    """Find people by platform id, submission id, completion code or our own id."""
    text = request.query_params.get("q", "").strip()[:MAX_SEARCH]
    found: list[Any] = []
    if text and text.isprintable():
        with server.store.read() as db:
            found = list(table.find_people(db, text))
    page = admin_page(account, "search", "Find a person")
    return render(request, "admin/search.html", page=page, q=text, found=found)


@router.post("/participants/{public_id}/hands")
def act(
    request: Request,
    public_id: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Do one deed and come back to the participant's page."""
    try:
        hands.act(
            server.store,
            account.id,
            public_id,
            raw.get("action", ""),
            raw.get("reason", ""),
            raw.get("ticket", ""),
            now,
            read_count(raw.get("episode", ""), MAX_ROW_ID),
        )
    except HandError as error:
        return participant_page(request, server, account, public_id, 422, error.message, raw)
    return see_other(f"/admin/participants/{public_id}")
