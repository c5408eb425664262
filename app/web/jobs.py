"""Jobs: start long work, watch it, get its result."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, Response

from app.study import jobs
from app.study.design import draft, studies
from app.study.design.studies import NoStudyError
from app.study.jobs import JobView, NoJobError
from app.study.report.work import BUNDLE, VERIFY
from app.study.tickets import new_ticket
from app.study.times import moment
from app.web.access import demand
from app.web.deps import Now, RawForm, Researcher, ServerParts, ticket_of
from app.web.job_kinds import KINDS
from app.web.pages import render, see_other
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/studies/{slug}/jobs")
STATES = {
    "waiting": "waiting to start",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "interrupted": "interrupted",
}
REFRESH_S = 2
MB = 1_000_000


@router.post("")
def start_job(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store a job and let it start; show it."""
    name = raw.get("kind", "")
    if name not in KINDS or (asked := KINDS[name].asked) is None:
        raise NoJobError
    demand(request, KINDS[name].needed(raw))
    with server.store.read() as db:
        study = studies.find(db, slug)
        params = asked(db, study.id, raw)
    job_id = jobs.add_once(server.store, study.id, name, params, account.name, ticket_of(raw), now)
    server.runner.start(job_id)
    return see_other(f"/admin/studies/{slug}/jobs/{job_id}")


@router.get("/{job}")
def show_job(
    request: Request, slug: str, job: str, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Show how far a job is, or its result; a report opens when it is made."""
    with server.store.read() as db:
        study = draft.load(db, slug)  # a draft can be planned
        found = jobs.find(db, study.study_id, job, now)
    demand(request, KINDS[found.kind].needed(found.params))
    own, kind = f"/admin/studies/{slug}", KINDS[found.kind]
    if found.state == jobs.DONE and (onward := kind.onward(own, found)):
        return see_other(onward)
    j = {
        "study": study.title,
        "study_url": own,
        "home": kind.home(own, found),
        "title": kind.title,
        "state": found.state,
        "words": STATES[found.state],
        "what": found.what,
        "done": found.done,
        "total": found.total,
        "error": found.error,
        "made": moment(found.made_at),
        "by": found.made_by,
        "refresh_s": REFRESH_S if found.is_alive else 0,
        "file": file_facts(found, f"{own}/jobs/{job}/file"),
        "verified": verified(found),
        "again": kind.again(found),
        "action": kind.again_url(own, found),
        "ticket": new_ticket(),
    }
    page = admin_page(account, "job", f"{kind.title}: {study.title}")
    return render(request, "export/job.html", page=page, j=j)


def file_facts(found: JobView, url: str) -> dict[str, Any] | None:
    """Return the file that a job wrote, for the page."""
    if found.kind != BUNDLE or found.state != "done":
        return None
    size = max(found.result["bytes"] / MB, 0.1)
    return {"url": url, "name": found.result["name"], "size": f"{size:.1f} MB",
            "rows": found.result["rows"]}  # fmt: skip


def verified(found: JobView) -> dict[str, Any] | None:
    """Return what a verification found, for the page."""
    return found.result if found.kind == VERIFY and found.state == "done" else None


@router.get("/{job}/file")
def download(
    request: Request, slug: str, job: str, server: ServerParts, _account: Researcher, now: Now
) -> Response:
    """Return the file that a job wrote."""
    with server.store.read() as db:
        found = jobs.find(db, draft.load(db, slug).study_id, job, now)
    demand(request, KINDS[found.kind].needed(found.params))
    path = server.runner.file_of(found.id)
    if found.state != "done" or not path.is_file():
        raise NoStudyError("This file is no longer on this server. Make the bundle again.")
    return FileResponse(path, media_type="application/zip", filename=found.result["name"])
