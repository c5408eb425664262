"""The checklist before a study is opened: amounts in pay texts, and what blocks."""

import pytest

from app.game.tasks import TASK_NAMES
from app.study.design.check_item import BLOCK, FINE, LOOK
from app.study.design.checklist import checks
from app.study.design.guardians import guardians
from app.study.design.promises import Amount, amounts_in
from app.study.design.spec import CellSpec, check_study
from app.study.design.words import TASK_WORDS, cell_name

REAL = {
    "slug": "autumn",
    "title": "Autumn",
    "kind": "real",
    "blocks": [{"task": "A-Over", "seeds": [0, 1]}],
    "texts": {
        "pay": "GBP 4 for about 20 minutes",
        "contact": "me@example.org",
        "consent": "You take part in a study of ours.",
        "debrief": "Thank you. We study rules.",
    },
    "payment": {"base_cents": 400},
    "people": {"quota": 40},
    "codes": {
        "return_url": "https://example.org/?cc={code}",
        "no_consent": "NOPE",
        "withdrawn": "LEFT",
    },
}

CODE = "?cc={code}"
UNITS = {
    **dict.fromkeys(("gbp 5", "5 Gbp", "£5.-", "5,- £", "5 quid", "£\u202f5", "GBP5"), "GBP"),
    "US$5": "USD",
    "A$ 5": "AUD",
    "C$5": "CAD",
    "NZ$5": "NZD",
    "S$5": "SGD",
    "$5": "$",
    "CHF 5.–": "CHF",
    "Fr. 5": "CHF",
    "5 zł": "PLN",
    "₹5": "INR",
    "¥5": "",
    "kr 5": "",
}
HOURLY = ("10 EUR pro Stunde", "10 €/Std", "€10 per 60 minutes", "10 EUR في الساعة")
GBP_1200 = Amount(120_000, "GBP", hourly=False)
AMOUNTS = [
    ("GBP 4 for about 20 minutes", [Amount(400, "GBP", hourly=False)]),
    (
        "£4.50, and up to £2 more",
        [Amount(450, "GBP", hourly=False), Amount(200, "GBP", hourly=False)],
    ),
    ("1,50 €", [Amount(150, "EUR", hourly=False)]),
    ("4 euros", [Amount(400, "EUR", hourly=False)]),
    ("$9 per hour", [Amount(900, "$", hourly=True)]),
    ("EUR 12/h", [Amount(1200, "EUR", hourly=True)]),
    ("50p a world", [Amount(50, "", hourly=False)]),
    *((text, [Amount(500, code, hourly=False)]) for text, code in UNITS.items()),
    *((text, [Amount(1000, "EUR", hourly=True)]) for text in HOURLY),
    ("£1,200 or 1.200,50 EUR", [GBP_1200, Amount(120_050, "EUR", hourly=False)]),
    ("GBP 4.00-6.00", [Amount(cents, "GBP", hourly=False) for cents in (400, 600)]),
    ("GBP 4-20 min, costs 5, 2024/25, p4, 4 people", [Amount(400, "GBP", hourly=False)]),
    ("about 20 min, 3 worlds, 40 people", []),
    ("", []),
]


BONUS = {"base_cents": 400, "bonus": "25 * successes", "bonus_cap_cents": 100}
CAP, BASE = "payment.bonus_cap_cents", "payment.base_cents"


def changed(**parts):
    """Return the real study with changes in its parts."""
    found = {**REAL}
    for name, value in parts.items():
        found[name] = {**REAL.get(name, {}), **value} if isinstance(value, dict) else value
    return check_study(found)


def item(spec, name):
    return next(one for one in checks(spec) if one.name == name)


@pytest.mark.parametrize(("text", "amounts"), AMOUNTS)
def test_amounts_in_a_pay_text_are_found(text, amounts):
    assert amounts_in(text) == amounts


def test_complete_study_has_nothing_to_check():
    spec = changed(blocks=[{"task": "A-Comp", "seeds": [0, 1]}])
    assert [one for one in checks(spec) if one.level != FINE] == []


