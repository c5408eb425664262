"""Conditions against each other: direct - played, semantic - nonce, coverage."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction

from app.game.certify import certify
from app.game.model import COVERAGES
from app.scoring.permutation import SignTest, bonferroni, sign_test
from app.scoring.players import Sample, difference, mean_figure, total_difference
from app.study.report.baseline import TOTAL, over
from app.study.report.behaviour import FAMILIES
from app.study.report.floors import Find, ecsr_of
from app.study.report.options import Options
from app.study.report.shape import Table, columns, ordered
from app.study.report.units import ALL, FIRST, People, Unit

TEST_NOTE = (
    "p: sign-permutation test over pairs (task x variant that both sides played, each side its "
    "mean), two-sided, exact up to 10 pairs, else 5,000 draws with p = (1 + #) / (1 + 5000); p "
    "adjusted: Bonferroni, times the number of tests of the family (tasks of a family; "
    "families; one total)."
)
Value = Callable[[Unit], float | None]
Side = tuple[Sequence[Unit], Value]

PAIRED = ("pairs:int", "mean_difference:number:mean difference of pairs", "p:number", "tests:int")


def pair_of(unit: Unit) -> Hashable:
    """Return what both sides must share to be a pair, beside the condition that differs."""
    return unit.task, unit.seed, unit.coverage


def means_by(
    units: Iterable[Unit], value: Value, key: Callable[[Unit], Hashable]
) -> dict[Hashable, float]:
    """Return key -> mean over units."""
    found: dict[Hashable, list[Fraction]] = defaultdict(list)
    for unit in units:
        one = value(unit)
        if one is not None:
            found[key(unit)].append(Fraction(one))
    return {name: float(sum(v, Fraction(0)) / len(v)) for name, v in found.items()}


def tested(left: Side, right: Side, key: Callable[[Unit], Hashable], seed: int) -> SignTest:
    """Test the paired differences of two sides."""
    ours, theirs = means_by(*left, key), means_by(*right, key)
    both = sorted(set(ours) & set(theirs), key=repr)
    return sign_test([ours[one] - theirs[one] for one in both], seed)


def lines(units: Sequence[Unit]) -> list[tuple[str, str, list[Unit], int]]:
    """Return label, level, units, tests of its family: tasks, then families, then all.

    Bonferroni is by family: a task's p counts the tasks of its family, a family's p the families.
    """
    tasks = ordered({u.task for u in units}, TASK_ORDER)
    family = {u.task: u.family for u in units}
    families = ordered(set(family.values()), FAMILIES)
    found = [
        (
            task,
            "task",
            [u for u in units if u.task == task],
            list(family.values()).count(family[task]),
        )
        for task in tasks
    ]
    found += [
        (name, "family", [u for u in units if u.family == name], len(families)) for name in families
    ]
    if len(tasks) > 1:
        found.append((TOTAL, "total", list(units), 1))
    return found


def contrast(
    table: Table,
    left: Side,
    right: Side,
    key: Callable[[Unit], Hashable],
    options: Options,
    label: str = "",
) -> None:
    """Fill a table: both sides and their difference, per task, family and in total."""
    played = [*left[0], *right[0]]
    both = {u.task for u in left[0]} & {u.task for u in right[0]}
    for name, level, own, tests in lines([u for u in played if u.task in both]):
        ids = {id(unit) for unit in own}
        one = [u for u in left[0] if id(u) in ids], left[1]
        other = [u for u in right[0] if id(u) in ids], right[1]
        parts = by_task(one, other)
        if not parts:
            continue
        sides = over(*one), over(*other)
        gap = (
            total_difference(parts, options.replicates, options.seed)
            if level != "task"
            else difference(*parts[0], options.replicates, options.seed)
        )
        test = tested(one, other, key, options.seed)
        table.add(
            *([label] if label else []),
            name,
            *(mean_figure(side, options.replicates, options.seed) for side in sides),
            gap,
            test.pairs,
            test.mean,
            test.p,
            tests,
            bonferroni(test.p, tests),
        )


def by_task(left: Side, right: Side) -> list[tuple[Sample, Sample]]:
    """Return both sides' samples of each task that both have values of."""
    found = []
    for task in ordered({u.task for u in left[0]} | {u.task for u in right[0]}, TASK_ORDER):
        pair = tuple(
            over([u for u in units if u.task == task], value) for units, value in (left, right)
        )
        if all(one.values for one in pair):
            found.append((pair[0], pair[1]))
    return found


