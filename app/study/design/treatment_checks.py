"""Checklist of treatments: who gets which lexicon, coverage or format, and what tests can find."""

from app.scoring.planned import FORMAT, LEXICON
from app.study.design import arms, world_pairs
from app.study.design.check_item import FINE, LOOK, Check, most_people
from app.study.design.spec import StudySpec
from app.study.design.words import task_name

FAMILIES = {"attribute": "the attribute family", "procedural": "the procedural family"}
POSSIBLE = "Enough pairs for p = .05 to be possible, which does not make it likely."
FEW = 2  # people in a world on one side: below this, its mean is one person's
NAMES = {"lexicon": LEXICON, "format": FORMAT}


def treatment(spec: StudySpec) -> list[Check]:
    """Say who gets which lexicon, coverage or format, if the cells differ in one of them."""
    found, title = [], "Treatment"
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
            advice = f"For one {name} per player, choose {name} as the treatment."
            found.append(Check("conditions", LOOK, title, words, advice, "between"))
    return found


def pairs(spec: StudySpec) -> list[Check]:
    """Say whether tests between lexica or formats have enough pairs; [] if nothing is tested."""
    found, title = [], "Worlds for tests"
    for name, levels in world_pairs.short(spec).items():
        words = (
            f"Tests of {NAMES[name]} compare worlds, not people: a pair is one task and seed on "
            "both sides."
        )
        if not levels:
            found.append(enough(spec, title, f"{words} {POSSIBLE}"))
            continue
        listed = ", ".join(f"{level_name(level)} has {number}" for level, number in levels)
        words = f"{words} Too few for p = .05, however many people take part: {listed}."
        advice = (
            f"Use the same seeds on both sides, at least {world_pairs.ENOUGH} for a task (7 if the "
            "study has tasks of both families), such as 0-6. What if, or hjstudy plan "
            f"{spec.slug}, shows the power."
        )
        found.append(Check("pairs", LOOK, title, words, advice, "blocks"))
    return found


def enough(spec: StudySpec, title: str, words: str) -> Check:
    """Return the item for a treatment with enough pairs, with the people in each world.

    `words`: what is said about pairs.
    """
    most = most_people(spec)
    power = (
        f"What if, or hjstudy plan {spec.slug}, shows how likely a test is to find a difference."
    )
    if most is None:
        people = "How many people play each world is open, because there is no quota."
        return Check("pairs", FINE, title, f"{words} {people} {power}")
    each = most * spec.per_player / len(spec.cells())
    play = "person plays" if f"{each:.3g}" == "1" else "people play"
    words = f"{words} About {each:.3g} {play} each world on each side. {power}"
    if each >= FEW:
        return Check("pairs", FINE, title, words)
    advice = "Raise the number of participants, or use fewer seeds, if enough pairs remain."
    return Check("pairs", LOOK, title, words, advice, "people.quota")


def level_name(level: str) -> str:
    """Return a task, a family or the total in words."""
    return FAMILIES.get(level, "") or task_name(level)
