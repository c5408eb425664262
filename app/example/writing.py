"""Explanations of simulated people and models: wrong, partly right, or right."""

from random import Random

from app.example.design import QUALITY
from app.game.model import Variant
from app.study.ground_truth import truth_of

RIGHT = {
    "additive": (
        "Each {class_} and each {role} stands for a number. Add the two and you know what to do.",
        "Give every {class_} and {role} a value, it is the sum that counts.",
    ),
    "compositional": (
        "The {class_} decides one part and the {role} decides the other, so look up each alone.",
        "Two things to find out: one goes by {class_}, the other one by {role}.",
    ),
    "conditional": (
        "First look at the {class_}: it says which part stays the same. The {role} does the rest.",
        "What the {role} changes depends on the {class_}, the other part is fixed by it.",
    ),
    "override": (
        "It goes by the {class_}, except for one {role} that always wants the same thing.",
        "Normally only the {class_} matters. One {role} is an exception to this.",
    ),
}
PARTLY = (
    "The {class_} has something to do with it. I could not work out the rest.",
    "People with the same {role} often need the same, but not always.",
    "It depends on {class_} and {role}, but I don't know how.",
)
WRONG = (
    "I tried one thing after the other until it worked.",
    "No idea, it seemed random to me.",
    "It is about the names of the places.",
)


class Writer:
    """Writes texts and remembers how good each of them is: 0 wrong, 1 partly right, 2 right."""

    def __init__(self, seed: int) -> None:
        self.seed, self.levels = seed, dict[str, int]()

    def write(self, source: str, key: object, variant: Variant) -> str:
        """Return a text about a variant; the same source and key give the same text."""
        rng = Random(f"example|{self.seed}|{source}|{key}|{variant.task.name}|{variant.seed}")
        level = pick(QUALITY[source], rng)
        texts = (WRONG, PARTLY, RIGHT[variant.task.form])[level]
        class_, role = truth_of(variant).labels
        text = texts[int(rng.random() * len(texts))].format(class_=class_, role=role)
        self.levels[text] = level
        return text


def pick(shares: tuple[float, ...], rng: Random) -> int:
    """Draw an index by its share."""
    drawn, index = rng.random(), 0
    for share in shares[:-1]:
        drawn -= share
        if drawn < 0:
            return index
        index += 1
    return index


def slipped(level: int, chance: float, rng: Random) -> int:
    """Return a level as someone sees it: off by one with this chance."""
    if rng.random() >= chance:
        return level
    return 1 if level != 1 else (0 if rng.random() < 1 / 2 else 2)
