"""What a page's form allows a run: how long to wait, and most calls, tokens and money."""

from collections.abc import Mapping
from typing import NamedTuple

from app.study.models.runs import BadRunError

TIMEOUT_S, SHORTEST_S, LONGEST_S = 180.0, 0.1, 3600.0
MOST = 10**9
LABELS = {"max_calls": "Calls", "max_tokens": "Tokens"}
MAX_COST = "max_cost"


class Bounds(NamedTuple):
    """Seconds for one answer; most calls, tokens and cost of the whole run, None = no limit."""

    timeout_s: float = TIMEOUT_S
    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None


def read(typed: Mapping[str, str]) -> Bounds:
    """Return the bounds of a form; an empty field means the usual one. Raises BadRunError."""
    return Bounds(
        seconds(typed.get("timeout_s", "")),
        limit(typed, "max_calls"),
        limit(typed, "max_tokens"),
        money(typed.get(MAX_COST, "")),
    )


def seconds(text: str) -> float:
    """Return a time-out. Raises BadRunError."""
    try:
        found = float(text.strip() or TIMEOUT_S)
    except ValueError:
        found = 0.0
    if not SHORTEST_S <= found <= LONGEST_S:
        problem = f"must be from {SHORTEST_S:g} to {LONGEST_S:g} seconds."
        raise BadRunError(f"Longest wait: {problem}", "timeout_s")
    return found


def limit(typed: Mapping[str, str], name: str) -> int | None:
    """Return a limit, or None for an empty field. Raises BadRunError."""
    text = typed.get(name, "").strip()
    if not text:
        return None
    found = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(MOST)) else 0
    if not 1 <= found <= MOST:
        problem = "must be a whole number from 1, or empty for no limit."
        raise BadRunError(f"{LABELS[name]}: {problem}", name)
    return found


def money(text: str) -> float | None:
    """Return a limit of the cost, or None for an empty field. Raises BadRunError."""
    if not text.strip():
        return None
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= MOST:
        raise BadRunError("Cost: must be a number above 0, or empty for no limit.", MAX_COST)
    return found
