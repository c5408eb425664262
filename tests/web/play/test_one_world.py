"""Players read of the worlds, guardians, commands and pay that they meet, and of no others."""

import re

import pytest

from app.languages.catalogue import ENGLISH, LANGUAGES
from app.study.design.default_texts import OTHERS, STATED, default_texts
from app.study.design.sources import OWN, REFERENCE
from app.study.design.spec import check_study
from tests import catalogues
from tests.walker import Walker, one_line

ITEMS = {"task": "A-Over", "seeds": [1]}
DOUBLE = {"task": "A-Comp", "seeds": [1]}
PROCESS = {"task": "P-Comp", "seeds": [2]}
STATED_ITEMS = {**ITEMS, "format": "direct"}
CHECK = {"key": "cost", "label": "Cost?", "options": ["no", "yes"], "answer": "yes"}

# messages of several worlds or guardians -> where they are said, and why never of one
SEVERAL = {
    "Each world has its own rule": "instructions, of more than one world",
    "After each world we ask": "instructions, of more than one world",
    "After each guardian we ask": "instructions, of more than one guardian",
    "In some worlds you do not play": "instructions, of worlds of both formats",
    "Each world has **guardians**": "default instructions, of more than one world",
    "play a few short": "default consent, of more than one world",
    "defeat others": "default consent of forms, of more than one world",
    "You answer once for each guardian": "default instructions of forms, of more than one world",
    "World {n}: another rule": "page before the second world",
    "You are about to enter world {number}": "page before the second world",
    "Enter world {n}": "page before the second world",
    "takes to defeat each of {n} guardians": "page before the second world, plural",
    "You will meet {n} guardians": "page before the second world, plural",
    "You said what it takes to defeat {n} guardians": "debrief, plural",
    "You defeated {number} of {total} guardians": "debrief and form, of more than one guardian",
}
NEUTRAL = (  # true of one, too: a world has more guardians than those that one meets
    "World {number} of {total}",
    "guardian {number} of {total}",
    "World {n}",
    "Which of the guardians' traits matter?",
    "earlier travellers defeated guardians",
    "world of **guardians**",
    "The world",
)
PRESUMES = re.compile(
    r"worlds|guardians|(each|every|another|all) (world|guardian)|world \{", re.IGNORECASE
)


def english():
    for message in catalogues.collected():
        one_and_many = message.id if isinstance(message.id, tuple) else (message.id,)
        yield from (" ".join(text.split()) for text in one_and_many if text)


def test_every_text_of_several_worlds_or_guardians_is_known():
    found = [text for text in english() if PRESUMES.search(text)]
    known = (*SEVERAL, *NEUTRAL)
    assert [text for text in found if not any(one in text for one in known)] == []
    assert [one for one in SEVERAL if not any(one in text for text in found)] == []


def spoken(message):
    """Return what finds a message on a page, whatever its values."""
    plain = message.replace("**", "")
    return re.compile(r"\w+".join(re.escape(part) for part in re.split(r"\{\w+\}", plain)))


def way(client, look, slug):
    """Play a study of one world from consent to debrief; yield each page's words."""
    walker = Walker(client).get(f"/s/{slug}")
    yield walker.answer.text
    walker.send("answer", answer="yes")
    while walker.page.name != "debrief":
        yield walker.answer.text
        if walker.page.name in ("practice", "game"):
            row = next(one for one in look.episodes(walker.token) if one.state == "open")
            practice = walker.page.name == "practice"
            lines = PRACTICE if practice else look.solution(walker.token, 0, row.position)
            walker.type(*lines)
            yield walker.get(walker.url).answer.text
            walker = walker.send("ticket") if practice else walker.to_rule()
        elif walker.page.name == "rule":
            walker.explain()
        elif walker.page.name == "direct":
            offered = walker.answer.text.partition("<datalist")[2]
            walker.send("ticket", item=offered.split('value="')[1].partition('"')[0])
        else:
            walker.send("ticket")
    yield walker.answer.text


PRACTICE = (
    *("perform lantern_dance", "go toy_shop", "buy practice_sword"),
    *("go wheat_field", "defeat old scarecrow"),
)


@pytest.mark.parametrize("when", ["episode", "block"])
@pytest.mark.parametrize(
    ("block", "first"), [(ITEMS, 1), (PROCESS, None), (STATED_ITEMS, 1), (DOUBLE, None)]
)
def test_who_visits_one_world_reads_of_one(client, make_study, look, block, first, when):
    make_study(
        slug="one",
        blocks=[block],
        per_player=1,
        texts={},
        options={"episodes_per_block": first},
        rule_form={"when": when},
    )
    several = dict(SEVERAL)
    if block is DOUBLE:
        del several["You defeated {number} of {total} guardians"]
        del several["After each guardian we ask"]
    seen = [
        " ".join(re.sub(r"</?(strong|code)>", "", text).split())
        for text in way(client, look, "one")
    ]
    said = [one for one in several for text in seen if spoken(one).search(text)]
    assert said == []
    assert any("one world, which has one rule" in text for text in seen)


