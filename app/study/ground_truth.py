"""The ground truth of an item as annotators see it: the rule in words, the grid, look-alikes.

A debrief may show participants the rule in the same words.

hjstudy words the rules itself. Any change of wording needs a new version, last in `VERSIONS`. The
version is stored with every round and every rating, and is part of the items researchers download.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.game.certify import certify
from app.game.model import Grid, Output, Task, Variant
from app.game.rivals import Fit
from app.game.rules import base_table, table

VERSIONS = ("1",)  # oldest first; a test pins the wording of the newest
VERSION = VERSIONS[-1]
MOST_NOTES = 8
ORDER_WORDS = ("before buying", "after buying")
SWAPPED = {
    "additive": "each trait adds its number",
    "compositional": "the two traits change places: each decides what the other should",
    "conditional": "the two traits change places: {role} chooses, {class_} decides the rest",
    "override": "the two traits change places: {role} decides, one {class_} overrides it",
}
STRAIGHT = {
    "additive": "each trait adds its number, and the sum decides",
    "compositional": "{class_} decides one part of the answer, {role} the other",
    "conditional": "{class_} chooses which part is fixed, {role} decides the rest",
    "override": "{class_} decides, but one {role} overrides it",
}
LIKE_THE_RULE = "It gives the right answer everywhere: rate it like the rule itself."
RATE_ONE = "It fits every demonstration shown but is wrong elsewhere: rate it 1 and flag it."


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell in words; `split`: source (shown) or gen (held out)."""

    text: str
    split: str


@dataclass(frozen=True, slots=True)
class Note:
    """Another rule that fits all demonstrations: its words, where it differs, how to rate it."""

    kind: str  # twin (same form, traits swapped) or rival (another form)
    right: bool
    says: str
    departs: tuple[str, ...]
    advice: str


@dataclass(frozen=True, slots=True)
class Truth:
    """All that an annotator sees of the rule behind an item."""

    version: str
    task: str
    sentences: tuple[str, ...]
    labels: tuple[str, str]
    classes: tuple[str, ...]
    roles: tuple[str, ...]
    rows: tuple[tuple[GridCell, ...], ...]
    notes: tuple[Note, ...]
    more_notes: int


def truth_of(variant: Variant) -> Truth:
    """Return the ground truth of a variant in words."""
    notes = notes_of(variant)
    gen = set(variant.gen_cells)
    rows = tuple(
        tuple(
            GridCell(words(variant, output), "gen" if (c, r) in gen else "source")
            for r, output in enumerate(row)
        )
        for c, row in enumerate(variant.grid)
    )
    return Truth(
        version=VERSION,
        task=variant.task.name,
        sentences=rule_of(variant),
        labels=variant.labels,
        classes=variant.classes,
        roles=variant.roles,
        rows=rows,
        notes=tuple(notes[:MOST_NOTES]),
        more_notes=max(0, len(notes) - MOST_NOTES),
    )


def rule_of(variant: Variant) -> tuple[str, ...]:
    """Return the hidden rule of a variant in sentences."""
    return (aim(variant), *RULES[variant.task.form](variant))


def aim(variant: Variant) -> str:
    """Return a sentence on what the hidden rule decides."""
    class_, role = variant.labels
    task = variant.task
    if task.family == "attribute":
        return f"A guardian's {class_} and {role} decide which item must be bought."
    what = "what it is, and when to do it"
    if counts(task):
        process = variant.outputs[0][1]
        activity = f"{process.activity.verb} {process.activity.name}" if process.activity else ""
        when = ORDER_WORDS[0] if process.order == "before" else ORDER_WORDS[1]
        what = f"how often to {activity}, always {when}"
    return (
        "The weapon to buy is named in the goal; one thing more must be done. "
        f"A guardian's {class_} and {role} decide {what}."
    )


def words(variant: Variant, output: Output) -> str:
    """Return what an output asks for, in the variant's own names."""
    process = dict(variant.outputs)[output]
    if process.activity is None:
        return process.item
    times = f" {process.count} times" if process.count > 1 else ""
    once = " once" if process.count == 1 and counts(variant.task) else ""
    when = ORDER_WORDS[0] if process.order == "before" else ORDER_WORDS[1]
    return f"{process.activity.verb} {process.activity.name}{times}{once} {when}"


def counts(task: Task) -> bool:
    """Return whether the rule decides a number of times."""
    return any(dimension.name == "count" for dimension in task.dimensions)


