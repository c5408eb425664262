"""What a report's page adds to its tables: meanings of terms, which are shown, and which is first.

The document and its files stay as they are, so a page can explain an older report too.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

# term -> meaning, in the words of docs/glossary.md, and the words of a table that use it
TERMS: Mapping[str, tuple[str, str]] = {
    "unit": ("One player in one block.", r"\bunits\b"),
    "norm_eff": ("The efficiency of one success; 1 is perfect.", r"\bnorm_eff\b|\bECSR\b"),
    "ECSR": (
        "In a unit, the success rate × mean norm_eff of its successes; else the mean over units.",
        r"\bECSR\b",
    ),
    "RV": ("The rating of an explanation, divided by 2.", r"\bRV\b"),
    "floor": (
        "The expected ECSR, on the same episodes, of a bot that does not work out the rule.",
        r"\bfloors?\b",
    ),
    "ceiling": (
        "The expected ECSR, on the same episodes, of a bot that knows what demonstrations prove.",
        r"\bceilings?\b",
    ),
    "lexicon": (
        "The words of a variant: semantic (plain fantasy words) or nonce (made-up words).",
        r"\blexicon\b",
    ),
    "coverage": (
        "The share of the source demonstrations that is shown: 0, 1/3, 2/3, 1 or 2 (each twice).",
        r"\bcoverage\b",
    ),
}
ABOUT_MODELS = frozenset(
    {
        *("models", "models_format_gap", "models_relation", "models_points", "models_coverage"),
        *("methods", "models_cost", "parity"),
    }
)
FIRST = {"lexicon": "lexicon", "coverage": "coverage", "format": "format_gap"}  # by treatment


def in_order(tables: Iterable[Mapping[str, Any]], between: str) -> list[Mapping[str, Any]]:
    """Return tables as a page shows them: first the one that compares a study's treatments.

    `between`: what differs between players. Tasks are compared in every table.
    """
    shown = [table for table in tables if is_shown(table)]
    return sorted(shown, key=lambda table: table["name"] != FIRST.get(between))


def terms_of(table: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (term, meaning) of the terms in a table's title and column heads."""
    heads = "\n".join([table["title"], *(column["label"] for column in table["columns"])])
    return [
        (term, meaning)
        for term, (meaning, used) in TERMS.items()
        if re.search(used, heads, re.IGNORECASE)
    ]


def is_shown(table: Mapping[str, Any]) -> bool:
    """Tell whether a page shows a table: one about models only if it has rows."""
    return bool(table["rows"]) or table["name"] not in ABOUT_MODELS