def format_gap(people: People, options: Options) -> Table:
    """Return direct accuracy - ECSR of the same tasks (and, for p, of the same variants)."""
    table = Table(
        "format_gap",
        "Format gap (direct - played)",
        "Accuracy of stated answers minus ECSR (all episodes). Above 0: acting it out is the "
        "harder part; below 0: stating it is. Families and total: the mean of the tasks. "
        f"{TEST_NOTE}",
        columns(
            "task",
            "direct:figure:direct accuracy",
            "played:figure:ECSR",
            "gap:figure",
            *PAIRED,
            "p_adjusted:number:p adjusted",
        ),
    )
    direct = [u for u in people.units if u.format == "direct"]

    def key(unit: Unit) -> Hashable:
        return unit.task, unit.seed, unit.lexicon, unit.coverage

    played = matching(people.episodic(), direct, lambda u: (u.task, *u.condition))
    contrast(table, (direct, Unit.accuracy), (played, ecsr_of(ALL)), key, options)
    return table


def matching(
    units: Iterable[Unit], others: Iterable[Unit], key: Callable[[Unit], Hashable]
) -> list[Unit]:
    """Return the units whose key the others have too."""
    known = {key(one) for one in others}
    return [unit for unit in units if key(unit) in known]


def lexicon(people: People, main_rv: str, options: Options) -> Table:
    """Return semantic - nonce, in ECSR and RV."""
    table = Table(
        "lexicon",
        "Plain words - made-up words",
        "ECSR of all episodes, and RV, with plain (semantic) words minus with made-up (nonce) "
        f"ones, at equal coverage. {TEST_NOTE}",
        columns(
            "measure",
            "task",
            "semantic:figure",
            "nonce:figure",
            "difference:figure",
            *PAIRED,
            "p_adjusted:number:p adjusted",
        ),
    )
    units = people.episodic()
    plain = [u for u in units if u.lexicon == "semantic"]
    made_up = [u for u in units if u.lexicon == "nonce"]

    def shared(unit: Unit) -> Hashable:
        return unit.task, unit.coverage

    sides = matching(plain, made_up, shared), matching(made_up, plain, shared)
    for label, value in (("ECSR", ecsr_of(ALL)), ("RV", lambda unit: unit.rv(main_rv))):
        contrast(table, (sides[0], value), (sides[1], value), pair_of, options, label)
    return table


def coverage(people: People, find: Find, main_rv: str, options: Options) -> Table:
    """Return the coverage curve, with contextual bias and the share of determined cells."""
    table = Table(
        "coverage",
        "Coverage",
        "k/k*: share of the source demonstrations shown; k* = 1 is where the rule is "
        "identified. Contextual bias: chance to be right at once by copying one of the answers "
        "shown. Determined: share of held-out cells that the demonstrations shown leave one "
        "answer for; many are determined before k*.",
        columns(
            "lexicon::words",
            "task",
            "coverage",
            "players:int",
            "units:int",
            "ecsr_first:figure:ECSR, first episodes",
            "ecsr:figure:ECSR",
            "rv:figure:RV",
            "contextual_bias:number:contextual bias",
            "share_determined:number:share determined",
        ),
    )
    units = [u for u in people.episodic() if u.metrics(ALL) is not None]
    for words in sorted({u.lexicon for u in units}, key=lambda one: (one != "semantic", one)):
        own = [u for u in units if u.lexicon == words]
        for task in people.tasks(own):
            for share in COVERAGES:
                here = [u for u in own if (u.task, u.coverage) == (task, share)]
                if not here:
                    continue
                told = (ecsr_of(FIRST), ecsr_of(ALL), lambda unit: unit.rv(main_rv))
                found = [
                    mean_figure(over(here, value), options.replicates, options.seed)
                    for value in told
                ]
                players = len({u.player for u in here})
                table.add(words, task, share, players, len(here), *found, *proofs(here, find))
    return table


def proofs(units: Sequence[Unit], find: Find) -> tuple[float | None, float | None]:
    """Return contextual bias and share determined, means over units; None without the variants."""
    found = [find(unit.variant_hash) for unit in units]
    proved = [certify(one) for one in found if one is not None]
    if len(proved) < len(units):
        return None, None
    bias = sum((one.contextual_bias for one in proved), Fraction(0)) / len(units)
    share = sum((one.share_determined for one in proved), Fraction(0)) / len(units)
    return float(bias), float(share)


TASK_ORDER: tuple[str, ...] = (
    *("A-Add", "A-Comp", "A-Cond", "A-Over"),
    *("P-Add", "P-Comp", "P-Cond", "P-Over"),
)
