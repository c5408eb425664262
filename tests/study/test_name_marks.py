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
    assert german.marks("das Tier und der Clan, sagt Zwirbelbach") == []
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
        *("JÜRGEN WEISSENFELS", "jürgen weißenfels", "juergen weissenfels", "jurgen"),
        *(
            "E r i k a",
            "E.r.i.k.a",
            "m-a-r-i-a",
            "J.ü.r.g.e.n W.e.i.ß",
            "E\u200brika",
            "er\u3164ika",
            "Müllers Haus",
        ),
        *("Annas idea", "ERIKAS", "erika's", "mustermann", "ＥＲＩＫＡ", "gudrun özdemir"),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_common_names_are_marked_in_every_spelling(text, language):
    assert NameMarker(OWN, language).marks(text) != []


def test_words_of_the_studys_texts_are_names_only_if_they_are_on_a_list():
    said = set(words_of("A study by Jürgen Weißenfels, Hero's Journey"))
    marker = NameMarker(OWN, "en", said)
    assert marker.marks("I know Jürgen Weißenfels from the Journey") == ["Jürgen"]
    assert NameMarker({*OWN, "erika"}).marks("the erika decides, says E r i k a") == []


def test_words_of_the_game_and_frequent_words_are_not_marked():
    for text in (
        "the guardian looks at the class and decides; he drinks potions, performs rituals, wins",
        "go to the shop, buy blades, less coins, pages, prices, kings, birds, links, grants",
        "class a b c d, role x y z",
        "I guess I don't know: the beasts and clans need swords, it takes 3 turns, always, perhaps",
    ):
        assert NameMarker(OWN).marks(text) == []
