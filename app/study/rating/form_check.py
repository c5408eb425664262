"""Whether the form of a round's texts, as raters see them, gives away people and models."""

from collections.abc import Iterable

from app.scoring.surface import LEAST, Telling, TooFewError, telling
from app.store.base import AnyRow
from app.store.rating.items import PLAYER
from app.store.rating.rounds import MAIN
from app.study.rating.presentation import VERSION, shown

CHANCE = 0.5


def check(listed: Iterable[AnyRow], presentation: str, seed: int) -> Telling | None:
    """Return how well form alone tells models' texts from people's; None if there are too few.

    Args:
        listed: the round's items, with `kind`, `item_kind`, `text`.
        presentation: the form in which the round shows texts.
        seed: the round's, for the folds.
    """
    people, models = list[str](), list[str]()
    for row in listed:
        if row.kind == MAIN and row.text:
            mine = people if row.item_kind == PLAYER else models
            mine.append(shown(row.text, presentation))
    try:
        return telling(people, models, seed)
    except TooFewError:
        return None


def form_of(state: str, stored: str) -> str:
    """Return the form of a round's texts: a draft will open with the newest."""
    return VERSION if state == "draft" else stored


def words(found: Telling | None) -> str:
    """Return the result as a sentence for researchers."""
    if found is None:
        return (
            f"Form was not compared: this needs at least {LEAST} texts by people and {LEAST} by "
            "models."
        )
    figures = (
        f"a classifier that sees lengths and punctuation but no words orders {found.area:.0%} of "
        f"pairs of a person's and a model's text correctly (95% interval {found.low:.0%} to "
        f"{found.high:.0%}; chance is 50%)."
    )
    if found.low > CHANCE:
        return (
            f"Form alone distinguishes people from models: {figures} Raters may notice too. "
            "Choose texts of similar length, or report this figure with the results."
        )
    return f"Form alone does not tell people from models: {figures}"


def is_telling(found: Telling | None) -> bool:
    """Return whether the interval lies above chance."""
    return found is not None and found.low > CHANCE
