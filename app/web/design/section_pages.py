"""The design pages: one page per section, saved as typed, checked field by field."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.errors import BusyError
from app.study.design import draft
from app.study.design.draft import Draft, StaleDesignError
from app.study.design.faults import Fault
from app.study.design.studies import NoStudyError
from app.study.design.summary import met, world_time
from app.study.design.words import TASK_WORDS
from app.study.tickets import TicketError, new_ticket
from app.web.deps import Account, Now, Researcher, Server, ServerParts
from app.web.design.cell_fields import CELLS
from app.web.design.fields import BY_NAME, SECTIONS
from app.web.design.labels import field_at, message_of
from app.web.design.parts import (
    Entry,
    Section,
    anchor,
    choices_for,
    read_part,
    rearrange,
    show_part,
)
from app.web.forms import read_count
from app.web.pages import render, see_other, to_html
from app.web.researcher import admin_page
from app.web.uploads import LongForm

router = APIRouter(prefix="/admin")
FILE = "file"  # the page of the design as YAML
MAX_REVISION = 10**9
AUTO, NEXT = "auto", "next"
UNREADY = 422  # saved, with something to fix
SAVED = "Saved."
TO_FIX = "To fix before the study can be opened:"
DRAFTED = "Saved as a draft. It takes effect when you publish it on the overview."
NOT_SAVED = {StaleDesignError: 409, TicketError: 400, BusyError: 503}


def design_url(slug: str, section: str = "") -> str:
    """Return the address of a study's design, or of one section of it."""
    return f"/admin/studies/{slug}/design" + (f"/{section}" if section else "")


def file_url(slug: str) -> str:
    """Return the address of a study's design as a file."""
    return f"{design_url(slug)}-file"


def section_marks(found: Draft, faults: list[Fault], here: str = "") -> list[dict[str, Any]]:
    """Return the list of sections with the number of faults in each."""
    marks = [
        {
            "title": section.title,
            "url": design_url(found.slug, section.name),
            "wrong": len(section.faults(faults)),
            "here": section.name == here,
        }
        for section in SECTIONS
    ]
    own = {"title": "As a file (YAML)", "url": file_url(found.slug), "wrong": 0}
    return [*marks, {**own, "here": here == FILE}]


def find_section(name: str) -> Section:
    """Return a section by its name in the address. Raises NoStudyError."""
    if name not in BY_NAME:
        raise NoStudyError(f"A design has no section '{name}'.")
    return BY_NAME[name]


def frame(found: Draft, here: str, faults: list[Fault]) -> dict[str, Any]:
    """Return what every design page shows."""
    return {
        "slug": found.slug,
        "title": found.title,
        "state": found.state,
        "url": design_url(found.slug),
        "here": not here,
        "sections": section_marks(found, faults, here),
        "revision": found.revision,
        "ticket": new_ticket(),
    }


def section_page(
    request: Request,
    account: Account,
    found: Draft,
    section: Section,
    status: int = 200,
    *,
    typed: dict[str, Any] | None = None,
    check: bool = False,
    problem: str = "",
    notice: str = "",
) -> Response:
    """Render a section of a draft.

    `typed`: the content of a refused form, shown instead of what is stored. `check`: show at each
    field what is wrong with it.
    """
    document = draft.merged(found.document, typed or {})
    faults = draft.faults(document)
    own = section.faults(faults) if check else []
    choices = choices_for(document)
    parts = [show_part(part, document, own, choices) for part in section.parts]
    for part in parts:
        if not part["table"] and part["f"]["kind"] == "markdown":
            part["f"]["html"] = to_html(part["f"]["value"])
    is_cells = section.name == CELLS.name
    d = frame(found, section.name, faults) | {
        "name": section.title,
        "intro": section.intro,
        "time": f"{met(found.spec)} {world_time(found.spec)}" if is_cells and found.spec else "",
        "action": design_url(found.slug, section.name),
        "parts": parts,
        "problem": problem,
        "to_fix": lead(status, problem),
        "faults": [(anchor(field_at(fault.path)), message_of(fault)) for fault in own],
        "next": next_section(found.slug, section),
        "tasks": tasks_in_words() if is_cells else [],
    }
    page = admin_page(account, "design", f"{section.title}: {found.title or found.slug}")
    page.notice = notice
    return render(request, "design/section.html", status, page=page, d=d)


