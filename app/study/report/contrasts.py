"""Comparisons of conditions: direct - played, semantic - nonce, coverage."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from app.game.certify import certify
from app.game.model import COVERAGES
from app.scoring import permutation, planned
from app.scoring.permutation import SignTest, bonferroni, sign_test
from app.scoring.players import Figure, total_difference
from app.scoring.plays import ALL, FIRST
from app.study.report import marks
from app.study.report.marks import MARKS, NO_MARKS, Find
from app.study.report.options import Options
from app.study.report.samples import (
    ACCURACY,
    CONDITION,
    HEAD,
    Value,
    by_task,
    counted,
    ecsr_of,
    mean_of,
    of_condition,
    over,
    rv_of,
    total_of,
)
from app.study.report.shape import Table, columns
from app.study.report.units import People, Unit, conditions_of

SEMANTIC, NONCE = "semantic", "nonce"
TEST_NOTE = (
    "p is from a two-sided sign-permutation test over pairs. Up to 10 pairs, the test is exact. "
    "With more, it uses 5,000 draws, and p = (1 + hits) / (1 + 5000). The adjusted p is p times "
    "the number in the column 'tests' (Bonferroni), at most 1. This counts the tests of the same "
    "kind in a condition: for a task, one for each task of its family; for a family, one for each "
    "family; for the total, one. So a task and its family can have the same p and another "
    "adjusted p."
)
PAIR_NOTE = "A pair is a task's variant that both sides played, and each side has its mean."
TOTAL_NOTE = "In every column, families and total are the mean of the tasks, each counted once."
Side = tuple[Sequence[Unit], Value]
Tasks = Mapping[str, list[Unit]]
PAIRED = (
    *("pairs:int", "mean_difference:number:mean difference of pairs"),
    *("p:number", "tests:int", "p_adjusted:number:p adjusted"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A task, a family or the total: both sides' units by task, and the compared value."""

    name: str
    left: list[list[Unit]]
    right: list[list[Unit]]
    figures: tuple[Figure, Figure, Figure]  # left, right, left - right
    tested: tuple[int, float | None, float | None, int, float | None]  # as PAIRED


Key = Callable[[Unit], Hashable]


def world_of(unit: Unit) -> Hashable:
    """Return the key of a pair if both sides play the same variants.

    The seed does not identify a variant: the salt or the number of distractors may have changed
    between design versions.
    """
    return unit.task, unit.seed, unit.variant_hash


def layout_by(find: Find) -> Key:
    """Return the key of variants that differ only in their words, or the seed if unknown."""

    def key(unit: Unit) -> Hashable:
        variant = find(unit.variant_hash)
        if variant is None:
            return unit.task, unit.seed, None
        shown = tuple(variant.entity(one.entity).cell for one in variant.demonstrations)
        return unit.task, unit.seed, (variant.grid, variant.gen_cells, shown)

    return key


def means_by(units: Iterable[Unit], value: Value, key: Key) -> dict[Hashable, float]:
    """Return key -> mean over units."""
    found: dict[Hashable, list[Fraction]] = {}
    for unit in units:
        one = value(unit)
        if one is not None:
            found.setdefault(key(unit), []).append(Fraction(one))
    return {name: float(sum(v, Fraction(0)) / len(v)) for name, v in found.items()}


def paired_test(left: Side, right: Side, key: Key, seed: int) -> SignTest:
    """Test the paired differences of two sides."""
    ours, theirs = means_by(*left, key), means_by(*right, key)
    both = sorted(set(ours) & set(theirs), key=repr)
    return sign_test([ours[one] - theirs[one] for one in both], seed)


def cells_of(
    test: SignTest, tests: int
) -> tuple[int, float | None, float | None, int, float | None]:
    """Return the result of a test as cells, in the order of PAIRED."""
    return test.pairs, test.mean, test.p, tests, bonferroni(test.p, tests)


def levels(tasks: Tasks) -> list[tuple[str, list[str], int]]:
    """Return (name, tasks, number of tests) of each task, each family, and the total."""
    return permutation.levels({task: units[0].family for task, units in tasks.items()})


def contrast(left: Side, right: Side, options: Options, key: Key = world_of) -> Iterator[Line]:
    """Yield both sides and their difference: per task with values on both sides, family, total.

    `key`: the key shared by units of both sides that form a pair of the test.
    """
    ours, theirs = (
        by_task(unit for unit in units if value(unit) is not None) for units, value in (left, right)
    )
    shared = {task: units for task, units in ours.items() if task in theirs}
    for name, tasks, tests in levels(shared):
        one, other = ([side[task] for task in tasks] for side in (ours, theirs))
        samples = [
            {task: over(side[task], value) for task in tasks}
            for side, value in ((ours, left[1]), (theirs, right[1]))
        ]
        pairs = [(samples[0][task], samples[1][task]) for task in tasks]
        figures = (
            total_of(samples[0], options),
            total_of(samples[1], options),
            total_difference(pairs, options.replicates, options.seed),
        )
        sides = (flat(one), left[1]), (flat(other), right[1])
        test = paired_test(*sides, key, options.seed)
        yield Line(name, one, other, figures, cells_of(test, tests))


