"""A new study: empty, the paper's design, a copy of another, or from a file."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import draft, members, slugs, starts
from app.study.design.examples import EXAMPLES
from app.study.design.spec import StudyFileError, StudySpec, parse_study
from app.study.design.studies import NoStudyError, StudyExistsError
from app.study.rights import Right
from app.study.tickets import TicketError, new_ticket
from app.web.deps import Account, Now, Researcher, Server, ServerParts
from app.web.design.section_pages import design_url
from app.web.pages import render, see_other
from app.web.researcher import admin_page
from app.web.uploads import LongForm

router = APIRouter(prefix="/admin")
SENT = "This form has already been sent. Send it again to create another study."


@router.get("/new-study")
def show_new(
    request: Request,
    server: ServerParts,
    account: Researcher,
    start: str = starts.EMPTY,
    example: str = "",
) -> Response:
    """Show the ways to create a study: empty, the paper's design, a copy, a file.

    `example`: the name of one of EXAMPLES, to put into the field for a file.
    """
    text = EXAMPLES[example].text if example in EXAMPLES else ""
    return new_page(request, server, account, typed={"start": start, "text": text})


def new_page(
    request: Request,
    server: Server,
    account: Account,
    status: int = 200,
    *,
    typed: dict[str, str],
    errors: dict[str, str] | None = None,
) -> Response:
    """Render the page for a new study with what was typed."""
    with server.store.read() as db:
        mine = members.studies_of(db, account.who)
        copies = [one for one in starts.titles(db) if Right.SEE in mine.get(one[0], ())]
    n = {
        "action": "/admin/new-study",
        "ticket": new_ticket(),
        "starts": [
            (starts.EMPTY, "Empty"),
            (starts.PAPER, "The paper’s design: 7 people, 8 tasks, one variant each"),
            *(
                (
                    f"{starts.COPY}{slug}",
                    f"A copy of {title or slug} (/s/{slug}), without its codes",
                )
                for slug, title in copies
            ),
        ],
        "paper": starts.PAPER,
        "examples": [
            {"title": one.title, "text": one.text, "url": f"/admin/new-study?example={name}#text"}
            for name, one in EXAMPLES.items()
        ],
        "typed": {"title": "", "slug": "", "start": starts.EMPTY, "text": ""} | typed,
        "errors": {"title": "", "slug": "", "start": "", "text": ""} | (errors or {}),
        "file_errors": [("text", line) for line in (errors or {}).get("text", "").splitlines()],
        "own_errors": [(name, text) for name, text in (errors or {}).items() if name != "text"],
    }
    page = admin_page(account, "new-study", "A new study")
    return render(request, "design/new.html", status, page=page, n=n)


@router.post("/new-study")
def make_study(
    request: Request, raw: LongForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Create a study as a draft and redirect to its design."""
    raw = {**raw, "text": (raw.get("file") or raw.get("text", "")).replace("\r\n", "\n")}
    try:
        spec = parse_study(raw["text"]) if raw["text"].strip() else None
        document = named(server, account, raw, spec)
        ticket = raw.get("ticket", "")
        facts: dict[str, Any] = {"by": account.name, "owner_id": account.id, "now": now}
        sent = {name: raw.get(name, "") for name in ("title", "slug", "start", "text")}
        slug = draft.make(server.store, document, ticket=ticket, sent=sent, **facts)
    except StudyFileError as error:
        errors = field_errors(error, from_file=bool(raw["text"].strip()))
    except StudyExistsError as error:
        field = "text" if raw["text"].strip() else "slug"
        errors = {field: error.message}
    except NoStudyError as error:
        errors = {"start": error.message}
    except TicketError:
        errors = {"text" if raw["text"].strip() else "title": SENT}
    else:
        return see_other(design_url(slug))
    return new_page(request, server, account, 422, typed=raw, errors=errors)


def field_errors(error: StudyFileError, *, from_file: bool) -> dict[str, str]:
    """Return the messages of a refused new study, by field of the form."""
    if from_file:
        return {"text": error.message}
    return {fault.path: fault.message for fault in error.faults}


def named(
    server: Server, account: Account, raw: dict[str, str], spec: StudySpec | None
) -> dict[str, Any]:
    """Return the document of a new study with its title and a free address.

    Raises StudyFileError: title or address is invalid; NoStudyError: nothing to copy.
    """
    if spec is not None:
        return spec.model_dump(mode="json")
    with server.store.read() as db:
        start = raw.get("start", starts.EMPTY)
        if start.startswith(starts.COPY):
            copied = start.removeprefix(starts.COPY)
            if Right.SEE not in members.rights_in(db, account.who, copied):
                raise NoStudyError(f"There is no study '{copied}' here.")
        found = starts.document(db, start)
        title, slug = raw.get("title", "").strip(), raw.get("slug", "").strip()
        wish = starts.slug_of(title) or str(found["slug"]) or "study"
        title, slug = title or str(found["title"]), slug or slugs.free_slug(db, wish)
    faults = draft.faults_of_part({"title": title, "slug": slug}, ("title", "slug"))
    if faults:
        raise StudyFileError("The study cannot be created yet.", tuple(faults))
    return {**found, "title": title, "slug": slug}
