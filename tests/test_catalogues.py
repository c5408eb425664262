"""Every catalogue is complete and current, and its messages have the same values and tags."""

import re
from datetime import UTC, datetime

import pytest

from app.languages.amounts import money
from app.languages.catalogue import ENGLISH, LANGUAGES, speech
from app.languages.moments import moment
from app.languages.text import Number, joined, phrase, phrases
from tests import catalogues

NOON = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
OTHERS = [code for code in LANGUAGES if code != ENGLISH]
NAME, TAG = re.compile(r"{\w+}"), re.compile(r"<[^>]*>|&\w+;|`[^`]*`|%\w+%")


@pytest.fixture(scope="module")
def messages_used():
    """Every message that pages say, with its plural."""
    return {message.id for message in catalogues.collected() if message.id}


def pieces(pattern, text):
    return sorted(pattern.findall(text))


@pytest.mark.parametrize("language", OTHERS)
def test_catalogue_has_every_message_and_no_other(messages_used, language):
    stored = {message.id for message in catalogues.stored(language) if message.id}
    assert messages_used - stored == set(), "run `make languages`, then translate them"
    assert stored - messages_used == set(), "no page says these: run `make languages`"


@pytest.mark.parametrize("language", OTHERS)
def test_catalogue_is_complete_with_the_same_values_and_tags(language):
    catalogue = catalogues.stored(language)
    for message in (one for one in catalogue if one.id):
        is_plural = isinstance(message.id, tuple)
        forms = message.string if is_plural else (message.string,)
        english = message.id[1] if is_plural else message.id
        assert all(forms), f"not translated: {english}"
        assert len(forms) == (catalogue.num_plurals if is_plural else 1), english
        assert not message.fuzzy, english
        for form in forms:
            names = pieces(NAME, form)
            wanted = pieces(NAME, english)
            if is_plural and "{n}" not in names:  # such as `one guardian`
                wanted.remove("{n}")
            assert names == wanted, f"{english} / {form}"
            if "\n" not in english:  # the default texts explain the commands, too
                assert pieces(TAG, form) == pieces(TAG, english), f"{english} / {form}"
            assert '"' in english or '"' not in form, "would end an attribute"


def test_every_rule_for_plurals_is_the_one_of_the_language():
    for language, counts in (("de", {1: 0, 0: 1, 2: 1}), ("ar", {0: 0, 1: 1, 2: 2, 5: 3, 15: 4})):
        one, many = "{n} coin", "{n} coins"
        forms = catalogues.stored(language).get((one, many)).string
        for n, at in counts.items():
            assert speech(language).say(phrases(one, many, n)) == forms[at].format(n=n)


def test_text_is_its_english_sentence_and_says_itself_in_other_languages():
    text = phrase("World {number} of {total}", number=2, total=4)
    assert (text, f"{text}", speech("en").say(text)) == ("World 2 of 4",) * 3
    assert speech("de").say(text) == "Welt 2 von 4"
    assert speech("de").say(joined((text, phrase("rule")), " · ")) == "Welt 2 von 4 · Regel"
    assert speech("de").say("World 2 of 4") == "World 2 of 4"


def test_numbers_and_dates_are_written_as_the_language_writes_them():
    long = "This is {length} characters long. Please shorten it to {most}."
    text = phrase(long, length=Number(5001), most=Number(5000))
    assert text == "This is 5,001 characters long. Please shorten it to 5,000."
    assert "5.001 Zeichen" in speech("de").say(text)
    assert speech("de").say(moment(NOON)) == "28. November 2026, 12:00"
    assert speech("ar").say(moment(NOON)) == "28 نوفمبر 2026، 12:00"
    assert moment(NOON) == "28 November 2026, 12:00"


def test_amounts_of_money_are_written_as_the_language_writes_them():
    bonus = phrase("You can get a bonus of up to {most}.", most=money("EUR", 123_450))
    assert bonus == "You can get a bonus of up to EUR 1234.50."
    assert "1.234,50 EUR" in speech("de").say(bonus)
    assert "1,234.50 EUR" in speech("ar").say(bonus)


PLACES = re.compile(
    r"\b(below|above|beside|next to|underneath|on the (right|left)|at the (top|bottom))\b"
)
IN_READING_ORDER = (  # true of every layout, since it comes later on the same page
    "Not sent yet. Please check the fields marked below.",
    "Please use the button below:",
    "Please copy this code. The button below takes you back",
    "To do so, you can use the button below:",
    "Please go back to the survey and follow its link again.",  # a place in Qualtrics
)


def test_no_sentence_names_a_place_that_a_phone_or_its_keyboard_takes_away(messages_used):
    texts = [one if isinstance(one, str) else one[0] for one in messages_used]
    named = [text for text in texts if PLACES.search(text)]
    assert len(named) == len(IN_READING_ORDER)
    assert [text for text in named if not text.startswith(IN_READING_ORDER)] == []
