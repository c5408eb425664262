"""Every router, room by room. No address matches two of them, so order affects only speed."""

from functools import cache
from types import ModuleType

from fastapi import APIRouter, Depends, FastAPI
from starlette.routing import BaseRoute

from app.web import (
    agreement,
    deidentification,
    export,
    health,
    jobs,
    metrics,
    plan,
    removal,
    report,
)
from app.web.access import admitted
from app.web.deps import own_form
from app.web.design import board, file, new_study, section_pages, variants
from app.web.models import agent_keys, starting
from app.web.models import results as model_results
from app.web.models import runs as model_runs
from app.web.people import (
    audit_pages,
    bonuses,
    links,
    login,
    manual_actions,
    members,
    monitor,
    opening,
    own_account,
    playback,
    recruitment,
    signs,
    single_sign_on,
    trying,
    withdrawal,
)
from app.web.people import overview as people_overview
from app.web.play import (
    comprehension,
    direct,
    entry,
    game,
    own_pages,
    problems,
    process_data,
    questions,
    rule_form,
)
from app.web.rating import (
    adjudication,
    annotators,
    closing,
    files,
    guess_pages,
    rater_pages,
    round_people,
    rounds,
)
from app.web.rating import overview as rating_overview
from app.web.rating import own_account as raters_account

# Routes are tried in order, and most requests are commands, so the game comes first.
PLAY = (
    *(game, entry, own_pages, process_data),
    *(rule_form, questions, comprehension, direct, problems, withdrawal),
)
PEOPLE = (
    *(people_overview, monitor, playback, manual_actions),
    *(recruitment, bonuses, links, opening, trying, signs, members, audit_pages, own_account),
)
DESIGN = (board, section_pages, file, new_study, variants)
RATING = (
    rating_overview,
    files,
    round_people,
    rounds,
    closing,
    adjudication,
    annotators,
    rater_pages,
    guess_pages,
    raters_account,
)
LATER = (
    *(agreement, export, deidentification, report, plan, jobs, removal),
    *(model_results, model_runs, agent_keys, starting),
)


def routers(*rooms: tuple[ModuleType, ...]) -> tuple[APIRouter, ...]:
    """Return the router of each module."""
    return tuple(module.router for room in rooms for module in room)


# open to everyone; a player's address is the credential
OPEN = routers(PLAY, (health, login, metrics, single_sign_on))
STAFF = routers(PEOPLE, DESIGN, RATING, LATER)  # behind a login


@cache
def included() -> tuple[BaseRoute, ...]:
    """Return every route. A form behind a login must come from the account's own page.

    A page behind a login needs the rights that `access.NEEDS` lists for it.

    FastAPI works out what each route depends on at its first request. Applications of one process
    share the result: tests make hundreds of them.
    """
    whole = APIRouter()
    for router in OPEN:
        whole.include_router(router)
    for router in STAFF:
        whole.include_router(router, dependencies=[Depends(own_form), Depends(admitted)])
    return tuple(whole.routes)


def include(app: FastAPI) -> None:
    """Add every route."""
    app.router.routes.extend(included())
