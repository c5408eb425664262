"""Model results imported into a study: preview, store on confirmation, remove."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study import uploads
from app.study.design.studies import StudyView
from app.study.models import results
from app.study.models.results import GIVEN, given_in
from app.study.table_rows import TableFileError
from app.study.tickets import new_ticket
from app.study.uploads import CHECK, IMPORT, RESULTS
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts
from app.web.pages import render, see_other
from app.web.researcher import admin_page, find_study
from app.web.uploads import FileForm, as_job, kept_preview, preview_facts

router = APIRouter(prefix="/admin/studies/{slug}/report/models")
TEXT_SHOWN = 20_000


def own_url(slug: str, verb: str = "") -> str:
    """Return a URL of these pages."""
    return f"/admin/studies/{slug}/report/models" + (f"/{verb}" if verb else "")


def models_page(
    request: Request,
    server: Server,
    account: Account,
    study: StudyView,
    status: int = 200,
    error: str = "",
    typed: dict[str, str] | None = None,
    notice: str = "",
) -> Response:
    """Render the stored results and the upload form."""
    with server.store.read() as db:
        rows = results.listed(db, study.id)
    p = {
        "study": study.title,
        "slug": study.slug,
        "back": f"/admin/studies/{study.slug}/report",
        "action": own_url(study.slug),
        "remove_action": own_url(study.slug, "remove"),
        "runs": own_url(study.slug, "runs"),
        "keys_url": own_url(study.slug, "keys"),
        "ticket": new_ticket(),
        "rows": rows,
        "error": error,
        "typed": {name: (typed or {}).get(name, "") for name in (*GIVEN, "text")},
    }
    page = admin_page(account, "models", f"Model results: {study.title}")
    page.notice = notice
    return render(request, "models/results.html", status, page=page, p=p)


@router.get("")
def show_models(
    request: Request, slug: str, server: ServerParts, account: Researcher, new: str = ""
) -> Response:
    """Show the models imported into this study."""
    notice = f"Results stored: {new}." if new.isdecimal() else ""
    return models_page(request, server, account, find_study(server, slug), notice=notice)


@router.post("")
def preview_results(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Check a file of results, without storing it."""
    study, text, given = find_study(server, slug), raw.get("text", ""), given_in(raw)
    if job := as_job(server, study, RESULTS, CHECK, raw, account, now):
        return job
    try:
        with server.store.read() as db:
            found = results.check(db, study, server.library, text, given)
    except TableFileError as error:
        return refused(request, server, account, study, raw, error)
    shown = uploads.preview(found.facts(), found.problems, found.warnings, raw.get("note", ""))
    return preview_page(request, account, study, raw, shown)


@router.get("/check")
def show_checked_results(
    request: Request,
    slug: str,
    server: ServerParts,
    account: Researcher,
    now: Now,
    job: str = "",
) -> Response:
    """Show what importing a long file of results would do, which a job has found."""
    study = find_study(server, slug)
    return preview_page(request, account, study, *kept_preview(server, study, RESULTS, job, now))


def preview_page(
    request: Request,
    account: Account,
    study: StudyView,
    raw: dict[str, str],
    shown: dict[str, Any],
) -> Response:
    """Render what an import would store; a file with errors cannot be confirmed."""
    file = "upload" if raw.get("upload") else "text"
    p = {
        **preview_facts(study.title, raw, shown),
        "back": own_url(study.slug),
        "action": own_url(study.slug, "store"),
        "carried": [*given_in(raw).items(), (file, raw.get(file, ""))],
    }
    page = admin_page(account, "models", f"Check the file: {study.title}")
    status = 422 if shown["n_problems"] else 200
    return render(request, "models/preview.html", status, page=page, p=p)


@router.post("/store")
def store_results(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store a checked file of results, once."""
    study = find_study(server, slug)
    if job := as_job(server, study, RESULTS, IMPORT, raw, account, now):
        return job
    text, ticket = raw.get("text", ""), raw.get("ticket", "")
    try:
        done = results.store_all(
            server.store, study, server.library, text, given_in(raw), account.name, ticket, now
        )
    except TableFileError as error:
        return refused(request, server, account, study, raw, error)
    return see_other(f"{own_url(slug)}?new={done['new']}")


@router.post("/remove")
def remove_results(
    slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Remove all results of a model."""
    study = find_study(server, slug)
    model, ticket = raw.get("model", ""), raw.get("ticket", "")
    results.remove(server.store, study, model, account.name, ticket, now)
    return see_other(own_url(slug))


def refused(
    request: Request,
    server: Server,
    account: Account,
    study: StudyView,
    raw: dict[str, str],
    error: TableFileError,
) -> Response:
    """Show the page again with the reason the file was refused."""
    typed = {**raw, "text": raw.get("text", "")[:TEXT_SHOWN]}
    return models_page(request, server, account, study, 422, error.message, typed)
