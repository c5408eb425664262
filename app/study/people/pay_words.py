"""What a person is owed and how it is settled, in words for the researchers' pages."""

from typing import Any

from app.languages.amounts import money
from app.study.people.payments import Owed
from app.study.people.recruitment import QUEUES

NO_AMOUNT = "no amount recorded"
UNDER_WAY = (
    "Still under way: pay for time so far. The amount for finishing and the bonus are added when "
    "they finish."
)
NO_PLATFORM_ID = (
    "No platform ID is stored for them, so bonus.csv leaves them out: pay {total} manually."
)
NOTHING = "They left before finishing and are owed nothing."


def sent_words(one: Owed) -> str:
    """Return when and how much was recorded as sent, and what is owed now if that differs."""
    if one.sent is None:
        return ""
    currency, day = one.spec.payment.currency, f"{one.sent.at:%Y-%m-%d}"
    if one.sent.cents is None:
        return f"{day}, {NO_AMOUNT}"
    now = f", now {money(currency, one.extra_cents)}" if one.is_changed else ""
    return f"{day}, {money(currency, one.sent.cents)}{now}"


def amounts(one: Owed) -> list[tuple[str, str]]:
    """Return (label, amount) of each part of the pay and of their sum."""
    names = ("base_cents", "time_cents", "bonus_cents", "total_cents")
    labels = ("For finishing", "For time", "Bonus", "Total")
    texts = (money(one.spec.payment.currency, one.due[name]) for name in names)
    return list(zip(labels, texts, strict=True))


def settling(one: Owed) -> list[str]:
    """Return how this person is paid, given how their part ended; one sentence or two."""
    total = money(one.spec.payment.currency, one.due["total_cents"])
    extra = money(one.spec.payment.currency, one.extra_cents)
    if one.person.state == "active":
        return [UNDER_WAY]
    found = []
    if one.queue:
        found.append(f"In the platform’s list, queue {one.queue}: {QUEUES[one.queue]}")
    elif not one.due["total_cents"]:
        found.append(NOTHING if one.person.finished_at is None else "They are owed nothing.")
    elif not one.person.external_id:
        found.append(NO_PLATFORM_ID.format(total=total))
    elif one.due["base_cents"]:
        base = money(one.spec.payment.currency, one.due["base_cents"])
        found.append(f"Approve them on the platform, which pays {base} for finishing.")
    if one.is_listed:
        found.append(f"bonus.csv lists {extra} for them.")
    return found


def pay_facts(one: Owed) -> dict[str, Any]:
    """Return what a participant's page says about pay."""
    return {
        "amounts": amounts(one),
        "problem": one.due.get("bonus_problem", ""),
        "sent": sent_words(one) or "not recorded as sent",
        "is_changed": one.is_changed,
        "code": one.code,
        "settling": settling(one),
    }
