"""Annotator accounts: invite with a one-time link, deactivate, activate."""

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.study.people.accounts import LINK_LIFE, BadNameError
from app.study.rating import annotators
from app.study.tickets import new_ticket
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts, site_url
from app.web.pages import render, see_other
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/annotators")
VERBS = {"deactivate": False, "activate": True}


def annotators_page(
    request: Request,
    server: Server,
    account: Account,
    status: int = 200,
    *,
    typed: str = "",
    error: str = "",
    link: str = "",
) -> Response:
    """Render the list, with the new link if one was just created."""
    a = {
        "people": annotators.listed(server.store),
        "action": "/admin/annotators",
        "ticket": new_ticket(),
        "typed": typed,
        "error": error,
        "link": link,
        "days": LINK_LIFE.days,
    }
    page = admin_page(account, "annotators", "Annotators")
    return render(request, "rating/annotators.html", status, page=page, a=a)


@router.get("")
def show_annotators(request: Request, server: ServerParts, account: Researcher) -> Response:
    """Show all annotators."""
    return annotators_page(request, server, account)


@router.post("")
def invite(
    request: Request, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Create an annotator, or a new link for one, and show the link once.

    If the form is sent twice, only the newer link works, and that is the one shown.
    """
    name = raw.get("name", "").strip()
    try:
        token = annotators.invite(server.store, name, now)
    except BadNameError as error:
        return annotators_page(request, server, account, 422, typed=name, error=error.message)
    link = f"{site_url(request, server)}/admin/welcome/{token}"
    return annotators_page(request, server, account, typed=name, link=link)


@router.post("/{name}/{verb}")
def set_active(
    request: Request,
    name: str,
    verb: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Deactivate or activate an annotator; all their ratings are kept."""
    if verb not in VERBS:
        raise HTTPException(404)
    try:
        annotators.set_active(
            server.store, name, account, raw.get("ticket", ""), now, active=VERBS[verb]
        )
    except BadNameError as error:
        return annotators_page(request, server, account, 422, error=error.message)
    return see_other("/admin/annotators")
