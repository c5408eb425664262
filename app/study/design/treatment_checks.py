"""Checklist: who gets which lexicon, coverage or format, and what tests can find."""

from app.scoring.planned import FORMAT, LEXICON
from app.study.design import arms, world_pairs
from app.study.design.check_item import FINE, LOOK, Check
from app.study.design.spec import StudySpec
from app.study.design.words import task_name

FAMILIES = {"attribute": "the attribute family", "procedural": "the procedural family"}
POSSIBLE = "p = .05 is possible. What if shows how likely a test is to reach it."
NAMES = {"lexicon": LEXICON, "format": FORMAT}


def conditions(spec: StudySpec) -> list[Check]:
    """Say who gets which lexicon, coverage or format, if the cells differ in one of them."""
    found, title = [], "Conditions"
    for name in ("lexicon", "coverage", "format"):
        values = list(arms.arms(spec.cells(), name))
        if len(values) == 1:
            continue
        listed = f"{', '.join(values[:-1])} or {values[-1]}"
        if spec.between == name:
            words = f"Each player plays with one {name} only: {listed}."
            found.append(Check("conditions", FINE, title, words))
        elif spec.per_player == 1:
            words = f"Each player plays one world, so one {name}: {listed}."
            found.append(Check("conditions", FINE, title, words))
        else:
            words = (
                f"The cells differ in {name} ({listed}). Cells are filled evenly, whoever plays "
                "them, so some players get several of them and others only one."
            )
            advice = f"For one {name} per player, set what differs between players to {name}."
            found.append(Check("conditions", LOOK, title, words, advice, "between"))
    return found


def pairs(spec: StudySpec) -> list[Check]:
    """Say whether tests between lexica or formats have enough pairs; [] if nothing is tested."""
    found, title = [], "Tests"
    for name, levels in world_pairs.short(spec).items():
        words = (
            f"Tests of {NAMES[name]} compare worlds, not people: a pair is one task and seed on "
            "both sides."
        )
        if not levels:
            found.append(Check("pairs", FINE, title, f"{words} There are enough pairs: {POSSIBLE}"))
            continue
        listed = ", ".join(f"{level_name(level)} has {number}" for level, number in levels)
        words = f"{words} Too few for p = .05, however many people take part: {listed}."
        advice = (
            f"Use the same seeds on both sides, at least {world_pairs.ENOUGH} for a task (7 if the "
            "study has tasks of both families), such as 0-6. What if shows the power."
        )
        found.append(Check("pairs", LOOK, title, words, advice, "blocks"))
    return found


def level_name(level: str) -> str:
    """Return a task, a family or the total in words."""
    return FAMILIES.get(level, "") or task_name(level)
