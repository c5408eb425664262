"""Characters that no one sees never cost an action, and stored commands replay as they are."""

import html
from itertools import chain
from unicodedata import category

import pytest

from app.study.characters import DEFAULT_IGNORABLE, visible
from app.study.export import verify
from tests.web.conftest import NOW

pytestmark = pytest.mark.one_database

HTMX = {"HX-Request": "true"}
INVISIBLE = {
    "zero width space": "\u200b",
    "zero width joiner": "\u200d",
    "word joiner": "\u2060",
    "left-to-right mark": "\u200e",
    "right-to-left embedding": "\u202b",
    "direction isolate": "\u2068",
    "arabic letter mark": "\u061c",
    "soft hyphen": "\u00ad",
    "byte order mark": "\ufeff",
    "variation selector": "\ufe0f",
    "variation selector of the supplement": "\U000e0100",
    "mongolian vowel separator": "\u180e",
    "grapheme joiner": "\u034f",
    "tag": "\U000e0041",
    "hangul filler": "\u3164",
    "braille blank": "\u2800",
    "object replacement": "\ufffc",
}
IGNORABLE = 4174  # Default_Ignorable_Code_Point of DerivedCoreProperties.txt, its total
# Format characters with a glyph: signs before Arabic, Syriac and Kaithi numbers, and hieroglyphs'.
SHOWN = {
    *(*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD),
    *range(0x13430, 0x13440),
}
ALSO = [0x2800, 0xFFF9, 0xFFFA, 0xFFFB, 0xFFFC]
DASHES = [c for c in map(chr, range(0x110000)) if category(c) == "Pd" and c != "-"]
DASHES += "\u2212\u02d7\u2043"
LOOK_ALIKES = {  # typed -> (the word, the Latin letter, the script)
    "g\u043e {place}": ("g\u043e", "o", "Cyrillic"),
    "go {place}\u0430": ("{place}\u0430", "a", "Cyrillic"),
    "buy {item}\u03bf": ("{item}\u03bf", "o", "Greek"),
    "\u0421heck_location": ("\u0421heck", "C", "Cyrillic"),
    "g\u200b\u043e {place}": ("g\u043e", "o", "Cyrillic"),
}
WHOLE_WORDS = (
    "go \u043b\u0435\u0441",
    "\u0438\u0434\u0438 {place}",
    "go \u0391\u03b8\u03ae\u03bd\u03b1",
)
EACH = pytest.mark.parametrize("sign", INVISIBLE.values(), ids=INVISIBLE)


def test_every_character_that_unicode_lets_ignore_is_left_out():
    ranges = (range(first, last + 1) for first, last in DEFAULT_IGNORABLE)
    codes = [*chain.from_iterable(ranges), *ALSO]
    # assigned or not: U+FFF0 to U+FFF8 and most of plane 14 are reserved for such characters
    assert len(codes) == IGNORABLE + len(ALSO)
    assert [f"U+{code:04X}" for code in codes if visible(f"g{chr(code)}o") != "go"] == []
    formats = (code for code in range(0x110000) if category(chr(code)) == "Cf")
    assert [f"U+{c:04X}" for c in formats if visible(chr(c)) and c not in SHOWN] == []


@EACH
def test_invisible_character_in_a_command_changes_nothing(player, look, sign):
    place = look.solution(player.token)[0].removeprefix("go ")
    player.type(f"{sign}go{sign} {place[:2]}{sign}{place[2:]}{sign}")
    [turn] = look.turns(player.token)
    assert (turn.raw, turn.parse_status, turn.ok) == (f"go {place}", "ok", True)


@EACH
def test_command_of_invisible_characters_alone_is_empty_and_costs_nothing(player, look, sign):
    form = {"seq": "1", "raw": f" {sign * 300} "}
    answer = player.client.post(player.url, data=form, headers=HTMX)
    assert answer.status_code == 422
    assert "Nothing was typed, so nothing happened. No action was counted." in answer.text
    assert look.turns(player.token) == []


@pytest.mark.parametrize("dash", DASHES, ids=lambda dash: f"U+{ord(dash):04X}")
def test_every_dash_between_words_is_read_as_a_hyphen(player, look, dash):
    item = next(line for line in look.solution(player.token) if line.startswith("buy "))
    player.type(item.replace("_", dash))
    [turn] = look.turns(player.token)
    assert (turn.raw, turn.parse_status) == (item.replace("_", "-"), "normalised")
    assert turn.argument == item.removeprefix("buy ")


def test_command_sent_again_with_its_invisible_character_is_one_turn(player, look):
    form = {"seq": "1", "raw": "check\u200b_location"}
    codes = [player.client.post(player.url, data=form, headers=HTMX).status_code for _ in "ab"]
    assert codes == [200, 200]
    assert [turn.raw for turn in look.turns(player.token)] == ["check_location"]


def test_command_stored_before_cleaning_replays_as_it_was(player, look, server):
    """What was stored as typed, invisible characters included, was an action and stays one."""
    table, token = server.table, player.token
    old = "go\u200b nowhere\ufeff"
    table.play(token, 0, 0, 1, old, NOW, table.act.__defaults__[0])
    table.live.__init__()  # as after a restart
    player.get(player.url).type("check_location")
    first, second = look.turns(token)
    assert (first.raw, first.parse_status) == (old, "unknown_verb")
    assert second.actions_used == 2
    assert verify.verify(server.store, "demo").ok


def test_number_of_a_form_may_hold_invisible_characters(player, look, server):
    from app.store.play import explanations

    player.type(*look.solution(player.token)).to_rule()
    player.send("confidence", inputs="class", confidence="\u200e70\ufeff")
    with server.store.read() as db:
        [row] = explanations.of_participant(db, look.person(player.token).id)
    assert row.confidence == 70


@pytest.mark.parametrize("typed", LOOK_ALIKES)
def test_letter_that_only_looks_latin_is_named_and_costs_nothing(player, look, typed):
    names = {"place": "forge", "item": "sabre"}
    word, letter, script = (part.format(**names) for part in LOOK_ALIKES[typed])
    form = {"seq": "1", "raw": typed.format(**names)}
    for headers in (HTMX, {}):
        answer = player.client.post(player.url, data=form, headers=headers)
        assert answer.status_code == 422
        said = f"In {word}, a letter that looks like {letter} is a {script} one."
        assert said in html.unescape(answer.text)
        assert "No action was counted" in answer.text
    assert look.turns(player.token) == []


@pytest.mark.parametrize("typed", WHOLE_WORDS)
def test_words_of_another_alphabet_are_commands_like_any_other(player, look, typed):
    player.type(typed.format(place="forge"))
    assert [turn.raw for turn in look.turns(player.token)] == [typed.format(place="forge")]


def test_stored_look_alike_replays_as_it_was(player, look, server):
    server.table.play(player.token, 0, 0, 1, "g\u043e x", NOW, server.table.act.__defaults__[0])
    server.table.live.__init__()  # as after a restart
    player.get(player.url).type("check_location")
    assert [turn.actions_used for turn in look.turns(player.token)] == [1, 2]
    assert verify.verify(server.store, "demo").ok
