"""Read YAML so that every value means what it says, and in bounded time.

PyYAML follows YAML 1.1: `010` is 8, `1:30` is 90, `no` is false, `2026-11-28` is a date, and only
the last of two equal keys counts. Here numbers are decimal; `yes`, `no`, `on`, `off` and dates are
text (fields that hold true or false accept these words); and whatever YAML 1.1 would read as
another number is refused by line and field. Aliases work within the limits below.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

from app.errors import StudyError

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 32
MAX_VALUES = 50_000  # an alias counts as many as it stands for
MAX_DIGITS = 18
STR = "tag:yaml.org,2002:str"
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times faster, if installed

WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
CAPITALS = {word.title(): word for word in WORDS} | {word.upper(): word for word in WORDS}
WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?")
TAB = re.compile(r" *\t")  # at the start of a line
TEXT = "write it in quotes if it is text"
REFUSED = (  # pattern of a plain value -> why it is refused
    (
        re.compile(r"[-+]?0[0-9_]+(?:\.[0-9_]*)?"),
        f"a number cannot begin with 0 (YAML reads 010 as 8); leave out the 0, or {TEXT}",
    ),
    (
        re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"),
        f"YAML reads this as a number in base 60; write a decimal number, or {TEXT}",
    ),
    (
        re.compile(r"[-+]?0[xXbBoO][0-9a-fA-F_]+|[-+]?[0-9][0-9_]*_[0-9_]*(?:\.[0-9_]*)?"),
        f"write a number with decimal digits only, or {TEXT}",
    ),
    (
        re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"),
        f"this is not a finite number; {TEXT}",
    ),
    (
        re.compile(r"[“”„«»‘’‚].*[“”„«»‘’‚]", re.DOTALL),
        'typographic quotation marks do not quote in YAML; use " instead',
    ),
)


class YamlError(StudyError):
    """YAML that cannot be read. `path` is the dotted field, '' = the whole file; lines from 1."""

    code = "study/yaml"

    def __init__(self, problem: str, line: int = 0, path: str = "") -> None:
        self.problem = f"line {line}: {problem}" if line else problem
        super().__init__(f"{path}: {self.problem}" if path else self.problem)
        self.path = path


class Document(NamedTuple):
    """A document's data, and the line on which each of its fields (by dotted path) begins."""

    data: Any
    lines: Mapping[str, int]


class Part(NamedTuple):
    """An anchored value and how many values are in it, itself included."""

    value: Any
    size: int


class Place(NamedTuple):
    """Where a value is: its dotted path, its line, how deep inside others."""

    path: str
    line: int
    depth: int

    def refuse(self, problem: str) -> YamlError:
        """Return the error for this place."""
        return YamlError(problem, self.line, self.path)


def read(text: str) -> Document:
    """Read one YAML document. Raises YamlError."""
    if len(text) > MAX_CHARACTERS:
        raise YamlError(
            f"the file has {len(text):,} characters; at most {MAX_CHARACTERS:,} are allowed"
        )
    try:
        return Reading(yaml.parse(text, Loader=LOADER)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}: " if mark else ""
        reason = ", ".join(part for part in (error.context, error.problem) if part)
        if mark and any(map(TAB.match, text.split("\n")[mark.line : mark.line + 1])):
            reason = "it begins with a tab: indent with blanks"
        raise YamlError(f"this is not YAML, {where}{reason}") from error
    except (yaml.YAMLError, ValueError) as error:
        raise YamlError(f"this is not YAML, {' '.join(str(error).split())}") from error