def value(variant: Variant, place: int, index: int) -> str:
    """Return one value of one dimension in the variant's own words."""
    dimension = variant.task.dimensions[place]
    if dimension.numbered:
        return str(index)
    if dimension.name == "order":
        return ORDER_WORDS[index]
    for output, process in variant.outputs:
        if output[place] != index:
            continue
        if process.activity is not None:
            return f"{process.activity.verb} {process.activity.name}"
        parts = process.item.split("_")
        if len(parts) == len(output) + 1:  # one word per dimension, then the noun
            return parts[place]
    return f"{dimension.name} {index + 1}"


def pairs(names: Iterable[str], meanings: Iterable[str]) -> str:
    """Return `ranger: crimson; mage: azure`."""
    return "; ".join(f"{name}: {text}" for name, text in zip(names, meanings, strict=True))


def additive(variant: Variant) -> list[str]:
    """Return the additive rule in sentences."""
    class_, role = variant.labels
    by_class = [str(number) for number in table(variant.task, "class")]
    by_role = [str(number) for number in table(variant.task, "role")]
    total = "number of times" if counts(variant.task) else "number in the item's name"
    return [
        f"Each {class_} and each {role} has a number, and the {total} is their sum.",
        f"Numbers by {class_}: {pairs(variant.classes, by_class)}.",
        f"Numbers by {role}: {pairs(variant.roles, by_role)}.",
        "The numbers may be split otherwise (one more here, one less there): only sums count.",
    ]


def compositional(variant: Variant) -> list[str]:
    """Return the compositional rule in sentences."""
    found = []
    sides = (
        (variant.classes, table(variant.task, "class")),
        (
            variant.roles,
            table(variant.task, "role"),
        ),
    )
    for place, (names, indices) in enumerate(sides):
        said = pairs(names, (value(variant, place, one) for one in indices))
        what = called(variant, place)
        found.append(f"The {variant.labels[place]} alone decides {what}: {said}.")
    return [*found, "The two do not influence each other."]


def conditional(variant: Variant) -> list[str]:
    """Return the conditional rule in sentences."""
    class_, role = variant.labels
    task = variant.task
    regime, fixed = table(task, "regime"), table(task, "fixed")
    found = [f"The {class_} decides which of two rules holds."]
    for which in sorted(set(regime)):
        varies = task.varies[which]
        stays = 1 - varies
        members = [name for name, one in zip(variant.classes, regime, strict=True) if one == which]
        said = pairs(
            variant.roles, (value(variant, varies, one) for one in table(task, f"regime_{which}"))
        )
        found.append(
            f"For {listed(members)}, {called(variant, stays)} is always "
            f"{value(variant, stays, fixed[which])}, and the {role} decides "
            f"{called(variant, varies)}: {said}."
        )
    return found


def override(variant: Variant) -> list[str]:
    """Return the override rule in sentences."""
    class_, role = variant.labels
    task = variant.task
    base = [words(variant, output) for output in base_table(task)]
    special = variant.roles[table(task, "u")[0]]
    always = words(variant, table(task, "h"))
    return [
        f"The {class_} alone decides: {pairs(variant.classes, base)}.",
        f"The one exception: {always} whenever the {role} is {special}, for every {class_}.",
    ]


RULES = {
    "additive": additive,
    "compositional": compositional,
    "conditional": conditional,
    "override": override,
}
CALLED = {"activity": "what to do", "order": "when to do it", "count": "how often"}


def called(variant: Variant, place: int) -> str:
    """Return the name of a dimension in a sentence."""
    name = variant.task.dimensions[place].name
    return CALLED.get(name, f"the item's {name}")


def listed(names: Sequence[str]) -> str:
    """Return `a, b and c`."""
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]


def notes_of(variant: Variant) -> list[Note]:
    """Return the look-alikes, twins before rivals, with one note per distinct function."""
    certificate = certify(variant)
    found: dict[Grid, Note] = {}
    for kind, fits in (("twin", certificate.twins), ("rival", certificate.rivals)):
        for fit in fits:
            found.setdefault(fit.grid, note_of(variant, kind, fit))
    return list(found.values())


def note_of(variant: Variant, kind: str, fit: Fit) -> Note:
    """Return one look-alike in words."""
    class_, role = variant.labels
    pattern = (SWAPPED if fit.swapped else STRAIGHT)[fit.form]
    departs = tuple(
        f"{variant.classes[c]}, {variant.roles[r]}: {words(variant, output)} "
        f"(right: {words(variant, variant.grid[c][r])})"
        for c, row in enumerate(fit.grid)
        for r, output in enumerate(row)
        if output != variant.grid[c][r]
    )
    return Note(
        kind=kind,
        right=fit.right,
        says=pattern.format(class_=class_, role=role),
        departs=departs,
        advice=LIKE_THE_RULE if fit.right else RATE_ONE,
    )
