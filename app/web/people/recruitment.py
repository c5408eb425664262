"""Recruitment: links, the platform's list compared with ours, payments, identifiers."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import studies
from app.study.design.studies import StudyView
from app.study.people import payments, platform_list, recruitment
from app.study.people.platform_list import Chosen
from app.study.table_cells import fold
from app.study.table_rows import TableFileError
from app.web.deps import Now, Researcher, Server, ServerParts
from app.web.pages import render, see_other
from app.web.researcher import admin_page, as_file, find_study, is_raw, player_link
from app.web.uploads import FileForm, packed, preview_facts, text_in

router = APIRouter(prefix="/admin/studies/{slug}")
PLATFORM = "prolific_pid"
SAMPLE, MOST_SHOWN = 5, 100  # rows of the preview
MOST_CHOSEN = 50  # unknown statuses whose meaning can be chosen
DOWNLOADS = {
    "payments": "what each person is paid",
    "bonus": "for a platform’s bulk bonus: one line `id,amount` per person, without the base pay",
    "identifiers": "participants and their platform IDs",
    "queues": "everyone below, in their queue",
}


def recruit_page(
    request: Request,
    server: Server,
    account: Any,
    study: StudyView,
    status: int = 200,
    notice: str = "",
    error: str = "",
    typed: dict[str, str] | None = None,
) -> Response:
    """Render the page with everyone in their queue."""
    with server.store.read() as db:
        list_facts = recruitment.list_facts(db, study.id, recruitment.codes_of(study.spec.codes))
    own = f"/admin/studies/{study.slug}"
    r = {
        "title": study.title,
        "slug": study.slug,
        "player_url": player_link(request, server, study.slug),
        "platform_url": player_link(request, server, study.slug)
        + recruitment.prolific_query(study.spec.options),
        "groups": study.spec.people.groups,
        "require": study.spec.people.require,
        "return_url": study.spec.codes.return_url,
        **list_facts,
        "import_action": f"{own}/recruit/import",
        "links_action": f"{own}/recruit/links",
        "given_action": f"{own}/recruit/links/given",
        "typed_ids": (typed or {}).get("ids", ""),
        "downloads": [
            (name, what, f"{own}/recruit/{name}.csv") for name, what in DOWNLOADS.items()
        ],
        "is_hidden": studies.hides_outcomes(study.spec, study.state),
        "error": error,
    }
    page = admin_page(account, "recruit", f"Recruitment: {study.title}")
    page.notice = notice
    return render(request, "people/recruitment.html", status, page=page, r=r)


@router.get("/recruit")
def show_recruit(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show links, queues and payments."""
    return recruit_page(request, server, account, find_study(server, slug))


@router.post("/recruit/import")
def preview_list(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher
) -> Response:
    """Show what importing the platform's list would do, without storing it."""
    study = find_study(server, slug)
    try:
        text, chosen = text_in(raw, server.settings.upload_limit_bytes), chosen_in(raw)
        with server.store.read() as db:
            found = platform_list.check(db, study.id, PLATFORM, text, chosen)
    except TableFileError as error:
        return recruit_page(request, server, account, study, 422, error=error.message)
    own = f"/admin/studies/{slug}/recruit"
    p = {
        **preview_facts(study.title, raw, found.problems, found.notes),
        "back": own,
        "action": f"{own}/import",
        "store_action": f"{own}/import/store",
        "packed": packed(text),
        "found": found,
        "labels": {name: names[0] for name, names in platform_list.FIELDS.items()},
        "needed": platform_list.NEEDED,
        "rule": platform_list.RULE,
        "sample": list(found.people.values())[:SAMPLE],
        "settled": found.settled[:MOST_SHOWN],
        "unknown": list(found.unknown.items())[:MOST_CHOSEN],
        "meanings": {name: platform_list.WORDS[name] for name in ("", *platform_list.MEANINGS)},
    }
    page = admin_page(account, "recruit", f"Check the list: {study.title}")
    status = 422 if found.problems or found.missing else 200
    return render(request, "people/list_preview.html", status, page=page, p=p)


def chosen_in(raw: dict[str, str]) -> Chosen:
    """Return what was chosen on the preview; nothing for a file that was just uploaded."""
    fields = platform_list.FIELDS
    columns = {name: raw[f"column_{name}"] for name in fields if f"column_{name}" in raw}
    states = [name for name in raw if name.startswith("state_")]
    meanings = {fold(raw[name]): raw.get(f"meaning_{name[6:]}", "") for name in states}
    known = platform_list.MEANINGS
    return Chosen(columns, {k: v if v in known else "" for k, v in meanings.items()})


@router.post("/recruit/import/store")
def store_list(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store the checked list; the same list again changes nothing."""
    study = find_study(server, slug)
    text, chosen = text_in(raw, server.settings.upload_limit_bytes), chosen_in(raw)
    try:
        found = platform_list.store_list(server.store, study.id, PLATFORM, text, chosen, now)
    except TableFileError as error:
        return recruit_page(request, server, account, study, 422, error=error.message)
    notice = (
        f"Read {len(found.people)} people from the list: {found.new} new, {found.changed} changed, "
        f"{found.same} unchanged."
    )
    return recruit_page(request, server, account, study, notice=notice)


@router.get("/recruit/{name}.csv")
def download_money(
    request: Request, slug: str, name: str, server: ServerParts, account: Researcher
) -> Response:
    """Download a table with platform ids."""
    del account
    if name not in DOWNLOADS:
        return see_other(f"/admin/studies/{slug}/recruit")
    study, raw = find_study(server, slug), is_raw(request)
    with server.store.read() as db:
        if name == "queues":
            codes = recruitment.codes_of(study.spec.codes)
            text = recruitment.queues_csv(db, study.id, codes, raw=raw)
        elif name == "bonus":
            text = payments.bonus_lines(db, study.id, raw=raw)
        else:
            text = payments.to_csv(db, study.id, name, raw=raw)
    return as_file(text, f"study-{slug}_{name}.csv")
