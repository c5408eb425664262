"""Retake the documentation's screenshots: python -m bench.screenshots [FOLDER].

Runs the real server on a temporary database. Bots play the demo study, a visitor stops in the
middle of a game and then at the rule form, and a researcher opens the study. The pages of the
example are those in `docs/example`.
"""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser, Page

from app.bots import crowd
from app.bots.stored import Stored
from app.game.model import Variant
from app.store import migrate
from app.store.db import Store
from app.store.play import progress
from app.study.design import demo, studies
from app.study.people import accounts
from app.study.play import enrol, players, questions, rule_form, steps
from app.study.play.arrival import Arrival
from app.study.play.commands import Table
from app.study.tickets import new_ticket
from bench import serving, stage
from bench.browser import chromium

IMAGES = serving.ROOT / "docs" / "images"
BOTS = ("oracle", "typist", "enumerator", "neighbour", "inducer", "eliminator")
MORE = (*("typist",) * 12, *("neighbour",) * 4)  # more bots, for the report
TASK = "A-Comp"  # the task in the screenshots
HEAVIEST = 250_000  # bytes per screenshot
EXAMPLE = serving.ROOT / "docs" / "example"
SHOWN = {  # picture -> page of the example, and what is at the top
    "example-report": "report.html#baseline_first",
    "example-replay": "replay-inducer-03.html",
    "example-agreement": "agreement.html",
}
RULE = (  # answers to the three questions of the form
    "Class and role, both.",
    "Which weapon it takes: its size and its colour.",
    "Class decides the size, role decides the colour.",
)


def main(folder: Path = IMAGES) -> int:
    """Take all screenshots; return 1 if one is too large."""
    folder.mkdir(parents=True, exist_ok=True)
    with stage.folder() as temporary:
        url = f"sqlite:///{temporary / 'pictures.db'}"
        migrate.upgrade(url)
        store = Store(url)
        demo.seed(store, datetime.now(UTC))
        welcome = accounts.add(store, "researcher", "researcher", datetime.now(UTC))
        environment = {"HJSTUDY_DATABASE_URL": url, "HJSTUDY_HTMX_SOURCE": "local"}
        with serving.server(serving.OURS, temporary, "/healthz", **environment) as port:
            server = f"http://{serving.HOST}:{port}"
            let_bots_play(store, server)
            visitor = Visitor(Table(store))
            with chromium() as browser:
                take_all(browser, server, visitor, welcome, folder)
                take_example(browser, folder)
        store.dispose()
    heavy = [path.name for path in sorted(folder.glob("*.png")) if size_of(path) > HEAVIEST]
    if heavy:
        print(f"too heavy: {', '.join(heavy)}")
    return int(bool(heavy))


def let_bots_play(store: Store, server: str, bots: tuple[str, ...] = BOTS, seed: int = 1) -> None:
    """Let bots play the whole study: one of each kind, or the given ones."""
    with store.read() as db:
        hints = questions.stated(studies.find(db, demo.SLUG).spec)
    players = crowd.make(server, bots, Stored(store).knows, seed, hints=hints)
    outcomes = crowd.run(players, lambda _number: f"/s/{demo.SLUG}", in_order=True)
    assert not any(one.error for one in outcomes), [one.error for one in outcomes]


