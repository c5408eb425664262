"""Recruitment: links, the platform's list compared with ours, payments, identifiers."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.addresses import is_local
from app.study import jobs, uploads
from app.study.database import Connection
from app.study.design import studies
from app.study.design.studies import StudyView
from app.study.people import bonuses, list_storing, pay_words, payments, recruitment
from app.study.people.platform_list import chosen_in
from app.study.rights import Right, allows
from app.study.table_rows import TableFileError
from app.study.uploads import CHECK, IMPORT, LIST
from app.web.access import rights
from app.web.deps import Account, Now, Researcher, Server, ServerParts, site_url
from app.web.forms import read_count
from app.web.pages import render, see_other
from app.web.researcher import admin_page, as_file, find_study, is_raw, player_link
from app.web.uploads import FileForm, as_job, kept_preview, packed, preview_facts, text_in

router = APIRouter(prefix="/admin/studies/{slug}")
MOST_PAGES = 10**6
STORED = "People read from the list: {people}, {new} new, {changed} changed, {same} unchanged."
DOWNLOADS = {
    "payments": "what each person is paid",
    "bonus": "for a platform’s bulk bonus: one line of ID and amount for each person with a bonus, "
    "without the base pay. Left out: people without a platform ID, under way, who returned or "
    "timed out there, or whose bonus was recorded as sent. People who await review are in it: "
    "approve them on the platform first",
    "identifiers": "participants and their platform IDs",
    "queues": "{everyone}. Queue only_here: known here, but not in the platform’s list",
}
EVERYONE = {
    True: "everyone in the queues above",
    False: "everyone here, to be sorted into more queues once a list is imported",
}


def recruit_page(
    request: Request,
    server: Server,
    account: Any,
    study: StudyView,
    status: int = 200,
    notice: str = "",
    error: str = "",
    field: str = "",
    typed: dict[str, str] | None = None,
) -> Response:
    """Render the page with everyone in their queue."""
    own = f"/admin/studies/{study.slug}"
    hidden = studies.hides_outcomes(study.spec, study.state)
    with server.store.read() as db:
        codes = recruitment.codes_of(study.spec.codes)
        read_at, matches = recruitment.newest_list(db, study.id, codes)
        to_send = bonuses.to_send(db, study, matches)
        paid = {} if hidden else pay_facts(db, request, study, f"{own}/recruit")
    r = {
        "title": study.title,
        "slug": study.slug,
        "player_url": player_link(request, server, study.slug),
        "links": recruitment.links_of(
            player_link(request, server, study.slug), study.spec.options, study.spec.people.groups
        ),
        "is_local": is_local(site_url(request, server)),
        "groups": study.spec.people.groups,
        "require": study.spec.people.require,
        "return_url": study.spec.codes.return_url,
        "codes": recruitment.codes_to_copy(study.spec.codes),
        "read_at": read_at,
        "queues": recruitment.table(matches),
        "to_send": to_send,
        "import_action": f"{own}/recruit/import",
        "links_action": f"{own}/recruit/links",
        "given_action": f"{own}/recruit/links/given",
        "sent_action": f"{own}/recruit/bonus/sent",
        "typed_ids": (typed or {}).get("ids", ""),
        "downloads": [
            (
                name,
                what.format(everyone=EVERYONE[bool(read_at)]),
                f"{own}/recruit/{name}.csv",
            )
            for name, what in DOWNLOADS.items()
        ],
        "is_hidden": hidden,
        "paid": paid,
        "error": error,
        "field": field,
    }
    page = admin_page(account, "recruit", f"Recruitment and pay: {study.title}")
    page.notice = notice
    return render(request, "people/recruitment.html", status, page=page, r=r)


def pay_facts(db: Connection, request: Request, study: StudyView, own: str) -> dict[str, Any]:
    """Return a page of who is paid how much, as in payments.csv, with amounts in words."""
    wanted = read_count(request.query_params.get("page", ""), MOST_PAGES) or 1
    found = payments.pay_page(db, study.id, wanted)
    sees_people = allows(rights(request), (Right.PEOPLE,))
    return {
        "people": [
            {
                "name": one.person.external_id or one.person.public_id,
                "url": f"/admin/participants/{one.person.public_id}" if sees_people else "",
                "outcome": one.person.state.replace("_", " "),
                "amounts": [amount for _, amount in pay_words.amounts(one)],
                "problem": one.due.get("bonus_problem", ""),
                "sent": pay_words.sent_words(one),
            }
            for one in found.rows
        ],
        "n": found.people,
        "number": found.number,
        "last": found.last,
        "before": f"{own}?page={found.number - 1}#pay-h" if found.number > 1 else "",
        "after": f"{own}?page={found.number + 1}#pay-h" if found.number < found.last else "",
    }


@router.get("/recruit")
def show_recruit(
    request: Request,
    slug: str,
    server: ServerParts,
    account: Researcher,
    now: Now,
    job: str = "",
) -> Response:
    """Show links, queues and payments. `job`: one that has imported a list."""
    study, notice = find_study(server, slug), ""
    if job:
        with server.store.read() as db:
            found = jobs.find(db, study.id, job, now)
        if found.kind == IMPORT and found.params["place"] == LIST and found.state == jobs.DONE:
            notice = STORED.format(**found.result)
    return recruit_page(request, server, account, study, notice=notice)


@router.post("/recruit/import")
def preview_list(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Show what importing the platform's list would do, without storing it."""
    study = find_study(server, slug)
    if job := as_job(server, study, LIST, CHECK, raw, account, now):
        return job
    try:
        text = text_in(raw, server.settings.upload_limit_bytes)
        found = list_storing.check(server.store, study.id, text, chosen_in(raw))
    except TableFileError as error:
        return recruit_page(request, server, account, study, 422, error=error.message, field="file")
    facts = list_storing.facts(found)
    shown = uploads.preview(facts, found.problems, found.notes, raw.get("note", ""))
    carried = {"packed": packed(text), "file_name": raw.get("file") or raw.get("file_name", "")}
    return list_page(request, account, study, raw, shown, carried)


