"""Shared by pages behind a login: their layouts, addresses, finding a study, CSV downloads."""

from fastapi import Request
from starlette.responses import Response

from app.study.design import studies
from app.study.design.studies import StudyView
from app.web.deps import Account, Server, site_url
from app.web.pages import Page


def admin_page(account: Account, name: str, title: str) -> Page:
    """Return `page` for a researcher's page."""
    return Page(name, title, "admin", account_name=account.name, logout_url="/admin/logout")


def rate_page(account: Account, name: str, title: str) -> Page:
    """Return `page` for an annotator's page."""
    return Page(name, title, "rater", account_name=account.name, logout_url="/admin/logout")


def player_link(request: Request, server: Server, slug: str) -> str:
    """Return the link to give to players."""
    return f"{site_url(request, server)}/s/{slug}"


def find_study(server: Server, slug: str) -> StudyView:
    """Return a study, in its own read transaction."""
    with server.store.read() as db:
        return studies.find(db, slug)


def is_raw(request: Request) -> bool:
    """Tell whether a download is wanted as stored, even text that a spreadsheet runs."""
    return "raw" in request.query_params


def as_file(text: str, name: str, kind: str = "text/csv; charset=utf-8") -> Response:
    """Return a download: CSV, unless another kind is named."""
    return Response(
        text,
        media_type=kind,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
