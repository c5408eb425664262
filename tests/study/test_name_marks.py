"""Words that may be names: what is marked, and what the study itself says."""

import pytest

from app.study.name_marks import NameMarker, words_of

OWN = set(words_of("The Frost Warden guards the Old Mill. Ember Blade"))
MARKED = {
    "the beast decides, Erika told me": ["Erika"],
    "Erika Mustermann told me": ["Erika", "Mustermann"],
    "Hello from (Nairobi), Kenya": ["Nairobi", "Kenya"],
    "I asked Jean-Luc and O'Brien": ["Jean-Luc", "O'Brien"],
    "my name is erika mustermann, the beast decides": ["erika", "mustermann"],
    "MY NAME IS Erika": ["Erika"],
    "Call me Al": ["Al"],
    "Ich heiße Zoé": ["Zoé"],
    "اسمي ليلى": ["ليلى"],
}
LEFT = (
    "",
    "The blade. Then the potion",
    "Then I went to the Old Mill for the Ember Blade, on Monday",
    "frost wardens need a blade",
    "Item:\nBlade\nHow: Never",
    "IT IS NOT THE CLAN",
    "I'm sure I'd win",
)


@pytest.mark.parametrize("text", MARKED)
def test_words_that_may_be_names_are_marked(text):
    assert NameMarker(OWN).marks(text) == MARKED[text]


@pytest.mark.parametrize("text", LEFT)
def test_words_of_the_study_and_of_every_day_are_not_marked(text):
    assert NameMarker(OWN).marks(text) == []


def test_capital_letters_say_nothing_where_every_noun_has_one():
    german = NameMarker(OWN, "de")
    assert german.marks("das Tier und der Clan, sagt Mustermann") == []
    assert german.marks("Mein Name ist Erika Mustermann.") == ["Erika", "Mustermann"]


def test_time_grows_with_the_text_only():
    assert len(NameMarker().marks("we met Anna and " * 20_000)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "erika was here",
        "ERIKA WAS HERE",
        "i met j\u00fcrgen m\u00fcller",
        "MUELLER",
        "anna-lena",
        "\u00c9rika",
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_common_names_are_marked_in_every_spelling(text, language):
    assert NameMarker(OWN, language).marks(text) != []