@router.get("/recruit/import/check")
def show_checked_list(
    request: Request,
    slug: str,
    server: ServerParts,
    account: Researcher,
    now: Now,
    job: str = "",
) -> Response:
    """Show what importing a long list would do, which a job has found."""
    study = find_study(server, slug)
    raw, shown = kept_preview(server, study, LIST, job, now)
    return list_page(request, account, study, raw, shown, {"upload": raw["upload"]})


def list_page(
    request: Request,
    account: Account,
    study: StudyView,
    raw: dict[str, str],
    shown: dict[str, Any],
    carried: dict[str, str],
) -> Response:
    """Render what importing a list would do. `carried`: fields with the list itself."""
    own = f"/admin/studies/{study.slug}/recruit"
    p = {
        **preview_facts(study.title, raw, shown),
        "back": own,
        "action": f"{own}/import",
        "store_action": f"{own}/import/store",
        "carried": list(carried.items()),
    }
    page = admin_page(account, "recruit", f"Check the list: {study.title}")
    status = 422 if shown["n_problems"] or shown["missing"] else 200
    return render(request, "people/list_preview.html", status, page=page, p=p)


@router.post("/recruit/import/store")
def store_list(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Store the checked list; the same list again changes nothing."""
    study = find_study(server, slug)
    if job := as_job(server, study, LIST, IMPORT, raw, account, now):
        return job
    try:
        text = text_in(raw, server.settings.upload_limit_bytes)
        found = list_storing.store_list(server.store, study.id, text, chosen_in(raw), now)
    except TableFileError as error:
        return recruit_page(request, server, account, study, 422, error=error.message, field="file")
    notice = STORED.format(**list_storing.done(found))
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
            text = bonuses.bonus_lines(db, study.id, raw=raw)
        else:
            text = payments.to_csv(db, study.id, name, raw=raw)
    return as_file(text, f"study-{slug}_{name}.csv")
