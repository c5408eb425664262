"""Read JSON without a second meaning: no field twice, only finite numbers, no endless depth."""

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

from app.errors import FieldError

LONGEST = 4000  # digits of a whole number; Python reads little more
SHOWN = 20
PART = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|\n')


def load(text: str, what: str) -> Any:
    """Read JSON. Raises FieldError: the text is not JSON, or the named field is wrong.

    `what` is the name of the whole, for errors that concern no single field.
    """
    hooks: dict[str, Any] = {"parse_constant": refuse, "parse_int": whole, "parse_float": decimal}
    try:
        return json.loads(text, object_pairs_hook=unique, **hooks)
    except TwiceError as error:
        path, line = second_place(text)
        raise FieldError(path, f"this field occurs twice (line {line})") from error
    except OverflowError as error:
        raise FieldError(what, f"has a number that is too large: {error}") from error
    except RecursionError as error:
        raise FieldError(what, "has too many nested levels") from error
    except ValueError as error:
        raise FieldError(what, f"is not JSON: {error}") from error


class TwiceError(Exception):
    """A field occurs twice in one object."""


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object. Raises TwiceError if it has a field twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise TwiceError
    return found


def second_place(text: str) -> tuple[str, int]:
    """Return the dotted path of the first field that occurs twice in valid JSON, and its line."""
    line, before = 1, ""
    path, names = list[str | int](), list[set[str] | None]()  # of the open objects and lists
    for part in PART.findall(text):
        if part == "\n":
            line += 1
            continue
        if part in "{[":
            names.append(set() if part == "{" else None)
            path.append("" if part == "{" else 0)
        elif part in "}]":
            names.pop()
            path.pop()
        elif part == "," and isinstance(path[-1], int):
            path[-1] += 1
        elif before in {"{", ","} and part[0] == '"' and (seen := names[-1]) is not None:
            path[-1] = name = str(json.loads(part, strict=False))
            if name in seen:
                return ".".join(map(str, path)), line
            seen.add(name)
        before = part
    return "", line


def given_twice(pairs: Sequence[tuple[str, Any]]) -> str | None:
    """Return the first name that is given twice, or None."""
    times = Counter(name for name, _ in pairs)
    return next((name for name, number in times.items() if number > 1), None)


def refuse(text: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON."""
    raise FieldError(text, "is not a number in JSON")


def whole(text: str) -> int:
    """Read a whole number. Raises OverflowError: it has too many digits."""
    return int(text) if len(text) <= LONGEST else too_large(text)


def decimal(text: str) -> float:
    """Read a decimal number. Raises OverflowError: it is larger than any number here."""
    number = float(text)
    return number if math.isfinite(number) else too_large(text)


def too_large(text: str) -> NoReturn:
    """Refuse a number that cannot be held."""
    raise OverflowError(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")
