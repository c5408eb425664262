"""How often each sign of automation hits: our bots, a browser that pastes, one that types.

The one that pastes selects the whole page, copies it, and pastes an answer that does what the page
asks for, as a language model would. The one that types hides that a program drives it, and has the
pauses and words of a person. All of them play the same world; every person writes one explanation.
"""

from collections.abc import Iterator
from random import Random

from playwright.sync_api import Browser, Page

from app.bots import crowd
from app.bots.stored import Stored
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.people import signs
from app.study.play import enrol, rule_form, steps
from app.study.play.arrival import Arrival
from app.study.tickets import new_ticket
from bench import serving, stage
from bench.browser import chromium
from bench.measure import Result

SLUG, PEOPLE = "signs", 6
STUDY = {
    "slug": SLUG,
    "title": "Who types?",
    "seed": 3,
    "blocks": [{"task": "A-Over", "seeds": [1]}],
    "options": {"practice": False, "episodes_per_block": 2, "canary": True},
    "rule_form": {"when": "block", "parts": "one", "confidence": False, "found_how": False},
}
ANSWERED = (  # what a language model answers, more or less
    "The required weapon is determined by the guardian's class, while the region only matters for "
    "one class, where it overrides the general mapping."
)
WRITTEN = (
    "i think the first thing about them says what to buy and one of them is special",
    "Most of the time only the kind counts. But there was one where the place mattered instead.",
    "no real idea, maybe the ones from the same land need the same thing except fire",
    "kind decides the weapon!! for one kind it goes by where they live",
    "You look at what it is, then the item follows. An exception exists I believe, seen it twice",
    "depends on both, sort of: usually class, sometimes the other trait wins",
)
HUMAN_FLAGS = ["--disable-blink-features=AutomationControlled"]
COPY = """async () => {
  const range = document.createRange();
  range.selectNodeContents(document.body);
  const chosen = getSelection();
  chosen.removeAllRanges();
  chosen.addRange(range);
  document.execCommand("copy");
  return await navigator.clipboard.readText();
}"""


def entered(store):
    """Let someone consent and read the instructions; return the token."""
    token = enrol.agree(store, Library(), SLUG, Arrival(), new_ticket(), stage.now())
    rule_form.leave(store, token, steps.INSTRUCTIONS, new_ticket(), stage.now())
    return token


def play(page: Page, wait) -> None:
    """Look around until both guardians' budgets are used up."""
    for _ in range(2):
        page.locator("body[data-page=game]").wait_for(state="attached")
        while page.locator("#raw").count():
            seq = int(page.locator("#state").get_attribute("data-seq") or 0)
            page.locator("#raw").fill("check_inventory")
            page.keyboard.press("Enter")
            page.locator(f"#state[data-seq='{seq + 1}']").wait_for(state="attached")
            wait()
        page.locator("#state a.button, #after a.button, main a.button").first.click()


def pastes(page: Page, number: int) -> None:
    """Play in a steady rhythm; copy the page, and paste an answer that does what it asks for."""
    play(page, lambda: page.wait_for_timeout(400))
    copied = page.evaluate(COPY)
    word = copied.partition("use the word ")[2].split(" ")[0]
    extra = f" ({word}.)" if word else ""
    page.evaluate("text => navigator.clipboard.writeText(text)", f"{number}. {ANSWERED}{extra}")
    page.locator("#text").focus()
    page.keyboard.press("Control+V")


def types(page: Page, number: int) -> None:
    """Play with a person's pauses, and type an answer of one's own, key by key."""
    rng = Random(number)
    play(page, lambda: page.wait_for_timeout(1000 * min(rng.lognormvariate(-0.8, 0.8), 4)))
    page.locator("#text").focus()
    for letter in WRITTEN[number % len(WRITTEN)]:
        page.keyboard.type(letter)
        page.wait_for_timeout(rng.uniform(20, 120))


def visit(browser: Browser, url: str, act, number: int) -> None:
    """Let one person play in a browser and send what they wrote."""
    context = browser.new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(url)
    act(page, number)
    page.locator("#rule button", has_text="Send").click()
    page.locator("body:not([data-page=rule])").wait_for(state="attached")
    context.close()


def run(*, tiny: bool) -> Iterator[Result]:
    """Let each kind of people play; print who has which sign, and yield what must hold."""
    number = 1 if tiny else PEOPLE
    with stage.folder() as folder, stage.database(folder / "signs.db", 1) as store:
        studies.create(store, check_study(STUDY), stage.now())
        url = {"HJSTUDY_DATABASE_URL": str(store.url), "HJSTUDY_HTMX_SOURCE": "local"}
        with serving.server(serving.OURS, folder, "/healthz", **url) as port:
            base = f"http://{serving.HOST}:{port}"
            kinds = {"bots": [entered(store) for _ in range(number)]}
            players = crowd.make(base, ["typist"] * number, Stored(store).knows, 1)
            crowd.run(players, lambda at: f"/p/{kinds['bots'][at]}", in_order=False)
            for name, act, flags in (("pastes", pastes, []), ("types", types, HUMAN_FLAGS)):
                kinds[name] = [entered(store) for _ in range(number)]
                with chromium(*flags) as browser:
                    for at, token in enumerate(kinds[name]):
                        visit(browser, f"{base}/p/{token}", act, at)
        yield from compared(store, kinds)


def compared(store, kinds) -> Iterator[Result]:
    """Print, for each sign, how many of each kind have it; yield hits and false alarms."""
    with store.read() as db:
        study = studies.find(db, SLUG)
        rows = {row["participant"]: row for row in signs.of_study(db, study.id)}
        names = dict(
            db.exec_driver_sql("SELECT token, public_id FROM participant ORDER BY id").all()
        )
    found = {kind: [rows[names[token]] for token in tokens] for kind, tokens in kinds.items()}
    print(f"  {'sign':<14}" + "".join(f"{kind:>24}" for kind in found))
    for sign in signs.DEFINITIONS:
        cells = []
        for people in found.values():
            seen = [row[f"sign_{sign}"] for row in people]
            unknown = seen.count("not observed")
            more = f", {unknown} not observed" if unknown else ""
            cells.append(f"{seen.count('yes')} of {len(seen)}{more}")
        print(f"  {sign:<14}" + "".join(f"{cell:>24}" for cell in cells))

    def any_sign(kind: str) -> float:
        people = found[kind]
        return sum(
            any(row[f"sign_{sign}"] == "yes" for sign in signs.DEFINITIONS) for row in people
        ) / len(people)

    canary = [row["sign_canary"] == "yes" for row in found["pastes"]]
    yield Result("signs: people who paste, with any sign", any_sign("pastes"), 1.0)
    yield Result("signs: people who paste a copied page, canary", sum(canary) / len(canary), 1.0)
    yield Result("signs: people who type, with any sign", any_sign("types"), 0.0, at_least=False)
