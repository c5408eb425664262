"""How often each sign of automation hits: our bots, and browsers that paste or type.

Six kinds of people play the same world, each in a browser of their own except the bots:

- `pastes` is driven by a program and does not hide it. It plays in a steady rhythm, copies the
  whole page, and pastes an answer that does what the page asks for, as a language model would.
- `asks` plays like a person, leaves the page to ask a model, and pastes its answer, reworded.
- `types` plays like a person and types an answer of its own, key by key, with corrections.
- `suggests` does the same, but a phone's word suggestions write most words: no keystrokes.
- `metronome` sends a command every second, whatever the server takes to answer the last one.
- `copies` are two people of whom one types what the other wrote, with a word more.
"""

import time
from collections.abc import Callable, Iterator
from itertools import count
from random import Random

from playwright.sync_api import Browser, Page

from app.bots import crowd
from app.bots.stored import Stored
from app.store.db import Store
from app.store.play import participants
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.people import signs
from bench import serving, stage
from bench.browser import chromium
from bench.measure import Result

SLUG, PEOPLE = "signs", 5
STUDY = {
    "slug": SLUG,
    "title": "Who types?",
    "seed": 3,
    "blocks": [{"task": "A-Over", "seeds": [1]}],
    "options": {"practice": False, "episodes_per_block": 2, "canary": True},
    "rule_form": {"when": "block", "parts": "one", "confidence": False, "found_how": False},
    "questions": {"comment": False},  # nothing follows the rule form: its last keys must arrive
}
ANSWERED = (  # what a language model answers, more or less
    "The required weapon is determined by the guardian's class, while the region only matters for "
    "one class, where it overrides the general mapping."
)
REWORDED = (
    "Class picks the weapon; for a single class the home region wins over that.",
    "I think each kind of guardian has its weapon, but one region always takes the same one.",
    "Mostly by class. There is an exception that goes by where the guardian lives.",
    "You get the weapon from the class except when a certain region decides instead.",
    "All guardians of a class want one weapon, unless they are from the special region.",
)
WRITTEN = (
    "i think the first thing about them says what to buy and one of them is special",
    "Most of the time only the kind counts. But there was one where the place mattered instead.",
    "no real idea, maybe the ones from the same land need the same thing except fire",
    "kind decides the weapon!! for one kind it goes by where they live",
    "You look at what it is, then the item follows. An exception exists I believe, seen it twice",
)
SUGGESTED = (
    "It goes by the type and then something with the area that I did not get",
    "always the same sword for the same type, only one area is different",
    "I guess the area is more important than the type but only once",
    "the type tells you what to take, the area only counts for one of them",
    "not sure but the type was right most of the time and then one area was not",
)
COPIED = (
    "Every class has its own sword to buy, but guardians from one single region want another.",
    "Buy by class. Only where they come from the odd place you have to take a different item.",
    "Two traits were shown and I used the first, apart from one value of the second trait.",
    "Weapons follow the first word in brackets; one particular second word changes everything.",
    "First I looked at the class, later I saw that a certain home beats the class every time.",
)
PERIOD_S = 1.0
HUMAN_FLAGS = ["--disable-blink-features=AutomationControlled"]
AWAY_MS = 75_000
COPY = """async () => {
  const range = document.createRange();
  range.selectNodeContents(document.body);
  const chosen = getSelection();
  chosen.removeAllRanges();
  chosen.addRange(range);
  document.execCommand("copy");
  return await navigator.clipboard.readText();
}"""
LEAVE = """away_ms => {
  const show = hidden => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  const now = performance.now.bind(performance);
  show(true);
  performance.now = () => now() + away_ms;
  show(false);
}"""
Act = Callable[[Page, int], None]


def play(page: Page, wait_ms: Callable[[], float]) -> None:
    """Look around until both guardians' budgets are used up."""
    for _ in range(2):
        page.locator("#state[data-done=false]").wait_for(state="attached")
        state = page.locator("#state")
        while state.get_attribute("data-done") == "false":
            seq = int(state.get_attribute("data-seq") or 0)
            page.wait_for_timeout(wait_ms())
            page.locator("#raw").fill("check_inventory")
            page.keyboard.press("Enter")
            page.locator(f"#state[data-seq='{seq + 1}']").wait_for(state="attached")
        page.locator("#after a.button").click()
    page.locator("body[data-page=rule]").wait_for(state="attached")


def human(number: int) -> Callable[[], float]:
    """Return a person's pauses in milliseconds: mostly short ones, sometimes a long one."""
    rng = Random(number)
    return lambda: 1000 * min(rng.lognormvariate(-1.2, 0.8), 4)


