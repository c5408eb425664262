"""One player over HTTP: goes through a whole study like a person, from consent to the code.

`HttpPlayer` sees pages and nothing else. How to play well comes from outside: `knows` gives the
variant behind an address, and a bot of `app.game.bots` what to type.
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from app.bots.fill import fill
from app.bots.page import Form, Page, read_page
from app.bots.sender import Answer, Sender
from app.bots.stops import EndedError, StuckError
from app.game import world
from app.game.bots import GIVE_UP, Bot, make_bot
from app.game.model import Variant
from app.game.rules import reachable
from app.game.tiers import tiers
from app.game.world import Observation, State, World

Place = tuple[int, int]  # block and episode, from 0; the practice is (-1, 0)
Knows = Callable[[str, int, int], tuple[Variant, int]]  # (token, block, episode) -> what is hidden

PRACTICE: Place = (-1, 0)
LOOK = "check_location"  # typed after giving up, until the actions are used up
GUARDIAN = re.compile(r"/p/[^/]+/world/(\d+)/guardian/(\d+)(?:/answer)?")
MOST_PAGES = 5_000
MOST_CONFLICTS = 20  # commands of one episode refused as out of date
MOST_FILLS = 30  # attempts to fill in one form
END, DIRECT = "debrief", "direct"  # pages: the last one, and a guardian that is not played
WAIT = "wait"  # page of people who wait to be let in; its link asks again
OK, CONFLICT, INVALID = 200, 409, 422


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A command that the server has acknowledged, with its answer in words."""

    seq: int
    raw: str
    message: str


@dataclass(slots=True)
class Adventure:
    """What the player has seen of one episode. `state`: the fold of the page's log."""

    variant: Variant
    index: int
    world: World
    state: State
    last: Observation | None = None
    acknowledged: list[Acknowledged] = field(default_factory=list)


