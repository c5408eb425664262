"""The members of a study: invite, change a role, remove."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import draft, members
from app.study.design.members import MemberError
from app.study.people import inviting
from app.study.people.accounts import LINK_LIFE, BadNameError
from app.study.people.inviting import Invited
from app.study.rights import MEANS
from app.study.tickets import new_ticket
from app.study.times import moment
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts, site_url, ticket_of
from app.web.pages import render, see_other
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/studies/{slug}/members")


def members_page(
    request: Request,
    server: Server,
    account: Account,
    slug: str,
    status: int = 200,
    *,
    typed: dict[str, str] | None = None,
    error: str = "",
    invited: Invited | None = None,
) -> Response:
    """Render the list of members, with the link of a new account if one was just created."""
    with server.store.read() as db:
        found = draft.load(db, slug)
        people = members.listed(db, slug)
    own = f"/admin/studies/{slug}"
    token = invited.token if invited else ""
    m = {
        "title": found.title or slug,
        "study_url": own if found.published else f"{own}/design",
        "audit_url": f"{own}/audit",
        "people": [
            {
                "name": one.name,
                "role": one.role,
                "active": one.active,
                "by": one.added_by,
                "at": moment(one.added_at),
            }
            for one in people
        ],
        "roles": [(role.value, text) for role, text in MEANS.items()],
        "action": f"{own}/members",
        "ticket": new_ticket(),
        "typed": {"name": "", "role": "viewer"} | (typed or {}),
        "error": error,
        "invited": invited.name if invited else "",
        "link": f"{site_url(request, server)}/admin/welcome/{token}" if token else "",
        "days": LINK_LIFE.days,
    }
    page = admin_page(account, "members", f"Members: {m['title']}")
    return render(request, "people/members.html", status, page=page, m=m)


@router.get("")
def show_members(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show who belongs to a study."""
    return members_page(request, server, account, slug)


@router.post("")
def invite(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Add a member or change a role; a new account's link is shown once."""
    name, role = raw.get("name", "").strip(), raw.get("role", "")
    try:
        done = inviting.invite(server.store, slug, name, role, account.name, ticket_of(raw), now)
    except (BadNameError, MemberError) as error:
        return members_page(request, server, account, slug, 422, typed=raw, error=error.message)
    return members_page(request, server, account, slug, invited=done)


@router.post("/remove")
def remove(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Remove a member."""
    name, ticket = raw.get("name", ""), raw.get("ticket", "")
    try:
        inviting.remove(server.store, slug, name, account, ticket, now)
    except MemberError as error:
        return members_page(request, server, account, slug, 422, error=error.message)
    still = account.is_admin or name != account.name
    return see_other(f"/admin/studies/{slug}/members" if still else "/admin")
