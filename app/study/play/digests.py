"""Digests of turns (chained) and of explanations, which reveal any altered byte."""

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

SEPARATOR = "\x1f"  # cannot occur in typed text, where control characters are refused


def digest(previous: str, fields: tuple[object, ...]) -> str:
    """Return the blake2b-128 (hex) of the previous turn's digest and this turn's fields.

    Args:
        previous: digest of the previous turn, or `first_link` for turn 1.
        fields: every stored field except id and digest, in the order of `TURN_FIELDS`.
    """
    text = SEPARATOR.join([previous, *map(str, fields)])
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


TURN_FIELDS = (
    "seq",
    "raw",
    "verb",
    "argument",
    "parse_status",
    "ok",
    "code",
    "params",
    "message",
    "done",
    "success",
    "attempt",
    "actions_used",
    "location",
    "item",
    "coins",
    "did",
    "received_ms",
    "client_ms",
    "think_ms",
    "taps",
)


def first_link(episode_id: int, variant_hash: str, variant_episode: int) -> str:
    """Return the start of the chain, which names the episode and its variant."""
    return f"{episode_id}/{variant_hash}/{variant_episode}"


EXPLANATION_FIELDS = (
    *("form", "text", "inputs", "output", "how", "do_not_know", "confidence", "found_how"),
    "design_version",
)


def explanation_digest(row: Mapping[str, Any]) -> str:
    """Return the digest of an explanation's row: who, where, what and when."""
    written: datetime = row["created_at"]
    place = f"{row['participant_id']}/{row['block_id']}/{row['episode_id']}/{row['after']}"
    when = written.astimezone(UTC).isoformat(timespec="microseconds")
    return digest(place, (*(row[name] for name in EXPLANATION_FIELDS), when))
