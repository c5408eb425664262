"""What the words of a plan mean: below `hjstudy plan`, in its help, and on the page *What if*."""

import re
from collections.abc import Iterable

# word -> its meaning, and what a line has that uses it
WORDS: dict[str, tuple[str, str]] = {
    "people": ("everyone who arrives, also those who leave", r"\bpeople\b"),
    "episodic, direct": ("played; answered once", r"\b(episodic|direct)\b"),
    "ECSR": ("the score: success rate x mean efficiency of the wins; 1 is perfect", r"\bECSR\b"),
    "accuracy": ("the share of right answers in the direct format", r"\baccuracy\b"),
    "norm_eff": ("the efficiency of a win; 1 is perfect", r"\bnorm_eff\b"),
    "RV": ("the rating of an explanation, from 0 (wrong) to 1 (right)", r"\bRV\b"),
    "attribute, procedural": ("the families of tasks, A- and P-", r", (attribute|procedural):"),
    "Total": ("the mean of the tasks", r"\bTotal\b"),
    "spread": ("the width that holds 95 % of the simulated results", r"\bspread\b"),
    "interval": ("the mean width of the 95 % interval that the report will give", r"\binterval\b"),
    "pairs": (
        "worlds (task and seed) of both sides; a test compares them, not people",
        r"\bpairs\b",
    ),
    "p x N": ("N tests of its kind are planned, so p is multiplied by N (Bonferroni)", r"\bp x \d"),
    "power": (
        "the share of simulated studies whose test finds a difference (p <= .05)",
        r"\bpower\b",
    ),
}

HEADS = {  # a head of the page's tables -> the word that explains it
    "Spread of 95%": "spread",
    "Width of interval": "interval",
    "Pairs": "pairs",
    "p times": "p x N",
    "Power": "power",
}


def heads() -> list[tuple[str, str]]:
    """Return (head, meaning) of the heads of the page's tables."""
    found = [(head, WORDS[word][0]) for head, word in HEADS.items()]
    return [(head, f"{meaning[0].upper()}{meaning[1:]}.") for head, meaning in found]


def explained(lines: Iterable[str]) -> list[str]:
    """Return `word: meaning` for each word that the lines use."""
    text = "\n".join(lines)
    return [
        f"{word}: {meaning}." for word, (meaning, used) in WORDS.items() if re.search(used, text)
    ]


def everything() -> str:
    """Return all words with their meanings, a paragraph each."""
    return "\n\n".join(f"{word}: {meaning}." for word, (meaning, _) in WORDS.items())
