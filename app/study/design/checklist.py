"""What to check before a study is opened: what blocks it, what to check again, what is fine.

An item blocks only if participants would be harmed and a change of the design solves it: a real
study that promises more than it pays, gives no contact, or takes longer than it lets people stay.
"""

from app.counted import counted
from app.errors import StudyError
from app.languages.amounts import money
from app.study.design import arms
from app.study.design.bursts import burst_of
from app.study.design.check_item import (
    BLOCK,
    FINE,
    LOOK,
    RECRUITING,
    Check,
    Level,
    most_people,
    serious,
)
from app.study.design.code_checks import codes, entry
from app.study.design.consent_checks import consent, debrief, gaps
from app.study.design.pay_checks import bonus, pay
from app.study.design.promises import paid
from app.study.design.sources import OWN
from app.study.design.spec import StudySpec
from app.study.design.task_advice import SHOWN_BY_ELIMINATION, warnings
from app.study.design.time_checks import time
from app.study.design.treatment_checks import pairs, treatment
from app.study.design.words import task_name


class NotReadyError(StudyError):
    """A study cannot be opened; the message has one line per reason."""

    code = "study/not_ready"


def checks(spec: StudySpec) -> list[Check]:
    """Return every item that the design alone decides."""
    found = [pay(spec), contact(spec), codes(spec), quota(spec), time(spec), consent(spec)]
    own = [own_tasks(spec)] if spec.tasks else []
    parts = (entry, debrief, gaps, bonus, treatment, pairs, first_guardians)
    return [*found, *(one for part in parts for one in part(spec)), *own]


def first_guardians(spec: StudySpec) -> list[Check]:
    """Name tasks whose first guardian proves nothing, since no one can beat its floor."""
    cells = [one for one in spec.cells() if one.coverage in ("1", "2") and one.source == OWN]
    tasks = [one for one in SHOWN_BY_ELIMINATION if any(cell.task == one for cell in cells)]
    if not tasks or spec.kind not in RECRUITING:
        return []
    found = (
        f"{', '.join(map(task_name, tasks))}: a bot that only rules out what the accounts show "
        "always defeats the first guardian. So results of first guardians cannot show that people "
        "found the rule."
    )
    advice = "Look at the results over all guardians and at what people write, or add other tasks."
    return [Check("floors", LOOK, "First guardians", found, advice, "blocks")]


def own_tasks(spec: StudySpec) -> Check:
    """Look for own tasks that are valid but probably not what was meant."""
    problems = [
        f"{name}: {problem}."
        for name, task in spec.own_tasks().items()
        for problem in warnings(task)
    ]
    if not problems:
        return Check("tasks", FINE, "Own tasks", "Each rule needs class and role.")
    advice = "Change the tables or n_tries, unless this is what you want to study."
    return Check("tasks", LOOK, "Own tasks", " ".join(problems), advice, "tasks")


def require_ready(spec: StudySpec) -> None:
    """Raise NotReadyError if an item blocks."""
    if lines := blocking(spec):
        raise NotReadyError("\n".join(lines))


def blocking(spec: StudySpec) -> list[str]:
    """Return why a study must not be open, in words."""
    return [line(one) for one in checks(spec) if one.level == BLOCK]


def line(one: Check) -> str:
    """Return an item as one line of text."""
    return f"{one.title}: {one.found} {one.advice}"


def contact(spec: StudySpec) -> Check:
    """Check that players can ask someone."""
    whom = spec.texts.contact or ("no one, but bots do not ask" if spec.is_of_bots else "")
    if whom:
        return Check("contact", FINE, "Contact", f"Players can ask {whom}.")
    found = "Players have no one to contact with questions."
    advice = "Enter a contact, such as an e-mail address."
    return Check("contact", serious(spec), "Contact", found, advice, "texts.contact")


def quota(spec: StudySpec) -> Check:
    """Check that the number of people, and so the cost, has a limit."""
    own, title = spec.people.quota, "Number of participants"
    seats = arms.places(spec.cells(), spec.between, spec.per_player)
    most = most_people(spec)
    if most is None:
        found = "Anyone with the link can enter: there is no limit."
        advice = "Enter how many participants you need."
        level: Level = LOOK if spec.kind == "real" else FINE
        return Check("quota", level, title, found, advice, "people.quota")
    due = paid(spec).high
    cost = f" That costs up to {money(spec.payment.currency, most * due)}." if due else ""
    if most < 1:
        found = "The cell quotas leave no place for anyone."
        return Check("quota", serious(spec), title, found, "Raise them.", "people.cell_quota")
    if own is not None and seats is not None and seats < own:
        found = f"{own} participants are wanted, but the cell quotas allow only {seats}.{cost}"
        return Check("quota", LOOK, title, found, "Raise the cell quotas.", "people.cell_quota")
    plays, cells = most * spec.per_player, len(spec.cells())
    if plays < cells:
        found = (
            f"At most {counted(most, 'participant')}.{cost} They can play only {plays} of the "
            f"{cells} cells."
        )
        advice = "Raise the number of participants, or use fewer seeds."
        return Check("quota", LOOK, title, found, advice, "people.quota")
    at_once = f" From one address, {counted(burst_of(spec), 'person', 'people')} can enter at once."
    return Check("quota", FINE, title, f"At most {counted(most, 'participant')}.{cost}{at_once}")
