"""The page before a study is opened: a checklist, then the button."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import draft
from app.study.design.check_item import BLOCK, FINE, LOOK, Check
from app.study.people import opening
from app.study.tickets import new_ticket
from app.web.deps import Researcher, ServerParts, site_url
from app.web.design.board import fault_line
from app.web.design.labels import field_at, home_of
from app.web.design.parts import anchor
from app.web.design.section_pages import design_url
from app.web.pages import render
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/studies/{slug}")
WORDS = {BLOCK: "Fix first", LOOK: "Check", FINE: "Fine"}
ORDER = (BLOCK, LOOK, FINE)


@router.get("/open")
def show_checklist(
    request: Request, slug: str, server: ServerParts, account: Researcher
) -> Response:
    """Show what to check before the study is opened."""
    own_scripts = server.settings.htmx_source == "local"
    site = opening.Site(site_url(request, server), own_scripts)
    with server.store.read() as db:
        found = draft.load(db, slug)
        checks = opening.checklist(db, found, site)
    faults = [] if found.published else draft.faults(found.document)
    o = {
        "title": found.title or slug,
        "state": found.state,
        "study_url": f"/admin/studies/{slug}" if found.published else "",
        "design_url": design_url(slug),
        "faults": [fault_line(slug, fault) for fault in faults],
        "checks": [
            check_line(slug, one) for level in ORDER for one in checks if one.level == level
        ],
        "blocked": bool(faults) or any(one.level == BLOCK for one in checks),
        "to_check": sum(one.level == LOOK for one in checks),
        "unpublished": found.published is not None and found.is_changed,
        "action": f"/admin/studies/{slug}/actions/open",
        "ticket": new_ticket(),
    }
    page = admin_page(account, "open", f"Open: {found.title or slug}")
    return render(request, "people/opening.html", page=page, o=o)


def check_line(slug: str, one: Check) -> dict[str, Any]:
    """Return an item with the address of its field."""
    home = home_of(one.path) if one.path else None
    url = "" if home is None else f"{design_url(slug, home.name)}#{anchor(field_at(one.path))}"
    where = home.title if home else ""
    if one.name == opening.TEST_PLAY and home is None:
        url, where = f"/admin/studies/{slug}/try", "Try it"
    return {
        "level": one.level,
        "word": WORDS[one.level],
        "title": one.title,
        "found": one.found,
        "advice": "" if one.level == FINE else one.advice,
        "url": "" if one.level == FINE else url,
        "where": where,
    }
