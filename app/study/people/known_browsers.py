"""Marks of browsers in which someone has logged in before: they have a limit of their own."""

import secrets

from app.study.keys import is_signed, signature
from app.study.people.accounts import fold_name

MARK_BYTES = 12
KNOWN_KEY = "known_browsers"


def mark_of(key: bytes, name: str) -> str:
    """Return a mark for a browser in which someone has just logged in under a name."""
    own = secrets.token_hex(MARK_BYTES)
    return f"{own}.{signature(key, fold_name(name), own)}"


def known_source(key: bytes, name: str, mark: str) -> str:
    """Return the source that a known browser counts as, or '' if it is not known for this name.

    So a stranger at the same address cannot lock out the people who usually log in there.
    """
    own, _, sealed = mark.partition(".")
    is_known = len(own) == 2 * MARK_BYTES and is_signed(key, sealed, fold_name(name), own)
    return f"b-{own}" if is_known else ""
