"""The scale in words, the default guidelines, and the reasons for skipping an item."""

import hashlib

DEFAULT_VERSION = "4"
DEFAULT_RUBRIC = """You read explanations of a hidden rule and rate how well each one describes it.
The rule itself is shown with each explanation, so you do not have to work it out.

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
CRITERIA_VERSION = "criteria 2"
CRITERIA_RUBRIC = """You read explanations of a hidden rule and rate four things about each one.
The rule itself is shown with each explanation, so you do not have to work it out.

**Inputs**: which traits matter

- **0**: names none of the traits that decide
- **1**: names some of them, or adds others that do not matter
- **2**: names all of them, and no others

**Output**: what they decide

- **0**: does not say what is decided, or something else
- **1**: says part of it, or says it with mistakes
- **2**: says all of it

**Structure**: how the traits work together

- **0**: does not say how, or another way
- **1**: has part of it, such as the usual case without the exception
- **2**: says how they work together

**Generality**: a rule for all cases, not a list of some

- **0**: only repeats single cases, or gives none
- **1**: a rule for some cases only, or for no more than what was shown
- **2**: anyone can apply it to every guardian

How to rate:

- Rate each criterion **on its own**: a rule with the wrong traits may still be one for all cases.
- Rate **what it says**, not how well it is written. Length, spelling and grammar do not count.
- The same rule in other words is just as good. Names need not be exact if their meaning is clear.
- Rate 'I do not know' 0 on every criterion.
- Do not let a guess about who wrote it change your rating.
"""
GUIDELINES = {  # by the kind of score: their version and text
    "overall": (DEFAULT_VERSION, DEFAULT_RUBRIC),
    "criteria": (CRITERIA_VERSION, CRITERIA_RUBRIC),
}
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


def fitting(mode: str, text: str, version: str) -> tuple[str, str]:
    """Return guidelines and their version: ours for this kind of score if they are ours."""
    ours = [one.strip() for _, one in GUIDELINES.values()]
    if mode not in GUIDELINES or text.replace("\r\n", "\n").strip() not in ours:
        return text, version
    right_version, right_text = GUIDELINES[mode]
    is_own = version not in {one for one, _ in GUIDELINES.values()}
    return right_text.strip(), version if is_own else right_version


def hash_of(text: str) -> str:
    """Return the SHA-256 (hex) of the guidelines."""
    return hashlib.sha256(text.encode()).hexdigest()