def paste(page: Page, text: str) -> None:
    """Paste a text into the rule form."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.locator("#text").focus()
    page.keyboard.press("Control+V")


def pastes(page: Page, number: int) -> None:
    """Play in a steady rhythm; paste an answer that does what the copied page asks for."""
    play(page, lambda: 400)
    word = page.evaluate(COPY).partition("use the word ")[2].split(" ")[0]
    paste(page, f"{number}. {ANSWERED}{f' ({word}.)' if word else ''}")


def asks(page: Page, number: int) -> None:
    """Play like a person, ask a model elsewhere, and paste its answer in other words."""
    play(page, human(number))
    page.evaluate(LEAVE, AWAY_MS)
    paste(page, REWORDED[number % len(REWORDED)])


def types(page: Page, number: int) -> None:
    """Play and write like a person."""
    play(page, human(number))
    write(page, WRITTEN[number % len(WRITTEN)], number)


def copies(page: Page, number: int) -> None:
    """Play like a person; type what the person before wrote, with a word more."""
    play(page, human(number))
    write(page, COPIED[number // 2 % len(COPIED)] + " Yes." * (number % 2), number)


def metronome(page: Page, number: int) -> None:
    """Send a command every second; the rule is short, and says nothing."""
    ticks = count(time.monotonic() + PERIOD_S, PERIOD_S)

    def until_tick() -> float:
        now = time.monotonic()
        return 1000 * (next(tick for tick in ticks if tick > now) - now)

    play(page, until_tick)
    write(page, "by kind, mostly", number)


def write(page: Page, text: str, number: int) -> None:
    """Type a text key by key; one letter in twenty is corrected."""
    rng = Random(number)
    page.locator("#text").focus()
    for letter in text:
        if rng.random() < 0.05:
            page.keyboard.type("x")
            page.keyboard.press("Backspace")
        page.keyboard.type(letter)
        page.wait_for_timeout(rng.uniform(20, 120))


def suggests(page: Page, number: int) -> None:
    """Play like a person; begin each fifth word by key and take the others as suggested."""
    play(page, human(number))
    page.locator("#text").focus()
    for at, word in enumerate(SUGGESTED[number % len(SUGGESTED)].split()):
        typed = word[:1] if at % 5 == 0 else ""
        if typed:
            page.keyboard.type(typed)
        page.keyboard.insert_text(f"{word.removeprefix(typed)} ")


KINDS: tuple[tuple[str, Act, list[str]], ...] = (
    ("pastes", pastes, []),
    ("asks", asks, HUMAN_FLAGS),
    ("types", types, HUMAN_FLAGS),
    ("suggests", suggests, HUMAN_FLAGS),
    ("metronome", metronome, HUMAN_FLAGS),
    ("copies", copies, HUMAN_FLAGS),
)


def visit(browser: Browser, url: str, act: Act, number: int) -> None:
    """Let one person play in a browser of their own and send what they wrote."""
    context = browser.new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(url)
    act(page, number)
    page.locator("#rule button", has_text="Send").click()
    page.locator("body[data-page=debrief]").wait_for(state="attached")
    context.close()


def run(*, tiny: bool) -> Iterator[Result]:
    """Let each kind of people play; print who has which sign, and yield what must hold."""
    number = 1 if tiny else PEOPLE
    with stage.folder() as folder, stage.database(folder / "signs.db", 1) as store:
        studies.create(store, check_study(STUDY), stage.NOW)
        url = {"HJSTUDY_DATABASE_URL": str(store.url), "HJSTUDY_HTMX_SOURCE": "local"}
        with serving.server(serving.OURS, folder, "/healthz", **url) as port:
            tokens = play_all(store, f"http://{serving.HOST}:{port}", number)
        yield from judged(store, tokens)


def play_all(store: Store, base: str, number: int) -> dict[str, list[str]]:
    """Let everyone play; return the tokens by kind."""
    library = Library()
    kinds = ("bots", *(kind for kind, *_ in KINDS))
    tokens = {
        kind: [stage.enter(store, library, SLUG) for _ in range(number * (1 + (kind == "copies")))]
        for kind in kinds
    }
    bots = crowd.make(base, ["typist"] * number, Stored(store).knows, 1)
    crowd.run(bots, lambda at: f"/p/{tokens['bots'][at]}", in_order=False)
    for kind, act, flags in KINDS:
        with chromium(*flags) as browser:
            for at, token in enumerate(tokens[kind]):
                visit(browser, f"{base}/p/{token}", act, at)
    return tokens


def judged(store: Store, tokens: dict[str, list[str]]) -> Iterator[Result]:
    """Print how many of each kind have each sign; yield the shares that must hold."""
    with store.read() as db:
        study = studies.find(db, SLUG)
        rows = {row["participant"]: row for row in signs.of_study(db, study.id)}
        table = participants.participant
        names = {row.token: row.public_id for row in db.execute(table.select())}
    found = {kind: [rows[names[one]] for one in listed] for kind, listed in tokens.items()}
    print(f"  {'sign':<28}" + "".join(f"{kind:>16}" for kind in found))
    for sign, (title, _) in signs.DEFINITIONS.items():
        cells = [cell([row[f"sign_{sign}"] for row in people]) for people in found.values()]
        print(f"  {title:<28}" + "".join(f"{one:>16}" for one in cells))

    def share(kind: str, *wanted: str) -> float:
        hits = [any(row[f"sign_{one}"] == "yes" for one in wanted) for row in found[kind]]
        return sum(hits) / len(hits)

    for sign in ("few_keys", "pasted", "automated", "canary"):
        yield Result(f"signs: {sign} of those who paste", share("pastes", sign), 1.0)
    for sign in ("few_keys", "pasted", "hidden"):
        yield Result(f"signs: {sign} of those who ask a model", share("asks", sign), 1.0)
    yield Result("signs: even of a metronome", share("metronome", "even"), 1.0)
    yield Result("signs: alike of those who copy", share("copies", "alike"), 1.0)
    for sign in signs.DEFINITIONS:
        false = share("types", sign)
        yield Result(f"signs: {sign} of those who type", false, 0.0, at_least=False)


def cell(seen: list[str]) -> str:
    """Return how many have a sign, or that no one was observed."""
    if set(seen) == {"not observed"}:
        return "not observed"
    return f"{seen.count('yes')} of {len(seen) - seen.count('not observed')}"
