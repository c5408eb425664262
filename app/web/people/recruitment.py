"""Recruitment: links, the platform's list compared with ours, payments, identifiers."""

from datetime import timedelta
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import studies
from app.study.design.studies import StudyView
from app.study.people import payments, platform_list, recruitment
from app.study.people.recruitment import NoParameterError
from app.study.table_rows import TableFileError
from app.web.deps import Now, RawForm, Researcher, Server, ServerParts
from app.web.forms import read_count
from app.web.pages import render, see_other
from app.web.researcher import admin_page, as_file, find_study, player_link
from app.web.uploads import FileForm, packed, preview_facts, text_in

router = APIRouter(prefix="/admin/studies/{slug}")
PLATFORM = "prolific_pid"
MAX_LINKS, MAX_DAYS = 100_000, 3_650
SAMPLE, MOST_SHOWN = 5, 100  # rows of the preview
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
        text, chosen = text_in(raw, server.settings.upload_limit_bytes), chosen_columns(raw)
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
    }
    page = admin_page(account, "recruit", f"Check the list: {study.title}")
    status = 422 if found.problems or found.missing else 200
    return render(request, "people/list_preview.html", status, page=page, p=p)


def chosen_columns(raw: dict[str, str]) -> dict[str, str]:
    """Return the columns chosen on the preview; none for a file that was just uploaded."""
    return {name: raw[f"column_{name}"] for name in platform_list.FIELDS if f"column_{name}" in raw}


@router.post("/recruit/import/store")
def store_list(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store the checked list; the same list again changes nothing."""
    study = find_study(server, slug)
    text, chosen = text_in(raw, server.settings.upload_limit_bytes), chosen_columns(raw)
    try:
        found = platform_list.store_list(server.store, study.id, PLATFORM, text, chosen, now)
    except TableFileError as error:
        return recruit_page(request, server, account, study, 422, error=error.message)
    notice = (
        f"Read {len(found.people)} people from the list: {found.new} new, {found.changed} changed, "
        f"{found.same} as before."
    )
    return recruit_page(request, server, account, study, notice=notice)


@router.post("/recruit/links")
def make_links(
    request: Request,
    slug: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Create personal links as CSV, signed if wanted; nothing is stored about them."""
    study = find_study(server, slug)
    count = read_count(raw.get("count", ""), MAX_LINKS)
    if not count:
        message = f"Enter a number of links from 1 to {MAX_LINKS:,}."
        return recruit_page(request, server, account, study, 422, error=message)
    group = raw.get("group", "")
    if group not in ("", *study.spec.people.groups):
        message = "This study's design has no such group."
        return recruit_page(request, server, account, study, 422, error=message)
    days = read_count(raw.get("days", "") or "0", MAX_DAYS)
    if days is None:
        message = f"Enter a number of days from 0 to {MAX_DAYS:,}."
        return recruit_page(request, server, account, study, 422, error=message)
    link, sign = player_link(request, server, slug), None
    if raw.get("signed") or days or study.spec.people.require == "signature":
        expires = now + timedelta(days=days) if days else None
        sign = recruitment.signer(server.keys, slug, expires)
    try:
        text = recruitment.personal_links(link, study.spec.options, count, group, sign)
    except NoParameterError as error:
        return recruit_page(request, server, account, study, 422, error=error.message)
    return as_file(text, f"links-{slug}{'-' if group else ''}{group}.csv")


@router.get("/recruit/{name}.csv")
def download_money(slug: str, name: str, server: ServerParts, account: Researcher) -> Response:
    """Download a table with platform ids."""
    del account
    if name not in DOWNLOADS:
        return see_other(f"/admin/studies/{slug}/recruit")
    study = find_study(server, slug)
    with server.store.read() as db:
        if name == "queues":
            codes = recruitment.codes_of(study.spec.codes)
            text = recruitment.queues_csv(db, study.id, codes)
        elif name == "bonus":
            text = payments.bonus_lines(db, study.id)
        else:
            text = payments.to_csv(db, study.id, name)
    return as_file(text, f"study-{slug}_{name}.csv")
