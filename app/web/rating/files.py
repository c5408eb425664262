"""Uploads of explanations and judge scores: preview first, then store on confirmation."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design.studies import StudyView
from app.study.rating import judge_file, model_items, player_items, undo
from app.study.table_file import Problem
from app.study.table_rows import TableFileError
from app.web.deps import Account, Now, RawForm, Researcher, ServerParts, get_server
from app.web.forms import read_count
from app.web.pages import render, see_other
from app.web.rating.overview import MOST, overview_page, own_url
from app.web.researcher import admin_page, find_study
from app.web.uploads import FileForm, preview_facts

router = APIRouter(prefix="/admin/studies/{slug}/rating")


def preview_page(
    request: Request,
    account: Account,
    study: StudyView,
    kind: str,
    raw: dict[str, str],
    facts: dict[str, Any],
    problems: list[Problem],
    warnings: list[str],
) -> Response:
    """Render what an import would store; a file with errors cannot be confirmed."""
    p = {
        **facts,
        **preview_facts(study.title, raw, problems, warnings),
        "back": own_url(study.slug),
        "kind": kind,
        "action": own_url(study.slug, kind, "store"),
        "text": raw.get("text", ""),
        "judge": raw.get("judge", ""),
    }
    page = admin_page(account, "rating", f"Check the file: {study.title}")
    status = 422 if problems else 200
    return render(request, "rating/preview.html", status, page=page, p=p)


@router.post("/models")
def preview_models(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Check a file of explanations by models, without storing it."""
    study = find_study(server, slug)
    try:
        with server.store.read() as db:
            found = model_items.check(db, study, server.library, raw.get("text", ""), now)
    except TableFileError as error:
        return refused(request, account, study, "models", raw, error)
    facts = {"new": len(found.new), "same": found.same, "table": found.table(), "judges": []}
    problems, warnings = found.problems, found.warnings
    return preview_page(request, account, study, "models", raw, facts, problems, warnings)


@router.post("/models/store")
def store_models(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store a checked file of explanations by models, once."""
    study = find_study(server, slug)
    text, ticket = raw.get("text", ""), raw.get("ticket", "")
    try:
        done = model_items.store_all(
            server.store, study, server.library, text, account.name, ticket, now
        )
    except TableFileError as error:
        return refused(request, account, study, "models", raw, error)
    return see_other(f"{own_url(slug)}?new={done['new']}&same={done['same']}")


@router.post("/judges")
def preview_judges(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Check a file of judge scores, without storing any score."""
    study = find_study(server, slug)
    player_items.take_in(server.store, study.id, now)
    try:
        with server.store.read() as db:
            found = judge_file.check(db, study.id, raw.get("text", ""), raw.get("judge", ""))
    except TableFileError as error:
        return refused(request, account, study, "judges", raw, error)
    listed = [
        {
            "name": " · ".join(part for part in dict.fromkeys(name) if part),
            "new": len(one.rows),
            "same": one.same,
            "malformed": one.malformed,
            "levels": [one.levels.get(level, 0) for level in range(3)],
        }
        for name, one in found.judges.items()
    ]
    facts = {"new": found.new, "same": found.same, "table": [], "judges": listed}
    problems, warnings = found.problems, found.warnings
    return preview_page(request, account, study, "judges", raw, facts, problems, warnings)


@router.post("/judges/store")
def store_judges(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store a checked file of judge scores, once."""
    study = find_study(server, slug)
    try:
        done = judge_file.store_all(
            server.store,
            study.id,
            raw.get("text", ""),
            raw.get("judge", ""),
            account.name,
            raw.get("ticket", ""),
            now,
        )
    except TableFileError as error:
        return refused(request, account, study, "judges", raw, error)
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
