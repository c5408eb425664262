"""Try a study as two to four test players side by side, and move them to any step."""

import re
from datetime import datetime
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.errors import StudyError
from app.study.design import draft, publishing, testlink
from app.study.design.spec import StudyFileError
from app.study.design.studies import NotIdentifiableError
from app.study.people import trying
from app.study.people.trying import FEWEST, MOST
from app.study.tickets import new_ticket
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts
from app.web.forms import read_count
from app.web.pages import render, see_other
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin/studies/{slug}/try")
WHO = re.compile(r"[a-z0-9]{1,20}")
NOT_READY = "The design has fields to fix. You can try it once they are right."


class BadSeatError(StudyError):
    """The address of the page names no test players, or too many."""

    code = "try/seat"

    def __init__(self) -> None:
        super().__init__("This address names no test players. Start again.")


def read_names(text: str) -> list[str]:
    """Return the ids of the test players in an address. Raises BadSeatError."""
    names = text.split(",")
    if not FEWEST <= len(names) <= MOST or not all(map(WHO.fullmatch, names)):
        raise BadSeatError
    return names


def try_url(slug: str, test: str, names: list[str]) -> str:
    """Return the address of the page with these test players."""
    query = urlencode({testlink.FIELD: test, "who": ",".join(names)}, safe=",")
    return f"/admin/studies/{slug}/try?{query}"


@router.get("")
def show_trying(
    request: Request, slug: str, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Show the test players of the address, or how to start."""
    return trying_page(request, server, account, slug, now)


def trying_page(
    request: Request,
    server: Server,
    account: Account,
    slug: str,
    now: datetime,
    problem: str = "",
) -> Response:
    """Render the page; with a problem, the status is 422 and no one is shown."""
    test = request.query_params.get(testlink.FIELD, "")
    names = read_names(request.query_params.get("who", "")) if test and not problem else []
    with server.store.read() as db:
        found = draft.load(db, slug)
        seats = [trying.seat(db, slug, test, who, now) for who in names]
    own = f"/admin/studies/{slug}"
    t = {
        "title": found.title or slug,
        "back": own if found.published else f"{own}/design",
        "design_url": f"{own}/design",
        "action": f"{own}/try",
        "jump": f"{own}/try/jump",
        "ticket": new_ticket(),
        "problem": problem,
        "numbers": range(FEWEST, MOST + 1),
        "number": len(names) or FEWEST,
        "test": test,
        "who": ",".join(names),
        "seats": seats,
        "own": try_url(slug, test, names),
    }
    page = admin_page(account, "try", f"Try it: {t['title']}")
    return render(request, "people/try.html", 422 if problem else 200, page=page, t=t)


@router.post("")
def start_trying(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Make a test link to the design as it is now, and show that many new test players."""
    try:
        link = publishing.preview(server.store, slug, now=now)
    except (StudyFileError, NotIdentifiableError):
        return trying_page(request, server, account, slug, now, NOT_READY)
    test = link.partition(f"?{testlink.FIELD}=")[2]
    names = trying.new_names(read_count(raw.get("number", ""), MOST) or FEWEST)
    return see_other(try_url(slug, test, names))


@router.post("/jump")
def jump(slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now) -> Response:
    """Bring one test player to a step, and show all of them again."""
    del account
    names, test = read_names(raw.get("who", "")), raw.get(testlink.FIELD, "")
    at = read_count(raw.get("seat", ""), len(names) - 1)
    if at is None:
        raise BadSeatError
    names[at] = trying.jump(server.table, slug, test, names[at], raw.get("step", ""), now)
    return see_other(f"{try_url(slug, test, names)}#player-{at + 1}")
