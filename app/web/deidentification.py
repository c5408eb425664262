"""The de-identification report of a shareable bundle that is not made yet."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study import id_key, jobs
from app.study.design import studies
from app.study.export import coarse, files, remaining
from app.study.export.deidentify import DEIDENTIFY
from app.study.jobs import JobView
from app.study.people import removal
from app.study.times import moment
from app.web.deps import Now, Researcher, ServerParts
from app.web.export import TIMES, coarse_fields, coarse_of, coarse_params
from app.web.pages import render
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/studies/{slug}")
MOST_TURNS = 5_000  # of a study whose report a page makes at once, in about a second
EMPTY: dict[str, Any] = dict.fromkeys(
    (
        *("sentences", "left_out", "emptied", "besides", "attributes", "exact"),
        *("read", "unread", "theirs"),
    ),
    (),
)


@router.get("/deidentification")
def show_report(
    request: Request, slug: str, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Show the report; of a large study, the one that a job has made, or how to start it."""
    query = request.query_params
    chosen, params, stale = coarse_of(query), coarse_params(query), ""
    found: dict[str, Any] | None = None
    with server.store.read() as db:
        study = studies.find(db, slug)
        rows = removal.data_of(db, study.id)
        is_large = rows.get("turn", 0) > MOST_TURNS
        if not is_large:
            found = files.preview(db, study, id_key.read(server.store), chosen)
        elif (job := jobs.newest(db, study.id, DEIDENTIFY, params, now)) and is_current(job):
            found = job.result["found"]
            stale = "" if job.result["data"] == removal.mark(rows) else moment(job.made_at)
    own = f"/admin/studies/{slug}"
    d = {
        "title": study.title,
        "study_url": own,
        "exports_url": f"{own}/exports",
        "times": list(TIMES.items()),
        "numbers": coarse.numbers_of(study.spec),
        "chosen": chosen,
        "is_made": found is not None,
        "make": {
            "action": f"{own}/jobs" if is_large else "",
            "fields": [("kind", DEIDENTIFY), *coarse_fields(params)],
            "stale": stale,
            "is_made": found is not None,
        },
        **(EMPTY if found is None else facts_of(found)),
    }
    page = admin_page(account, "deidentification", f"De-identification: {study.title}")
    return render(request, "export/deidentification.html", page=page, d=d)


def is_current(job: JobView) -> bool:
    """Tell whether this version of hjstudy made a report; an earlier one searched less."""
    return "unread" in job.result["found"]


def facts_of(found: dict[str, Any]) -> dict[str, Any]:
    """Return a report for its page."""
    return {
        "sentences": remaining.sentences(found),
        "left_out": remaining.left_out(found),
        "emptied": found["emptied"],
        "besides": remaining.besides(found),
        "what_to_do": remaining.WHAT_TO_DO,
        "besides_h": remaining.BESIDES,
        "read": found["texts_read"],
        "read_h": remaining.READ,
        "unread": found["unread"],
        "unread_h": remaining.UNREAD,
        "what_is_unread": remaining.WHAT_IS_UNREAD,
        "theirs": found["unsearchable"]["texts"],
        "theirs_h": remaining.THEIRS,
        "attributes": found["anonymity"]["by_attribute"],
        "exact": found["exact_columns"],
    }
