"""Faults of a study file, field by field, in plain words.

Pydantic gives a location (`loc`) and a message; rules about several fields raise text of the form
`field: sentence`, one per line. Both become faults with the path of the field.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from app.study.design import arms, near_fields

NAMED = re.compile(r"(?P<path>[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*): (?P<message>.+)", re.DOTALL)
PATTERNS = {  # messages for the patterns of fields
    "slug": "use only a-z, 0-9 and hyphens between them, at most 64 characters",
    "key": "use a-z, 0-9 and _, starting with a letter, at most 48 characters",
    "currency": "use three capital letters, such as GBP",
}
TEXT, EMPTY = "must be text: write it in quotes", "is empty: write a text, or remove the line"
IN_LINES = "write one line of blocks"  # for what a block can have only one of


@dataclass(frozen=True, slots=True)
class Fault:
    """An invalid field. `path` is dotted, such as `blocks.0.task`; '' = the whole file.

    `line`: where the field, or what should contain it, begins in the file; 0 = there is no file.
    """

    path: str
    message: str
    line: int = 0

    def __str__(self) -> str:
        """Return one line, `field.path: message (line 7)`."""
        text = f"{self.path}: {self.message}" if self.path else self.message
        return f"{text} (line {self.line})" if self.line else text


def at_lines(faults: Iterable[Fault], lines: Mapping[str, int]) -> tuple[Fault, ...]:
    """Return faults with their lines; `lines` has the line of each field by its path."""
    return tuple(replace(fault, line=line_of(fault.path, lines)) for fault in faults)


def line_of(path: str, lines: Mapping[str, int]) -> int:
    """Return the line of a field, or of the nearest field around it that is in the file."""
    while path and path not in lines:
        path = path.rpartition(".")[0]
    return lines[path] if path else 0


def faults_of(error: ValidationError, model: type[BaseModel]) -> list[Fault]:
    """Return all faults of a failed check of a whole file (`model`), in the file's order."""
    found = error.errors()
    places = [one["loc"] for one in found]

    def follows(one: Any) -> bool:
        """Tell whether a list seems too short only because an entry is invalid."""
        here = one["loc"]
        inside = (place for place in places if len(place) > len(here))
        return one["type"] == "too_short" and any(place[: len(here)] == here for place in inside)

    return [fault for one in found if not follows(one) for fault in faults_in(one, model)]


def faults_in(problem: Any, model: type[BaseModel]) -> list[Fault]:
    """Return the faults of one Pydantic error; several if a rule names several fields."""
    place = problem["loc"]
    where = ".".join(str(part) for part in place)
    if advice := one_value(problem):
        return [Fault(where, advice)]
    if problem["type"] == "extra_forbidden":
        words = near_fields.advice(model, place)
        return [Fault(where, f"there is no such field. {words}")]
    if problem["type"] == "model_type":
        fields = near_fields.fields_at(model, [part for part in place if isinstance(part, str)])
        return [Fault(where, f"must be a mapping of fields: {', '.join(fields)}")]
    if problem["type"] != "value_error":
        return [Fault(where, plain(problem))]
    lines = str(problem["msg"]).removeprefix("Value error, ").split("\n")
    return [named(where, line) for line in lines]


def one_value(problem: Any) -> str:
    """Return what to do about a list where one value belongs; '' = the problem is another."""
    place, kind = problem["loc"], str(problem["type"])
    if not isinstance(problem["input"], (list, tuple)) or not place:
        return ""
    is_block = bool(place[0] == "blocks")
    if is_block and place[-1] in set(get_args(arms.Between)) - {arms.NONE}:
        return (
            f"takes one value: {IN_LINES} per {place[-1]}, and `between: {place[-1]}` if each "
            "player plays only one of them"
        )
    if kind in {"string_type", "literal_error"} or kind.startswith(("int_", "bool_")):
        return f"takes one value, not a list{f': {IN_LINES} for each' if is_block else ''}"
    return ""


def named(where: str, line: str) -> Fault:
    """Parse `field: sentence`; the field is relative to `where`."""
    match = NAMED.fullmatch(line)
    if match is None:
        return Fault(where, line)
    path = match["path"]
    if where and (where == path or where.endswith(f".{path}")):
        return Fault(where, match["message"])
    return Fault(f"{where}.{path}" if where else path, match["message"])


def plain(problem: Any) -> str:
    """Return a Pydantic message in plain words."""
    facts = problem.get("ctx", {})
    last = str(problem["loc"][-1]) if problem["loc"] else ""
    words = {
        "missing": "is missing",
        "string_type": TEXT if problem.get("input") is not None else EMPTY,
        "string_pattern_mismatch": PATTERNS.get(last, "has the wrong format"),
        "bool_parsing": "must be true or false",
        "bool_type": "must be true or false",
        "dict_type": "must be a mapping: its fields below it, indented, each as `name: value`",
        "tuple_type": "must be a list: one entry a line, each after `- `",
        "none_required": "must be empty",
    }
    kind = str(problem["type"])
    if kind in words:
        return words[kind]
    if kind.startswith("int_"):
        return "must be a whole number"
    limits = {
        "greater_than_equal": "must be {ge} or more",
        "less_than_equal": "must be {le} or less",
        "string_too_long": "can have at most {max_length} characters",
        "too_long": "can have at most {max_length} entries",
        "literal_error": "must be one of {expected}",
    }
    if kind in limits:
        return limits[kind].format(**facts)
    if kind in {"string_too_short", "too_short"}:
        least, unit = facts["min_length"], "characters" if kind[0] == "s" else "entries"
        if least == 1:
            return "is missing" if kind[0] == "s" else "needs at least one entry"
        return f"needs at least {least} {unit}"
    return str(problem["msg"])
