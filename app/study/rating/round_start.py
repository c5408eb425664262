"""What a new round is unless something else is chosen, in the browser and on the command line."""

from typing import Final

from app.store.rating.rounds import ASKED, MODES
from app.study.rating import rubric


def usual_k(annotators: int) -> int:
    """Return how many annotators rate each item if so many can be chosen."""
    return max(1, min(2, annotators))


START: Final = {
    "title": "",
    "mode": MODES[0],
    "rubric": rubric.DEFAULT_RUBRIC,
    "rubric_version": rubric.DEFAULT_VERSION,
    "seed": "1",
    "repeat_percent": "0",
    "ask_source": ASKED[0],
    "adjudicators": "1",
    "gold_feedback": "",
    "gold_least": "0",
    "gold_after": "3",
    "items": "last",
    "ids": "",
    "training": "",
    "gold": "",
}
