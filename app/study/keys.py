"""The server's secrets: keys that sign links and tickets, and the daily key of client addresses."""

import hmac
import secrets
from datetime import date, datetime
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock

from sqlalchemy import Connection

from app.store import keys
from app.store.db import Store

DAILY = "sources-"  # and the day
NETWORK_BITS = 64  # of an IPv6 address: one household or laboratory has all the rest


class Keys:
    """The secrets of one server process. Signing keys are made once and stay in the database.

    The daily key turns client addresses into names that say nothing. With SQLite there is one
    server process, so this key lives in memory only: in the file, it would let anyone who copies
    the file find out the addresses. A second process on the same file has a key of its own, so that
    each allows the whole burst and all guesses. With PostgreSQL the server processes share it
    through the database, where the next day's key replaces it.
    """

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, Lock()
        self._known: dict[str, bytes] = {}
        self._day, self._daily = date.min, b""

    def signing(self, name: str) -> bytes:
        """Return the key of that name; the first call ever creates it."""
        if name not in self._known:
            with self._store.read() as db:
                value = keys.value_of(db, name)
            if value is None:
                with self._store.write() as db:
                    value = keys.make(db, name, secrets.token_hex(32))
            self._known[name] = value.encode()
        return self._known[name]

    def source(self, address: str, now: datetime) -> str:
        """Return today's name for a client address; '' if it is not an address."""
        network = network_of(address)
        if not network:
            return ""
        return self.of_today(network, now)

    def of_today(self, text: str, now: datetime) -> str:
        """Return today's name for a text that must not be stored."""
        return hmac.new(self._of_day(now), text.encode(), sha256).hexdigest()[:32]

    def _of_day(self, now: datetime) -> bytes:
        with self._lock:
            if now.date() != self._day:
                self._daily, self._day = self._new_daily(now.date()), now.date()
            return self._daily

    def _new_daily(self, day: date) -> bytes:
        value = secrets.token_hex(32)
        if not self._store.is_sqlite:
            with self._store.write() as db:
                value = keys.make(db, drop_old_daily(db, day), value)
        return value.encode()


def drop_old_daily(db: Connection, day: date) -> str:
    """Delete the shared daily keys of other days; return the name of this day's."""
    name = f"{DAILY}{day:%Y-%m-%d}"
    keys.drop_others(db, DAILY, name)
    return name


def network_of(address: str) -> str:
    """Return an IPv4 address, or the network of an IPv6 address; '' = neither."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:  # a Unix socket or a test
        return ""
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((found, NETWORK_BITS), strict=False))
    return str(found)


def signature(key: bytes, *parts: str) -> str:
    """Return the signature of some texts: 32 hexadecimal digits."""
    text = "\x1f".join(parts)
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), sha256).hexdigest()[:32]


def is_signed(key: bytes, given: str, *parts: str) -> bool:
    """Tell whether this is the signature of these texts."""
    return given.isascii() and hmac.compare_digest(signature(key, *parts), given)
