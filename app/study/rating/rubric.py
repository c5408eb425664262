"""The scale in words: the guidelines a new round starts with, and why an item may be skipped."""

import hashlib

DEFAULT_VERSION = "1"
DEFAULT_RUBRIC = """You read explanations of a hidden rule and say how right each one is. Beside it
stands the rule itself, so you need not work it out.

| Rating | When |
|---|---|
| **0** | Wrong: no part of the rule's structure, no answer, or something else altogether |
| **1** | Part of the structure: something of it is right, something is missing or wrong |
| **2** | The right structure: with it, one would act rightly for every guardian |

- Rate **what is said**, not how well it is written. Length, spelling and grammar do not count.
- Other words for the same rule are as good as ours. Names need not be exact if it is clear what is
  meant.
- A list of single cases without the rule behind them is at most 1.
- A rule that fits all that was shown but is wrong elsewhere is 1. Flag it.
- 'I do not know' is 0.
- Do not guess who wrote it.
"""
CRITERIA = (
    ("inputs", "Inputs", "Which traits matter"),
    ("output", "Output", "What they decide"),
    ("structure", "Structure", "How the traits work together"),
    ("generality", "Generality", "A rule for all cases, not a list of some"),
)
MEANINGS = ((0, "wrong"), (1, "part of the structure"), (2, "right structure"))
CRITERION_MEANINGS = ((0, "wrong or missing"), (1, "partly right"), (2, "right"))
SKIP_REASONS = (
    ("unreadable", "I cannot read or understand the text"),
    ("empty", "The text is empty, or not about a rule at all"),
    ("truth_unclear", "The rule beside it is unclear or seems wrong"),
    ("knows_author", "I think I know who wrote it"),
    ("other", "Another reason (please say in the comment)"),
)


def hash_of(text: str) -> str:
    """Return the SHA-256 (hex) of guidelines."""
    return hashlib.sha256(text.encode()).hexdigest()
