"""What a design asks of a participant, in a few sentences: pay, time, questions, contact. Pure."""

from collections.abc import Mapping

from app.study.design import arms
from app.study.design.checklist import contact
from app.study.design.guardians import guardians
from app.study.design.pay_checks import pay
from app.study.design.spec import StudySpec
from app.study.design.time_checks import time


def summary(spec: StudySpec) -> Mapping[str, tuple[str, str]]:
    """Return a title -> (the path of a field to change it, what the design says)."""
    return {
        "Pay": ("payment.base_cents", pay(spec).found),
        "Time": ("texts.minutes", f"{time(spec).found} {met(spec)} {world_time(spec)}"),
        **({"Treatment": ("between", treated(spec))} if spec.between != arms.NONE else {}),
        "Questions": ("questions.before", asked(spec)),
        "Contact": ("texts.contact", contact(spec).found),
    }


def treated(spec: StudySpec) -> str:
    """Return the treatments with their worlds, and how many people each gets, in words."""
    found = arms.arms(spec.cells(), spec.between)
    listed = ", ".join(f"{value} ({len(own)} worlds)" for value, own in found.items())
    quota = spec.people.quota
    each = f" About {quota // len(found)} of {quota} people get each." if quota else ""
    return f"Each player plays with one {spec.between}: {listed}.{each}"


def met(spec: StudySpec) -> str:
    """Return how many guardians a player meets, in words."""
    least, most = guardians(spec)
    number = f"{most}" if least == most else f"{least} to {most}"
    return f"Each player meets {number} guardian{'' if number == '1' else 's'}."


def world_time(spec: StudySpec) -> str:
    """Return how long a world takes: the announced minutes, shared out, since no clock ends one."""
    worlds, minutes = spec.per_player, spec.texts.minutes
    each = (
        f"{worlds} worlds share the {minutes} expected minutes: at most {minutes / worlds:.3g} each"
        if worlds > 1
        else f"One world fills the {minutes} expected minutes"
    )
    return (
        f"{each}, with instructions and questions. No world has a time limit of its own; each "
        "guardian ends when its actions are used up."
    )


def asked(spec: StudySpec) -> str:
    """Return how many questions participants are asked outside the game."""
    found = spec.questions
    check = len(found.comprehension)
    tries = f", at most {found.comprehension_tries} tries" if check else ""
    comment = ", and a comment" if found.comment else ""
    return (
        f"Before the game: {len(found.before)}. Comprehension check: {check}{tries}. "
        f"After the game: {len(found.after)}{comment}."
    )
