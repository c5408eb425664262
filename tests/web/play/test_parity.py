"""People and models get the same words: the rendered game page against the question to a model."""

import html
import re
from typing import ClassVar

import pytest

from app.agents.answering import direct
from app.agents.playing import action_prompt, play, setting_of
from app.agents.presets import PAPER
from app.agents.wording import prompts
from app.agents.words import DIRECT, given
from app.game.model import COVERAGES
from app.game.tasks import TASKS
from app.web.play.rule_form import QUESTIONS
from tests.agents.driving import acting, drive
from tests.walker import Walker

pytestmark = pytest.mark.one_database

KINDS = {"Potion": "drink", "Ritual": "perform"}
LEXICA = ("semantic", "nonce")
TAG = re.compile(r"<[^>]+>")
LINES = ("dance wildly", "buy nothing", "check_inventory", "CHECK location")

# The only words that one side has and the other has not: headings, hints and labels.
NO_ACCOUNTS = "There are no accounts here."
PAGE_ONLY = [
    *("The world", "Places", "To buy", "Rituals and potions", "People", "What you can type"),
    *(
        "What earlier travellers did",
        "Every account ends well. Some follow the rule, others follow no pattern.",
    ),
]
# Also on the page alone: explanations beside some answers (`HINTS` of transcript.py).
PROMPT_ONLY = [
    *("THE WORLD", "Guardians:", "Items:", "ACCOUNTS OF EARLIER TRAVELLERS"),
    "Every account ends in victory. Some share a hidden pattern, others follow none.",
    *("COMMANDS", "One purchase is all an attempt allows. A defeat that fails ends the attempt,"),
    *("and the next one begins where you stand.", "YOUR GOAL"),
]


def text_of(markup):
    """Return a piece of HTML as a person reads it, in one line."""
    return " ".join(html.unescape(TAG.sub(" ", markup)).split()).replace(" ;", ";")


def parts(pattern, markup):
    return re.findall(pattern, markup, re.DOTALL)


def traits(text):
    """Return (label, value) pairs of `class: ranger, role: envoy` or of the page's chips."""
    return tuple(tuple(pair.split(": ")) for pair in text.split(", ")) if text else ()


def chips(markup):
    found = parts(r'<span class="chip"><i>(.*?):</i> (.*?)</span>', markup)
    place = parts(r'<span>at <b class="n">(.*?)</b></span>', markup)
    return tuple((html.unescape(a), html.unescape(b)) for a, b in found), *map(html.unescape, place)


def page_facts(page):
    """Return what the game page says before the first action, fact by fact."""
    (world,) = parts(r'<section id="world".*?</section>', page)
    (accounts,) = parts(r'<section id="accounts".*?</section>', page)
    (goal,) = parts(r'<div class="goal card".*?</div>', page)
    lists = parts(r"<ul.*?</ul>", world)
    if "<code>" not in world:  # the direct format has no commands
        lists.append("")
    rows = {
        "verbs": parts(r"<code>(.*?)</code>\s*(.*?)\s*</li>", lists[-1]),
        "items": [text_of(one) for one in parts(r"<li>.*?</li>", lists[1])],
        "people": parts(r"<li>.*?</li>", lists[-2]),
        "places": [text_of(one) for one in parts(r"<li>.*?</li>", lists[0])],
        "deeds": [text_of(one) for one in parts(r"<li>.*?</li>", lists[2])] if lists[4:] else [],
    }
    rows["people"] = [(text_of(parts(r"<b.*?</b>", p)[0]), *chips(p)) for p in rows["people"]]
    rows["tales"] = [
        (
            *re.search(r"<i>(\d+)</i> <b class=\"n\">(.*?)</b>", tale).groups(),
            *chips(tale),
            [text_of(step) for step in parts(r"<li>.*?</li>", tale.split("<ol>")[1])],
        )
        for tale in parts(r'<li class="card tale".*?</ol>', accounts)
    ]
    rows["goal"] = (text_of(parts(r"<h2.*?</h2>", goal)[0]), *chips(goal))
    rows["at"] = text_of(parts(r'<p class="at">.*?</p>', goal)[0])
    rows["budget"] = "".join(map(text_of, parts(r'<p class="soft">.*?</p>', world)))
    return rows


