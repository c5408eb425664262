"""Checks of one value read from JSON; each raises FieldError with the path of the field."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.errors import FieldError


def need(data: Mapping[str, Any], key: str, path: str = "") -> Any:
    """Return data[key]; `path` is the prefix of the key, with its dot."""
    if key not in data:
        raise FieldError(path + key, "is missing")
    return data[key]


def integer(value: Any, path: str, least: int, greatest: int) -> int:
    """Return the value if it is an integer (not a boolean) within the bounds, both included."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise FieldError(path, "must be an integer")
    if not least <= value <= greatest:
        raise FieldError(path, f"must be from {least} to {greatest}, not {value}")
    return value


def items(value: Any, path: str, length: int | None = None) -> list[Any]:
    """Return the value if it is a list, of the given length if there is one."""
    if not isinstance(value, list):
        raise FieldError(path, "must be a list")
    if length is not None and len(value) != length:
        raise FieldError(path, f"must have {length} entries, not {len(value)}")
    return value


def mapping(value: Any, path: str) -> dict[str, Any]:
    """Return the value if it is a dict."""
    if not isinstance(value, dict):
        raise FieldError(path, "must be an object")
    return value


def choice(data: Mapping[str, Any], key: str, choices: Sequence[str]) -> str:
    """Return data[key] if it is one of the strings."""
    value = need(data, key)
    if not isinstance(value, str) or value not in choices:
        raise FieldError(key, f"must be one of {', '.join(choices)}")
    return value
