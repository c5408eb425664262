"""Read JSON without a second meaning: no field twice, only finite numbers, no endless depth."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

from app.errors import FieldError


def load(text: str, what: str) -> Any:
    """Read JSON. Raises FieldError: the text is not JSON, or the named field is wrong.

    `what` is the name of the whole, for errors that concern no single field.
    """
    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except RecursionError as error:
        raise FieldError(what, "has too many nested levels") from error
    except ValueError as error:
        raise FieldError(what, f"is not JSON: {error}") from error


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object. Raises FieldError if it has a field twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise FieldError(given_twice(pairs) or "", "this field occurs twice")
    return found


def given_twice(pairs: Sequence[tuple[str, Any]]) -> str | None:
    """Return the first name that is given twice, or None."""
    times = Counter(name for name, _ in pairs)
    return next((name for name, number in times.items() if number > 1), None)


def refuse(text: str) -> NoReturn:
    """Refuse NaN and Infinity, which are not JSON."""
    raise FieldError(text, "is not a number in JSON")
