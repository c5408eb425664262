"""The file of bonuses that were sent: lines `id,amount` as in bonus.csv, or with a header."""

import re

from app.errors import StudyError
from app.study import table_file
from app.study.people.platform_list import FIELDS, MAX_ID
from app.study.table_file import Line, Problem
from app.study.table_rows import DELIMITERS, TableFileError, first_cells

COLUMNS = ("id", "amount")
ALIASES = {
    **dict.fromkeys((*FIELDS["external_id"], "external_id"), "id"),
    **dict.fromkeys(("bonus", "bonus amount", "payment"), "amount"),
}
AMOUNT = re.compile(r"(\d{1,7})(?:[.,](\d{1,2}))?", re.ASCII)


class BonusFileError(StudyError):
    """The file of sent bonuses is refused; the message says why."""

    code = "bonus/file"


def cents_in(text: str) -> int | None:
    """Return an amount such as `1.20` or `1,2` in cents; None = it is not one."""
    found = AMOUNT.fullmatch(text.strip())
    return None if found is None else int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def amounts_in(text: str) -> dict[str, int]:
    """Return id -> cents. An id on several lines gets their sum, because platforms pay each line.

    Raises BonusFileError: the file cannot be read, or a line has no id or no amount.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise BonusFileError("The file has no lines. Choose the bonus.csv that you sent.")
    header = header_for(text)
    try:
        table = table_file.read(header + text, COLUMNS, ALIASES)
        table_file.has_columns(table, COLUMNS)
    except TableFileError as error:
        raise BonusFileError(
            f"{error.message} The file needs lines of an ID and an amount, as in bonus.csv. "
            "Nothing was recorded."
        ) from None
    found, problems = dict[str, int](), list(table.problems)
    for line in table.lines:
        cents = cents_in(line.get("amount"))
        if cents is None or not 0 < len(line.get("id")) <= MAX_ID:
            problems.append(Problem(line.number, fault_of(line)))
        else:
            found[line.get("id")] = found.get(line.get("id"), 0) + cents
    if problems:
        first = min(problems, key=lambda one: one.line)
        number = first.line - bool(header)
        raise BonusFileError(f"Line {number}: {first.text}. Nothing was recorded.")
    return found


def header_for(text: str) -> str:
    """Return the header to put above lines without one; '' = the file has its own."""
    first = text.strip().splitlines()[0].strip()
    for mark in sorted(DELIMITERS, key=",".__eq__):  # a comma may be the amount's
        cells = first_cells(first, mark)
        if len(cells) == len(COLUMNS) and cents_in(cells[1]) is not None:
            return mark.join(COLUMNS) + "\n"
    return ""


def fault_of(line: Line) -> str:
    """Return why a line is not an id and an amount."""
    if not line.get("id"):
        return "the ID is missing"
    if len(line.get("id")) > MAX_ID:
        return f"an ID has at most {MAX_ID} characters"
    if not line.get("amount"):
        return "the amount is missing"
    return f"'{line.get('amount')[:40]}' is not an amount, such as 1.50"
