"""What the checklist says about minutes in which no one can finish, and about unusual wages."""

import pytest

from app.study.design.check_item import FINE, LOOK
from app.study.design.checklist import checks
from app.study.design.spec import check_study

COND = {"task": "A-Cond", "seeds": [0, 1]}  # four guardians
SHORT = "texts.minutes"
PAY = "payment.base_cents"


def found_in(kind="real", minutes=20, block=COND, **parts):
    study = {"slug": "s", "title": "S", "kind": kind, "blocks": [block], **parts}
    spec = check_study({**study, "texts": {"minutes": minutes, "contact": "me@example.org"}})
    return next(one for one in checks(spec) if one.name == "time")


@pytest.mark.parametrize("kind", ["real", "pilot"])
def test_three_minutes_for_four_guardians_are_too_few(kind):
    found = found_in(kind, minutes=3, payment={"base_cents": 400})

    assert (found.level, found.path) == (LOOK, SHORT)
    assert "They meet at least 4 guardians and fill in 4 rule forms" in found.found
    assert "8 minutes" in found.found
    assert "Try it" in found.advice
    assert (
        "Pay per hour is unusually high" in found.found
    )  # GBP 80 an hour, as the minutes are too few


@pytest.mark.parametrize(
    ("minutes", "parts", "level"),
    [
        (7, {}, LOOK),
        (8, {}, FINE),
        (4, {"rule_form": {"when": "block"}}, LOOK),
        (5, {"rule_form": {"when": "block"}}, FINE),
        (3, {"options": {"episodes_per_block": 2}}, LOOK),
        (4, {"options": {"episodes_per_block": 2}}, FINE),
        (15, {"per_player": 2}, LOOK),
        (16, {"per_player": 2}, FINE),
        (1, {"kind": "bots"}, FINE),
        (1, {"kind": "demo"}, FINE),
    ],
)
def test_a_minute_for_each_guardian_and_each_form_is_the_least(minutes, parts, level):
    assert found_in(minutes=minutes, **parts).level == level


@pytest.mark.parametrize(
    ("cents", "currency", "said", "level"),
    [
        (199, "GBP", "Prolific asks for at least GBP 6.00 an hour", LOOK),  # 5.97 an hour
        (200, "GBP", "", FINE),
        (266, "USD", "Prolific asks for at least USD 8.00 an hour", LOOK),
        (267, "USD", "", FINE),
        (1334, "GBP", "Pay per hour is unusually high", LOOK),  # 40.02 an hour
        (1333, "GBP", "", FINE),
        (1334, "EUR", "Pay per hour is unusually high", LOOK),
        (100, "EUR", "", FINE),  # no floor is known for it
        (100_000, "JPY", "", FINE),
        (0, "GBP", "", FINE),  # the item on pay says so
    ],
)
def test_unusual_pay_per_hour_is_named(cents, currency, said, level):
    found = found_in(payment={"base_cents": cents, "currency": currency})

    assert (found.level, found.path) == (level, PAY if level == LOOK else "")
    assert said in found.found
    assert ("Prolific" in found.found or "unusually" in found.found) == bool(said)


def test_pay_by_the_hour_is_judged_too():
    found = found_in(payment={"hourly_cents": 400})
    assert (found.level, found.path) == (LOOK, "payment.hourly_cents")


@pytest.mark.parametrize("kind", ["demo", "bots"])
def test_wages_of_studies_without_participants_are_not_judged(kind):
    assert found_in(kind, payment={"base_cents": 10}).level == FINE
