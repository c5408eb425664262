"""Tasks and cells in words that people can say; files and exports use the short codes."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TaskWords:
    """A built-in task: a short name, and its rule in one sentence."""

    name: str
    rule: str


TASK_WORDS: Mapping[str, TaskWords] = {
    "A-Add": TaskWords(
        "Add sizes",
        "The item’s size is a sum: a number for the guardian’s class plus a number for its role.",
    ),
    "A-Comp": TaskWords(
        "Combine size and color",
        "The class decides the item’s size, the role its color.",
    ),
    "A-Cond": TaskWords(
        "Color or size, by class",
        "For some classes the role decides the item’s color, for the others its size.",
    ),
    "A-Over": TaskWords(
        "Size with an exception",
        "The class decides the item’s size, except for one role that always needs the same item.",
    ),
    "P-Add": TaskWords(
        "Add rituals",
        "How many rituals to perform before buying the item is a sum: a number for the class plus "
        "a number for the role.",
    ),
    "P-Comp": TaskWords(
        "Combine activity and order",
        "The class decides what to do, perform or drink; the role decides whether to do it before "
        "or after buying the item.",
    ),
    "P-Cond": TaskWords(
        "Activity or order, by class",
        "For some classes the role decides what to do, for the others whether to do it before or "
        "after buying the item.",
    ),
    "P-Over": TaskWords(
        "Process with an exception",
        "The class decides what to do and when, except for one role that always needs the same.",
    ),
}
LEXICA = {"semantic": "", "nonce": "made-up words"}
COVERAGES = {
    "0": "no accounts",
    "1/3": "a third of the accounts",
    "2/3": "two thirds of the accounts",
    "1": "",
    "2": "every account twice",
}
FORMATS = {"": "", "direct": "answered once", "reference": "reference package"}
USUAL = {"semantic": "real words", "1": "all accounts", "episodic": "played"}  # unsaid in cells


def task_name(task: str) -> str:
    """Return a task's name in words; a study's own task keeps its name."""
    return TASK_WORDS[task].name if task in TASK_WORDS else task


def cell_name(key: str) -> str:
    """Return a cell's name in words: what differs from real words and all accounts is named.

    `A-Add/3/nonce/1/3` is `Add sizes, seed 3, made-up words, a third of the accounts`.
    """
    task, seed, lexicon, *rest = [*key.split("/"), "", "", ""][: max(3, key.count("/") + 1)]
    played = rest[-1] if rest and rest[-1] in FORMATS else ""
    share = "/".join(rest[:-1] if played else rest)
    parts = (
        task_name(task),
        f"seed {seed}" if seed else "",
        LEXICA.get(lexicon, f"words: {lexicon}"),
        COVERAGES.get(share, share),
        FORMATS[played],
    )
    return ", ".join(part for part in parts if part)


def treatment_name(between: str, value: str) -> str:
    """Return a value of a treatment in words, and as files call it.

    `lexicon`, `nonce` is `made-up words (nonce)`; an own lexicon or task keeps its name.
    """
    names = {"lexicon": LEXICA, "coverage": COVERAGES, "format": FORMATS}.get(between, {})
    said = names.get(value, "") or USUAL.get(value, "") or task_name(value)
    return value if said == value else f"{said} ({value})"
