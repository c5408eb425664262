"""Jobs: start long work, watch it, get what it led to."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, Response

from app.study import jobs
from app.study.design import studies
from app.study.design.studies import NoStudyError
from app.study.export.encode import FORMATS
from app.study.jobs import JobView, NoJobError
from app.study.models.starting import MODEL
from app.study.report.options import Options
from app.study.report.work import BUNDLE, PLAN, REPORT, VERIFY
from app.study.rights import Right
from app.study.tickets import new_ticket
from app.study.times import moment
from app.study.uploads import CHECK, IMPORT, JUDGES, LIST, MODELS, RESULTS
from app.web.access import demand
from app.web.deps import Now, RawForm, Researcher, ServerParts
from app.web.export import FLAG_NAMES, coarse_fields, coarse_params
from app.web.pages import render, see_other
from app.web.report import job_params, query_of, read_options
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/studies/{slug}/jobs")
TITLES = {
    REPORT: "Making the report",
    BUNDLE: "Writing the bundle",
    VERIFY: "Verifying the log",
    CHECK: "Checking the file",
    IMPORT: "Importing the file",
    MODEL: "Asking the model",
    PLAN: "Simulating the design",
}
ELSEWHERE = {CHECK, IMPORT, MODEL, PLAN}  # started on pages of their own
FILES = {CHECK, IMPORT}  # started where a file is uploaded
PLACES = {  # where: kind of file -> address of its form, name and address of the page with it
    LIST: ("recruit/import", "Recruitment", "recruit"),
    MODELS: ("rating/models", "Rating", "rating"),
    JUDGES: ("rating/judges", "Rating", "rating"),
    RESULTS: ("report/models", "Model results", "report/models"),
}
NEEDED = {LIST: Right.MONEY, MODELS: Right.RATE, JUDGES: Right.RATE, RESULTS: Right.EDIT}
STATES = {
    "waiting": "waiting to start",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "interrupted": "interrupted",
}
REFRESH_S = 2
MB = 1_000_000


def needed(kind: str, params: Mapping[str, Any]) -> Right:
    """Return the right that a job needs, to start it and to see what it led to."""
    if kind in FILES:
        return NEEDED[params["place"]]
    if kind == MODEL:
        return Right.RATE if params["run_kind"] == "judge" else Right.EDIT
    return Right.PEOPLE if kind == BUNDLE and not params.get("shareable") else Right.SEE


@router.post("")
def start_job(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store a job and let it start; show it."""
    kind = raw.get("kind", "")
    if kind not in TITLES or kind in ELSEWHERE:
        raise NoJobError
    demand(request, needed(kind, raw))
    with server.store.read() as db:
        study = studies.find(db, slug)
        params: dict[str, Any] = {}
        if kind == REPORT:
            params = job_params(db, study.id, read_options(raw))
    if kind == BUNDLE:
        flavour = raw.get("format", "csv")
        if flavour not in FORMATS:
            raise NoStudyError(f"There is no bundle format '{flavour[:64]}'.")
        params = {"flavour": flavour, **{name: name in raw for name in FLAG_NAMES}}
        params |= coarse_params(raw) if params["shareable"] else {}
    job_id = jobs.add(server.store, study.id, kind, params, account.name, now)
    server.runner.start(job_id)
    return see_other(f"/admin/studies/{slug}/jobs/{job_id}")


@router.get("/{job}")
def show_job(
    request: Request, slug: str, job: str, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Show how far a job is, or what it led to; a report opens when it is made."""
    with server.store.read() as db:
        study = studies.find(db, slug)
        found = jobs.find(db, study.id, job, now)
    demand(request, needed(found.kind, found.params))
    own = f"/admin/studies/{slug}"
    if found.state == jobs.DONE and (onward := onward_url(own, found)):
        return see_other(onward)
    j = {
        "study": study.title,
        "study_url": own,
        "home": home_of(own, found),
        "title": TITLES[found.kind],
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
        "again": again(found),
        "action": again_url(own, found),
        "ticket": new_ticket(),
    }
    page = admin_page(account, "job", f"{TITLES[found.kind]}: {study.title}")
    return render(request, "export/job.html", page=page, j=j)


def onward_url(own: str, found: JobView) -> str:
    """Return the address of what a job has made, or '' if its own page shows it."""
    if found.kind == REPORT:
        return f"{own}/report?{query_of(options_of(found), found.result['sha'])}"
    if found.kind == MODEL:
        return run_url(own, found)
    if found.kind == PLAN:
        return f"{own}/plan?job={found.id}"
    return file_url(own, found) if found.kind in FILES else ""


def file_url(own: str, found: JobView) -> str:
    """Return the address of what the job of a file has made."""
    form, _, page = PLACES[found.params["place"]]
    if found.kind == CHECK:
        return f"{own}/{form}/check?job={found.id}"
    if found.params["place"] == LIST:
        return f"{own}/{page}?job={found.id}"
    return f"{own}/{page}?new={found.result['new']}&same={found.result['same']}"


def run_url(own: str, found: JobView) -> str:
    """Return the address of the run that a job works on."""
    return f"{own}/report/models/runs/{found.params['run']}"


def home_of(own: str, found: JobView) -> tuple[str, str]:
    """Return the name and address of the page where such work starts."""
    if found.kind == MODEL:
        return "Model run", run_url(own, found)
    if found.kind == PLAN:
        return "What if", f"{own}/plan"
    if found.kind not in FILES:
        return "Exports", f"{own}/exports"
    _, name, page = PLACES[found.params["place"]]
    return name, f"{own}/{page}"


def again_url(own: str, found: JobView) -> str:
    """Return where a form goes that starts the same work again."""
    if found.kind == MODEL:
        return f"{own}/report/models/resume"
    if found.kind == PLAN:
        return f"{own}/plan"
    if found.kind not in FILES:
        return f"{own}/jobs"
    form = PLACES[found.params["place"]][0]
    return f"{own}/{form}" if found.kind == CHECK else f"{own}/{form}/store"


def options_of(found: JobView) -> Options:
    """Return the settings of a report's job."""
    return Options(**found.params["options"])


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


def again(found: JobView) -> list[tuple[str, str]]:
    """Return the fields of a form that starts the same work again."""
    if found.kind in FILES:
        return [("upload", found.params["upload"]), *found.params["given"].items()]
    if found.kind == MODEL:
        return [("run", str(found.params["run"]))]
    if found.kind == PLAN:
        return list(found.params.items())
    fields = [("kind", found.kind)]
    if found.kind == REPORT:
        query = query_of(options_of(found), "").split("&")
        fields += [(name, text) for name, _, text in (one.partition("=") for one in query)]
    if found.kind == BUNDLE:
        fields.append(("format", found.params["flavour"]))
        fields += [(name, "1") for name in FLAG_NAMES if found.params[name]]
        fields += coarse_fields(found.params)
    return fields


@router.get("/{job}/file")
def download(
    request: Request, slug: str, job: str, server: ServerParts, _account: Researcher, now: Now
) -> Response:
    """Return the file that a job wrote."""
    with server.store.read() as db:
        found = jobs.find(db, studies.find(db, slug).id, job, now)
    demand(request, needed(found.kind, found.params))
    path = server.runner.file_of(found.id)
    if found.state != "done" or not path.is_file():
        raise NoStudyError("This file is no longer on this server. Make the bundle again.")
    return FileResponse(path, media_type="application/zip", filename=found.result["name"])
