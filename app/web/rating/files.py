"""Uploads of explanations and judge scores: preview first, then store on confirmation."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study import uploads
from app.study.design.studies import StudyView
from app.study.rating import judge_file, model_items, player_items, undo
from app.study.table_rows import TableFileError
from app.study.uploads import CHECK, IMPORT, JUDGES, MODELS
from app.web.deps import Account, Now, RawForm, Researcher, ServerParts, get_server
from app.web.forms import read_count
from app.web.pages import render, see_other
from app.web.rating.overview import MOST, overview_page, own_url
from app.web.researcher import admin_page, find_study
from app.web.uploads import FileForm, as_job, kept_preview, preview_facts

router = APIRouter(prefix="/admin/studies/{slug}/rating")


def preview_page(
    request: Request,
    account: Account,
    study: StudyView,
    kind: str,
    raw: dict[str, str],
    shown: dict[str, Any],
) -> Response:
    """Render what an import would store; a file with errors cannot be confirmed."""
    names = ["upload"] if raw.get("upload") else ["text"]
    names += ["judge"] if kind == JUDGES else []
    p = {
        **preview_facts(study.title, raw, shown),
        "back": own_url(study.slug),
        "action": own_url(study.slug, kind, "store"),
        "noun": "score" if kind == JUDGES else "item",
        "carried": [(name, raw.get(name, "")) for name in names],
    }
    page = admin_page(account, "rating", f"Check the file: {study.title}")
    status = 422 if shown["n_problems"] else 200
    return render(request, "rating/preview.html", status, page=page, p=p)


@router.post("/models")
def preview_models(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Check a file of explanations by models, without storing it."""
    study = find_study(server, slug)
    if job := as_job(server, study, MODELS, CHECK, raw, account, now):
        return job
    try:
        with server.store.read() as db:
            found = model_items.check(db, study, server.library, raw.get("text", ""), now)
    except TableFileError as error:
        return refused(request, account, study, MODELS, raw, error)
    shown = uploads.preview(found.facts(), found.problems, found.warnings, raw.get("note", ""))
    return preview_page(request, account, study, MODELS, raw, shown)


@router.get("/models/check")
def show_checked_models(
    request: Request,
    slug: str,
    server: ServerParts,
    account: Researcher,
    now: Now,
    job: str = "",
) -> Response:
    """Show what importing a long file of explanations would do, which a job has found."""
    study = find_study(server, slug)
    return preview_page(
        request, account, study, MODELS, *kept_preview(server, study, MODELS, job, now)
    )


@router.post("/models/store")
def store_models(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store a checked file of explanations by models, once."""
    study = find_study(server, slug)
    if job := as_job(server, study, MODELS, IMPORT, raw, account, now):
        return job
    text, ticket = raw.get("text", ""), raw.get("ticket", "")
    try:
        done = model_items.store_all(
            server.store, study, server.library, text, account.name, ticket, now
        )
    except TableFileError as error:
        return refused(request, account, study, MODELS, raw, error)
    return see_other(f"{own_url(slug)}?new={done['new']}&same={done['same']}")


@router.post("/judges")
def preview_judges(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Check a file of judge scores, without storing any score."""
    study = find_study(server, slug)
    if job := as_job(server, study, JUDGES, CHECK, raw, account, now):
        return job
    player_items.take_in(server.store, study.id, now)
    try:
        with server.store.read() as db:
            found = judge_file.check(db, study.id, raw.get("text", ""), raw.get("judge", ""))
    except TableFileError as error:
        return refused(request, account, study, JUDGES, raw, error)
    shown = uploads.preview(found.facts(), found.problems, found.warnings, raw.get("note", ""))
    return preview_page(request, account, study, JUDGES, raw, shown)


@router.get("/judges/check")
def show_checked_judges(
    request: Request,
    slug: str,
    server: ServerParts,
    account: Researcher,
    now: Now,
    job: str = "",
) -> Response:
    """Show what importing a long file of scores would do, which a job has found."""
    study = find_study(server, slug)
    return preview_page(
        request, account, study, JUDGES, *kept_preview(server, study, JUDGES, job, now)
    )


@router.post("/judges/store")
def store_judges(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store a checked file of judge scores, once."""
    study = find_study(server, slug)
    if job := as_job(server, study, JUDGES, IMPORT, raw, account, now):
        return job
    text, judge, ticket = (raw.get(name, "") for name in ("text", "judge", "ticket"))
    try:
        done = judge_file.store_all(server.store, study.id, text, judge, account.name, ticket, now)
    except TableFileError as error:
        return refused(request, account, study, JUDGES, raw, error)
    return see_other(f"{own_url(slug)}?new={done['new']}&same={done['same']}")


@router.post("/judges/delete")
def delete_judge(
    slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Delete a judge's scores."""
    study, number = find_study(server, slug), read_count(raw.get("number", ""), MOST) or 0
    ticket = raw.get("ticket", "")
    deleted = undo.delete_judge(server.store, study, number, account.name, ticket, now)
    return see_other(f"{own_url(slug)}?deleted={deleted}&kept=0")


@router.post("/models/delete")
def delete_source(
    slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Delete a model's items that are in no round."""
    study, source, ticket = find_study(server, slug), raw.get("source", ""), raw.get("ticket", "")
    deleted, kept = undo.delete_source(server.store, study, source, account.name, ticket, now)
    return see_other(f"{own_url(slug)}?deleted={deleted}&kept={kept}")


def refused(
    request: Request,
    account: Account,
    study: StudyView,
    kind: str,
    raw: dict[str, str],
    error: TableFileError,
) -> Response:
    """Show the page again with the reason the file was refused."""
    typed = {"judge": raw.get("judge", ""), f"{kind}_text": raw.get("text", "")[:20_000]}
    server = get_server(request)
    return overview_page(
        request, server, account, study, 422, typed=typed, errors={kind: error.message}
    )