def flat(groups: Iterable[Sequence[Unit]]) -> list[Unit]:
    """Return the units of all groups."""
    return [unit for group in groups for unit in group]


def format_gap(people: People, find: Find, options: Options) -> Table:
    """Return direct accuracy - ECSR of the same tasks (and, for p, of the same variants)."""
    table = Table(
        "format_gap",
        f"Format gap ({planned.FORMAT})",
        "The gap is the accuracy of stated answers minus ECSR (all episodes), with the same words "
        "and coverage. Above 0, acting is harder than stating the answer. Below 0, stating is "
        "harder. "
        f"{PAIR_NOTE} {TOTAL_NOTE} {TEST_NOTE} {marks.NOTE}",
        columns(
            *HEAD,
            "direct:figure:direct accuracy",
            "played:figure:ECSR",
            "gap:figure",
            *PAIRED,
            *MARKS,
        ),
    )
    for condition in conditions_of(people.units):
        units = of_condition(people.units, condition)
        direct = [u for u in units if u.format == "direct"]
        played = [u for u in units if u.format == "episodic"]
        for line in contrast((direct, ACCURACY), (played, ecsr_of(ALL)), options):
            beside = marks.marks(line.right, ALL, find)
            table.add(*condition, line.name, *line.figures, *line.tested, *beside)
    return table


def lexicon(people: People, main_rv: str, find: Find, options: Options) -> Table:
    """Return semantic - nonce, in ECSR and RV."""
    table = Table(
        "lexicon",
        f"Lexicon ({planned.LEXICON})",
        "The difference is plain (semantic) minus made-up (nonce) words, with the same coverage, "
        "in ECSR of all episodes and in RV. A pair is two variants of a task that differ only in "
        "their words, and each side has its mean. "
        f"{TOTAL_NOTE} {TEST_NOTE} {marks.NOTE}",
        columns(
            "measure",
            *HEAD[1:],
            "semantic:figure",
            "nonce:figure",
            "difference:figure",
            *PAIRED,
            *(f"semantic_{one}, semantic" for one in MARKS),
            *(f"nonce_{one}, nonce" for one in MARKS),
        ),
    )
    units, key = people.episodic(), layout_by(find)
    measures = (("ECSR", ecsr_of(ALL)), ("RV", rv_of(main_rv)))
    for label, value in measures:
        for _, coverage in conditions_of(unit for unit in units if unit.lexicon == SEMANTIC):
            plain, made_up = (of_condition(units, (words, coverage)) for words in (SEMANTIC, NONCE))
            for line in contrast((plain, value), (made_up, value), options, key):
                sides = (line.left, line.right) if label == "ECSR" else ()
                beside = [cell for side in sides for cell in marks.marks(side, ALL, find)]
                beside = beside or [*NO_MARKS, *NO_MARKS]
                table.add(label, coverage, line.name, *line.figures, *line.tested, *beside)
    return table


def coverage(people: People, find: Find, main_rv: str, options: Options) -> Table:
    """Return the coverage curve, with contextual bias and the share of determined cells."""
    table = Table(
        "coverage",
        "Coverage",
        "k/k* is the share of the source demonstrations that are shown. At k/k* = 1, they identify "
        "the rule. Contextual bias is the probability that copying a shown answer is right at the "
        "first attempt. A held-out cell is determined if the demonstrations leave only one answer. "
        "Many cells are determined even below k*. Best floor and ceiling refer to ECSR over all "
        "episodes. "
        f"{marks.NOTE}",
        columns(
            *(CONDITION[0], "task", CONDITION[1]),
            "players:int",
            "units:int",
            "ecsr_first:figure:ECSR, first episodes",
            "ecsr:figure:ECSR",
            "rv:figure:RV",
            "contextual_bias:number:contextual bias",
            "share_determined:number:share determined",
            *MARKS,
        ),
    )
    units = [u for u in people.episodic() if u.metrics(ALL) is not None]
    for words in sorted({u.lexicon for u in units}, key=lambda one: (one != "semantic", one)):
        own = [u for u in units if u.lexicon == words]
        for task, played in by_task(own).items():
            for share in COVERAGES:
                here = [u for u in played if u.coverage == share]
                if not here:
                    continue
                measures = (ecsr_of(FIRST), ecsr_of(ALL), rv_of(main_rv))
                found = [mean_of(over(here, value), options) for value in measures]
                proved = (*proofs(here, find), *marks.marks([here], ALL, find))
                table.add(words, task, share, *counted(here), *found, *proved)
    return table


def proofs(units: Sequence[Unit], find: Find) -> tuple[float | None, float | None]:
    """Return mean contextual bias and share determined over units; None without the variants."""
    found = [find(unit.variant_hash) for unit in units]
    proved = [certify(one) for one in found if one is not None]
    if len(proved) < len(units):
        return None, None
    bias = sum((one.contextual_bias for one in proved), Fraction(0)) / len(units)
    share = sum((one.share_determined for one in proved), Fraction(0)) / len(units)
    return float(bias), float(share)
