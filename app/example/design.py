"""The design of the example study, and who plays it."""

from typing import Any

SLUG = "example"
TASKS = ("A-Comp", "P-Over", "A-Add", "P-Cond")
SEEDS = (0, 1)
STUDY: dict[str, Any] = {
    "slug": SLUG,
    "title": "Hidden rules: an example with simulated people",
    "kind": "bots",
    "seed": 20261129,
    "blocks": [{"task": task, "seeds": list(SEEDS)} for task in TASKS],
    "per_player": 2,
    "order": "balanced",
    "rule_form": {"when": "block", "parts": "one"},
    "questions": {"comment": False},
    "texts": {"pay": "Nothing: the participants are programs.", "minutes": 20},
    "baseline": {
        "population": "None: programs that play by strategies of different quality.",
        "recruitment": "None.",
        "ai_use": "Everything here is simulated, texts and ratings included.",
    },
}
# the strategies of the first players; further players start over
STRATEGIES = (
    *("inducer", "eliminator", "enumerator", "oracle", "neighbour", "inducer"),
    *("eliminator", "inducer", "typist", "eliminator", "inducer", "neighbour"),
)
# share of wrong, partly right and right explanations, by strategy or source
QUALITY = {
    "oracle": (0.0, 0.1, 0.9),
    "inducer": (0.1, 0.25, 0.65),
    "eliminator": (0.2, 0.45, 0.35),
    "neighbour": (0.35, 0.5, 0.15),
    "enumerator": (0.6, 0.35, 0.05),
    "typist": (0.8, 0.15, 0.05),
    "large model": (0.1, 0.3, 0.6),
    "small model": (0.4, 0.45, 0.15),
}
MODELS = ("large model", "small model")
ANNOTATORS = ("anna", "ben", "chloe")
SLIP = {"judge": 0.22, "anna": 0.1, "ben": 0.14, "chloe": 0.12}  # how often each is off by one
