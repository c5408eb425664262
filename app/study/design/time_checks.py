"""Checklist: whether the announced minutes are enough, and what they make of the pay per hour."""

from collections.abc import Iterator

from app.counted import counted
from app.languages.amounts import money
from app.study.design.check_item import FINE, LOOK, RECRUITING, Check, Fault, serious
from app.study.design.guardians import guardians
from app.study.design.promises import MINUTES_PER_HOUR, paid
from app.study.design.spec import StudySpec

TITLE = "Time"
FLOOR = {"GBP": 600, "USD": 800}  # cents an hour that Prolific requires
# cents an hour; more usually means that the minutes or the cents are wrong
UNUSUAL = dict.fromkeys(("EUR", "GBP", "USD"), 4000)


def time(spec: StudySpec) -> Check:
    """Check the announced minutes against the clocks, the guardians and the pay per hour."""
    minutes, clocks = spec.texts.minutes, spec.clocks
    limit = min(clocks.session_hours, clocks.resume_hours) * MINUTES_PER_HOUR
    found = f"Players read that it takes about {minutes} minutes."
    if minutes > limit:
        found += f" They are timed out after {limit} minutes."
        advice = "Give them more time, or make the study shorter."
        return Check("time", serious(spec), TITLE, found, advice, "clocks.session_hours")
    if due := paid(spec).low:
        hourly = due * MINUTES_PER_HOUR // minutes
        found += f" Without a bonus, that pays {money(spec.payment.currency, hourly)} an hour."
    people = spec.kind in RECRUITING
    faults = [*unpaid(spec), *(too_short(spec) if people else ()), *(wage(spec) if people else ())]
    if not faults:
        return Check("time", FINE, TITLE, found)
    words = " ".join([found, *(one.found for one in faults)])
    advice = " ".join(one.advice for one in faults)
    return Check("time", LOOK, TITLE, words, advice, faults[0].path)


def unpaid(spec: StudySpec) -> Iterator[Fault]:
    """Yield that a part of the announced minutes is not paid."""
    pay = spec.payment
    if pay.hourly_cents and spec.texts.minutes > pay.max_paid_minutes:
        yield Fault(
            f"At most {pay.max_paid_minutes} minutes are paid.",
            "Raise the maximum number of paid minutes.",
            "payment.max_paid_minutes",
        )


def too_short(spec: StudySpec) -> Iterator[Fault]:
    """Yield that people have less than a minute for each guardian and each rule form."""
    number, _ = guardians(spec)
    forms = number if spec.rule_form.when == "episode" else spec.per_player
    if spec.texts.minutes < number + forms:
        met, filled = counted(number, "guardian"), counted(forms, "rule form")
        yield Fault(
            f"They meet at least {met} and fill in {filled}: with a minute for each, that alone "
            f"takes {number + forms} minutes.",
            "Play it once to the end with ‘Try it’, and enter the minutes that people need.",
            "texts.minutes",
        )


def wage(spec: StudySpec) -> Iterator[Fault]:
    """Yield that the pay per hour is unusually high, or below what Prolific requires."""
    own, due, minutes = spec.payment, paid(spec).low, spec.texts.minutes
    path = "payment.base_cents" if own.base_cents else "payment.hourly_cents"
    floor, unusual = FLOOR.get(own.currency, 0), UNUSUAL.get(own.currency)
    per_hour = due * MINUTES_PER_HOUR
    if unusual is not None and per_hour > unusual * minutes:
        advice = "Check the minutes and the pay. Amounts in the pay section are whole cents."
        yield Fault("Pay per hour is unusually high.", advice, path)
    elif 0 < per_hour < floor * minutes:
        least = money(own.currency, floor)
        advice = "Raise the pay, or ask for less time."
        yield Fault(f"Prolific asks for at least {least} an hour.", advice, path)
