"""What the game page shows of a state: place, item, activities, and the actions left."""

from typing import Any

from app.game.view import PlayerView
from app.game.world import State
from app.languages.text import phrases
from app.study.design.spec import StudySpec

FEW = 3  # actions


def state_facts(state: State, view: PlayerView, spec: StudySpec) -> dict[str, Any]:
    """Return a state as the page shows it."""
    shown = spec.options.show_budget
    budget = view.budget if shown else None
    left = None if budget is None else budget - state.actions_used
    return {
        **state._asdict(),
        "item": state.item or "",
        "did": list(state.did),
        "budget": budget,
        "left": left,
        "few": few_left(0 if state.done else left or 0),
        "seq": state.actions_used + 1,
        "remaining_text": view.budget_text if shown else "",
    }


def few_left(left: int) -> str:
    """Return a warning before the last actions, '' as long as there are more or if none is left."""
    few = 0 < left <= FEW
    return phrases("This is your last action.", "Only {n} actions left.", left) if few else ""
