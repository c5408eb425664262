"""The scale in words, the default guidelines, and the reasons for skipping an item."""

import hashlib

DEFAULT_VERSION = "3"
DEFAULT_RUBRIC = """You read explanations of a hidden rule and rate how well each one describes it.
The rule itself is shown next to each explanation, so you do not have to work it out.

| Rating | Meaning |
|---|---|
| **0** | Wrong: no part of the rule's structure, no answer, or something unrelated |
| **1** | Part of the structure: something is right, but something is missing or wrong |
| **2** | The right structure: anyone who follows it acts correctly for every guardian |

- Rate **what it says**, not how well it is written. Length, spelling and grammar do not count.
- The same rule in other words is just as good. Names need not be exact if their meaning is clear.
- Rate a list of single cases without the rule behind them at most 1.
- Rate a rule that fits everything shown but is wrong elsewhere 1, and flag it.
- Rate 'I do not know' 0.
- Do not let a guess about who wrote it change your rating.
"""
CRITERIA = (
    ("inputs", "Inputs", "Which traits matter"),
    ("output", "Output", "What they decide"),
    ("structure", "Structure", "How the traits work together"),
    ("generality", "Generality", "A rule for all cases, not a list of some"),
)
MEANINGS = ((0, "wrong"), (1, "part of the structure"), (2, "right structure"))
CRITERION_MEANINGS = ((0, "wrong or missing"), (1, "partly right"), (2, "right"))
SOURCES = (
    ("person", "person"),
    ("model", "language model"),
    ("unknown", "don’t know"),
)
SKIP_REASONS = (
    ("unreadable", "I cannot read or understand the text"),
    ("empty", "The text is empty or not about a rule"),
    ("truth_unclear", "The rule shown is unclear or seems wrong"),
    ("knows_author", "I think I know who wrote it"),
    ("other", "Another reason (please say in the comment)"),
)


def hash_of(text: str) -> str:
    """Return the SHA-256 (hex) of the guidelines."""
    return hashlib.sha256(text.encode()).hexdigest()
