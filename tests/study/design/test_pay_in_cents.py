"""Pay is in cents: amounts typed in pounds are refused or named, and no bonus is overestimated."""

import pytest

from app.study.design.check_item import BLOCK, FINE, LOOK
from app.study.design.checklist import checks
from app.study.design.formula import FormulaError, check_formula
from app.study.design.promises import paid
from app.study.design.spec import StudyFileError, check_study

CAP = {"currency": "GBP", "base_cents": 400, "bonus_cap_cents": 50}
TEXT = {"pay": "GBP 4 and 10p for each guardian you defeat", "contact": "a@example.org"}


def study(bonus, text=TEXT, **parts):
    """Return a real study whose players get five guardians."""
    blocks = [{"task": task, "seeds": [0]} for task in ("A-Over", "P-Over")]
    own = {"payment": {**CAP, "bonus": bonus}, "texts": text, "blocks": blocks, **parts}
    return check_study({"slug": "s", "title": "S", "kind": "real", "per_player": 2, **own})


def item(spec, name):
    return next(one for one in checks(spec) if one.name == name)


@pytest.mark.parametrize(
    ("bonus", "most"),
    [
        ("10 * successes", 450),
        ("0.10 * successes", 401),
        ("50 - 10 * successes", 450),  # may pay more for less
        ("minutes", 450),
        ("", 400),
        ("5 if successes < 3 else 0", 405),
    ],
)
def test_highest_pay_is_no_more_than_the_formula_can_give(bonus, most):
    assert paid(study(bonus)).high == most


@pytest.mark.parametrize(("bonus", "level"), [("10 * successes", FINE), ("0.10 * successes", LOOK)])
def test_bonus_in_pounds_is_named(bonus, level):
    spec = study(bonus)
    assert item(spec, "pay").level == level
    assert item(spec, "bonus").level == level
    assert ("It gives cents" in item(spec, "bonus").advice) == (level == LOOK)


def test_promise_that_such_a_bonus_breaks_blocks():
    text = {**TEXT, "pay": "GBP 4, or GBP 4.50 with all guardians"}
    assert item(study("10 * successes", text), "pay").level == FINE
    assert item(study("0.10 * successes", text), "pay").level == BLOCK


@pytest.mark.parametrize("pay", [
    "GBP 4 + GBP 0.10 per guardian defeated",
    "GBP 4 plus 10 pence per guardian",
    "GBP 4 and a bonus of 10p for each guardian",
])  # fmt: skip
def test_promised_bonus_that_no_formula_pays_is_named(pay):
    found = item(study("", {**TEXT, "pay": pay}), "pay")
    assert found.level == LOOK
    assert "The text also names GBP 0.10, but no bonus is paid." in found.found
    assert item(study("10 * successes", {**TEXT, "pay": pay}), "pay").level == FINE


@pytest.mark.parametrize("name", ["base_cents", "hourly_cents", "bonus_cap_cents"])
@pytest.mark.parametrize("value", ["4.00", 4.0, "4.5"])
def test_amounts_with_decimals_are_refused(name, value):
    with pytest.raises(StudyFileError, match=r"enter whole cents: 400 for 4\.00"):
        study("10 * successes", payment={**CAP, name: value})


@pytest.mark.parametrize("formula", ["10 *", "10 * (successes", "10 successes", "= 3"])
def test_formula_that_is_none_is_refused_without_a_parsers_words(formula):
    with pytest.raises(FormulaError) as caught:
        check_formula(formula)
    assert "something is missing in it, or too much" in caught.value.message
    assert "<unknown>" not in caught.value.message