def page_headings(page):
    (world,) = parts(r'<section id="world".*?</section>', page)
    (accounts,) = parts(r'<section id="accounts".*?</section>', page)
    found = parts(r"<h[23][^>]*>(?!<i>)(.*?)</h[23]>", world + accounts)
    found += parts(r'<p class="soft"[^>]*>(.*?)</p>', accounts)
    return [text_of(one) for one in found]


class Prompt:
    """The question to a model, read line by line; what is left over is `others`."""

    def __init__(self, text):
        self.verbs, self.items, self.people, self.places, self.deeds = [], [], [], [], []
        self.tales, self.others, self.goal, self.at, self.budget = [], [], None, "", ""
        self.start = None
        self.section = ""
        for line in text.split("\n"):
            if line:
                self.take(line)

    def take(self, line):
        if line.isupper():
            self.section = line
        if self.section == "YOUR GOAL" and line != self.section:
            self.take_goal(line)
        elif self.section == "COMMANDS" and line.startswith("  "):
            verb, _, what = line.strip().partition(" ")
            self.verbs.append((verb, what.strip("<>")))
        elif not self.take_fact(line):
            self.others.append(line)

    def take_fact(self, line):
        """Tell whether a line is one of the facts, and keep it."""
        for pattern, keep in self.FACTS.items():
            if found := re.fullmatch(pattern, line):
                keep(self, *found.groups())
                return True
        return False

    def add_step(self, typed, answered):
        steps = self.tales[-1][-1]
        if typed:
            steps.append(typed)
        else:
            steps[-1] += f" {answered}"

    FACTS: ClassVar = {
        r"  (.+) at (\S+) for (\d+) coins": lambda self, *got: self.items.append(
            "{} at {} {} coins".format(*got)
        ),
        r"  (.+?) \((.+)\) at (\S+)": lambda self, name, own, place: self.people.append(
            (name, traits(own), place)
        ),
        r"(Potion|Ritual): (.+)": lambda self, kind, name: self.deeds.append(
            f"{KINDS[kind]} {name}"
        ),
        r"Places: (.+)": lambda self, names: self.places.extend(names.split(", ")),
        r"(\d+)\. (.+?) \((.+)\) at (\S+)": lambda self, number, name, own, place: (
            self.tales.append((number, name, traits(own), place, []))
        ),
        r"  (?:> (.+)|(.+))": add_step,
        r"You begin at (\S+) with (\d+) coins\.": lambda self, *got: setattr(self, "start", got),
    }

    def take_goal(self, line):
        if found := re.fullmatch(r"(Defeat .+?) at (\S+) \((.+?)\)\.(.*)", line):
            self.goal = found[1], traits(found[3])
            item = found[4].strip().removesuffix(".")
            item_text = f"; {item[0].lower()}{item[1:]}" if item else ""
            self.at = f"waits at {found[2]}{item_text}"
        else:
            self.budget = line


def enrolled(client, make_study, words, coverage, how="episodic"):
    """Return a player for each of the eight tasks, at the first guardian."""
    shape = {"lexicon": words, "coverage": coverage, "format": how}
    blocks = [{"task": task, "seeds": [3], **shape} for task in TASKS]
    made = make_study(blocks=blocks, per_player=1, order="balanced", options={"practice": False})
    return [Walker(client).enter(f"/s/{made.slug}?PROLIFIC_PID=p{n}") for n in range(len(TASKS))]


@pytest.fixture(params=[(words, coverage) for words in LEXICA for coverage in COVERAGES])
def shape(request):
    return request.param


def setting_for(server, look, person):
    (row, *_) = (one for one in look.episodes(person.token) if one.kind == "main")
    with server.store.read() as db:
        variant = server.library.variant(db, row.variant_hash)
    return setting_of(variant, row.variant_episode, PAPER), variant


