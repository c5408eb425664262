"""One item of the checklist, and how grave it is."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.study.design.spec import StudySpec

Level = Literal["fine", "look", "block"]
FINE: Level = "fine"
LOOK: Level = "look"
BLOCK: Level = "block"
PEOPLES = ("pilot", "real")  # kinds of studies that people take part in


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


def serious(spec: StudySpec) -> Level:
    """Return the level of a fault that would harm participants of a real study."""
    return BLOCK if spec.kind == "real" else LOOK