class Visitor:
    """A participant in an episode of the task in the screenshots, after the practice."""

    def __init__(self, table: Table) -> None:
        self.table, self.seq = table, 0
        while True:
            self.token = self.enter()
            with table.store.read() as db:
                player = players.load(db, self.token)
            if player.blocks[0].task == TASK:
                break
        with table.store.read() as db:
            row = progress.to_play(db, self.token, 0, 0)
            assert row is not None
            self.public_id = str(player.row.public_id)
            self.variant: Variant = table.library.variant(db, row.variant_hash)
            self.episode = self.variant.episodes[row.variant_episode]

    def enter(self) -> str:
        """Enrol one more person, past instructions and practice; return the token."""
        store, now = self.table.store, datetime.now(UTC)
        token = enrol.agree(store, self.table.library, demo.SLUG, Arrival(), new_ticket(), now)
        rule_form.leave(store, token, steps.INSTRUCTIONS, new_ticket(), now)
        with store.read() as db:
            row = progress.to_play(db, token, -1, 0)
            assert row is not None
            practice = self.table.library.variant(db, row.variant_hash)
        for seq, line in enumerate(practice.episodes[0].solutions[0], start=1):
            self.table.act(token, -1, 0, seq, line, now)
        rule_form.leave(store, token, steps.PRACTICE, new_ticket(), now)
        return token

    def fail_once(self) -> list[str]:
        """Return an attempt with a wrong item, and the beginning of the next."""
        wrong = next(
            process.item
            for _, process in self.variant.outputs
            if process.item != self.episode.process.item
        )
        shop = next(item.shop for item in self.variant.items if item.name == wrong)
        place = self.variant.entity(self.episode.entity).place
        attempt = [f"go {shop}", f"buy {wrong}", f"go {place}", f"defeat {self.episode.entity}"]
        return [*attempt, f"go {shop}"]

    def win(self) -> list[str]:
        """Return the commands that win from there."""
        return list(self.episode.solutions[0][1:])

    def type(self, lines: list[str]) -> None:
        """Type lines one after the other."""
        for line in lines:
            self.seq += 1
            self.table.act(self.token, 0, 0, self.seq, line, datetime.now(UTC))


def take_all(browser: Browser, server: str, visitor: Visitor, welcome: str, folder: Path) -> None:
    """Take every screenshot, in chronological order."""
    game = f"{server}/p/{visitor.token}/world/1/guardian/1"
    visitor.type(visitor.fail_once())
    shoot(browser, folder / "game.png", lambda page: page.goto(game))
    shoot(browser, folder / "game-phone.png", lambda page: page.goto(game), phone=True)
    visitor.type(visitor.win())

    def write_rule(page: Page) -> None:
        page.goto(f"{server}/p/{visitor.token}")
        for field, text in zip(page.locator("#rule textarea").all(), RULE, strict=False):
            field.fill(text)

    shoot(browser, folder / "rule.png", write_rule)
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    page = context.new_page()
    log_in(page, server, welcome)
    study = f"{server}/admin/studies/{demo.SLUG}"
    for name, url in (
        ("study", study),
        ("monitor", f"{study}/monitor"),
        ("replay", f"{server}/admin/participants/{visitor.public_id}/replay?episode=1&step=3"),
    ):
        page.goto(url)
        take(page, folder / f"{name}.png")
    let_bots_play(visitor.table.store, server, MORE, seed=2)
    page.goto(f"{study}/report#floors_first")
    page.locator("figure img").nth(1).wait_for()
    take(page, folder / "report.png")
    context.close()


def take_example(browser: Browser, folder: Path) -> None:
    """Take the screenshots of the example's static pages."""
    for name, address in SHOWN.items():
        url = f"{EXAMPLE.as_uri()}/{address}"
        shoot(browser, folder / f"{name}.png", lambda page, url=url: page.goto(url))  # type: ignore[misc]


def log_in(page: Page, server: str, welcome: str) -> None:
    """Choose a password through the one-time link."""
    page.goto(f"{server}/admin/welcome/{welcome}")
    page.locator("#password").fill("a long password")
    page.locator("#password").press("Enter")
    page.wait_for_url("**/admin")


def shoot(
    browser: Browser, path: Path, go: Callable[[Page], object], *, phone: bool = False
) -> None:
    """Take one screenshot: 1280 px wide and light, or a phone's 360 px and dark."""
    if phone:
        context = browser.new_context(
            viewport={"width": 360, "height": 740}, color_scheme="dark", device_scale_factor=2
        )
    else:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    page = context.new_page()
    go(page)
    take(page, path)
    context.close()


def take(page: Page, path: Path) -> None:
    """Take a screenshot of a page once it is stable."""
    page.wait_for_load_state("networkidle")
    page.screenshot(path=path, animations="disabled", caret="hide")
    print(f"{path.name}: {size_of(path):,} bytes")


def size_of(path: Path) -> int:
    """Return a file's size in bytes."""
    return path.stat().st_size


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2])))
