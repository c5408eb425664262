"""One annotator over HTTP: logs in, reads the guidelines, rates every item the pages show.

`HttpRater` sees pages and nothing else. The true level of a text comes from outside (`knows`), and
so do the rater's errors: `errors[true level][given level]` are probabilities.
"""

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from app.bots.page import Form, Page, read_page
from app.bots.sender import Answer, Sender
from app.errors import HjstudyError

Errors = Sequence[Sequence[float]]  # rows: the true level 0, 1, 2; columns: what is given
EXPLANATION = re.compile(r'<div class="explanation"[^>]*>(.*?)</div>', re.DOTALL)
OK = 200
MOST_PAGES = 20_000


class RaterStuckError(HjstudyError):
    """A rater cannot go on: an error page, or a page without a way on."""

    code = "bots/rater_stuck"


@dataclass(frozen=True, slots=True)
class Entered:
    """One rating that the server has confirmed."""

    text: str
    value: int


class HttpRater:
    """One annotator. `entered` grows by one with each confirmed rating."""

    def __init__(
        self, sender: Sender, knows: Callable[[str], int], errors: Errors, rng: Random
    ) -> None:
        self.sender, self.knows, self.errors, self.rng = sender, knows, errors, rng
        self.entered: list[Entered] = []

    def log_in(self, name: str, password: str) -> None:
        """Log in through the form. Raises RaterStuckError if it leads elsewhere."""
        form = self._form(self.sender.get("/admin/login?next=/rate"), "password")
        answer = self.sender.post(
            form.action, {**form.fields, "name": name, "password": password}, {}
        )
        if self._page(answer).name != "rate":
            raise RaterStuckError(f"Logging in {name} leads to {answer.path}, not to the rounds.")

    def rate_all(self) -> int:
        """Go through every open round to its end; return the number of saved ratings."""
        rounds = [
            link.href
            for link in self._page(self.sender.get("/rate")).links
            if link.href.startswith("/rate/round/")
        ]
        for url in dict.fromkeys(rounds):
            self._through(url)
        return len(self.entered)

    def _through(self, url: str) -> None:
        page = self._page(self.sender.get(url))
        while way := next((link.href for link in page.links if link.button), ""):
            answer = self.sender.get(way)
            page = self._page(answer)
            while page.form("revision") is not None:
                answer = self._rate(answer)
                page = self._page(answer)
                if len(self.entered) > MOST_PAGES:
                    raise RaterStuckError("This round does not end.")

    def _rate(self, answer: Answer) -> Answer:
        found = EXPLANATION.search(answer.text)
        if found is None:
            raise RaterStuckError(f"{answer.path} shows no explanation.")
        text = html.unescape(found[1])
        form = self._form(answer, "revision")
        value = self._say(self.knows(text))
        if str(value) not in form.choices["value"].options:
            raise RaterStuckError(f"{answer.path} offers no rating of {value}.")
        after = self.sender.post(form.action, {**form.fields, "value": str(value)}, {})
        self._page(after)
        self.entered.append(Entered(text, value))
        return after

    def _say(self, level: int) -> int:
        point = self.rng.random()
        for given, share in enumerate(self.errors[level]):
            point -= share
            if point < 0:
                return given
        return len(self.errors[level]) - 1

    def _form(self, answer: Answer, field: str) -> Form:
        form = self._page(answer).form(field)
        if form is None:
            raise RaterStuckError(f"{answer.path} has no field '{field}'.")
        return form

    def _page(self, answer: Answer) -> Page:
        page = read_page(answer.text)
        if answer.status != OK:
            raise RaterStuckError(f"{answer.path} answered {answer.status}: {page.heading}")
        return page
