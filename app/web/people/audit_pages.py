"""The audit log: of a study for its owners, of the whole server for administrators."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import draft
from app.study.people import audit
from app.study.people.folding import folded
from app.web.deps import Account, Researcher, Server, ServerParts
from app.web.forms import read_count
from app.web.pages import render
from app.web.researcher import admin_page, as_file

router = APIRouter(prefix="/admin")


def audit_page(
    request: Request, server: Server, account: Account, slug: str | None, own: str
) -> Response:
    """Render a page of the log, newest first. `own`: its address."""
    before = read_count(request.query_params.get("before", ""), audit.EVERY) or audit.EVERY
    with server.store.read() as db:
        title = "the server" if slug is None else draft.load(db, slug).title or slug
        rows, older = audit.page(db, slug, before)
    a = {
        "title": title,
        "study_url": "" if slug is None else f"/admin/studies/{slug}/members",
        "rows": folded(map(audit.line, rows), ("seq", "at", "digest")),
        "csv_url": f"{own}.csv",
        "older": f"{own}?before={older}" if older else "",
    }
    page = admin_page(account, "audit", f"Audit log of {title}")
    return render(request, "people/audit.html", page=page, a=a)


@router.get("/audit")
def show_server_log(request: Request, server: ServerParts, account: Researcher) -> Response:
    """Show the log of the whole server."""
    return audit_page(request, server, account, None, "/admin/audit")


@router.get("/audit.csv")
def download_server_log(request: Request, server: ServerParts, _account: Researcher) -> Response:
    """Download the log of the whole server; with `raw`, as stored."""
    with server.store.read() as db:
        return as_file(audit.to_csv(db, None, raw=is_raw(request)), "audit.csv")


@router.get("/studies/{slug}/audit")
def show_log(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show the log of a study."""
    return audit_page(request, server, account, slug, f"/admin/studies/{slug}/audit")


@router.get("/studies/{slug}/audit.csv")
def download_log(
    request: Request, slug: str, server: ServerParts, _account: Researcher
) -> Response:
    """Download the log of a study; with `raw`, as stored."""
    with server.store.read() as db:
        text = audit.to_csv(db, slug, raw=is_raw(request))
    return as_file(text, f"study-{slug}_audit.csv")


def is_raw(request: Request) -> bool:
    """Tell whether texts are asked for that a spreadsheet would run."""
    return "raw" in request.query_params
