"""Which spellings of an e-mail address are recognised, and which sentences are none."""

import pytest

from app.study.mail_marks import holds_email

FOUND = [
    *("gudrun@uni-y.example", "gudrun.o@uni-y.example", "GUDRUN@UNI-Y.EXAMPLE", "öz@uni.example"),
    *(
        "gudrun＠uni-y．example",
        "gudrun@\nuni-y.example",
        "gudrun @ uni-y . example",
        "a+b@x-y.co.uk",
    ),
    *("gudrun@\u200buni-y.example", "gudrun@uni-y\u200b.example", "gudrun\u3164@\u3164uni.example"),
    *("gudrun@@uni-y.example", "gudrun @ @ uni.example", "gudrun@uni-y。example", "gudrun@unimail"),
    *("gudrun@uni-y,example", "gudrun@[192.0.2.7]", "gudrun@💌.example", "gudrun@пример.рф"),
    *("gudrun%40uni-y.example", "gudrun&#64;uni-y&#46;example", "gudrun&commat;uni.example"),
    *("gudrun (at) uni-y.example", "gudrun[at]uni-y[dot]example", "gudrun {at} uni {dot} example"),
    *("gudrun[ät]uni-y[punkt]example", "gudrun(a)uni-y.example", "gudrun <at> uni-y.example"),
    *("gudrun-at-uni-dot-example", "gudrun_at_uni_dot_example", "gudrun/at/uni.example"),
    *("gudrun at uni dot example", "gudrun at uni-y (dot) example", "gudrun ät uni punkt example"),
    *("gudrun Klammeraffe uni Punkt example", "gudrun.oezdemir at uni-y.example", "ida AT uni.EDU"),
    *("gudrun at gmail.com", "gudrun at gmail", "gudrun at mail.uni-y.de"),
]
LEFT = [
    *("look at the tower.", "3 @ 4", "the @ sign", "at dot", "a. b. c", "10@20", "5 coins @ shop"),
    "I looked at the class. Then I bought the blade.",
    "I looked at the class.Then I went",
    "look at snegli.iron",
    "look at the dot on the map",
    "class (a) decides. Then role (b).",
    "Go to the shop, buy (a) the blade, (b) the potion.",
    "The beast at home is weak; at dawn it is not.",
    "5 coins @ shop. Then I left.",
    "sell @ 3. Buy @ 5.",
    "Er wartet am Tor. Der Punkt ist: nur die Klasse zählt.",
    "check_location, go_to_shop, buy-blade/at 3.5 coins",
    "Versuch 1. at first. then",
    "100 % at once & nothing else",
]


@pytest.mark.parametrize("text", FOUND)
def test_addresses_are_recognised_in_these_spellings(text):
    assert holds_email(f"write to {text} please")


@pytest.mark.parametrize("text", LEFT)
def test_sentences_of_players_are_no_addresses(text):
    assert not holds_email(text)


def test_time_grows_with_the_text_only():
    for text in (
        "a" * 100_000,
        "a." * 50_000,
        "@ " * 50_000,
        "a at " * 20_000,
        "-at-" * 25_000,
        "a" + " " * 99_999,
    ):
        assert not holds_email(f"{text}!")
