"""The overview of a design: faults, unpublished changes, preview, opening, history."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import draft, publishing, starts
from app.study.design.checklist import NotReadyError
from app.study.design.draft import Draft, StaleDesignError
from app.study.design.faults import Fault
from app.study.design.freeze import differences
from app.study.design.spec import StudyFileError
from app.study.design.studies import (
    ArchivedError,
    NoStudyError,
    NotIdentifiableError,
    UnknownStudyError,
)
from app.study.design.summary import summary
from app.study.design.words import cell_name
from app.study.times import moment
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts
from app.web.design.labels import field_at, home_of, message_of
from app.web.design.parts import anchor
from app.web.design.section_pages import design_url, facts_of, frame, load
from app.web.pages import render, see_other
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin")
EXPORTED = "exported"
NOT_READY = "The design is not ready yet. What to fix is listed below."
EVENTS = {
    "created": "created as a draft",
    "published": "version {version} published",
    "changed": "changed for everyone",
    "opened": "opened to players",
    "closed": "closed to new players",
    "archived": "archived",
    "restored": "restored from the archive",
    "exported": "all data exported",
}
REFUSALS = (ArchivedError, NotIdentifiableError, NotReadyError, UnknownStudyError)


def fault_line(slug: str, fault: Fault) -> dict[str, str]:
    """Return a fault with the address of its field."""
    home = home_of(fault.path)
    url = field_url(slug, fault.path, "?check=1")
    return {"text": message_of(fault), "url": url, "where": home.title if home else ""}


def field_url(slug: str, path: str, query: str = "") -> str:
    """Return the address of a field of the design, or '' if no page has it."""
    home = home_of(path)
    return f"{design_url(slug, home.name)}{query}#{anchor(field_at(path))}" if home else ""


def board_page(
    request: Request,
    server: Server,
    account: Account,
    slug: str,
    status: int = 200,
    problem: str = "",
) -> Response:
    """Render the overview. `problem`: why something was refused, one reason per line."""
    with server.store.read() as db:
        found = draft.load(db, slug)
        versions = publishing.versions(db, found.study_id)
        events = publishing.history(db, found.study_id)
    faults = draft.faults(found.document)
    own = f"/admin/studies/{slug}"
    d = frame(found, "", faults) | {
        "kind": found.kind,
        "faults": [fault_line(slug, fault) for fault in faults],
        "problem": problem.split("\n") if problem else [],
        "saved": saved_line(found),
        "changes": changes_of(found),
        "would": would_be(found),
        "version": found.published.version if found.published else 0,
        "is_frozen": bool(found.published and found.published.is_frozen),
        "cells": cells_of(found, slug),
        "summary": summary_of(found, slug),
        "versions": [version_line(slug, one) for one in versions],
        "events": [event_line(one) for one in events],
        "verbs": {verb: f"{own}/actions/{verb}" for verb in VERBS},
        "people_url": own,
        "remove_url": f"{own}/remove",
        "try_url": f"{own}/try",
        "plan_url": f"{own}/plan",
        "archived": found.is_archived,
        "open_url": f"{own}/open",
        "copy_url": f"/admin/new-study?start={starts.COPY}{slug}",
    }
    page = admin_page(account, "design", f"Design: {found.title or found.slug}")
    return render(request, "design/board.html", status, page=page, d=d)


def saved_line(found: Draft) -> str:
    """Return who last saved the draft, and when."""
    if found.changed_at is None:
        return ""
    return f"saved by {found.made_by}, {moment(found.changed_at)} UTC"


def changes_of(found: Draft) -> list[tuple[str, str, str]]:
    """Return how the draft differs from the published design."""
    spec = found.spec
    return differences(found.published.spec, spec) if found.published and spec else []


def would_be(found: Draft) -> str:
    """Return a sentence that says what publishing the draft would do."""
    spec = found.spec
    if found.published is None or spec is None:
        return ""
    number = publishing.version_of(found, spec)
    if publishing.same_frozen(found.published.spec, spec):
        return "These fields change for everyone at once, even for people who are playing."
    if number == found.published.version:
        return f"No real participant has consented yet, so this will still be version {number}."
    return (
        f"This creates version {number} for people who start from now on. People who have "
        f"consented keep their version."
    )


def summary_of(found: Draft, slug: str) -> list[tuple[str, str, str]]:
    """Return (title, address of the field, what the design says), if the draft is valid."""
    spec = found.spec
    return [
        (title, field_url(slug, path), text)
        for title, (path, text) in (summary(spec) if spec else {}).items()
    ]


def cells_of(found: Draft, slug: str) -> list[dict[str, Any]]:
    """Return the draft's cells, if they are valid, with the address of their variant's page."""
    spec = found.cells_spec
    return [
        {
            "key": cell.key,
            "name": cell_name(cell.key),
            "quota": "no limit" if cell.quota is None else str(cell.quota),
            "distractors": cell.distractors,
            "url": f"/admin/studies/{slug}/cell?key={cell.key}",
        }
        for cell in (spec.cells() if spec else [])
    ]


def version_line(slug: str, one: publishing.Version) -> dict[str, Any]:
    """Return a row of the table of versions."""
    return {
        "version": one.version,
        "published": moment(one.published_at),
        "frozen": moment(one.frozen_at),
        "cells": len(one.hashes),
        "url": f"/admin/studies/{slug}/design.yaml?version={one.version}",
    }


def event_line(one: publishing.Event) -> dict[str, Any]:
    """Return an entry of the history."""
    return {
        "at": moment(one.at),
        "what": EVENTS[one.event].format(version=one.version),
        "by": one.made_by,
        "changes": () if one.event == EXPORTED else one.changes,  # a count, not a change
    }


@router.get("/studies/{slug}/design")
def show_board(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show the overview of a design."""
    return board_page(request, server, account, slug)


