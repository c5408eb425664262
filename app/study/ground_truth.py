"""The ground truth of an item as annotators see it: the rule in words, the grid, look-alikes.

A debrief may show participants the rule in the same words.

hjstudy words the rules itself. Any change of wording needs a new version, last in `VERSIONS`. The
version is stored with every round and every rating, and is part of the items researchers download.
"""

from dataclasses import dataclass

from app.game.certify import certify
from app.game.model import Grid, Variant
from app.game.rivals import Fit
from app.study.rule_words import rule_of, words

VERSIONS = ("1",)  # oldest first; a test pins the wording of the newest
VERSION = VERSIONS[-1]
MOST_NOTES = 8
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
