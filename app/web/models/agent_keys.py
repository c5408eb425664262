"""Keys for other people's programs: created, shown once, revoked; and their history."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.models import agent_keys
from app.study.models.agent_keys import SCOPES, KeyNameError
from app.study.times import moment
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts, site_url, ticket_of
from app.web.pages import render, see_other
from app.web.researcher import admin_page, find_study

router = APIRouter(prefix="/admin/studies/{slug}/report/models/keys")
DOING = {"made": "made", "revoked": "revoked", "run": "opened a run"}


def keys_page(
    request: Request,
    server: Server,
    account: Account,
    slug: str,
    status: int = 200,
    *,
    typed: dict[str, str] | None = None,
    error: str = "",
    key: str = "",
) -> Response:
    """Render the keys, with a new one if it was just made."""
    study = find_study(server, slug)
    with server.store.read() as db:
        found, events = agent_keys.listed(db, study), agent_keys.events(db, study)
    p = {
        "study": study.title,
        "slug": slug,
        "back": f"/admin/studies/{slug}/report/models",
        "action": f"/admin/studies/{slug}/report/models/keys",
        "docs": f"{site_url(request, server)}/api/v1/docs",
        "listed": [
            {
                "name": one.name,
                "scope": one.scope,
                "made": moment(one.created_at),
                "by": one.made_by,
                "revoked": moment(one.revoked_at),
            }
            for one in found
        ],
        "events": [
            {"at": moment(one.at), "name": one.name, "what": DOING[one.kind], "by": one.made_by}
            for one in events
        ],
        "scopes": SCOPES,
        "typed": {"name": "", "scope": SCOPES[0]} | (typed or {}),
        "error": error,
        "key": key,
    }
    page = admin_page(account, "agent-keys", f"Keys for agents: {study.title}")
    return render(request, "models/keys.html", status, page=page, p=p)


@router.get("")
def show_keys(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show a study's keys."""
    return keys_page(request, server, account, slug)


@router.post("")
def make_key(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Create a key; it is shown in this answer only."""
    study = find_study(server, slug)
    wanted = raw.get("name", ""), raw.get("scope", "")
    try:
        key = agent_keys.make(server.store, study, *wanted, account.name, now, ticket_of(raw))
    except KeyNameError as error:
        return keys_page(request, server, account, slug, 422, typed=raw, error=error.message)
    return keys_page(request, server, account, slug, key=key)


@router.post("/revoke")
def revoke_key(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Revoke a key."""
    study = find_study(server, slug)
    try:
        agent_keys.revoke(server.store, study, raw.get("name", ""), account.name, now)
    except KeyNameError as error:
        return keys_page(request, server, account, slug, 422, error=error.message)
    return see_other(f"/admin/studies/{slug}/report/models/keys")
