"""Every router, room by room. No address matches two of them, so order affects only speed."""

from collections.abc import Iterator
from types import ModuleType

from fastapi import APIRouter

from app.web import agreement, export, health, report
from app.web.design import board, file, new_study, section_pages, variants
from app.web.models import results as model_results
from app.web.models import runs as model_runs
from app.web.people import (
    login,
    manual_actions,
    monitor,
    playback,
    recruitment,
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
from app.web.rating import adjudication, annotators, files, rater_pages, rounds
from app.web.rating import overview as rating_overview

# Routes are tried in order, and most requests are commands, so the game comes first.
PLAY = (
    *(game, entry, own_pages, process_data),
    *(rule_form, questions, comprehension, direct, problems),
)
PEOPLE = (
    *(login, people_overview, monitor, playback),
    *(manual_actions, recruitment, withdrawal),
)
DESIGN = (board, section_pages, file, new_study, variants)
RATING = (rating_overview, files, rounds, adjudication, annotators, rater_pages)
OTHERS = (agreement, export, report, model_results, model_runs)
ROOMS = (PLAY, (health,), PEOPLE, DESIGN, RATING, OTHERS)


def routers(rooms: tuple[tuple[ModuleType, ...], ...]) -> Iterator[APIRouter]:
    """Yield the router of each module."""
    for room in rooms:
        for module in room:
            yield module.router


ROUTERS = tuple(routers(ROOMS))
