"""Which backups to keep: the newest ones, and the newest of each of the last days, weeks, ..."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from app.errors import StoreError

PERIODS: Mapping[str, str] = {
    "hourly": "%Y-%m-%d %H",
    "daily": "%Y-%m-%d",
    "weekly": "%G-%V",
    "monthly": "%Y-%m",
    "yearly": "%Y",
}
LAST = "last"
PART = re.compile(rf"({LAST}|{'|'.join(PERIODS)})=([1-9]\d{{0,3}})")
NUMBER = re.compile(r"[1-9]\d{0,4}")


class RuleError(StoreError):
    """A rule cannot be read."""

    code = "store/retention"


class Part(NamedTuple):
    """Keep the newest backup of each of this many newest periods that have one."""

    period: str
    number: int


def read(text: str) -> tuple[Part, ...]:
    """Return a rule such as `48` or `daily=7 weekly=4`. Raises RuleError."""
    if NUMBER.fullmatch(text.strip()):
        return (Part(LAST, int(text)),)
    words = re.split(r"[\s,]+", text.strip())
    found = [PART.fullmatch(word) for word in words]
    parts = [Part(one[1], int(one[2])) for one in found if one]
    if len(parts) < len(words) or len({part.period for part in parts}) < len(parts):
        names = ", ".join([LAST, *PERIODS])
        raise RuleError(
            f"'{text}' is not a rule. Give the number of newest backups to keep, such as 48, or "
            f"parts such as 'daily=7 weekly=4' ({names}), each once."
        )
    return tuple(parts)


def kept(times: Iterable[datetime], rule: Iterable[Part]) -> set[datetime]:
    """Return the times of the backups to keep; the newest is always among them."""
    newest_first = sorted(set(times), reverse=True)
    found = set(newest_first[:1])
    for period, number in rule:
        if period == LAST:
            found |= set(newest_first[:number])
            continue
        of_period: dict[str, datetime] = {}
        for time in newest_first:
            of_period.setdefault(time.strftime(PERIODS[period]), time)
        found |= set(list(of_period.values())[:number])
    return found
