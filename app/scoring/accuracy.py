"""Accuracy of stated answers (the direct format; the paper's question-answering condition)."""

from collections.abc import Iterable
from fractions import Fraction

from app.scoring.efficiency import NoEpisodesError


def unit_accuracy(rights: Iterable[bool | None]) -> float:
    """Return the share of right answers of one unit: a player's gen cells of one block.

    Args:
        rights: one per gen cell that counts; None = never answered, which is left out.

    Returns: a proportion in [0, 1].
    Raises: NoEpisodesError: nothing was answered (NaN is never returned).
    """
    found = [right for right in rights if right is not None]
    if not found:
        raise NoEpisodesError
    return float(Fraction(sum(found), len(found)))
