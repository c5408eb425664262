"""Treatments: the cells of a design split into arms, one for each player.

Pure functions; they know a cell only by its attributes.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

Between = Literal["none", "lexicon", "coverage", "format", "task"]
NONE: Between = "none"
Cell = TypeVar("Cell")


def arms(cells: Sequence[Cell], between: str) -> dict[str, list[Cell]]:
    """Return the cells by the value that differs between players; all of them under '' if none."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault("" if between == NONE else str(getattr(cell, between)), []).append(cell)
    return found


def faults(cells: Sequence[Any], between: str, per_player: int) -> list[str]:
    """Return why the cells cannot be split so that every player stays in one arm, or []."""
    found = arms(cells, between)
    if between == NONE:
        return []
    if len(found) == 1:
        only = next(iter(found))
        return [f"between: every cell has the {between} {only}; add cells of another, or use none"]
    return [
        f"between: only {words(len(own))} {between} {value}, but each player plays {per_player} "
        "(per_player)"
        for value, own in found.items()
        if len(own) < per_player
    ]


def words(number: int) -> str:
    """Return how many cells have something, as the beginning of a clause."""
    return "1 cell has the" if number == 1 else f"{number} cells have the"


def places(cells: Sequence[Any], between: str, per_player: int) -> int | None:
    """Return how many players the quotas of the cells allow, or None for no limit."""
    found = 0
    for own in arms(cells, between).values():
        quotas: list[int] = [cell.quota for cell in own if cell.quota is not None]
        if len(quotas) < len(own):
            return None
        found += sum(quotas) // per_player
    return found
