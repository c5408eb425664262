"""The hidden rule of a variant in sentences, in the variant's own names.

Any change of wording needs a new version in `ground_truth.VERSIONS`.
"""

from collections.abc import Iterable, Sequence

from app.game.model import Output, Task, Variant
from app.game.rules import base_table, table
from app.languages.text import Text, joined, phrase, phrases

ORDER_WORDS = (phrase("before buying"), phrase("after buying"))


def rule_of(variant: Variant) -> tuple[str, ...]:
    """Return the hidden rule of a variant in sentences."""
    return (aim(variant), *RULES[variant.task.form](variant))


def aim(variant: Variant) -> str:
    """Return a sentence on what the hidden rule decides."""
    class_, role = variant.labels
    task = variant.task
    if task.family == "attribute":
        return phrase(
            "A guardian's {one} and {other} decide which item must be bought.",
            one=class_,
            other=role,
        )
    what = phrase("what it is, and when to do it")
    if counts(task):
        process = variant.outputs[0][1]
        activity = f"{process.activity.verb} {process.activity.name}" if process.activity else ""
        when = ORDER_WORDS[0] if process.order == "before" else ORDER_WORDS[1]
        what = phrase("how often to {activity}, always {when}", activity=activity, when=when)
    return phrase(
        "The weapon to buy is named in the goal; one thing more must be done. "
        "A guardian's {one} and {other} decide {what}.",
        one=class_,
        other=role,
        what=what,
    )


def words(variant: Variant, output: Output) -> str:
    """Return what an output asks for, in the variant's own names."""
    process = dict(variant.outputs)[output]
    if process.activity is None:
        return process.item
    parts = [f"{process.activity.verb} {process.activity.name}"]
    if process.count > 1 or (process.count == 1 and counts(variant.task)):
        parts.append(phrases("once", "{n} times", process.count))
    parts.append(ORDER_WORDS[0] if process.order == "before" else ORDER_WORDS[1])
    return joined(parts)


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


def pairs(names: Iterable[str], meanings: Iterable[str]) -> Text:
    """Return `ranger: crimson; mage: azure`."""
    return joined((joined(pair, ": ") for pair in zip(names, meanings, strict=True)), "; ")


def additive(variant: Variant) -> list[str]:
    """Return the additive rule in sentences."""
    class_, role = variant.labels
    by_class = [str(number) for number in table(variant.task, "class")]
    by_role = [str(number) for number in table(variant.task, "role")]
    total = phrase("the number in the item's name")
    if counts(variant.task):
        total = phrase("the number of times")
    return [
        phrase(
            "Each {one} and each {other} has a number, and {total} is their sum.",
            one=class_,
            other=role,
            total=total,
        ),
        *(
            phrase("Numbers by {trait}: {numbers}.", trait=trait, numbers=pairs(names, numbers))
            for trait, names, numbers in (
                (class_, variant.classes, by_class),
                (role, variant.roles, by_role),
            )
        ),
        phrase(
            "The numbers may be split otherwise (one more here, one less there): only sums count."
        ),
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
        answers = pairs(names, (value(variant, place, one) for one in indices))
        what = called(variant, place)
        found.append(
            phrase(
                "The {trait} alone decides {what}: {pairs}.",
                trait=variant.labels[place],
                what=what,
                pairs=answers,
            )
        )
    return [*found, phrase("The two do not influence each other.")]


def conditional(variant: Variant) -> list[str]:
    """Return the conditional rule in sentences."""
    class_, role = variant.labels
    task = variant.task
    regime, fixed = table(task, "regime"), table(task, "fixed")
    found: list[str] = [phrase("The {trait} decides which of two rules holds.", trait=class_)]
    for which in sorted(set(regime)):
        varies = task.varies[which]
        stays = 1 - varies
        members = [name for name, one in zip(variant.classes, regime, strict=True) if one == which]
        answers = pairs(
            variant.roles, (value(variant, varies, one) for one in table(task, f"regime_{which}"))
        )
        found.append(
            phrase(
                "For {members}, {fixed} is always {value}, and the {trait} decides {varies}: "
                "{pairs}.",
                members=listed(members),
                fixed=called(variant, stays),
                value=value(variant, stays, fixed[which]),
                trait=role,
                varies=called(variant, varies),
                pairs=answers,
            )
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
        phrase(
            "The {trait} alone decides: {pairs}.", trait=class_, pairs=pairs(variant.classes, base)
        ),
        phrase(
            "The one exception: {answer} whenever the {other} is {value}, for every {trait}.",
            answer=always,
            other=role,
            value=special,
            trait=class_,
        ),
    ]


RULES = {
    "additive": additive,
    "compositional": compositional,
    "conditional": conditional,
    "override": override,
}
CALLED = {
    "activity": phrase("what to do"),
    "order": phrase("when to do it"),
    "count": phrase("how often"),
    "size": phrase("the item's size"),
    "color": phrase("the item's color"),
}


def called(variant: Variant, place: int) -> str:
    """Return the name of a dimension in a sentence."""
    name = variant.task.dimensions[place].name
    return CALLED.get(name, f"the item's {name}")


def listed(names: Sequence[str]) -> str:
    """Return `a, b and c`."""
    if len(names) == 1:
        return names[0]
    return phrase("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])