WRONG = [
    ("pay", {"texts": {"pay": "GBP 4 and up to GBP 1.50"}, "payment": BONUS}, LOOK, CAP),
    ("pay", {"texts": {"pay": "GBP 0.04"}, "payment": {"base_cents": 4}}, LOOK, BASE),
    ("pay", {"payment": {"base_cents": 0}}, BLOCK, "payment.base_cents"),
    ("pay", {"payment": {"base_cents": 300}}, BLOCK, "payment.base_cents"),
    ("pay", {"payment": {"base_cents": 0, "hourly_cents": 900}}, BLOCK, "payment.base_cents"),
    ("pay", {"payment": {"currency": "USD"}}, BLOCK, "payment.currency"),
    ("pay", {"payment": {"base_cents": 500}}, LOOK, "texts.pay"),
    ("pay", {"texts": {"pay": ""}}, LOOK, "texts.pay"),
    ("pay", {"texts": {"pay": "course credit"}, "payment": {"base_cents": 0}}, LOOK, "texts.pay"),
    ("pay", {"payment": {"bonus": "50 * successes"}}, LOOK, "payment.bonus_cap_cents"),
    ("pay", {"texts": {"pay": ""}, "payment": {"bonus": "50"}}, LOOK, "texts.pay"),
    ("contact", {"texts": {"contact": ""}}, BLOCK, "texts.contact"),
    ("codes", {"codes": {"return_url": ""}}, LOOK, "codes.return_url"),
    ("codes", {"codes": {"return_url": "https://example.org/"}}, LOOK, "codes.return_url"),
    ("codes", {"codes": {"withdrawn": ""}}, LOOK, "codes.withdrawn"),
    ("codes", {"codes": {"return_url": f"https://app.prolific.com/{CODE}"}}, LOOK, "codes.kind"),
    ("codes", {"codes": {"return_url": f"https://PROLIFIC.co/{CODE}"}}, LOOK, "codes.kind"),
    ("quota", {"people": {"quota": None}}, LOOK, "people.quota"),
    ("quota", {"people": {"cell_quota": 10}}, LOOK, "people.cell_quota"),
    ("quota", {"people": {"cell_quota": 1}, "per_player": 2, "blocks": [
        {"task": "A-Over", "seeds": [0]}, {"task": "A-Add", "seeds": [0], "quota": 1}]},
     LOOK, "people.cell_quota"),
    ("time", {"texts": {"minutes": 90}, "clocks": {"session_hours": 1}}, BLOCK,
     "clocks.session_hours"),
    ("time", {"payment": {"hourly_cents": 100, "max_paid_minutes": 10}}, LOOK,
     "payment.max_paid_minutes"),
    ("consent", {"texts": {"consent": check_study({**REAL, "texts": {}}).texts.consent}}, LOOK,
     "texts.consent"),
]  # fmt: skip


BONUS = {"bonus": "50 * successes"}
IN_VAIN = "The bonus formula has no effect, because the maximum is 0."


@pytest.mark.parametrize("parts", [{"payment": BONUS}, {"payment": BONUS, "texts": {"pay": ""}},
                                   {"payment": {**BONUS, "currency": "USD"}}])  # fmt: skip
def test_bonus_that_is_never_paid_is_named(parts):
    found = item(changed(**parts), "pay")
    assert IN_VAIN in found.found
    assert "Enter the maximum bonus, or remove the formula." in found.advice
    assert IN_VAIN not in item(changed(payment={**BONUS, "bonus_cap_cents": 1}), "pay").found


OTHER_CODES = [
    {"kind": "static", "finished": "C1", "return_url": f"https://app.prolific.com/{CODE}"},
    {"return_url": f"https://notprolific.com/{CODE}"},
    {"return_url": f"https://example.org/prolific.com/{CODE}"},
]


@pytest.mark.parametrize("codes", OTHER_CODES)
def test_one_code_for_prolific_and_personal_codes_elsewhere_are_fine(codes):
    assert item(changed(codes=codes), "codes").level == FINE


@pytest.mark.parametrize(("name", "parts", "level", "path"), WRONG)
def test_what_would_harm_people_blocks_and_the_rest_is_to_check(name, parts, level, path):
    found = item(changed(**parts), name)
    assert (found.level, found.path) == (level, path)
    assert found.advice


FITS = [
    {"payment": {"base_cents": 100, "hourly_cents": 900}},  # 1 + 3
    {"payment": {"base_cents": 300, "bonus": "50 * successes", "bonus_cap_cents": 200}},
    {"texts": {"pay": "£12 an hour"}},
    {"texts": {"pay": "$4"}, "payment": {"currency": "CAD", "base_cents": 400}},
]


@pytest.mark.parametrize("parts", FITS)
def test_pay_that_keeps_its_promise_is_fine(parts):
    assert item(changed(**parts), "pay").level == FINE


@pytest.mark.parametrize("kind", ["pilot", "demo"])
def test_a_pilot_may_open_with_everything_to_check(kind):
    spec = changed(kind=kind, payment={"base_cents": 0}, texts={"contact": ""})
    assert {one.level for one in checks(spec)} == {LOOK, FINE}


def test_cost_is_stated_with_the_quota():
    spec = changed(payment={"bonus": "50 * successes", "bonus_cap_cents": 100})
    assert item(spec, "quota").found == (
        "At most 40 participants. That costs up to GBP 200.00. From one address, 10 people can "
        "enter at once."
    )


def test_every_task_has_a_name_and_one_sentence():
    assert set(TASK_WORDS) == set(TASK_NAMES)
    for one in TASK_WORDS.values():
        assert one.rule.endswith(".")
        assert one.rule.count(".") == 1