def test_page_question_and_answers_of_the_world_say_the_same(
    client, make_study, server, look, shape
):
    seen = set()
    for person in enrolled(client, make_study, *shape):
        setting, variant = setting_for(server, look, person)
        seen.add(variant.task.name)
        check_page(person, setting, variant)
        check_answers(person, setting, variant)
    assert seen == set(TASKS)


def check_page(person, setting, variant):
    """Compare the page before the first action with the question for it."""
    page = page_facts(person.answer.text)
    question = action_prompt(setting, [], "", "plain")
    view = question[question.index("THE WORLD") : question.index("\n\nWHAT HAS HAPPENED")]
    prompt_read = Prompt(view)
    for name in ("verbs", "items", "people", "places", "tales", "goal", "at", "budget"):
        assert getattr(prompt_read, name) == page[name], name
    assert sorted(prompt_read.deeds) == sorted(page["deeds"])
    assert len(prompt_read.people) == len(variant.entities)
    assert len(prompt_read.tales) == len(variant.demonstrations)
    assert prompt_read.start == (variant.start, str(variant.coins))
    assert prompt_read.others == PROMPT_ONLY
    absent = {PAGE_ONLY[-1]: prompt_read.tales, "Rituals and potions": prompt_read.deeds}
    shown = [one for one in page_headings(person.answer.text) if one != NO_ACCOUNTS]
    assert shown == [one for one in PAGE_ONLY if absent.get(one, True)]


def check_answers(person, setting, variant):
    """Compare what the world answers on the page and in the questions to a model."""
    right = next(one for one in variant.episodes if one.entity == setting.world.entity)
    item = next(one for one in variant.items if one.name != right.process.item)
    lines = [*LINES, f"go {item.shop}", f"buy {item.name}", f"go {setting.world.place}"]
    lines += [f"defeat {setting.world.entity}", "look"]
    person.type(*lines)
    shown = parts(r'<p class="(?:\w+)" data-line="\d+">(.*?)</p>', person.answer.text)
    texts = [text_of(one).removeprefix("You typed: ") for one in shown]
    asks, _ = drive(play("plain", setting), acting([*lines, *["look"] * 50]))
    question = asks[len(lines)].prompt
    lines_read = question[question.index("WHAT HAS HAPPENED\n") :].split("\n\n")[0].split("\n")[1:]
    assert [one.removeprefix("> ") for one in lines_read] == texts


def test_page_and_question_of_the_direct_format_say_the_same(
    client, make_study, server, look, shape
):
    """Neither has commands or a budget. Only the question says where one begins, and how rich."""
    words, coverage = shape
    absent, seen = PROMPT_ONLY.index("COMMANDS"), set()
    for person in enrolled(client, make_study, words, coverage, "direct"):
        setting, variant = setting_for(server, look, person)
        seen.add(variant.task.name)
        page, view = page_facts(person.answer.text), given(setting.view, DIRECT)
        (question, *_), _ = drive(direct(setting.view, ("item",), PAPER), lambda *_: "{}")
        assert f"\n{view}\n" in question.prompt
        prompt_read = Prompt(view)
        for name in ("verbs", "items", "people", "places", "tales", "at", "budget"):
            assert getattr(prompt_read, name) == page[name], name
        assert sorted(prompt_read.deeds) == sorted(page["deeds"])
        named, shown = (
            prompt_read.goal[0].removeprefix("Defeat "),
            page["goal"][0].replace(" ?", "?"),
        )
        assert (f"What defeats {named}?", prompt_read.goal[1]) == (shown, page["goal"][1])
        assert (prompt_read.verbs, prompt_read.budget) == ([], "")
        assert len(prompt_read.tales) == len(variant.demonstrations)
        assert prompt_read.start == (variant.start, str(variant.coins))
        assert prompt_read.others == [*PROMPT_ONLY[:absent], PROMPT_ONLY[-1]]
    assert seen == set(TASKS)


def test_rule_is_asked_for_in_the_same_three_questions():
    asked = [line[2:] for line in prompts()["verbalize"].splitlines() if line.startswith("- ")]
    assert asked == [QUESTIONS[name] for name in ("inputs", "output", "how")]