def publish(server: Server, slug: str, raw: dict[str, str], account: Account, now: datetime) -> str:
    """Publish the draft as the page shows it."""
    revision = facts_of(raw, account, now)["revision"]
    publishing.publish(server.store, slug, revision=revision, by=account.name, now=now)
    return design_url(slug)


def open_study(
    server: Server, slug: str, raw: dict[str, str], account: Account, now: datetime
) -> str:
    """Open the study, which publishes a draft."""
    del raw
    publishing.change_state(server.store, slug, "open", by=account.name, now=now)
    return f"/admin/studies/{slug}"


def close_study(
    server: Server, slug: str, raw: dict[str, str], account: Account, now: datetime
) -> str:
    """Close the study to new people."""
    del raw
    publishing.change_state(server.store, slug, "closed", by=account.name, now=now)
    return f"/admin/studies/{slug}"


def preview(server: Server, slug: str, raw: dict[str, str], account: Account, now: datetime) -> str:
    """Create a signed test link to the draft and follow it."""
    del raw, account
    return publishing.preview(server.store, slug, now=now)


def discard(server: Server, slug: str, raw: dict[str, str], account: Account, now: datetime) -> str:
    """Reset the draft to the published design."""
    found = load(server, slug)
    if found.published is not None:
        spec = found.published.spec
        draft.replace(server.store, slug, spec, **facts_of(raw, account, now))
    return design_url(slug)


VERBS = {
    "open": open_study,
    "close": close_study,
    "publish": publish,
    "preview": preview,
    "discard": discard,
}


@router.post("/studies/{slug}/actions/{verb}")
def do_verb(
    request: Request,
    slug: str,
    verb: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Open, close, publish, preview or discard. Idempotent."""
    if verb not in VERBS:
        raise NoStudyError(f"There is no action '{verb}' for a study.")
    try:
        return see_other(VERBS[verb](server, slug, raw, account, now))
    except StudyFileError:
        return board_page(request, server, account, slug, 422, NOT_READY)
    except REFUSALS as error:
        return board_page(request, server, account, slug, 422, error.message)
    except StaleDesignError as error:
        return board_page(request, server, account, slug, 409, error.message)