def lead(status: int, problem: str) -> str:
    """Return what stands above the list of faults: only a refused form (422) was just saved."""
    if problem:
        return "Also:"
    return f"Saved as a draft. {TO_FIX}" if status == UNREADY else TO_FIX


def tasks_in_words() -> list[dict[str, str]]:
    """Return the eight built-in tasks with a sentence and an example each."""
    return [
        {"code": code, "name": one.name, "rule": one.rule, "url": f"/admin/tasks/{code}"}
        for code, one in TASK_WORDS.items()
    ]


def next_section(slug: str, section: Section) -> tuple[str, str]:
    """Return address and title of the page after this section."""
    after = SECTIONS.index(section) + 1
    if after == len(SECTIONS):
        return design_url(slug), "Overview"
    return design_url(slug, SECTIONS[after].name), SECTIONS[after].title


@router.get("/studies/{slug}/design/{section}")
def show_section(
    request: Request,
    slug: str,
    section: str,
    server: ServerParts,
    account: Researcher,
    check: str = "",
    saved: str = "",
) -> Response:
    """Show a section; `check` shows faults, for links from a list of faults."""
    with server.store.read() as db:
        found = draft.load(db, slug)
    notice = saved_notice(found) if saved else ""
    part = find_section(section)
    return section_page(request, account, found, part, check=bool(check), notice=notice)


def saved_notice(found: Draft) -> str:
    """Return what saving did: nothing changes for participants before it is published."""
    return DRAFTED if found.published is not None and found.is_changed else SAVED


@router.post("/studies/{slug}/design/{section}")
def save_section(
    request: Request,
    slug: str,
    section: str,
    raw: LongForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Store what was typed, valid or not; show faults at their fields (422).

    `do`: `auto` (the script saves while someone types), `next` (save, then the next section), or
    what `rearrange` does.
    """
    part, do = find_section(section), raw.get("do", "save")
    typed = read_part(part, raw)
    line = rearrange(typed, part, do)
    try:
        revision = draft.save(server.store, slug, typed, **facts_of(raw, account, now))
    except (StaleDesignError, TicketError, BusyError) as error:
        status = NOT_SAVED[type(error)]
        if do == AUTO:
            return JSONResponse({"problem": error.message}, status)
        found = load(server, slug)
        return section_page(
            request, account, found, part, status, typed=typed, check=True, problem=error.message
        )
    if do == AUTO:
        return JSONResponse(saved_facts(part, typed, revision))
    found = load(server, slug)
    if not line and part.faults(draft.faults(found.document)):
        return section_page(request, account, found, part, UNREADY, check=True)
    return see_other(after_saving(slug, part, do, line))


def after_saving(slug: str, part: Section, do: str, line: str) -> str:
    """Return the address to go to; `line`: the anchor of a line that was added or moved."""
    own = design_url(slug, part.name)
    if line:
        return f"{own}#{line}"
    return next_section(slug, part)[0] if do == NEXT else f"{own}?saved=1"


def saved_facts(part: Section, typed: dict[str, Any], revision: int) -> dict[str, Any]:
    """Return what the script needs to save again, and the previews of Markdown texts by id."""
    texts = [one for one in part.parts if isinstance(one, Entry) and one.kind == "markdown"]
    return {
        "revision": revision,
        "ticket": new_ticket(),
        "previews": {anchor(one.path): to_html(typed[one.path]) for one in texts},
    }


def facts_of(raw: dict[str, str], account: Account, now: Any) -> dict[str, Any]:
    """Return what saving needs besides the text itself."""
    return {
        "revision": read_count(raw.get("revision", ""), MAX_REVISION) or 0,
        "ticket": raw.get("ticket", ""),
        "by": account.name,
        "now": now,
    }


def load(server: Server, slug: str) -> Draft:
    """Return a draft, in its own read transaction."""
    with server.store.read() as db:
        return draft.load(db, slug)
