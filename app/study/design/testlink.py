"""Signed test links: they let a researcher play any version of a study, a draft's too.

A link is `/s/<slug>?test=<version>.<revision>.<expires>.<signature>`: the signature is an HMAC
with a key that each database makes once, so nobody can make a link to a study that is closed,
and people who come by it are test people: they count for no quota, balance or default export.
"""

import hashlib
import hmac
import re
import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.errors import StudyError
from app.store import keys
from app.study.design.studies import StudyView, find_version

LIFE = timedelta(days=14)
KEY = "test_links"
FIELD = "test"  # name in the address
SHAPE = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,12})\.([0-9a-f]{32})")


class TestLinkError(StudyError):
    """A test link is not ours, was changed, or is too old."""

    __test__ = False  # no test case, whatever its name
    code = "study/test_link"

    def __init__(self) -> None:
        super().__init__(
            "This preview link is not right, or too old. Make a new one: 'Preview' on the "
            "study's design page, or `hjstudy study link STUDY --test`."
        )


def sign(key: str, slug: str, version: int, revision: int, expires: int) -> str:
    """Return the value of `test` for one design of one study; `expires` in seconds since 1970."""
    text = f"{slug}|{version}|{revision}|{expires}"
    digest = hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()[:32]
    return f"{version}.{revision}.{expires}.{digest}"


def make(db: Connection, slug: str, version: int, revision: int, now: datetime) -> str:
    """Return a test link's path, good for 14 days; needs a write for the first link ever."""
    key = keys.value_of(db, KEY) or keys.make(db, KEY, secrets.token_hex(32))
    expires = int((now + LIFE).timestamp())
    return f"/s/{slug}?{FIELD}={sign(key, slug, version, revision, expires)}"


def study_of(db: Connection, slug: str, value: str, now: datetime) -> StudyView:
    """Return the study with the design that a test link names. Raises TestLinkError."""
    match, key = SHAPE.fullmatch(value), keys.value_of(db, KEY)
    if match is None or key is None:
        raise TestLinkError
    version, revision, expires = (int(part) for part in match.groups()[:3])
    right = hmac.compare_digest(sign(key, slug, version, revision, expires), value)
    if not right or expires < now.timestamp():
        raise TestLinkError
    return find_version(db, slug, version, revision)