class HttpPlayer:
    """A bot in front of a browser.

    Afterwards: `token`, `code`, `adventures` by place (with every acknowledged command),
    `took_ms` of each command as the player waited, `conflicts` (commands refused as out of date).
    """

    def __init__(
        self,
        base_url: str | Sequence[str],
        bot: str,
        knows: Knows,
        rng: Random,
        *,
        htmx: bool = False,
        think_s: float = 0,
        hints: Mapping[str, str] | None = None,
        tries: int = 40,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepare to play.

        Args:
            base_url: the server; or several, then each request goes to one of them at random.
            bot: name of a bot (app.game.bots).
            knows: returns the variant and the index of its episode at a place.
            rng: all randomness but the network's comes from its `random()`.
            htmx: send as htmx where the page asks for it; otherwise as a browser without script.
            think_s: mean seconds of thought before each command and form.
            hints: the right answers of questions, by field name.
            tries: maximum number of times to send a request that gets no proper answer.
            wait: sleeps the given number of seconds.
        """
        addresses = [base_url] if isinstance(base_url, str) else list(base_url)
        self.bot, self.knows, self.htmx = bot, knows, htmx
        self.rng, self._think_s, self._wait = rng, think_s, wait
        self._hints = hints or {}
        network = Random(
            rng.random()
        )  # separate, so that the network does not change what is played
        self.sender = Sender(addresses, network, tries=tries, wait=wait)
        self.page, self.path = Page(), ""
        self.token = self.code = ""
        self.adventures: dict[Place, Adventure] = {}
        self.took_ms: list[float] = []
        self.conflicts, self.refresh_s = 0, 0.0
        self.on_entry: Callable[[], object] = lambda: None
        self.words: Callable[[], str] = str  # what to write into text fields; '' = the usual

    def play_study(self, start: str) -> str:
        """Go from an address (`/s/<study>`, or `/p/<token>`) to the end; return the code.

        `on_entry` is called as soon as the player has consented.
        Raises: EndedError, StuckError, NoAnswerError.
        """
        try:
            self.show(self.sender.get(start))
            for _ in range(MOST_PAGES):
                self.notice_token()
                if self.page.name == END:
                    self.code = self.page.code.strip()
                    return self.code
                self.go_on()
        finally:
            self.sender.close()
        raise StuckError(f"The study does not end: {MOST_PAGES} pages, now at '{self.page.name}'.")

    def notice_token(self) -> None:
        """Store the player's token as soon as an address shows it."""
        parts = self.path.split("/")
        if not self.token and parts[1] == "p":
            self.token = parts[2]
            self.on_entry()

    def go_on(self) -> None:
        """Do what the current page asks for."""
        if self.page.outcome:
            raise EndedError(self.page.outcome, self.page.heading)
        if self.page.name == WAIT:
            self._wait(self.refresh_s)
        if self.page.form("raw") is not None and not self.page.done:
            self.play_episode()
            return
        form = self.next_form()
        if form is not None:
            self.fill_in(form)
            return
        place = "after" if self.page.state else "main"
        links = (one.href for one in self.page.links if one.button and one.place == place)
        target = next((href for href in links if href.startswith("/")), None)
        if target is None:
            raise StuckError(f"Page leads nowhere: '{self.page.name}' ({self.page.heading}).")
        self.show(self.sender.get(target))

    def next_form(self) -> Form | None:
        """Return the form that leads to the next page, outside the game."""
        place = "after" if self.page.state else "main"
        forms = (one for one in self.page.forms if one.place == place and one.method == "post")
        return next(forms, None)

    def show(self, answer: Answer) -> None:
        """Read a whole page. Raises StuckError if it is an error page."""
        self.path, self.page = answer.path, read_page(answer.text)
        self.refresh_s = float(answer.headers.get("Refresh") or 0)
        if answer.status not in {OK, CONFLICT, INVALID} or not self.page.name:
            shown = self.page.heading.strip() or answer.text[:80]
            where = answer.path.replace(self.token, "...") if self.token else answer.path
            raise StuckError(f"Status {answer.status} at {where}: {shown}")

    def pause(self) -> None:
        """Think."""
        if self._think_s:
            self._wait(self._think_s * (0.5 + self.rng.random()))

    def fill_in(self, form: Form) -> None:
        """Fill in a form and send it, with other answers until the page accepts it."""
        name, path = self.page.name, self.path
        hints = self.statement() if name == DIRECT else self._hints
        default = f"A bot ({self.bot}) was here."
        for number in range(MOST_FILLS):
            self.pause()
            answer = self.send(form, fill(form, number, self.words() or default, hints))
            if answer.headers.get("HX-Redirect"):
                answer = self.sender.get(answer.headers["HX-Redirect"])
            elif answer.status == INVALID:
                answer = self.sender.get(path)
            self.show(answer)
            if (self.page.name, self.path) != (name, path):
                return
            again = self.next_form()
            if again is None:
                return
            form = again
        raise StuckError(f"The form on page '{name}' was not accepted: {self.page.alert}")

    def statement(self) -> dict[str, str]:
        """Return the bot's answer in the direct format: its first guess."""
        variant, index = self.knows(self.token, *self.place())
        groups = tiers(self.bot, variant, index) or (reachable(variant.task),)
        process = dict(variant.outputs)[groups[0][int(self.rng.random() * len(groups[0]))]]
        verb = process.activity.verb if process.activity else ""
        stated = {"item": process.item, "activity": verb, "placed": process.order or ""}
        return {**stated, "times": str(process.count)}

    def send(self, form: Form, fields: dict[str, str]) -> Answer:
        """Send a form, as htmx where the page asks for it and the player has a script."""
        if not (self.htmx and form.hx):
            return self.sender.post(form.action, fields, {})
        return self.sender.post(form.hx, fields, {"HX-Request": "true"})

    def play_episode(self) -> None:
        """Play the adventure on the page to its end."""
        place = self.place()
        one = self.adventures.get(place)
        if one is None:
            variant, index = self.knows(self.token, *place)
            here = world.episode_world(variant, index)
            one = self.adventures[place] = Adventure(variant, index, here, world.start(here))
        conflicts = 0
        bot = self.take_up(one, place)
        while not self.page.done:
            line = bot.next_command(one.last, one.state)
            self.pause()
            if self.type(one, LOOK if line == GIVE_UP else line):
                continue
            self.conflicts += 1
            conflicts += 1
            if conflicts > MOST_CONFLICTS or self.page.form("raw") is None:
                return  # elsewhere now, or stuck: the next page shows which
            bot = self.take_up(one, place)

    def place(self) -> Place:
        """Return the place of the current page's episode."""
        found = GUARDIAN.fullmatch(self.path)
        return PRACTICE if found is None else (int(found[1]) - 1, int(found[2]) - 1)

    def take_up(self, one: Adventure, place: Place) -> Bot:
        """Read the state from the log on the page; return a bot that continues from there."""
        turned = world.replay(one.world, [raw for _, (raw, _) in sorted(self.page.lines.items())])
        one.state, one.last = world.start(one.world), None
        if turned:
            _, one.state, one.last = turned[-1]
        self.check(one)
        name = "oracle" if place == PRACTICE else self.bot
        return make_bot(name, one.variant, one.index, Random(self.rng.random()))

    def type(self, one: Adventure, line: str) -> bool:
        """Send a command; return whether the server acknowledged it. Raises StuckError."""
        form = self.page.form("raw")
        if form is None:
            raise StuckError(f"No command line on page '{self.page.name}'.")
        seq = one.state.actions_used + 1
        began = time.perf_counter()
        answer = self.send(form, self.command(form, line))
        self.took_ms.append((time.perf_counter() - began) * 1000)
        piece = read_page(answer.text)
        if piece.name:
            self.show(answer)
        else:
            self.page.swap(piece)
        if answer.status == CONFLICT:
            return False
        raw, message = self.page.lines.get(seq, ("", ""))
        if answer.status != OK or raw != line:
            raise StuckError(
                f"Action {seq} was answered with {answer.status} and {raw!r}: {self.page.alert}"
            )
        one.acknowledged.append(Acknowledged(seq, line, message))
        _, one.state, one.last = world.play(one.world, one.state, line)
        self.check(one)
        return True

    def command(self, form: Form, line: str) -> dict[str, str]:
        """Return the command form's fields; a script would fill in some of them."""
        fields = {**form.fields, "raw": line}
        if self.htmx:
            known = {"client_ms": int(time.time() * 1000), "think_ms": int(self._think_s * 1000)}
            fields |= {name: str(value) for name, value in known.items() if name in fields}
            fields |= {"taps": "0"} if "taps" in fields else {}
        return fields

    def check(self, one: Adventure) -> None:
        """Compare the page's hooks with the engine. Raises StuckError if they differ."""
        shown = [
            self.page.state.get(name, "") for name in ("data-seq", "data-done", "data-success")
        ]
        state = one.state
        expected = [
            str(state.actions_used + 1),
            str(state.done).lower(),
            str(state.success).lower(),
        ]
        if shown != expected:
            raise StuckError(f"The page shows {shown}, the engine {expected}.")
