from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.study.design.formula import METRICS, FormulaError, bonus_cents, check_formula
from app.study.design.spec import StudyFileError, check_study, parse_spec
from app.study.design.spec_people import Pay
from app.study.play.pay import active_minutes, payment

ZERO = dict.fromkeys(METRICS, 0.0)
GOOD = {**ZERO, "finished": 1, "successes": 3, "episodes": 4, "ecsr": 0.625, "minutes": 24.5}


def test_bonus_is_the_formula_in_whole_cents_halves_up():
    assert bonus_cents("50 * successes", GOOD, 1000) == 150
    assert bonus_cents("100 * ecsr", GOOD, 1000) == 63  # 62.5
    assert bonus_cents("200 if successes >= 3 else 0", GOOD, 1000) == 200
    assert bonus_cents("min(80, 50 * successes)", GOOD, 1000) == 80


def test_bonus_stays_between_zero_and_the_cap():
    assert bonus_cents("5000 * successes", GOOD, 400) == 400
    assert bonus_cents("-5 * successes", GOOD, 400) == 0
    assert bonus_cents("", GOOD, 400) == 0


@pytest.mark.parametrize(
    "formula",
    [
        "__import__('os').system('true')",
        "successes.__class__",
        "(lambda: 1)()",
        "[1 for _ in (1, 2)]",
        "9 ** 9 ** 9",
        "open('x')",
        "unknown * 2",
        "'a' * 9999999",
        "1 +",
        "1 / 0",
        "None",
        "'text'",
        "1e999 * successes",
        "1e999 - 1e999",
        "exec('1')",
        "bonus = 100 * successes",
        "bonus := 100",
        "100; 200",
        "100\n200",
        "bonus += 1",
    ],
)
def test_formula_that_is_more_than_arithmetic_is_refused_in_words(formula):
    with pytest.raises(FormulaError, match="bonus formula"):
        check_formula(formula)


@given(st.text(max_size=40))
def test_any_text_is_a_number_or_a_formula_error(text):
    with suppress(FormulaError):
        assert 0 <= bonus_cents(text, GOOD, 500) <= 500


def test_active_minutes_count_a_long_gap_as_the_limit():
    minute = 60_000
    assert active_minutes([0, 2 * minute, 5 * minute], 30) == 5
    assert active_minutes([5 * minute, 0, 500 * minute], 30) == 35
    assert active_minutes([], 30) == 0


def test_time_is_paid_to_the_cap_and_the_rest_needs_a_finish():
    pay = Pay(
        base_cents=300, hourly_cents=1200, max_paid_minutes=20, bonus="10", bonus_cap_cents=50
    )
    assert payment(pay, GOOD).total_cents == 300 + 400 + 10
    left = payment(pay, {**GOOD, "finished": 0})
    assert (left.base_cents, left.time_cents, left.bonus_cents) == (0, 400, 0)


@given(st.floats(0, 1000), st.integers(0, 10_000))
def test_payment_is_never_negative_and_always_whole(minutes, rate):
    found = payment(Pay(hourly_cents=rate), {**ZERO, "minutes": minutes})
    assert isinstance(found.total_cents, int)
    assert found.total_cents >= 0


def test_person_whose_bonus_cannot_be_computed_is_reported_and_paid_the_rest():
    pay = Pay(base_cents=300, bonus="60 / (successes - 3)", bonus_cap_cents=90)
    odd = payment(pay, GOOD)
    assert (odd.total_cents, odd.bonus_cents) == (300, 0)
    assert "divides by zero" in odd.bonus_problem
    other = payment(pay, {**GOOD, "successes": 4})
    assert (other.total_cents, other.bonus_problem) == (360, "")


STUDY = {"slug": "s", "title": "S", "blocks": [{"task": "A-Over", "seeds": 1}]}


@pytest.mark.parametrize("formula", ["50 * winnings", "1 / 0", "50 *", "successes.real"])
def test_design_with_a_formula_that_cannot_be_computed_is_refused_at_its_field(formula):
    with pytest.raises(StudyFileError, match="bonus formula") as refused:
        check_study({**STUDY, "payment": {"bonus": formula}})
    assert [fault.path for fault in refused.value.faults] == ["payment.bonus"]


@pytest.mark.parametrize("formula", ["100 * successes / episodes", "9 / (successes - 1)", "", "7"])
def test_formula_that_divides_by_zero_for_some_alone_is_taken(formula):
    assert check_study({**STUDY, "payment": {"bonus": formula}}).payment.bonus == formula


def test_stored_design_of_before_that_rule_is_still_played():
    spec = check_study({**STUDY, "payment": {"bonus": "50 * successes"}})
    old = spec.canonical().replace("50 * successes", "50 * winnings")
    assert parse_spec(old).payment.bonus == "50 * winnings"


def test_name_close_to_one_of_a_formula_is_suggested():
    with pytest.raises(FormulaError, match="Instead of success, use successes"):
        check_formula("50 * success")
    with pytest.raises(FormulaError) as refused:
        check_formula("50 * zzz")
    assert "Instead of" not in str(refused.value)
