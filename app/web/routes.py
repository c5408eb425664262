"""Every router, room by room. No address matches two of them, so order affects only speed."""

from collections.abc import Iterator
from types import ModuleType

from fastapi import APIRouter

from app.web import agreement, export, health, models, removal, report
from app.web.design import board, file, new_study, section_pages, variants
from app.web.people import (
    login,
    manual_actions,
    monitor,
    opening,
    playback,
    recruitment,
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
from app.web.rating import adjudication, annotators, files, rater_pages, rounds
from app.web.rating import overview as rating_overview

# Routes are tried in order, and most requests are commands, so the game comes first.
PLAY = (
    *(game, entry, own_pages, process_data),
    *(rule_form, questions, comprehension, direct, problems),
)
PEOPLE = (
    *(login, people_overview, monitor, playback),
    *(manual_actions, recruitment, opening, trying, withdrawal),
)
DESIGN = (board, section_pages, file, new_study, variants)
RATING = (rating_overview, files, rounds, adjudication, annotators, rater_pages)
ROOMS = (PLAY, (health,), PEOPLE, DESIGN, RATING, (agreement, export, report, removal, models))


def routers(rooms: tuple[tuple[ModuleType, ...], ...]) -> Iterator[APIRouter]:
    """Yield the router of each module."""
    for room in rooms:
        for module in room:
            yield module.router


ROUTERS = tuple(routers(ROOMS))
