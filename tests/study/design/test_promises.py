"""What a pay text promises, in other words than `GBP 4`: other currencies, scripts, refusals."""

import pytest

from app.study.design.check_item import BLOCK, LOOK
from app.study.design.promises import Amount, amounts_in, says_unpaid
from tests.study.design.test_checklist import changed, item

AMOUNTS: list[tuple[str, tuple[int, str]]] = [
    *((text, (50_000, "KES")) for text in ("KES 500", "500 KES", "KSh 500", "KES ٥٠٠")),
    ("500 shillings", (50_000, "")),
    ("XAF 500", (50_000, "XAF")),
    *((text, (400, "EUR")) for text in ("4 يورو", "٤ يورو")),
]
UNPAID = [
    *("nothing", "None", "no payment", "You will not be paid.", "There is no payment."),
    *("This study is unpaid.", "We cannot pay you.", "Participation is voluntary", "0", "GBP 0"),
    *("nichts", "keine", "unbezahlt", "Ohne Vergütung", "لا شيء", "لا يوجد أجر", "بدون مقابل"),
]
NOT_UNPAID = ["", "1 course credit", "No less than £9", "Note: Prolific pays", "three pounds"]


@pytest.mark.parametrize(("text", "amount"), AMOUNTS)
def test_amount_in_another_currency_or_script_is_found(text, amount):
    assert amounts_in(text) == [Amount(amount[0], amount[1], hourly=False)]


def test_codes_that_are_words_count_in_capitals_only():
    assert amounts_in("try 50 times, top 5") == []
    assert amounts_in("TRY 50") == [Amount(5000, "TRY", hourly=False)]


def test_text_that_denies_pay_is_known_in_every_shipped_language():
    assert [text for text in UNPAID if not says_unpaid(text)] == []
    assert [text for text in NOT_UNPAID if says_unpaid(text)] == []


@pytest.mark.parametrize("text", [*(text for text, _ in AMOUNTS), "four pounds", "5 dollars"])
def test_real_study_that_names_money_but_pays_nothing_cannot_open(text):
    found = item(changed(texts={"pay": text}, payment={"base_cents": 0}), "pay")
    assert found.level == BLOCK
    assert found.advice


@pytest.mark.parametrize("text", UNPAID)
def test_real_study_that_pays_cannot_open_with_a_text_that_denies_it(text):
    assert item(changed(texts={"pay": text}), "pay").level == BLOCK
    assert item(changed(texts={"pay": text}, payment={"base_cents": 0}), "pay").level == LOOK
