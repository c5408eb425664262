"""Which language a page is in: the study's on players' pages, English everywhere else."""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from threading import Lock
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from app.languages.catalogue import ENGLISH, Language, Speech, speech
from app.languages.text import Text
from app.web.static_files import STATIC

PLAYERS = re.compile(r"/[ps]/[A-Za-z0-9_-]+")  # the start of the address of every player's page
SCRIPT = re.compile(r'\bword\(\s*"([^"]+)"')  # in app.js
CODE = re.compile("`([^`]+)`")
MOST_KNOWN = 20_000

now_spoken: ContextVar[Speech] = ContextVar("now_spoken", default=speech(ENGLISH))  # noqa: B039


class Known:
    """The languages of the players and studies seen last, by the start of their addresses."""

    def __init__(self) -> None:
        self._codes: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def put(self, place: str, code: str) -> None:
        """Keep a language; drop the oldest."""
        with self._lock:
            self._codes[place] = code
            self._codes.move_to_end(place)
            if len(self._codes) > MOST_KNOWN:
                self._codes.popitem(last=False)

    def find(self, path: str, given: str, look_up: Callable[[str], str] | None) -> str:
        """Return the language of an address.

        Args:
            path: the path of the request.
            given: what the page says itself, '' if it does not say.
            look_up: finds it in the database; None = use what is known.
        """
        found = PLAYERS.match(path)
        if found is None:
            return given or ENGLISH
        with self._lock:
            known = self._codes.get(found[0], "")
        code = given or known or (look_up(found[0]) if look_up else "")
        if code and code != known:
            self.put(found[0], code)
        return code or ENGLISH


def shown(value: Any) -> Any:
    """Return a value as the current page shows it; Jinja calls this for every expression."""
    return now_spoken.get().say(value) if isinstance(value, Text) else value


def in_code(text: Any) -> Markup:
    """Return an escaped text whose parts in backticks are code elements."""
    return Markup(CODE.sub(r"<code>\1</code>", str(escape(shown(text)))))  # noqa: S704 - escaped


def translate(message: str, /, **values: Any) -> Markup:
    """Return a sentence of a template; its values are escaped, the message may hold tags."""
    speaks = now_spoken.get()
    return filled(speaks, speaks.message(message), values)


def translate_number(one: str, many: str, n: int, /, **values: Any) -> Markup:
    """Return a sentence of a template with a number of things."""
    speaks = now_spoken.get()
    return filled(speaks, speaks.message(one, many, n), {"n": n, **values})


def filled(speaks: Speech, message: str, values: dict[str, Any]) -> Markup:
    """Return a message with its values, escaped, in place of their names."""
    ready = {name: escape(speaks.value(value)) for name, value in values.items()}
    # A plain format, because Markup's own takes several times as long to escape them once more.
    return Markup(message.format(**ready) if ready else message)  # noqa: S704 - ours


@contextmanager
def speaking(speaks: Speech) -> Iterator[None]:
    """Let pages be rendered in a language."""
    token = now_spoken.set(speaks)
    try:
        yield
    finally:
        now_spoken.reset(token)


def language() -> Language:
    """Return the language of the current page."""
    return now_spoken.get().language


def script_words() -> dict[str, str]:
    """Return the words of the script in the current language; {} in English."""
    speaks = now_spoken.get()
    if speaks.is_english:
        return {}
    return {words: speaks.message(words) for words in script_messages()}


@cache
def script_messages() -> tuple[str, ...]:
    """Return the words of the script in English."""
    return tuple(SCRIPT.findall((STATIC / "app.js").read_text(encoding="utf-8")))


def install(env: Environment) -> None:
    """Give templates their words."""
    env.finalize = shown
    env.filters["in_code"] = in_code
    env.globals["_"] = translate
    env.globals["_n"] = translate_number
    env.globals["language"] = language
    env.globals["script_words"] = script_words
