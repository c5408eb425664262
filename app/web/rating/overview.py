"""The researcher's rating page: a study's items, judges, samples and rounds."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.csv_text import csv_of
from app.study.design import studies
from app.study.design.studies import StudyView
from app.study.rating import player_items, researcher_view, sample_draws
from app.study.rating.sample_draws import DrawError
from app.study.tickets import new_ticket
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts
from app.web.forms import read_count
from app.web.pages import render, see_other
from app.web.researcher import admin_page, as_file, find_study, is_raw

router = APIRouter(prefix="/admin/studies/{slug}/rating")
MOST = 2**31 - 1
WHICH = (
    ("last", "the last one in each block"),
    ("first", "the first one in each block"),
    ("all", "all of them"),
)
LEVELS = (
    ("score", "the judge’s score"),
    ("mean", "mean of the four criteria, rounded"),
    ("inputs", "criterion: inputs"),
    ("output", "criterion: output"),
    ("structure", "criterion: structure"),
    ("generality", "criterion: generality"),
)

EMPTY = {
    **dict.fromkeys(("models_text", "judges_text", "judge", "level_of", "which", "allocation"), ""),
    "per_level": str(sample_draws.DEFAULT_PER_LEVEL),
    "seed": "1",
}


def own_url(slug: str, *parts: object) -> str:
    """Return a URL under a study's rating pages."""
    return "/".join((f"/admin/studies/{slug}/rating", *map(str, parts)))


def overview_page(
    request: Request,
    server: Server,
    account: Account,
    study: StudyView,
    status: int = 200,
    *,
    typed: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
    notice: str = "",
) -> Response:
    """Render a study's items, judges, samples and rounds."""
    slug = study.slug
    with server.store.read() as db:
        r: dict[str, Any] = researcher_view.overview(db, study.id)
    for one in r["samples"]:
        one["url"] = own_url(slug, "samples", one["number"])
    for one in r["rounds"]:
        one["url"] = own_url(slug, "rounds", one["number"])
    r |= {
        "title": study.title,
        "slug": slug,
        "gather_action": own_url(slug, "gather"),
        "models_action": own_url(slug, "models"),
        "judges_action": own_url(slug, "judges"),
        "run_judge": own_url(slug, "judges", "run"),
        "delete_judge": own_url(slug, "judges", "delete"),
        "delete_source": own_url(slug, "models", "delete"),
        "samples_action": own_url(slug, "samples"),
        "planner_url": own_url(slug, "planner"),
        "items_url": own_url(slug, "items.csv"),
        "new_round_url": own_url(slug, "rounds", "new"),
        "which": WHICH,
        "levels": LEVELS,
        "ticket": new_ticket(),
        "typed": {**EMPTY, **(typed or {})},
        "errors": {"models": "", "judges": "", "sample": "", "field": "", **(errors or {})},
    }
    page = admin_page(account, "rating", f"Rating: {study.title}")
    page.notice = notice
    return render(request, "rating/overview.html", status, page=page, r=r)


@router.get("")
def show_rating(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show a study's rating page."""
    study = find_study(server, slug)
    done = request.query_params
    new, same = (read_count(done.get(name, ""), MOST) for name in ("new", "same"))
    notice = "" if new is None else f"{new} stored, {same or 0} already stored."
    deleted, kept = (read_count(done.get(name, ""), MOST) for name in ("deleted", "kept"))
    if deleted is not None:
        notice = f"Deleted: {deleted}." + (
            f" Kept because a round uses them: {kept}." if kept else ""
        )
    return overview_page(request, server, account, study, notice=notice)


@router.post("/gather")
def gather(slug: str, server: ServerParts, account: Researcher, now: Now) -> Response:
    """Turn new explanations by players into items; a repeat adds nothing."""
    del account
    player_items.take_in(server.store, find_study(server, slug).id, now)
    return see_other(own_url(slug))


@router.get("/items.csv")
def download_items(
    request: Request, slug: str, server: ServerParts, account: Researcher
) -> Response:
    """Download all items with their ground truth, for use with another judge."""
    del account
    with server.store.read() as db:
        study = studies.find(db, slug)
        rows = researcher_view.item_rows(db, study.id, server.library)
        text = csv_of([researcher_view.ITEM_COLUMNS, *rows], raw=is_raw(request))
    return as_file(text, f"study-{slug}_items.csv")


@router.post("/samples")
def draw_sample(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Draw a validation sample from one judge's scores."""
    study = find_study(server, slug)
    try:
        number = sample_draws.draw_sample(
            server.store,
            study.id,
            run_number=read_count(raw.get("judge", ""), MOST) or 0,
            wanted=raw.get("level_of", ""),
            which=raw.get("which", ""),
            per_level=read_count(raw.get("per_level", ""), MOST) or 0,
            allocation=raw.get("allocation", ""),
            seed=known_or(read_count(raw.get("seed", ""), MOST), -1),
            by=account.name,
            ticket=raw.get("ticket", ""),
            now=now,
        )
    except DrawError as error:
        found = {"sample": error.message, "field": error.field}
        return overview_page(request, server, account, study, 422, typed=raw, errors=found)
    return see_other(own_url(slug, "samples", number))


def known_or(value: int | None, otherwise: int) -> int:
    """Return a number, or the default if there is none."""
    return otherwise if value is None else value


@router.get("/samples/{number}")
def show_sample(
    request: Request, slug: str, number: str, server: ServerParts, account: Researcher
) -> Response:
    """Show a sample: frame, strata, weights, shortfalls and drawn items."""
    with server.store.read() as db:
        study = studies.find(db, slug)
        found = researcher_view.sample(db, study.id, read_count(number, MOST) or 0)
    s = {
        **found,
        "level_words": dict(LEVELS)[found["level_of"]],
        "which_words": dict(WHICH)[found["which"]],
        "round_url": f"{own_url(slug, 'rounds', 'new')}?sample={found['number']}",
        "back": own_url(slug),
        "study": study.title,
    }
    page = admin_page(account, "rating", f"Sample {found['number']}: {study.title}")
    return render(request, "rating/sample.html", page=page, s=s)