def test_who_visits_several_worlds_reads_of_several(client, make_study):
    make_study(slug="two", blocks=[ITEMS, PROCESS], per_player=2, texts={})
    page = client.get("/s/two").text
    assert "play a few short" in page
    walker = Walker(client).enter("/s/two")
    shown = walker.get(f"/p/{walker.token}/instructions").answer.text
    assert "Each world has <strong>guardians</strong>" in shown
    assert "You will visit 2 worlds. Each world has its own rule." in shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", [OWN, REFERENCE, STATED])
def test_default_follows_the_number_of_worlds_and_an_own_text_stays(language, source):
    assert {one for one, _ in OTHERS} == {OWN, REFERENCE, STATED}
    line = {OWN: {}, REFERENCE: {"source": REFERENCE}, STATED: {"format": "direct"}}[source]
    data = {
        "slug": "s",
        "title": "S",
        "language": language,
        "blocks": [{"task": "A-Over", "seeds": "0-3", **line}],
    }
    many = check_study({**data, "per_player": 2})
    one = check_study({**data, "per_player": 1})
    assert many.texts.consent != one.texts.consent
    assert many.texts.instructions != one.texts.instructions
    assert one.texts.consent == default_texts(language, source, is_one_world=True)["consent"]
    again = {**data, "per_player": 1, "texts": many.texts.model_dump(mode="json")}
    assert check_study(again).texts == one.texts
    own = {"instructions": "Each world has **guardians**, and I say so myself."}
    assert check_study({**data, "texts": own}).texts.instructions == own["instructions"]


def commands(html):
    """Return the commands that a page lists: of the worlds, and of the practice only."""
    page = one_line(html).partition("What you can type")[2]
    worlds, _, practice = page.partition("nly in the practice:")
    return tuple(re.findall(r"<li><code>(\w+)</code>", part) for part in (worlds, practice))


EACH = ["go", "buy", "defeat", "check_inventory", "check_location"]
ALL = ["go", "buy", "defeat", "perform", "drink", "check_inventory", "check_location"]


@pytest.mark.parametrize(
    ("blocks", "practice", "listed"),
    [
        ([ITEMS], True, (EACH, ["perform", "drink"])),
        ([ITEMS], False, (EACH, [])),
        ([PROCESS], True, (ALL, [])),
        ([PROCESS], False, (ALL, [])),
        ([ITEMS, PROCESS], True, (ALL, [])),
        ([STATED_ITEMS], True, ([], ALL)),
        ([STATED_ITEMS], False, ([], [])),
        ([ITEMS, {**PROCESS, "format": "direct"}], True, (EACH, ["perform", "drink"])),
    ],
)
def test_instructions_list_the_commands_of_ones_worlds_and_of_the_practice(
    client, make_study, blocks, practice, listed
):
    make_study(
        slug="said",
        blocks=blocks,
        per_player=len(blocks),
        options={"practice": practice},
        questions={"comprehension": [CHECK]},
    )
    walker = Walker(client).enter("/s/said")
    home = f"/p/{walker.token}"
    assert commands(walker.get(f"{home}/instructions").answer.text) == listed
    walker.get(home)
    while walker.page.name != "comprehension":
        walker = walker.type(*PRACTICE) if walker.page.name == "practice" else walker
        walker.send("ticket").get(home)
    assert commands(walker.answer.text) == listed


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != ENGLISH])
def test_other_languages_explain_the_listed_commands_and_no_others(client, make_study, language):
    make_study(
        slug="said",
        blocks=[ITEMS],
        per_player=1,
        language=language,
        texts={},
        options={"practice": False},
    )
    walker = Walker(client).enter("/s/said")
    page = one_line(walker.get(f"/p/{walker.token}/instructions").answer.text)
    assert "perform" not in page
    assert "drink" not in page
    explained = dict(re.findall(r"<li><code>(\w+)</code>[^<(]*\(([^)]+)\)</li>", page))
    assert list(explained) == EACH
    assert not set(explained) & set(explained.values())


@pytest.mark.parametrize(
    ("base", "bonus", "options", "lines"),
    [
        (400, "50 * successes", {}, ("You are paid whatever your score.", "Your bonus: GBP 0.50.")),
        (0, "50 * successes", {}, ("Your bonus: GBP 0.50.",)),
        (400, "0 * successes", {}, ("You have not earned a bonus.",)),
        (
            400,
            "50 * successes",
            {"hide_outcomes": True},
            ("The researcher works out your bonus, of up to GBP 2.00, after checking your part.",),
        ),
    ],
)
def test_last_page_tells_the_bonus_and_offers_none(
    client, make_study, look, base, bonus, options, lines
):
    make_study(
        slug="paid",
        blocks=[ITEMS],
        per_player=1,
        options={"episodes_per_block": 1, "practice": False, **options},
        payment={"base_cents": base, "bonus": bonus, "bonus_cap_cents": 200},
    )
    last = list(way(client, look, "paid"))[-1]
    assert "can get a bonus" in client.get("/s/paid").text
    assert "can get a bonus" not in last
    assert all(line in last for line in lines)
    assert ("paid whatever" in last) == (base > 0)
