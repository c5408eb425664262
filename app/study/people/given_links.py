"""Signed entry links for people whose IDs are known: a list of IDs in, a CSV of links out."""

import re
from collections.abc import Sequence
from urllib.parse import urlencode

from app.errors import StudyError
from app.study.csv_text import csv_of
from app.study.design.spec_parts import ENTRY_PARAMETER, GROUP_PARAMETER, Options
from app.study.people.recruitment import OWN_PARAMETER, Signer, parameter
from app.study.play.arrival import MAX_ID
from app.study.play.placeholders import is_placeholder
from app.study.table_cells import fold

MAX_LINKS = 100_000
HEADERS = frozenset(
    fold(name)
    for name in (
        *("id", "ids", "participant", "participant id", "prolific id", "prolific pid"),
        *("worker id", "respondent id", "panelist id"),
    )
)
QUOTED = re.compile(r'"(?:[^"]|"")*"')
SHOWN = 5


class GivenIdsError(StudyError):
    """A list of IDs has lines for which no link can be made."""

    code = "recruit/given_ids"


def read_ids(text: str, options: Options) -> list[str]:
    """Return the IDs of a list with one on each line, perhaps under a header.

    Raises GivenIdsError: lines that cannot be IDs, IDs given twice, none, or too many.
    """
    lines_of, faults = dict[str, int](), list[str]()
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        one, is_quoted = id_in(line)
        if not one or (not lines_of and not faults and fold(one) in HEADERS):
            continue
        fault = fault_of(one, options, is_quoted=is_quoted)
        if not fault and one in lines_of:
            fault = f"'{one}' is already on line {lines_of[one]}"
        if fault:
            faults.append(f"line {number}: {fault}")
        lines_of.setdefault(one, number)
    if faults:
        more = f", and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        listed = "; ".join(faults[:SHOWN])
        raise GivenIdsError(f"No links were created. Correct {listed}{more}.", "ids")
    if not 0 < len(lines_of) <= MAX_LINKS:
        raise GivenIdsError(f"Enter 1 to {MAX_LINKS:,} IDs, one per line.", "ids")
    return list(lines_of)


def id_in(line: str) -> tuple[str, bool]:
    """Return the ID of a line, and whether it is quoted, as in a CSV file."""
    line = line.strip()
    if QUOTED.fullmatch(line):
        return line[1:-1].replace('""', '"').strip(), True
    return line.strip('"').strip(), False


def fault_of(one: str, options: Options, *, is_quoted: bool) -> str:
    """Return why a line cannot be an ID, or ''."""
    if not is_quoted and any(mark in one for mark in ",;\t"):
        return (
            f"'{one[:40]}' looks like more than one column. Keep only the IDs; if this is one ID, "
            "put it in quotation marks"
        )
    if len(one) > MAX_ID or not one.isprintable():
        return f"an ID has at most {MAX_ID} characters, all of them printable"
    if is_placeholder(one, options.id_parameters):
        return f"'{one[:40]}' is a placeholder, not an ID"
    return ""


def given_links(
    link: str,
    options: Options,
    ids: Sequence[str],
    sign: Signer,
    group: str = "",
    *,
    raw: bool = False,
) -> str:
    """Return a CSV `id,link` of signed personal links.

    Args:
        link: the study's address.
        options: of the study; they name the parameter with the ID.
        ids: of the people.
        sign: signs each link.
        group: tag for the people who get these links; '' = none.
        raw: with IDs exactly as given, even those that a spreadsheet runs as a formula.

    Raises NoParameterError if this design reads no ID.
    """
    name = parameter(options, OWN_PARAMETER)
    rows = [("id", "link")]
    for one in ids:
        tag = [(GROUP_PARAMETER, group)] if group else []
        pairs = [(name, one), *tag, (ENTRY_PARAMETER, sign(name, one, group))]
        rows.append((one, f"{link}?{urlencode(pairs)}"))
    return csv_of(rows, raw=raw)
