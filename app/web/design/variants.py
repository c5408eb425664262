"""A variant's page: rule, split, certificate, and the demonstrations as players see them."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import draft, variant_page
from app.web.deps import Researcher, ServerParts
from app.web.design.section_pages import design_url
from app.web.pages import render
from app.web.researcher import admin_page

router = APIRouter(prefix="/admin")


@router.get("/variants/{variant_hash}")
def show_variant(
    request: Request, variant_hash: str, server: ServerParts, account: Researcher
) -> Response:
    """Show a stored variant."""
    with server.store.read() as db:
        v = variant_page.stored(db, server.library, variant_hash)
    page = admin_page(account, "variant", v["title"])
    return render(request, "design/variant.html", page=page, v=v, back=None)


@router.get("/tasks/{task}")
def show_task(request: Request, task: str, account: Researcher) -> Response:
    """Show an example of a built-in task: its variant with seed 0."""
    v = variant_page.example(task)
    page = admin_page(account, "variant", v["title"])
    return render(request, "design/variant.html", page=page, v=v, back=None)


@router.get("/studies/{slug}/cell")
def show_cell(
    request: Request, slug: str, server: ServerParts, account: Researcher, key: str = ""
) -> Response:
    """Show the variant that a draft's cell would get."""
    with server.store.read() as db:
        found = draft.load(db, slug)
    v = variant_page.drawn(found, key)
    page = admin_page(account, "variant", v["title"])
    back = (design_url(slug), f"Design: {found.title}")
    return render(request, "design/variant.html", page=page, v=v, back=back)
