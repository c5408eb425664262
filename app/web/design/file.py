"""The design as a YAML file to view, download and upload; also its published versions."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import draft, publishing, yaml_file
from app.study.design.draft import Draft, StaleDesignError
from app.study.design.faults import Fault
from app.study.design.spec import StudyFileError, StudySpec, parse_study
from app.web.deps import Account, Now, Researcher, ServerParts
from app.web.design.section_pages import FILE, design_url, facts_of, file_url, frame, load
from app.web.pages import render, see_other
from app.web.researcher import admin_page
from app.web.uploads import LongForm

router = APIRouter(prefix="/admin/studies/{slug}")


def file_page(
    request: Request,
    account: Account,
    found: Draft,
    status: int = 200,
    *,
    typed: str = "",
    faults: tuple[Fault, ...] = (),
    problem: str = "",
) -> Response:
    """Render the design as YAML, with a form to send it back."""
    d: dict[str, Any] = frame(found, FILE, draft.faults(found.document)) | {
        "action": file_url(found.slug),
        "download": f"/admin/studies/{found.slug}/design.yaml",
        "text": typed or text_of(found),
        "faults": [str(fault) for fault in faults],
        "problem": problem,
    }
    page = admin_page(account, "design", f"As a file: {found.title or found.slug}")
    return render(request, "design/file.html", status, page=page, d=d)


def text_of(found: Draft) -> str:
    """Return a draft as YAML, valid or not."""
    spec = found.spec
    return yaml_file.file_of(spec) if spec else yaml_file.to_yaml(found.document)


@router.get("/design-file")
def show_file(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show the whole design as YAML."""
    return file_page(request, account, load(server, slug))


@router.post("/design-file")
def save_file(
    request: Request,
    slug: str,
    raw: LongForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Replace the whole draft with a valid file."""
    text = (raw.get("file") or raw.get("text", "")).replace("\r\n", "\n")
    try:
        spec = read_own(text, slug)
        draft.replace(server.store, slug, spec, **facts_of(raw, account, now))
    except StudyFileError as error:
        found = load(server, slug)
        return file_page(request, account, found, 422, typed=text, faults=error.faults)
    except StaleDesignError as error:
        found = load(server, slug)
        return file_page(request, account, found, 409, typed=text, problem=error.message)
    return see_other(design_url(slug))


def read_own(text: str, slug: str) -> StudySpec:
    """Read a study's file. Raises StudyFileError if it is invalid or belongs to another study."""
    spec = parse_study(text)
    if spec.slug != slug:
        words = f"this study is '{slug}'; to use another slug, create a new study from the file"
        fault = Fault("slug", words)
        raise StudyFileError(str(fault), (fault,))
    return spec


@router.get("/design.yaml")
def download_file(
    slug: str, server: ServerParts, account: Researcher, version: int = 0
) -> Response:
    """Return the draft, or a published version, as a YAML file."""
    del account
    with server.store.read() as db:
        if version:
            text = yaml_file.file_of(publishing.spec_of(db, slug, version))
        else:
            text = text_of(draft.load(db, slug))
    name = f"{slug}-version-{version}.yaml" if version else f"{slug}.yaml"
    return Response(
        text,
        media_type="application/yaml; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
