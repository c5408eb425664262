"""Signed test links, with which a researcher can play any version of a study, even a draft.

A link is `/s/<slug>?test=<version>.<revision>.<expires>.<signature>`. The signature is an HMAC with
a key that each database creates once, so no one else can create a link to a closed study. People
who use the link are test participants: they count for no quota, balance or default export.
"""

import hashlib
import hmac
import re
import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.errors import StudyError
from app.languages.text import phrase
from app.store import keys
from app.study.design.studies import StudyView, find_version

LIFE = timedelta(days=14)
KEY = "test_links"
FIELD = "test"  # name in the address
SHAPE = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,12})\.([0-9a-f]{32})")


class TestLinkError(StudyError):
    """A test link is not ours, was changed, or has expired."""

    __test__ = False  # not a test case, despite its name
    code = "study/test_link"

    def __init__(self) -> None:
        super().__init__(
            phrase(
                "This preview link is invalid or has expired. Create a new one with 'Preview' on "
                "the study's design page, or with `hjstudy study link STUDY --test`."
            )
        )


def sign(key: str, slug: str, version: int, revision: int, expires: int) -> str:
    """Return the value of `test` for one design of one study; `expires` in seconds since 1970."""
    text = f"{slug}|{version}|{revision}|{expires}"
    digest = hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()[:32]
    return f"{version}.{revision}.{expires}.{digest}"


def make(db: Connection, slug: str, version: int, revision: int, now: datetime) -> str:
    """Return the path of a test link, valid for 14 days; the first link ever needs a write."""
    key = keys.value_of(db, KEY) or keys.make(db, KEY, secrets.token_hex(32))
    expires = int((now + LIFE).timestamp())
    return f"/s/{slug}?{FIELD}={sign(key, slug, version, revision, expires)}"


def study_of(db: Connection, slug: str, value: str, now: datetime) -> StudyView:
    """Return the study with the design of a test link. Raises TestLinkError."""
    match, key = SHAPE.fullmatch(value), keys.value_of(db, KEY)
    if match is None or key is None:
        raise TestLinkError
    version, revision, expires = (int(part) for part in match.groups()[:3])
    right = hmac.compare_digest(sign(key, slug, version, revision, expires), value)
    if not right or expires < now.timestamp():
        raise TestLinkError
    return find_version(db, slug, version, revision)
