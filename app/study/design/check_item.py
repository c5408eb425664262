"""One item of the checklist, and how grave it is."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.study.design import arms
from app.study.design.spec import StudySpec

Level = Literal["fine", "look", "block"]
FINE: Level = "fine"
LOOK: Level = "look"
BLOCK: Level = "block"
RECRUITING = ("pilot", "real")  # kinds of studies that people are recruited for


@dataclass(frozen=True, slots=True)
class Check:
    """One item. `advice`: what to do ('' if fine); `path`: the field to change, or ''."""

    name: str
    level: Level
    title: str
    found: str
    advice: str = ""
    path: str = ""


class Fault(NamedTuple):
    """One of several faults of an item: what it is, what to do about it, the field to change."""

    found: str
    advice: str
    path: str


def most_people(spec: StudySpec) -> int | None:
    """Return how many people the quotas admit; None: there is no limit."""
    seats = arms.places(spec.cells(), spec.between, spec.per_player)
    return min((one for one in (spec.people.quota, seats) if one is not None), default=None)


def serious(spec: StudySpec) -> Level:
    """Return the level of a fault that would harm participants of a real study."""
    return BLOCK if spec.kind == "real" else LOOK
