"""What a page says in words about a report of few people: what is missing, and what it needs."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.counted import counted
from app.scoring.player_reach import LEAST
from app.study.report import shape

EMPTY: Mapping[str, str] = {  # table -> what its first row needs
    **dict.fromkeys(
        ("baseline_first", "baseline_all", "floors_first", "floors_all", "learning", "coverage"),
        "No one has ended an episode of a world yet. It needs one person who has.",
    ),
    "rv": "No one has written an explanation yet. It needs one.",
    **dict.fromkeys(
        ("relation", "relation_points"),
        "No explanation of someone who played has a rating yet. Rate explanations on the Rating "
        "page.",
    ),
    "time": "No one has ended an episode yet. It needs one.",
    "dropouts": "No one has entered yet.",
    "format_gap": "It needs a task that people played and whose answers people also stated (format "
    "direct), with the same words and coverage. There is none yet.",
    "lexicon": "It needs a task that people played with plain and with made-up words, with the "
    "same coverage. There is none yet.",
    "against_paper": "It needs one person who has ended an episode of a task of the paper with "
    "plain words and coverage 1. There is none yet.",
    "signs": "No one has ended an episode yet. It needs one.",
}
QUARTILES, QUARTERS = ("q1_s", "q3_s"), 4
FEW_TIMES = f"of fewer than {QUARTERS} episodes: quartiles say little"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def empty_words(name: str) -> str:
    """Return what a table without rows needs."""
    return EMPTY.get(name, "No data yet.")


def few_words(document: Mapping[str, Any]) -> str:
    """Return how many people are missing before tables have intervals; '' if none are."""
    people = int(document["counts"]["people"])
    if people >= LEAST:
        return ""
    have = counted(people, "person is", "people are") if people else "No one is"
    return (
        f"{have} in this report so far. An interval needs {LEAST} people in its row, so at least "
        f"{LEAST - people} more. Until then, the tables have values without intervals, "
        "which say little about anyone else: do not draw conclusions from them."
    )


def marked(
    table: Mapping[str, Any], most: int
) -> tuple[list[list[dict[str, Any]]], list[tuple[str, str]]]:
    """Return a table's first rows as cells (text, num, mark), and (mark, reason) of each mark.

    A mark is a letter that stands for the reason why a cell has no value or no interval.
    """
    columns, marks = table["columns"], dict[str, str]()
    names = [column["name"] for column in columns]

    def cell_of(cell: Any, name: str, kind: str, row: Sequence[Any]) -> dict[str, Any]:
        reason = cell["reason"] if isinstance(cell, dict) else ""
        if name in QUARTILES and cell is not None and row[names.index("counted")] < QUARTERS:
            reason = FEW_TIMES
        if reason and reason not in marks:
            marks[reason] = LETTERS[len(marks) % len(LETTERS)] * (1 + len(marks) // len(LETTERS))
        mark = marks.get(reason, "")
        return {"text": shape.shown(cell, kind), "num": kind != "text", "mark": mark}

    rows = [
        [
            cell_of(cell, column["name"], column["kind"], row)
            for cell, column in zip(row, columns, strict=True)
        ]
        for row in table["rows"][:most]
    ]
    return rows, [(mark, reason) for reason, mark in marks.items()]
