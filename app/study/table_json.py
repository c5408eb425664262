"""Read the values of a JSON text one by one: JSON Lines, objects, or a list of objects.

What cannot be read is an `Error` with its line, so that one bad row does not hide the others.
"""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from app.game.plain_json import LONGEST, given_twice


class Error(str):
    """Why a place in a JSON text cannot be read."""

    __slots__ = ()


def elements(text: str) -> Iterator[tuple[int, Any]]:
    """Yield (line, value) of a JSON text; an `Error` in place of what cannot be read."""
    decoder = json.JSONDecoder(
        object_pairs_hook=unique, parse_constant=constant, parse_float=decimal, parse_int=whole
    )
    place, inside = 0, text.lstrip().startswith("[")
    if inside:
        place = text.index("[") + 1
    line, counted = 1, 0
    while place < len(text):
        if text[place] in " \t\n,":
            place += 1
            continue
        line, counted = line + text.count("\n", counted, place), place
        if inside and text[place] == "]":
            if text[place + 1 :].strip():
                yield line, Error("there is more text after the list's end `]`")
            return
        try:
            value, place = decoder.raw_decode(text, place)
            yield line, value
            if not inside and text[place : place + 1] not in {"", "\n", "{"}:
                place = end_of_line(text, place)
        except (ValueError, RecursionError) as error:
            yield line, fault(error)
            if inside:
                return
            place = end_of_line(text, place)
    if inside:
        yield line, Error("the list has no end; is a `]` missing?")


def end_of_line(text: str, place: int) -> int:
    """Return the place after the line that contains a place."""
    end = text.find("\n", place)
    return len(text) if end < 0 else end + 1


def fault(error: Exception) -> Error:
    """Return why JSON cannot be read, with the column."""
    if isinstance(error, json.JSONDecodeError):
        return Error(f"this is not JSON ({error.msg}, column {error.colno})")
    return Error(f"this is not JSON ({error})")


def unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object. Raises ValueError if a name occurs twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"`{given_twice(pairs)}` is given twice")
    return found


def constant(text: str) -> str | None:
    """Return NaN as no value, an infinity as written."""
    return None if text == "NaN" else text


def decimal(text: str) -> float | str:
    """Return a decimal number; as written if it is larger than any number here."""
    number = float(text)
    return number if math.isfinite(number) else text


def whole(text: str) -> int | str:
    """Return a whole number; as written if it has too many digits."""
    return int(text) if len(text) <= LONGEST else text


def plain(value: Any) -> str:
    """Return a JSON value as text: null is empty, true and objects stay JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
