"""Parse typed text; the only place where the game tolerates spelling.

Two stages, so that a refusal never reaches the log:
`clean` refuses text that cannot be a command at all (nothing is stored, no action counts);
`parse` reads the rest, and a mistyped command is an action like any other.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from app.errors import GameError
from app.game.model import Variant
from app.languages.text import phrase

MAX_LENGTH = 200  # characters (code points) of one command, CRLF counted as one

# What each verb asks for, in the order in which help lists the verbs.
ARGUMENT_KINDS: Mapping[str, str] = {
    "go": "place",
    "buy": "item",
    "get": "item",
    "defeat": "guardian",
    "rescue": "guardian",
    "perform": "ritual",
    "drink": "potion",
}
BARE_VERBS = ("check_inventory", "check_location")
ACTIVITY_KINDS: Mapping[str, str] = {"perform": "ritual", "drink": "potion"}

UNDERSTOOD = ("ok", "normalised")
STATUSES = (
    *UNDERSTOOD,
    "unknown_verb",
    "missing_argument",
    "unknown_name",
    "wrong_kind",
    "extra_argument",
)

_SEPARATORS = re.compile(r"[\s_-]+")
_QUOTES = dict.fromkeys(
    (*range(0x2018, 0x2020), 0x2039, 0x203A, 0xAB, 0xBB)
)  # single, double, angled
_BARE = {verb.replace("_", " "): verb for verb in BARE_VERBS}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class InputError(GameError):
    """The text cannot be a command; it is refused before it is logged and costs no action."""

    code = "input/error"


class EmptyInputError(InputError):
    """Nothing was typed, or only blanks."""

    code = "input/empty"

    def __init__(self) -> None:
        super().__init__(phrase("Nothing was typed, so nothing happened. No action was counted."))


class LongInputError(InputError):
    """More than MAX_LENGTH characters."""

    code = "input/too_long"

    def __init__(self, length: int) -> None:
        super().__init__(
            phrase(
                "A command has at most {most} characters, and this one has {length}. "
                "No action was counted.",
                most=MAX_LENGTH,
                length=length,
            )
        )


class ControlInputError(InputError):
    """A control character: a line break or a tab inside the command, NUL, an escape code."""

    code = "input/control_character"

    def __init__(self) -> None:
        super().__init__(
            phrase(
                "A command is one line of plain text, without line breaks, tabs or other hidden "
                "characters. No action was counted."
            )
        )


class SurrogateInputError(InputError):
    """Half of a character (a lone surrogate), which is not valid text."""

    code = "input/broken_character"

    def __init__(self) -> None:
        super().__init__(
            phrase(
                "One character of this command could not be read. Please type it again. "
                "No action was counted."
            )
        )


class Typed(NamedTuple):
    """What was understood of one command.

    `verb`: lower case, None with `unknown_verb`. `argument`: a name exactly as the world writes
    it; None where none was recognised. With `wrong_kind` it is the name that does not go with the
    verb, with `extra_argument` the name before the surplus words.
    `status`: one of STATUSES. `kind`: of `argument`, one of place, item, guardian, ritual, potion.
    """

    verb: str | None
    argument: str | None
    status: str
    kind: str | None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All names of one world; both mappings are read-only.

    `names`: folded name -> (kind, name). `lines`: every canonical line, exactly as the world
    writes it -> what it means.
    """

    names: Mapping[str, tuple[str, str]]
    lines: Mapping[str, Typed]


def _plain(text: str) -> str:
    """Fold case, separators, typographic quotes, surrounding blanks and one final full stop."""
    words = _SEPARATORS.sub(" ", text.translate(_QUOTES)).strip().removesuffix(".")
    return words.rstrip().casefold()


def fold(text: str) -> str:
    """Return what two spellings of the same name have in common.

    Ignored: case; which of space, `_` and `-` separates words, and how many; surrounding blanks;
    a final full stop; typographic quotes; a leading 'to', 'the' or 'to the' (unless nothing else
    is left). Nothing else is ignored: no spelling is guessed.
    """
    words = _plain(text)
    for lead in ("to ", "the "):
        words = words.removeprefix(lead)
    return words


def clean(raw: str) -> str:
    """Return the text as it is stored: CRLF as LF, otherwise unchanged.

    Raises: InputError: the text is blank or too long, or holds a control or broken character; the
        message says what to do, and no action counts.
    """
    text = raw.replace("\r\n", "\n")
    if not text.strip():
        raise EmptyInputError
    if len(text) > MAX_LENGTH:
        raise LongInputError(len(text))
    if _CONTROL.search(text):
        raise ControlInputError
    if _SURROGATE.search(text):
        raise SurrogateInputError
    return text


@lru_cache(maxsize=256)
def _vocabulary(named: tuple[tuple[str, str], ...]) -> Vocabulary:
    names = {fold(name): (kind, name) for kind, name in named}
    lines = {verb: Typed(verb, None, "ok", None) for verb in BARE_VERBS}
    for verb, wanted in ARGUMENT_KINDS.items():
        for kind, name in named:
            if kind == wanted:
                lines[f"{verb} {name}"] = Typed(verb, name, "ok", kind)
    return Vocabulary(names, lines)


def build_vocabulary(variant: Variant) -> Vocabulary:
    """Collect every name a player of this variant can type. Equal worlds share one value."""
    named: Iterable[tuple[str, str]] = (
        *(("place", place) for place in variant.places),
        *(("item", item.name) for item in variant.items),
        *(("guardian", entity.name) for entity in variant.entities),
        *((ACTIVITY_KINDS[a.verb], a.name) for a in variant.activities),
    )
    return _vocabulary(tuple(named))


def parse(vocabulary: Vocabulary, text: str) -> Typed:
    """Parse one command returned by `clean`.

    `ok` means that it was typed exactly as the world writes it, `normalised` that it was
    understood in another spelling.

    Raises: EmptyInputError: the text is blank.
    """
    exact = vocabulary.lines.get(text)
    if exact is not None:
        return exact
    bare = _parse_bare(_plain(text))
    if bare is not None:
        return bare
    parts = text.split(None, 1)
    if not parts:
        raise EmptyInputError
    verb = parts[0].casefold()
    if verb not in ARGUMENT_KINDS:
        return Typed(None, None, "unknown_verb", None)
    name = fold(parts[1]) if len(parts) > 1 else ""
    if not name:
        return Typed(verb, None, "missing_argument", None)
    return _parse_name(vocabulary.names, verb, name)


def _parse_bare(words: str) -> Typed | None:
    """Parse the verbs that take no name, written with `_` or as two words."""
    for spoken, verb in _BARE.items():
        if words == spoken:
            return Typed(verb, None, "normalised", None)
        if words.startswith(spoken + " "):
            return Typed(verb, None, "extra_argument", None)
    return None


def _parse_name(names: Mapping[str, tuple[str, str]], verb: str, name: str) -> Typed:
    """Look up the folded name; a known name with words after it is `extra_argument`."""
    wanted = ARGUMENT_KINDS[verb]
    found = names.get(name)
    if found is not None:
        kind, argument = found
        return Typed(verb, argument, "normalised" if kind == wanted else "wrong_kind", kind)
    words = name.split(" ")
    for end in range(len(words) - 1, 0, -1):
        kind, argument = names.get(" ".join(words[:end]), ("", ""))
        if kind == wanted:
            return Typed(verb, argument, "extra_argument", kind)
    return Typed(verb, None, "unknown_name", None)
