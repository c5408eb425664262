"""Archive, restore and delete a study; the list of archived and deleted ones."""

import json
from collections.abc import Callable
from datetime import datetime

import structlog
from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import members
from app.study.design.studies import NoStudyError
from app.study.people import overview, removal
from app.study.people.removal import NotRemovableError, Standing
from app.study.tickets import new_ticket
from app.study.times import moment
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts
from app.web.forgetting import forget_studies
from app.web.pages import render, see_other
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin")
EVERYTHING = {"kind": "bundle", "format": "csv", "include_test": "1", "include_practice": "1"}
log = structlog.get_logger()
LIST = "/admin/archive"


@router.get("/archive")
def show_archive(request: Request, server: ServerParts, account: Researcher) -> Response:
    """Show archived studies and the log of deleted ones."""
    with server.store.read() as db:
        mine = members.studies_of(db, account.who)
        rows = [one for one in overview.overview(db, archived=True) if one["slug"] in mine]
        whole = removal.deletions_of(db)
    gone = [one for one in whole if account.is_admin or one.made_by == account.name]
    a = {
        "rows": [{**row, "url": f"/admin/studies/{row['slug']}/remove"} for row in rows],
        "gone": [
            {
                "slug": one.slug,
                "kind": one.kind,
                "at": moment(one.at),
                "by": one.made_by,
                "people": json.loads(one.rows).get("participant", 0),
            }
            for one in gone
        ],
    }
    page = admin_page(account, "archive", "Archived and deleted studies")
    return render(request, "people/archive.html", page=page, a=a)


@router.get("/studies/{slug}/remove")
def show_removal(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show how to archive or delete a study, and what would be lost."""
    return removal_page(request, server, account, slug)


def removal_page(
    request: Request,
    server: Server,
    account: Account,
    slug: str,
    problem: str = "",
    typed: str = "",
) -> Response:
    """Render the page; with a problem, the status is 422 and what was typed is kept."""
    with server.store.read() as db:
        at = removal.standing(db, slug)
    own = f"/admin/studies/{slug}"
    r = {
        "slug": slug,
        "title": at.found.title or slug,
        "state": at.found.state,
        "archived": at.found.is_archived,
        "study_url": own if at.found.published else f"{own}/design",
        "exports_url": f"{own}/exports",
        "jobs_url": f"{own}/jobs",
        "bundle": EVERYTHING,
        "rows": list(at.rows.items()),
        "exported": moment(at.exported_at),
        "excluded_by": at.excluded_by,
        "step": step_of(at),
        "actions": {verb: f"{own}/remove/{verb}" for verb in VERBS},
        "ticket": new_ticket(),
        "problem": problem,
        "typed": typed,
    }
    page = admin_page(account, "remove", f"Archive or delete: {r['title']}")
    return render(request, "people/remove.html", 422 if problem else 200, page=page, r=r)


def step_of(at: Standing) -> str:
    """Return what has to happen next before the study can be deleted."""
    if at.found.state == "open":
        return "close"
    if at.may_go:
        return "confirm"
    return "again" if at.exported_at else "export"


def delete(server: Server, slug: str, typed: str, by: str, now: datetime) -> str:
    """Delete a study and everything that this process keeps of it."""
    written = [one.id for one in removal.jobs_of(server.store, slug)]
    gone = removal.delete(server.store, slug, typed, by=by, now=now)
    server.runner.remove_files(written)
    forget_studies(server)
    log.info("study.deleted", study=slug, by=by, rows=sum(gone.values()))
    return LIST


def archive(server: Server, slug: str, _typed: str, by: str, now: datetime) -> str:
    """Archive a study."""
    removal.archive(server.store, slug, by=by, now=now)
    return LIST


def restore(server: Server, slug: str, _typed: str, by: str, now: datetime) -> str:
    """Put a study back on the list."""
    removal.restore(server.store, slug, by=by, now=now)
    return "/admin"


VERBS: dict[str, Callable[[Server, str, str, str, datetime], str]] = {
    "archive": archive,
    "restore": restore,
    "delete": delete,
}


@router.post("/studies/{slug}/remove/{verb}")
def do_remove(
    request: Request,
    slug: str,
    verb: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Archive, restore or delete a study. A form sent twice leads to the same page."""
    if verb not in VERBS:
        raise NoStudyError(f"There is no action '{verb}' for a study.")
    typed = raw.get("name", "")
    try:
        return see_other(VERBS[verb](server, slug, typed, account.name, now))
    except NotRemovableError as error:
        return removal_page(request, server, account, slug, error.message, typed)
