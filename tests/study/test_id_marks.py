"""Which spellings of an ID are recognised in a text, whether it is stored or known by hashes."""

import base64

import pytest

from app.study.id_marks import Finder, hashed, pieces_of

KEY = b"k" * 32
PARTS = ("5f3c9a", "1b2d4e", "6f7a8b", "9c0d1e")
LONG, WORKER, NUMBER = "".join(PARTS), "A1KCWQ8LDSBU5H", "7301948265"
MAIL = "jürgen.weiß@uni.example"
FOUND = {
    "as it is": [LONG, WORKER, NUMBER, MAIL],
    "in capital letters": [LONG.upper(), WORKER.lower(), MAIL.upper()],
    "with signs between": ["-".join(LONG), ". ".join(WORKER), "7301 948 265", " / ".join(NUMBER)],
    "Arabic and Persian digits": [
        "٧٣٠١٩٤٨٢٦٥",
        "۷۳۰۱۹۴۸۲۶۵",
        LONG.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")),
    ],
    "Devanagari, circled, Chinese, bold and full-width digits": [
        *("७३०१९४८२६५", "⑦③⓪①⑨④⑧②⑥⑤", "七三〇一九四八二六五", "➐➂⓿➀➒➃➇➁➅➄"),
        *("𝟕𝟑𝟎𝟏𝟗𝟒𝟖𝟐𝟔𝟓", "７３０１９４８２６５", "7️⃣3️⃣0️⃣1️⃣9️⃣4️⃣8️⃣2️⃣6️⃣5️⃣"),
    ],
    "letters that look alike": [
        *(
            "5f3с9а1b2d4е6f7а8b9с0d1е",
            "А1КСWQ8LDЅВU5Н",
            "A1KϹWQ8LDSΒU5Η",
            "ᴀ1ᴋᴄᴡǫ8ʟᴅꜱʙᴜ5ʜ".replace("ǫ", "Q"),
        ),
        "jürgеn.wеiss@uni.example",
    ],
    "encoded": [
        "%35%66%33%63%39%61%31b2d4e6f7a8b9c0d1e",
        "&#53;f3c9a&#x31;b2d4e6f7a8b9c0d1e",
        "j%C3%BCrgen.wei%C3%9F%40uni.example",
        "%2535f3c9a%2531b2d4e6f7a8b9c0d1e",
    ],
    "backwards": [LONG[::-1], WORKER[::-1].lower(), "xx " + " ".join(LONG[::-1])],
    "twelve characters in a row": [LONG[:12], LONG[-12:], LONG[5:17], WORKER[:12], WORKER[2:]],
    "halves swapped": [LONG[12:] + LONG[:12]],
    "parts of an address": [
        "Weiss",
        "weiß",
        "JÜRGEN",
        "jurgen",
        "jürgen-weiß at home",
        "juergen",
        "JUERGEN WEISS",
    ],
}
INVISIBLE = "\u3164\u1160\u115f\uffa0\u200b\u200d\u00ad\u2060\ufeff\u180e\u17b4\u2800\u034f\ufe0f"
NOT_FOUND = [
    *(LONG[:11], LONG[-11:], WORKER[1:10], NUMBER[1:], "5f3c9a1b2d4eO"[2:]),
    *("I looked at the class, then at the role", "the 2nd of 3 in 10 tries", ""),
    *("AIKCWQ8LDSBUSH", "5f3c9a and 1b2d4e and 6f7a8b and 9c0d1e", LONG[11::-1]),
]


@pytest.fixture(params=["stored", "deleted"])
def finder(request):
    ids = (LONG, WORKER, NUMBER, MAIL)
    if request.param == "stored":
        return Finder(ids)
    return Finder((), KEY, [hashed(KEY, piece) for one in ids for piece in pieces_of(one)])


@pytest.mark.parametrize("spelling", FOUND)
def test_ids_are_recognised_in_these_spellings(spelling, finder):
    assert [one for one in FOUND[spelling] if not finder.finds(f"I am {one}, ok?")] == []


@pytest.mark.parametrize("sign", INVISIBLE, ids=lambda sign: f"U+{ord(sign):04X}")
def test_ids_are_recognised_with_invisible_characters_in_them(sign, finder):
    assert finder.finds(sign.join(LONG))
    assert finder.finds(f"so {sign.join('weiss')} said")


def test_what_the_docs_say_is_not_recognised(finder):
    assert [one for one in NOT_FOUND if finder.finds(one)] == []


@pytest.mark.parametrize(
    "text",
    [
        *(
            LONG,
            f"64aabbccddee{LONG[12:]}",
            f"64aabbccddeeff00{8 * '1'}",
            f"3TXD01ZLD4HUP5{WORKER}",
            WORKER,
        ),
        *(base64.b64encode(LONG.encode()).decode(), LONG.encode().hex(), "(5F3C9A1B2D4E)"),
        *("123e4567-e89b-12d3-a456-426614174000", "٥f٣c٩a١b٢d٤e", "5f\u200b3c9a1b2d4e6f"),
    ],
)
def test_strangers_ids_are_recognised_by_their_form(text):
    assert Finder().identifies(f"see {text}.")


@pytest.mark.parametrize(
    "text",
    [
        *("guardian1 and guardian2", "between 10:30 and 11:45", "100000000000000", "blade2potion3"),
        *("covid-19, world-1-guardian-2", "I took 3 of 4; then 5, then 6", "uncharacteristically"),
        *("2026-12-01T10:00:00", "gpt-4o-mini-2024-07-18", "aaaaaaaaaaaa111"),
    ],
)
def test_ordinary_words_and_numbers_do_not_have_the_form_of_an_id(text):
    assert not Finder().identifies(text)


def test_umlauts_in_names_may_be_spelt_out_or_not():
    for stored, typed in (
        ("Müller-Lüdenscheidt", "Mueller"),
        ("mueller.anna@uni.example", "Müller"),
    ):
        assert Finder([stored]).finds(f"I am {typed}")
    assert not Finder(["aeaeae112233"]).finds("aaa 112233")
