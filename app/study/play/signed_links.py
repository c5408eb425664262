"""Signed entry links: a personal link whose id no one can have made up.

A link is `/s/<slug>?<parameter>=<id>&entry=<expires>.<signature>`, with an HMAC over study, name
of the parameter, id and group. `expires`: seconds since 1970; 0 = never.
"""

import re
from datetime import datetime

from app.errors import StudyError
from app.languages.text import joined, phrase
from app.study.keys import is_signed, signature

KEY = "entry_links"
SHAPE = re.compile(r"(\d{1,12})\.([0-9a-f]{32})")


class EntryLinkError(StudyError):
    """A signed entry link was changed, or has expired."""

    code = "enrol/entry_link"

    def __init__(self, *, expired: bool = False) -> None:
        fault = phrase("This personal link was changed or cut off.")
        if expired:
            fault = phrase("This personal link has expired.")
        advice = phrase(
            "Please copy the whole link from your invitation, or ask the researchers for a new one."
        )
        super().__init__(joined((fault, advice)))


def sign(
    key: bytes, slug: str, parameter: str, external_id: str, group: str, expires: datetime | None
) -> str:
    """Return the value of `entry` for one person; `expires` None = never."""
    until = "0" if expires is None else str(int(expires.timestamp()))
    return f"{until}.{seal(key, slug, parameter, external_id, group, until)}"


def seal(key: bytes, slug: str, parameter: str, external_id: str, group: str, until: str) -> str:
    """Return the signature; the parameter's name counts in any case, as in links."""
    return signature(key, slug, parameter.casefold(), external_id, group, until)


def check(
    key: bytes,
    slug: str,
    parameter: str,
    external_id: str,
    group: str,
    value: str,
    now: datetime,
) -> None:
    """Check the value of `entry`. Raises EntryLinkError."""
    match = SHAPE.fullmatch(value)
    if match is None or not parameter:
        raise EntryLinkError
    until, sealed = match.groups()
    parts = (slug, parameter.casefold(), external_id, group, until)
    if not is_signed(key, sealed, *parts):
        raise EntryLinkError
    if int(until) and int(until) < now.timestamp():
        raise EntryLinkError(expired=True)
