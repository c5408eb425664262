"""Checklist: whether the pay text and the pay section agree, and what a bonus can reach."""

from collections.abc import Sequence
from dataclasses import replace

from app.languages.amounts import money
from app.study.design.check_item import FINE, LOOK, Check, Level, serious
from app.study.design.default_texts import DEMO_PAY
from app.study.design.guardians import best_bonus, guardians
from app.study.design.promises import (
    Amount,
    Range,
    amounts_in,
    is_foreign,
    names_money,
    paid,
    promised,
    says_unpaid,
)
from app.study.design.spec import StudySpec

SMALL_PAY = 50  # cents; less is often an amount in pounds or dollars


def bonus(spec: StudySpec) -> list[Check]:
    """Compare the maximum with the most that the formula can pay; [] without a bonus."""
    own = spec.payment
    if not own.bonus.strip() or not own.bonus_cap_cents:
        return []
    best = best_bonus(spec)
    if best is None:
        return []
    number = guardians(spec)[1]
    cap, most = money(own.currency, own.bonus_cap_cents), money(own.currency, best)
    found = (
        f"The maximum is {cap}. A player who defeats all {number} guardians without a wasted "
        f"action, in {spec.texts.minutes} minutes, "
    )
    title, path = "Bonus", "payment.bonus_cap_cents"
    if best > own.bonus_cap_cents:
        advice = "Raise the maximum, unless you want to limit the bonus."
        return [Check("bonus", LOOK, title, f"{found}would earn {most}.", advice, path)]
    if best < own.bonus_cap_cents:
        advice = (
            "Lower the maximum, or correct the formula. It gives cents: 10 * successes is 0.10 for "
            "each guardian."
        )
        return [Check("bonus", LOOK, title, f"{found}earns at most {most}.", advice, path)]
    return [Check("bonus", FINE, title, f"{found}earns all of it.")]


def pay(spec: StudySpec) -> Check:
    """Check that promises are kept, and that a bonus formula can pay something."""
    found, own = promise(spec), spec.payment
    if found.level == FINE and 0 < paid(spec).low < SMALL_PAY:
        few = money(own.currency, paid(spec).low)
        advice = f"Is {few} right? Amounts in the pay section are whole cents: 300 is 3.00."
        return replace(found, level=LOOK, advice=advice, path="payment.base_cents")
    if not own.bonus or own.bonus_cap_cents:
        return found
    return replace(
        found,
        level=LOOK if found.level == FINE else found.level,
        found=f"{found.found} The bonus formula has no effect, because the maximum is 0.",
        advice=f"{found.advice} Enter the maximum bonus, or remove the formula.".strip(),
        path=found.path or "payment.bonus_cap_cents",
    )


def promise(spec: StudySpec) -> Check:
    """Compare the amounts in the pay text with what the pay section pays."""
    text, due, own = spec.texts.pay, paid(spec), spec.payment.currency
    promises = amounts_in(text)
    pays = (
        money(own, due.low)
        if due.low == due.high
        else (f"{money(own, due.low)} to {money(own, due.high)}")
    )
    title = "Pay"
    if not any(one.cents for one in promises):
        return unpromised(spec, pays)
    foreign = sorted({one.currency for one in promises if is_foreign(one, own)})
    most = max(promised(one, spec.texts.minutes) for one in promises)
    words = f"Players read “{text}”. The pay section pays {pays} for finishing."
    if foreign:
        advice = f"Use one currency: the pay section has {own}, the text {', '.join(foreign)}."
        return Check("pay", serious(spec), title, words, advice, "payment.currency")
    if most > due.high:
        advice = (
            "Enter the promised amount in the pay section, even if a platform pays it, or change "
            "the text."
        )
        return Check("pay", serious(spec), title, words, advice, "payment.base_cents")
    if most < due.low:
        advice = "The text promises less than is paid. Change one of them."
        return Check("pay", LOOK, title, words, advice, "texts.pay")
    if (extra := unpaid_bonus(promises, due)) is not None:
        bonus = f"the bonus is at most {money(own, due.high - due.low)}"
        but = bonus if due.high > due.low else "no bonus is paid"
        words = f"{words} The text also names {money(own, extra)}, but {but}."
        advice = "Raise the bonus (its formula gives cents) and its maximum, or change the text."
        return Check("pay", LOOK, title, words, advice, "payment.bonus_cap_cents")
    return Check("pay", FINE, title, words)


def unpaid_bonus(promises: Sequence[Amount], due: Range) -> int | None:
    """Return an amount in the pay text, in cents, that only the bonus could pay but does not.

    An amount below the pay for finishing is no total, so it is a bonus.
    """
    named = [one.cents for one in promises if not one.hourly]
    most = max((one for one in named if one < due.low), default=0)
    return most if most > due.high - due.low and due.low in named else None


def unpromised(spec: StudySpec, pays: str) -> Check:
    """Return the item for a pay text without an amount. `pays`: the pay section in words."""
    text, title = spec.texts.pay, "Pay"
    if paid(spec).high and says_unpaid(text):
        found = f"Players read “{text}”, but the pay section pays {pays} for finishing."
        advice = "Change the text, or the pay section."
        return Check("pay", serious(spec), title, found, advice, "texts.pay")
    if paid(spec).high:
        found = f"The pay section pays {pays} for finishing, but players read no amount."
        return Check("pay", LOOK, title, found, "Name the amount in the pay text.", "texts.pay")
    if names_money(text) and not says_unpaid(text):
        found = f"Players read “{text}”. The pay section pays nothing."
        advice = "Write the amount in figures, and enter it in the pay section too."
        return Check("pay", serious(spec), title, found, advice, "payment.base_cents")
    words = f"Players read: “{text.rstrip('.')}”." if text else "Players read nothing about pay."
    found = f"{words} The pay section pays nothing."
    is_unwritten = not text or text == DEMO_PAY
    level: Level = LOOK if spec.kind == "real" or (spec.kind == "pilot" and is_unwritten) else FINE
    advice = "If participants are paid, say how much in the text and in the pay section."
    return Check("pay", level, title, found, advice, "texts.pay")
