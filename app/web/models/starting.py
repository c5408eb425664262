"""Start a model from a page: as a judge of the explanations, or as a player; continue a run."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study import jobs
from app.study.design.studies import StudyView
from app.study.models import endpoints, judged_items, starting
from app.study.models.bounds import Bounds
from app.study.models.cells import NothingToPlayError
from app.study.models.endpoints import EndpointError
from app.study.models.prices import PriceFileError
from app.study.models.runs import BadRunError, find
from app.study.models.starting import MODEL
from app.study.rights import Right
from app.web.access import demand
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts, ticket_of
from app.web.models.runs import NO_ERRORS, run_page
from app.web.pages import render, see_other
from app.web.researcher import admin_page, find_study

router = APIRouter(prefix="/admin/studies/{slug}")
JUDGE, PLAY = starting.KINDS
PLACES = {JUDGE: "rating/judges/run", PLAY: "report/models/start"}
TITLES = {JUDGE: "Let a model judge", PLAY: "Let a model play"}
EMPTY = {
    "model": "",
    "endpoint": "",
    "method": "",
    "preset": "",
    "repeats": "1",
    "items": judged_items.ALL,
    "ids": "",
    "label": "",
    "schema": "",
    **dict.fromkeys(Bounds._fields, ""),
}


def start_page(
    request: Request,
    server: Server,
    account: Account,
    study: StudyView,
    kind: str,
    status: int = 200,
    *,
    typed: dict[str, str] | None = None,
    error: str = "",
    field: str = "",
) -> Response:
    """Render the form, or what is missing before a model can be asked."""
    own = f"/admin/studies/{study.slug}"
    try:
        known = endpoints.read(server.settings.model_endpoints)
    except EndpointError as bad:
        known, error = (), bad.message
    with server.store.read() as db:
        choices = judged_items.choices(db, study.id)
    p = {
        "study": study.title,
        "slug": study.slug,
        "kind": kind,
        "title": TITLES[kind],
        "back": f"{own}/rating" if kind == JUDGE else f"{own}/report/models/runs",
        "back_name": "Rating" if kind == JUDGE else "Model runs",
        "action": f"{own}/{PLACES[kind]}",
        "endpoints": [(one.name, one.url, one.key_name) for one in known],
        "can_ask": endpoints.can_ask(),
        "methods": starting.METHODS[kind],
        "presets": starting.PRESETS,
        "rubrics": starting.RUBRIC_OF if kind == JUDGE else {},
        "unlike": starting.unlike_presets(study) if kind == PLAY else [],
        "items": choices,
        "typed": EMPTY | (typed or {}),
        "errors": NO_ERRORS | {field if field in NO_ERRORS and field else "model": error},
        "wrong": [(field if field in NO_ERRORS and field else "model", error)] if error else [],
        "has_price": server.settings.model_prices is not None,
    }
    page = admin_page(account, "model-start", f"{TITLES[kind]}: {study.title}")
    return render(request, "models/start.html", status, page=page, p=p)


def began(server: Server, study: StudyView, job_id: str) -> Response:
    """Start the job of a run and show it."""
    server.runner.start(job_id, apart=True)
    return see_other(f"/admin/studies/{study.slug}/jobs/{job_id}")


def start(
    request: Request,
    server: Server,
    account: Account,
    slug: str,
    kind: str,
    raw: dict[str, str],
    now: Now,
) -> Response:
    """Store a run and start it; or show what is wrong."""
    study = find_study(server, slug)
    try:
        to = endpoints.named(endpoints.read(server.settings.model_endpoints), raw["endpoint"])
        job_id = starting.start(
            *(server.store, study, kind, to, raw, account.name, ticket_of(raw), now),
            prices=server.settings.model_prices,
        )
    except (EndpointError, BadRunError, NothingToPlayError, PriceFileError) as error:
        wrong = {"error": error.message, "field": error.field}
        return start_page(request, server, account, study, kind, 422, typed=raw, **wrong)
    except KeyError:
        return start_page(request, server, account, study, kind, 422, typed=raw)
    return began(server, study, job_id)


@router.get("/rating/judges/run")
def show_judge(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show the form for a judge."""
    return start_page(request, server, account, find_study(server, slug), JUDGE)


@router.post("/rating/judges/run")
def start_judge(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Let a model rate the study's explanations."""
    return start(request, server, account, slug, JUDGE, raw, now)


@router.get("/report/models/start")
def show_player(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show the form for a player."""
    return start_page(request, server, account, find_study(server, slug), PLAY)


@router.post("/report/models/start")
def start_player(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Let a model play the study's variants."""
    return start(request, server, account, slug, PLAY, raw, now)


@router.post("/report/models/resume")
def go_on(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Continue a run: only what has no answer yet is asked."""
    study = find_study(server, slug)
    number = raw.get("run", "")
    with server.store.read() as db:
        run = find(db, study, int(number) if number.isdecimal() and len(number) < 10 else 0)  # noqa: PLR2004
    demand(request, Right.RATE if run.kind == JUDGE else Right.EDIT)
    try:
        to = endpoints.at(endpoints.read(server.settings.model_endpoints), run.base_url)
        params = starting.resumed(run, to, raw)
    except (EndpointError, BadRunError) as error:
        wrong = {error.field: error.message}
        return run_page(request, server, account, study, run.number, 422, typed=raw, errors=wrong)
    job_id = jobs.add_once(server.store, study.id, MODEL, params, account.name, ticket_of(raw), now)
    return began(server, study, job_id)
