"""Times as recruitment platforms and spreadsheets write them, in a form that can be compared.

A time without a zone counts as UTC, as Prolific and Connect write theirs.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone

# MTurk: Wed Nov 25 12:20:00 PST 2026
MTURK = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2} \d{1,2} \d\d:\d\d:\d\d) ([A-Z]{2,4}) (\d{4})")
ZONES = (
    "UTC:0 GMT:0 EST:-5 EDT:-4 CST:-6 CDT:-5 MST:-7 MDT:-6 PST:-8 PDT:-7 AKST:-9 AKDT:-8 HST:-10"
)
HOURS = {name: int(hours) for name, hours in (zone.split(":") for zone in ZONES.split())}
# spreadsheets: 25.11.2026 10:00, 11/25/2026 10:00:05 PM
CLOCK = r"(\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AaPp])\.?[Mm]\.?)?"
NUMBERS = re.compile(rf"(\d{{1,2}})([./-])(\d{{1,2}})\2(\d{{4}})(?:,? {CLOCK})?")
MONTHS = HALF_A_DAY = 12


def is_day_first(texts: Iterable[str]) -> bool | None:
    """Tell whether a file's `02/11/2026` is the 2nd of November; None if no date of it shows that.

    Dates with dots have the day first everywhere.
    """
    found = (NUMBERS.fullmatch(text.strip()) for text in texts)
    dates = [(int(one[1]), int(one[3])) for one in found if one and one[2] != "."]
    first, second = (any(pair[at] > MONTHS for pair in dates) for at in (0, 1))
    return None if first == second else first


def moment(text: str, *, day_first: bool | None) -> datetime | None:
    """Return a time in UTC, or None if it cannot be read; `day_first`: of the file's dates."""
    text = text.strip()
    found: datetime | None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = from_mturk(text) or from_numbers(text, day_first=day_first)
    if found is None:
        return None
    try:
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except OverflowError:  # in the first or last hours that can be written
        return None


def from_mturk(text: str) -> datetime | None:
    """Read a time as MTurk writes it."""
    match = MTURK.fullmatch(text)
    if match is None or match[2] not in HOURS:
        return None
    try:
        found = datetime.strptime(f"{match[1]} {match[3]}", "%b %d %H:%M:%S %Y")  # noqa: DTZ007
    except ValueError:
        return None
    return found.replace(tzinfo=timezone(timedelta(hours=HOURS[match[2]])))


def from_numbers(text: str, *, day_first: bool | None) -> datetime | None:
    """Read a date in numbers, perhaps with a time."""
    match = NUMBERS.fullmatch(text)
    if match is None:
        return None
    if match[2] == ".":
        day_first = True
    if day_first is None:
        return None
    day, month = (int(match[at]) for at in ((1, 3) if day_first else (3, 1)))
    hour = int(match[5] or 0)
    if match[8]:
        hour = hour % HALF_A_DAY + (HALF_A_DAY if match[8] in "Pp" else 0)
    try:
        return datetime(int(match[4]), month, day, hour, int(match[6] or 0), int(match[7] or 0))  # noqa: DTZ001
    except ValueError:
        return None