NAMES = [
    (CellSpec("A-Add", 3), "Add sizes, seed 3"),
    (CellSpec("A-Cond", 0, "nonce", "1/3"),
     "Color or size, by class, seed 0, made-up words, a third of the accounts"),
    (CellSpec("P-Over", 2, "semantic", "0", format="direct"),
     "Process with an exception, seed 2, no accounts, answered once"),
    (CellSpec("My-Add", 1, "small", "2"), "My-Add, seed 1, words: small, every account twice"),
]  # fmt: skip


@pytest.mark.parametrize(("cell", "name"), NAMES)
def test_cell_has_a_name_in_words(cell, name):
    assert cell_name(cell.key) == name


def paying(**changes):
    cells = [{"task": "A-Cond", "seeds": [0, 1]}, {"task": "P-Comp", "seeds": [0, 1]}]
    payment = {"base_cents": 400, "bonus": "10 * successes", "bonus_cap_cents": 50}
    return check_study({**REAL, "blocks": cells, "per_player": 2, "payment": payment, **changes})


def test_maximum_bonus_is_compared_with_the_most_that_can_be_earned():
    high = item(paying(payment={**paying().payment.model_dump(), "bonus_cap_cents": 100}), "bonus")
    assert (high.level, high.path) == (LOOK, "payment.bonus_cap_cents")
    assert high.found == (
        "The maximum is GBP 1.00. A player who defeats all 5 guardians without a wasted action, in "
        "20 minutes, earns at most GBP 0.50."
    )
    assert item(paying(), "bonus").level == FINE
    low = item(paying(options={"episodes_per_block": 3}), "bonus")
    assert (low.level, "all 4 guardians" in low.found) == (LOOK, True)
    low = item(paying(payment={"bonus": "30 * ecsr + 40", "bonus_cap_cents": 60}), "bonus")
    assert (low.level, low.found.endswith("would earn GBP 0.70.")) == (LOOK, True)
    reverse = item(paying(payment={"bonus": "20 - successes", "bonus_cap_cents": 20}), "bonus")
    assert reverse.level == FINE
    assert not [one for one in checks(paying(payment={})) if one.name == "bonus"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, (5, 5)),  # a new task first: one of each
        ({"per_player": 3}, (6, 9)),
        ({"per_player": 1}, (1, 4)),
        ({"order": "fixed"}, (8, 8)),
        ({"between": "task"}, (2, 8)),
        ({"options": {"episodes_per_block": 2}}, (3, 3)),
    ],
)
def test_number_of_guardians_is_what_players_can_get(changes, expected):
    assert guardians(paying(**changes)) == expected


OWN = "You take part in a study of ours. "
CONSENTS = [  # text, level, what is said
    (OWN, FINE, "You wrote your own."),
    (f"{OWN}It takes about 20 minutes and pays GBP 4.", FINE, ""),
    (f"{OWN}It takes 45 minutes.", LOOK, "It names 45 minutes, but the page says about 20."),
    (f"{OWN}You get GBP 6.", LOOK, "It names GBP 6.00, but the pay section pays at most GBP 4.00."),
    (f"{OWN}You get 4 euros.", LOOK, "It names another currency than GBP."),
]


@pytest.mark.parametrize(("text", "level", "said"), CONSENTS)
def test_consent_text_is_compared_with_time_and_pay(text, level, said):
    found = item(changed(texts={"consent": text}), "consent")
    assert found.level == level
    assert said in found.found


@pytest.mark.parametrize("language", ["en", "de", "ar"])
@pytest.mark.parametrize("form", ["episodic", "direct"])
def test_built_in_consent_is_known_in_every_language_and_says_what_is_missing(language, form):
    texts = {"pay": "GBP 4", "contact": "me@example.org"}
    blocks = [{"task": "A-Over", "seeds": [0, 1], "format": form}]
    spec = check_study({**REAL, "texts": texts, "language": language, "blocks": blocks})
    found = item(spec, "consent")
    assert (found.level, found.path) == (LOOK, "texts.consent")
    assert "who runs the study, at which institution, who approved it" in found.found


GAPS = ["[name of the institution]", "XXX", "TODO", "{contact}", "<your name>", "____"]


@pytest.mark.parametrize("name", ["consent", "instructions", "debrief", "contact", "pay"])
@pytest.mark.parametrize("gap", GAPS)
def test_place_that_is_still_to_be_filled_in_is_named(name, gap):
    spec = changed(texts={name: f"You take part in a study of {gap} and us"})
    found = item(spec, "gaps")
    assert (found.level, found.path) == (LOOK, f"texts.{name}")
    assert gap in found.found


@pytest.mark.parametrize(
    "text", ["[our page](https://a.example)", "as shown [1]", "[us][1]", "a < b"]
)
def test_links_and_footnotes_are_no_places_to_fill_in(text):
    spec = changed(texts={"consent": f"You take part in a study: {text} and so on"})
    assert "gaps" not in {one.name for one in checks(spec)}
