"""Recruitment: links, the platform's list compared with ours, payments, identifiers."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import studies
from app.study.design.studies import StudyView
from app.study.people import payments, recruitment
from app.study.people.recruitment import NoParameterError, PlatformFileError
from app.web.deps import Now, RawForm, Researcher, Server, ServerParts
from app.web.forms import read_count
from app.web.pages import render, see_other
from app.web.researcher import admin_page, as_file, find_study, player_link
from app.web.uploads import FileForm

router = APIRouter(prefix="/admin/studies/{slug}")
PLATFORM = "prolific_pid"
MAX_LINKS = 100_000


def recruit_page(
    request: Request,
    server: Server,
    account: Any,
    study: StudyView,
    status: int = 200,
    notice: str = "",
    error: str = "",
    typed: str = "",
) -> Response:
    """Render the page with everyone in their queue."""
    with server.store.read() as db:
        codes = {state: study.spec.codes.of(state) for state in recruit_states()}
        queues = recruitment.table(recruitment.reconcile(db, study.id, codes))
    own = f"/admin/studies/{study.slug}"
    r = {
        "title": study.title,
        "slug": study.slug,
        "player_url": player_link(request, server, study.slug),
        "platform_url": player_link(request, server, study.slug)
        + recruitment.prolific_query(study.spec.options),
        "groups": study.spec.people.groups,
        "return_url": study.spec.codes.return_url,
        "queues": queues,
        "import_action": f"{own}/recruit/import",
        "links_action": f"{own}/recruit/links",
        "downloads": [(name, f"{own}/recruit/{name}.csv") for name in payments.ROWS],
        "is_hidden": studies.hides_outcomes(study.spec, study.state),
        "error": error,
        "typed": typed,
    }
    page = admin_page(account, "recruit", f"Recruitment: {study.title}")
    page.notice = notice
    return render(request, "people/recruitment.html", status, page=page, r=r)


def recruit_states() -> tuple[str, ...]:
    """Return the outcomes that can have a static code."""
    return ("no_consent", "screened_out", "failed_check", "withdrawn", "technical")


@router.get("/recruit")
def show_recruit(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show links, queues and payments."""
    return recruit_page(request, server, account, find_study(server, slug))


@router.post("/recruit/import")
def import_list(
    request: Request,
    slug: str,
    raw: FileForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Import the platform's CSV; the same file again changes nothing."""
    study, text = find_study(server, slug), raw.get("text", "")
    try:
        rows = recruitment.read_file(text)
    except PlatformFileError as error:
        return recruit_page(request, server, account, study, 422, error=error.message, typed=text)
    number = recruitment.import_file(server.store, study.id, PLATFORM, rows, now)
    notice = f"Read {number} people from the file."
    return recruit_page(request, server, account, study, notice=notice)


@router.post("/recruit/links")
def make_links(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher
) -> Response:
    """Create personal links as CSV; nothing is stored."""
    study = find_study(server, slug)
    count = read_count(raw.get("count", ""), MAX_LINKS)
    if not count:
        message = f"Enter a number of links from 1 to {MAX_LINKS:,}."
        return recruit_page(request, server, account, study, 422, error=message)
    group = raw.get("group", "")
    if group not in ("", *study.spec.people.groups):
        message = "This study's design has no such group."
        return recruit_page(request, server, account, study, 422, error=message)
    link = player_link(request, server, slug)
    try:
        text = recruitment.personal_links(link, study.spec.options, count, group)
    except NoParameterError as error:
        return recruit_page(request, server, account, study, 422, error=error.message)
    return as_file(text, f"links-{slug}{'-' if group else ''}{group}.csv")


@router.get("/recruit/{name}.csv")
def download_money(slug: str, name: str, server: ServerParts, account: Researcher) -> Response:
    """Download payments or identifiers, the only tables with platform ids."""
    del account
    if name not in payments.ROWS:
        return see_other(f"/admin/studies/{slug}/recruit")
    study = find_study(server, slug)
    with server.store.read() as db:
        text = payments.to_csv(db, study.id, name)
    return as_file(text, f"study-{slug}_{name}.csv")
