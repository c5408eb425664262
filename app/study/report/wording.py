"""What a report calls its players: bots, not people, if the study is of kind `bots`."""

import re
from collections.abc import Mapping
from typing import Any

from app.study.design.spec import BOTS

# the paper's human participants, people who judge, and test participants keep their names
CHANGES = (
    (r"\bHuman baseline\b", "Baseline of bots"),
    (r"\bthe participants\b", "this study's bots"),
    (r"(?<!human )(?<!test )\b(?:participants|people)\b", "bots"),
    (r"\b(?:Participants|People)\b", "Bots"),
)


def is_of_bots(document: Mapping[str, Any]) -> bool:
    """Tell whether a report document is of a study that bots play."""
    return bool(document["study"]["kind"] == BOTS)


def worded(text: str, *, bots: bool) -> str:
    """Return a text of a report as it is, or about bots."""
    for found, instead in CHANGES if bots else ():
        text = re.sub(found, instead, text)
    return text


def table_worded(table: Mapping[str, Any], *, bots: bool) -> dict[str, Any]:
    """Return a table as JSON data with its title, note and labels worded; names stay."""
    return {
        **table,
        "title": worded(table["title"], bots=bots),
        "note": worded(table["note"], bots=bots),
        "columns": [
            {**column, "label": worded(column["label"], bots=bots)} for column in table["columns"]
        ],
    }