@dataclass(slots=True)
class Reading:
    """One reading of a document, event by event."""

    events: Iterator[Any]
    anchors: dict[str, Part | None] = field(default_factory=dict)  # None: not read to its end
    lines: dict[str, int] = field(default_factory=dict)
    size: int = 0

    def document(self) -> Document:
        """Return the only document; an empty one is None."""
        next(self.events)  # the start of the stream
        first = next(self.events)
        if isinstance(first, yaml.StreamEndEvent):
            return Document(None, {})
        found = self.value(next(self.events), "", 0)
        next(self.events)  # the end of the document
        after = next(self.events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise YamlError("a file holds one document; remove '---'", after.start_mark.line + 1)
        return Document(found, self.lines)

    def value(self, event: Any, path: str, depth: int) -> Any:
        """Return the value that begins with an event."""
        here = Place(path, event.start_mark.line + 1, depth)
        self.lines.setdefault(path, here.line)
        if depth > MAX_DEPTH:
            raise here.refuse(f"more than {MAX_DEPTH} nested levels")
        if isinstance(event, yaml.AliasEvent):
            return self.alias(str(event.anchor), here)
        if event.tag not in {None, "!", STR}:
            raise here.refuse(f"the tag {event.tag} is not allowed; remove it")
        before = self.size
        self.count(1, here)
        if event.anchor is not None:
            self.anchors[event.anchor] = None
        found = self.content(event, here)
        if event.anchor is not None:
            self.anchors[event.anchor] = Part(found, self.size - before)
        return found

    def content(self, event: Any, here: Place) -> Any:
        """Return what a list, a mapping or a scalar holds."""
        if isinstance(event, yaml.SequenceStartEvent):
            return self.entries(here)
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(here)
        return scalar(event, here)

    def count(self, more: int, here: Place) -> None:
        """Add to the number of values."""
        self.size += more
        if self.size > MAX_VALUES:
            raise here.refuse(f"more than {MAX_VALUES:,} values, counting what aliases stand for")

    def alias(self, name: str, here: Place) -> Any:
        """Return what an alias stands for."""
        if name not in self.anchors:
            raise here.refuse(f"there is no anchor &{name} above this alias")
        part = self.anchors[name]
        if part is None:
            raise here.refuse(f"the alias *{name} is inside its own anchor")
        self.count(part.size, here)
        return part.value

    def entries(self, here: Place) -> list[Any]:
        """Return a list."""
        found = list[Any]()
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            found.append(self.value(event, joined(here.path, str(len(found))), here.depth + 1))
        return found

    def mapping(self, here: Place) -> dict[str, Any]:
        """Return a mapping; keys of `<<` count only where it has no key of its own."""
        own, merged, first = dict[str, Any](), dict[str, Any](), dict[str, int]()
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            line = event.start_mark.line + 1
            key = self.key(event, here._replace(line=line))
            inner = joined(here.path, key)
            if key in first:
                raise YamlError(f"{key} is given twice, first on line {first[key]}", line, inner)
            first[key] = line
            found = self.value(next(self.events), inner, here.depth + 1)
            if key == "<<" and event.implicit[0]:
                merged = self.merged(found, Place(inner, line, here.depth))
            else:
                own[key] = found
        return {**merged, **own}

    def key(self, event: Any, here: Place) -> str:
        """Return a mapping's key, which must be text."""
        if not isinstance(event, yaml.ScalarEvent):
            raise here.refuse("a key must be a word, not a list, a mapping or an alias")
        self.count(1, here)
        found = scalar(event, here._replace(path=joined(here.path, str(event.value))))
        if not isinstance(found, str):
            raise here.refuse(f"the key {event.value} is not text; write it in quotes")
        return found

    def merged(self, found: Any, here: Place) -> dict[str, Any]:
        """Return the keys of `<<`: one mapping or several, of which the first counts."""
        parts = found if isinstance(found, list) else [found]
        if not all(isinstance(part, dict) for part in parts):
            raise here.refuse("<< takes a mapping, or a list of mappings")
        return {key: value for part in reversed(parts) for key, value in part.items()}


def joined(path: str, name: str) -> str:
    """Return the path of a field inside another."""
    return f"{path}.{name}" if path else name


def scalar(event: Any, here: Place) -> Any:
    """Return a scalar's value: quoted values are text, plain ones as the module says."""
    text = event.value
    if not event.implicit[0] or event.tag is not None:
        return text
    word = CAPITALS.get(text, text)
    if word in WORDS:
        return WORDS[word]
    for pattern, problem in REFUSED:
        if pattern.fullmatch(text):
            raise here.refuse(f"{short(text)}: {problem}")
    if WHOLE.fullmatch(text) or DECIMAL.fullmatch(text):
        if len(text) > MAX_DIGITS:
            raise here.refuse(f"{short(text)}: at most {MAX_DIGITS} digits; {TEXT}")
        return int(text) if WHOLE.fullmatch(text) else number(text, here)
    return text


def number(text: str, here: Place) -> float:
    """Return a decimal number, which must be finite."""
    found = float(text)
    if abs(found) == float("inf"):
        raise here.refuse(f"{text}: this number is too large")
    return found


def short(text: str) -> str:
    """Return the start of a value, for a message."""
    most = 40
    return text if len(text) <= most else f"{text[:most]}…"


def is_plain(text: str) -> bool:
    """Tell whether a text written without quotes is read back as this text."""
    number_like = WHOLE.fullmatch(text) or DECIMAL.fullmatch(text)
    refused = any(pattern.fullmatch(text) for pattern, _ in REFUSED)
    return not (number_like or refused or CAPITALS.get(text, text) in WORDS)
