"""Personal entry links as CSV: any number of new ones, or signed ones for given IDs."""

from collections.abc import Callable
from datetime import timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.errors import StudyError
from app.study.design.studies import StudyView
from app.study.people import given_links, recruitment
from app.study.people.given_links import MAX_LINKS
from app.study.people.recruitment import Signer
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts
from app.web.forms import read_count
from app.web.people.recruitment import recruit_page
from app.web.researcher import as_file, find_study, player_link
from app.web.uploads import FileForm

router = APIRouter(prefix="/admin/studies/{slug}/recruit/links")
MAX_DAYS = 3_650


class LinkFieldError(StudyError):
    """A field of a form for links has no usable value."""

    code = "recruit/links"


def lifetime(raw: dict[str, str]) -> timedelta | None:
    """Return how long signed links are valid; None = forever. Raises LinkFieldError."""
    days = read_count(raw.get("days", "") or "0", MAX_DAYS)
    if days is None:
        raise LinkFieldError(f"Enter a number of days from 0 to {MAX_DAYS:,}.", "days")
    return timedelta(days=days) if days else None


def group_of(raw: dict[str, str], study: StudyView) -> str:
    """Return the group for the links; '' = none. Raises LinkFieldError."""
    group = raw.get("group", "")
    if group not in ("", *study.spec.people.groups):
        raise LinkFieldError("This study's design has no such group.", "group")
    return group


def answered(
    request: Request,
    server: Server,
    account: Account,
    study: StudyView,
    raw: dict[str, str],
    make: Callable[[str, str], str],
    prefix: str = "",
) -> Response:
    """Return the file of links that `make` writes for (address, group), or the page with errors.

    `prefix`: of the ids of the form's fields on the page.
    """
    try:
        group = group_of(raw, study)
        text = make(player_link(request, server, study.slug), group)
    except StudyError as error:
        wrong = {"error": error.message, "field": prefix + error.field if error.field else ""}
        return recruit_page(request, server, account, study, 422, **wrong, typed=raw)
    return as_file(text, f"links-{study.slug}{'-' if group else ''}{group}.csv")


@router.post("")
def make_links(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Create personal links as CSV, signed if wanted; nothing is stored about them."""
    study = find_study(server, slug)

    def make(link: str, group: str) -> str:
        count = read_count(raw.get("count", ""), MAX_LINKS)
        if not count:
            raise LinkFieldError(f"Enter a number of links from 1 to {MAX_LINKS:,}.", "count")
        life, sign = lifetime(raw), None
        if raw.get("signed") or life or study.spec.people.require == "signature":
            expires = now + life if life else None
            sign = recruitment.signer(server.keys, slug, expires)
        return recruitment.personal_links(link, study.spec.options, count, group, sign)

    return answered(request, server, account, study, raw, make)


@router.post("/given")
def make_given_links(
    request: Request, slug: str, raw: FileForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Create a signed link for each given ID as CSV; nothing is stored about them."""
    study = find_study(server, slug)

    def make(link: str, group: str) -> str:
        life, options = lifetime(raw), study.spec.options
        ids = given_links.read_ids(raw.get("text") or raw.get("ids", ""), options)
        sign: Signer = recruitment.signer(server.keys, slug, now + life if life else None)
        return given_links.given_links(link, options, ids, sign, group, raw="raw" in raw)

    return answered(request, server, account, study, raw, make, "given_")
