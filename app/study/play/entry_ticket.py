"""The ticket of a consent page, signed by the server: no one enters without opening the page."""

import base64
import binascii
import hmac
import secrets
import struct
from datetime import datetime, timedelta
from hashlib import sha256

from app.errors import StudyError
from app.languages.text import phrase
from app.study.tickets import TicketError

KEY = "entry_tickets"
LIFE = timedelta(hours=24)
NONCE, STAMP, MAC = 9, 4, 14  # bytes: random, seconds since 1970, signature


class OldTicketError(StudyError):
    """The consent page was opened too long ago."""

    code = "enrol/old_page"

    def __init__(self) -> None:
        super().__init__(phrase("This page was open for a long time. Please read it again."))


def make(key: bytes, slug: str, now: datetime) -> str:
    """Return a new ticket for a study's consent page: 36 characters."""
    body = secrets.token_bytes(NONCE) + struct.pack(">I", int(now.timestamp()))
    return base64.urlsafe_b64encode(body + seal(key, slug, body)).decode()


def seal(key: bytes, slug: str, body: bytes) -> bytes:
    """Return the signature of a ticket's first bytes."""
    return hmac.new(key, slug.encode() + b"\x1f" + body, sha256).digest()[:MAC]


def check(key: bytes, slug: str, ticket: str, now: datetime) -> None:
    """Check that a ticket is ours and recent. Raises TicketError, OldTicketError."""
    try:
        raw = base64.b64decode(ticket, altchars=b"-_", validate=True)
    except (ValueError, binascii.Error) as error:
        raise TicketError from error
    body, mac = raw[: NONCE + STAMP], raw[NONCE + STAMP :]
    if len(mac) != MAC or not hmac.compare_digest(seal(key, slug, body), mac):
        raise TicketError
    (made,) = struct.unpack(">I", body[NONCE:])
    if now.timestamp() - made > LIFE.total_seconds():
        raise OldTicketError
