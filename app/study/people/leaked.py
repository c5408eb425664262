"""Passwords that are on a list of leaked ones (30,000, part of the package zxcvbn)."""

from functools import cache
from importlib import import_module


@cache
def leaked() -> frozenset[str]:
    """Return the list. It is read at the first use, because it takes a fifth of a second."""
    lists = import_module("zxcvbn.frequency_lists").FREQUENCY_LISTS
    return frozenset(lists["passwords"])


def is_leaked(password: str) -> bool:
    """Tell whether a password is on the list, in any case and with digits or signs at its end."""
    folded = password.casefold().strip()
    return folded in leaked() or folded.rstrip("0123456789!?.*#$") in leaked()
