"""What a round still lacks: items that nobody rated, answers to the question who wrote a text."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection

from app.counted import counted
from app.store.base import AnyRow
from app.store.rating import ratings
from app.store.rating.rounds import TRAINING


class Missing(NamedTuple):
    """Numbers over all annotators; an item for two annotators counts twice."""

    items: int
    answers: int

    @property
    def sentence(self) -> str:
        """Return what is missing, as in `3 ratings and 5 answers are missing`, '' for nothing."""
        both = ((self.items, "rating"), (self.answers, "answer"))
        words = " and ".join(counted(number, one) for number, one in both if number)
        return f"{words} {'is' if sum(self) == 1 else 'are'} missing" if words else ""


def asked(ask_source: str, one: AnyRow) -> int:
    """Return how many answers a row of `ratings.progress` needs: who wrote it?"""
    if ask_source == "off" or one.kind == TRAINING:
        return 0
    return int(one.assigned if ask_source == "round" else one.assigned - one.skipped)


def of_rows(ask_source: str, rows: Iterable[AnyRow]) -> Missing:
    """Return what rows of `ratings.progress` lack."""
    listed = list(rows)
    return Missing(
        sum(one.assigned - one.rated - one.skipped for one in listed),
        sum(max(0, asked(ask_source, one) - one.guessed) for one in listed),
    )


def of_round(db: Connection, row: AnyRow) -> Missing:
    """Return what an open round lacks."""
    return of_rows(row.ask_source, ratings.progress(db, row.id))
