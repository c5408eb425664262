"""Which spellings of a telephone number are recognised, and which numbers are none."""

import pytest

from app.study.phone_marks import holds_long_number, holds_phone

FOUND = [
    *("+49 171 5550199", "+49 (0)171 555 0199", "+491715550199", "(+49) 171/5550199"),
    *("0049 171 5550199", "00491715550199", "+44 20 7946 0958", "+1-202-555-0143"),
    *("+20 2 27946095", "+33 1 99 00 12 34", "+966.11.555.0199", "+49_171_5550199"),
    *("0171 5550199", "0171/555 01 99", "0171-555-0199", "01715550199", "(030) 5550199"),
    *("030/5550199", "01 99 00 12 34", "020 7946 0958", "(0171) 5550199", "0171.555.0199"),
    *("(202) 555-0143", "202-555-0143", "202.555.0143", "1 202 555 0143", "2025550143"),
    *("171 555 0199", "1715550199", "0 1 7 1 5 5 5 0 1 9 9", "0171  555  0199", "0171 - 5550199"),
    *("٠١٧١ ٥٥٥٠١٩٩", "０１７１ ５５５０１９９", "0171\u00a0555\u00a00199", "0171\u20135550199"),
    *("0️⃣1️⃣7️⃣1️⃣5️⃣5️⃣5️⃣0️⃣1️⃣9️⃣9️⃣", "O171 555O199", "0171\u200b5550199", "⓪①⑦① ⑤⑤⑤⓪①⑨⑨"),
    *(
        "call 5550199",
        "Tel.: 555 0199",
        "my number is 555-0199",
        "WhatsApp 555 01 99",
        "Handy: 5550199",
    ),
    *("zero one seven one five five five zero one nine nine", "هاتف ٥٥٥٠١٩٩"),
    *("null eins sieben eins, fünf fünf fünf null eins neun neun",),
]
LEFT = [
    *("", "12", "I needed 12 of 40 actions", "in 2026", "1995-2003", "from 2019 to 2026-12-01"),
    *("2026-12-01T10:00:00", "01.12.2026 10:15", "1/12/2026", "between 10:30 and 11:45:59"),
    *("1000000 coins", "10000000000", "+1000000", "coins: 70 75 80 85 90 95", "120 130 145 160"),
    *("100 200 3000", "0 100 200 300", "001 002 003", "1 2 3 4 5 6 7 8 9 10 11 12", "1,250,300"),
    *("0 1 2 3 4 5 6 7 8 9", "3.14159265358979", "0.1234567890123", "v1.2.3.4", "192.168.1.20"),
    *("one two three four five six seven eight", "1/2/3/4/5/6/7/8"),
    *("5f3c9a1b" * 3, "world-1-guardian-2", "A1KCWQ8LDSBU5H", "class 3, role 2"),
    *("00000000000", "11111111111", "1024-2048", "step 100-2000", "5 coins, 3 coins, 12 turns"),
    *("call the guardian 3 times", "I called it 100 or 200", "look 4711 nowhere", "lol 100 ill"),
]


@pytest.mark.parametrize("text", FOUND)
def test_numbers_are_recognised_in_these_spellings(text):
    assert holds_phone(f"so {text}, please")
    assert holds_phone(text)


@pytest.mark.parametrize("text", LEFT)
def test_numbers_of_the_game_dates_and_lists_are_no_telephone_numbers(text):
    assert not holds_phone(text)
    assert not holds_phone(f"then {text}, ok?")


def test_shorter_and_plainer_numbers_are_long_numbers():
    for text in ("1000000", "555 0199", "120 130 145", "MTIzNDU2Nzg5MDEy"):
        assert holds_long_number(text)
    assert not any(map(holds_phone, ("1000000", "555 0199", "120 130 145")))
    for text in ("2026-12-01", "123456", "10:30:45 2026-12-01"):
        assert not holds_long_number(text)


def test_time_grows_with_the_text_only():
    for text in ("1 " * 50_000, "1" * 100_000, "+" * 100_000, "(0" * 50_000, "one " * 25_000):
        holds_phone(f"{text}x")
