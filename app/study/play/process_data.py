"""Process data from the browser's script. The consent page names it; play never needs it.

An unreadable batch is dropped silently, so that it never gets in the way of playing. No IP address
and no full browser name is stored.
"""

import json
import re
from datetime import datetime, timedelta
from typing import Any

from app.moments import to_ms
from app.store.base import AnyRow
from app.store.db import Store
from app.store.play import process_data
from app.study.design.spec import StudySpec
from app.study.play import players, questions, rule_form

KINDS = frozenset(
    {"open", "hidden", "blur", "focus", "paste", "keys", "resize", "latency", "client"}
)
MAX_BATCH = 200
MAX_EVENTS = 20_000  # per participant; further events are dropped
MAX_VALUE = 2**53
MAX_DETAIL = 64
LATE = timedelta(minutes=1)  # a browser sends the last page's events when it leaves that page
Event = tuple[str, int, str, int | None]
EVENT_FIELDS = 4

# the first that occurs in the User-Agent wins
FAMILIES = (
    ("Firefox/", "firefox"),
    ("Edg/", "edge"),
    ("OPR/", "opera"),
    ("SamsungBrowser/", "samsung"),
    ("Chrome/", "chrome"),
    ("CriOS/", "chrome"),
    ("FxiOS/", "firefox"),
    ("Safari/", "safari"),
)


DEVICES = ("phone", "tablet", "desktop")
WINDOW = re.compile(r"[0-9]{1,5}x[0-9]{1,5}")
TYPED_IN = frozenset({"raw", "item", *rule_form.FIELDS})  # fields of the game's own forms


def is_ordinary(detail: str, spec: StudySpec) -> bool:
    """Tell whether our own script sends such a detail; any program could send something else."""
    family, _, device = detail.partition(" ")
    is_browser = device in DEVICES and family in {*(name for _, name in FAMILIES), "other"}
    asked = (*spec.questions.before, *spec.questions.after, questions.COMMENT)
    fields = TYPED_IN | {process_data.AUTOMATED} | {questions.field(one.key) for one in asked}
    return not detail or detail in fields or is_browser or WINDOW.fullmatch(detail) is not None


def sides(detail: str) -> int | None:
    """Return the digits of a window's width and height as one number; None if it is no window."""
    return int(detail.replace("x", "")) if WINDOW.fullmatch(detail) else None


def browser_family(agent: str) -> str:
    """Return the browser family of a User-Agent header: firefox, chrome, ..., other."""
    return next((name for sign, name in FAMILIES if sign in agent), "other")


def device_class(agent: str) -> str:
    """Return the device class of a User-Agent header: phone, tablet or desktop."""
    if "iPad" in agent or "Tablet" in agent or ("Android" in agent and "Mobile" not in agent):
        return "tablet"
    return "phone" if "Mobi" in agent or "iPhone" in agent else "desktop"


def read_batch(text: str) -> list[Event]:
    """Read a batch (JSON list of [kind, value, detail, client_ms]); skip invalid events."""
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(listed, list):
        return []
    return [event for one in listed[:MAX_BATCH] if (event := read_event(one)) is not None]


def read_event(one: Any) -> Event | None:
    """Read one event; return None if it is invalid."""
    if not isinstance(one, list) or len(one) != EVENT_FIELDS:
        return None
    kind, value, detail, client_ms = one
    if kind not in KINDS or not is_count(value) or not isinstance(detail, str):
        return None
    if len(detail) > MAX_DETAIL or not detail.isprintable():
        return None
    return kind, value, detail, client_ms if is_count(client_ms) else None


def is_count(value: Any) -> bool:
    """Tell whether a value is a whole number that fits into the database."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_VALUE


def store_batch(store: Store, token: str, page: str, text: str, agent: str, now: datetime) -> int:
    """Store a batch and return how many events were kept. Raises NoPlayerError.

    Nothing is kept for people who have left or whose study does not record process data. Of those
    who finished, only what their last page sends is.
    """
    events = read_batch(text)
    with store.read() as db:
        player = players.load(db, token)
        there = process_data.count(db, player.id)
    wanted = player.spec.people.process_data and is_here(player.row, now)
    if not events or not wanted or there >= MAX_EVENTS:
        return 0
    if any(kind == "open" for kind, *_ in events):
        events.append(("client", 0, f"{browser_family(agent)} {device_class(agent)}", None))
    known = {step.path for step in player.progress.steps}
    rows = [
        {
            "participant_id": player.id,
            "page": page if page in known else "",
            "kind": kind,
            "value": value,
            "detail": detail,
            "client_ms": client_ms,
            "received_ms": to_ms(now),
        }
        for kind, value, detail, client_ms in events
    ]
    with store.write() as db:
        process_data.insert(db, rows)
    return len(rows)


def is_here(row: AnyRow, now: datetime) -> bool:
    """Tell whether a participant is under way or has finished just now."""
    if row.state == "finished":
        return row.erased_at is None and now - row.finished_at < LATE
    return bool(row.state == "active")
