"""Plan the precision of a validation: simulate samples from assumed raters and a known pool.

The error model: an explanation of judge level h truly has score h with probability `judge_right`,
otherwise each other score equally likely; each of two raters gives the true score with probability
`rater_right`, otherwise a neighbouring one; raters err independently of each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.errors import HjstudyError
from app.scoring.agreement import alphas
from app.scoring.longrows import Floats
from app.scoring.manyvalues import Level

Design = Literal["equal", "proportional", "source_balanced"]
DESIGNS: tuple[Design, ...] = ("equal", "proportional", "source_balanced")
SIZES = (30, 60, 99, 150, 198, 300, 450, 600, 900)
SIMULATED = 2_000  # samples per design and size


class PlanError(HjstudyError):
    """The pool or an assumption cannot be used for planning."""

    code = "planner/bad"


@dataclass(frozen=True, slots=True)
class Assumed:
    """Chances in (0, 1] that the judge's level is the true score, and that a rater gives it."""

    judge_right: float = 0.75
    rater_right: float = 0.85


@dataclass(frozen=True, slots=True)
class Precision:
    """The precision of pool estimates under one design and size.

    Widths are those of the central 95 % of simulated estimates, None if too many (over 5 %) are
    undefined; `truth`: the pool's coefficients under the assumptions.
    """

    design: Design
    size: int
    per_level: tuple[int, ...]
    human_human: float | None
    human_judge: float | None
    difference: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """Simulated precision; `enough`: per design, the smallest size that reaches the width."""

    levels: tuple[int, ...]
    pool: tuple[int, ...]
    wished: float
    assumed: Assumed
    seed: int
    simulated: int
    human_human: float
    human_judge: float
    rows: tuple[Precision, ...]
    enough: dict[Design, int | None]


def plan(
    pool: Mapping[tuple[int, str], int],
    wished: float,
    *,
    scale: Sequence[int] = (0, 1, 2),
    assumed: Assumed | None = None,
    sizes: Sequence[int] = SIZES,
    seed: int = 1,
    simulated: int = SIMULATED,
    level: Level = "ordinal",
) -> Plan:
    """Simulate equal, proportional and source-balanced allocation for several sizes.

    Args:
        pool: (judge level, source) -> number of judged explanations.
        wished: wanted width of a 95 % interval of human-human alpha, such as 0.2.
        scale: all scores.
        assumed: the error model's chances.
        sizes: total numbers of items, tried in this order.
        seed: of the simulation.
        simulated: samples per design and size.
        level: of measurement.

    Raises: PlanError.
    """
    assumed = assumed or Assumed()
    _check(pool, wished, scale, assumed)
    cells = sorted(cell for cell, number in pool.items() if number)
    counts = np.array([pool[cell] for cell in cells], np.float64)
    of_level = np.array([scale.index(cell[0]) for cell in cells])
    chances = _joint(len(scale), assumed)
    numbers = np.array(scale, np.float64)
    rng = np.random.default_rng(seed)
    rows = []
    for size in sorted({min(size, int(counts.sum())) for size in sizes}):
        for design in DESIGNS:
            drawn = _allocate(counts, of_level, size, design)
            found = _simulate(drawn, counts, of_level, chances, numbers, level, simulated, rng)
            per_level = tuple(map(int, np.bincount(of_level, drawn, len(scale))))
            rows.append(Precision(design, int(drawn.sum()), per_level, *map(_width, found)))
    human, judge = _truth(counts, of_level, chances, numbers, level)
    return Plan(
        levels=tuple(scale),
        pool=tuple(int(n) for n in np.bincount(of_level, counts, len(scale))),
        wished=wished,
        assumed=assumed,
        seed=seed,
        simulated=simulated,
        human_human=human,
        human_judge=judge,
        rows=tuple(rows),
        enough={design: _enough(rows, design, wished) for design in DESIGNS},
    )


def _check(
    pool: Mapping[tuple[int, str], int], wished: float, scale: Sequence[int], assumed: Assumed
) -> None:
    if len(scale) < 2:  # noqa: PLR2004 - with one score, no one can disagree
        raise PlanError("A scale needs at least two scores.")
    if not any(pool.values()):
        raise PlanError("The pool is empty. Give the number of judged explanations for each level.")
    if any(number < 0 for number in pool.values()):
        raise PlanError("Numbers of explanations cannot be negative.")
    if wrong := {level for level, _ in pool} - set(scale):
        raise PlanError(f"Levels {sorted(wrong)} are not on the scale {list(scale)}.")
    if not 0 < wished < 2:  # noqa: PLR2004 - alpha reaches from about -1 to 1
        raise PlanError("The width must be between 0 and 2, such as 0.2.")
    if not (0 < assumed.judge_right <= 1 and 0 < assumed.rater_right <= 1):
        raise PlanError("Chances of being right must be above 0 and at most 1.")


def _joint(size: int, assumed: Assumed) -> Floats:
    """Return (V, V, V): for each judge level, the chances of (first rater, second rater)."""
    other = (1 - assumed.judge_right) / (size - 1)
    truth = np.full((size, size), other)
    np.fill_diagonal(truth, assumed.judge_right)
    given = np.diag(np.full(size, assumed.rater_right))
    for score in range(size):
        beside = [one for one in (score - 1, score + 1) if 0 <= one < size]
        given[score, beside] = (1 - assumed.rater_right) / len(beside)
    joint: Floats = np.einsum("ht,ta,tb->hab", truth, given, given)
    return joint


def _allocate(
    counts: Floats, of_level: np.typing.NDArray[np.intp], size: int, design: Design
) -> Floats:
    """Return how many items of each cell (level x source) are drawn, capped at the cell's size."""
    if design == "proportional":
        return _share(counts, size, counts)
    at_level: Floats = np.bincount(of_level, counts).astype(np.float64)
    wishes = _share(at_level, size, np.ones(len(at_level)))
    by = np.ones(len(counts)) if design == "source_balanced" else counts
    drawn = np.zeros(len(counts))
    for level, wish in enumerate(wishes):
        here = of_level == level
        drawn[here] = _share(counts[here], int(wish), by[here])
    return drawn


def _share(caps: Floats, size: int, by: Floats) -> Floats:
    """Share `size` in proportion to `by`, never above `caps`; the largest get the rest.

    Args: caps: whole numbers, `size` in all or more; by: above 0 where `caps` are.
    """
    given = np.zeros(len(caps))
    while (left := size - given.sum()) > 0:
        room = np.where(given < caps, by, 0.0)
        ideal = left * room / room.sum()
        whole = np.minimum(np.floor(ideal), caps - given)
        if not whole.sum():
            order = np.argsort(-ideal, kind="stable")[: int(left)]
            whole[order] = 1
        given += whole
    return given


def _simulate(
    drawn: Floats,
    counts: Floats,
    of_level: np.typing.NDArray[np.intp],
    chances: Floats,
    numbers: Floats,
    level: Level,
    simulated: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats, Floats]:
    """Return simulated pool estimates (simulated,) of human-human, human-judge, difference."""
    size = len(numbers)
    heard = drawn > 0
    tables = np.zeros((simulated, size, size, size))  # judge level, first, second
    lost = np.bincount(of_level[~heard], counts[~heard], size)  # cells without a draw
    of_heard = np.bincount(of_level[heard], counts[heard])
    for cell in np.flatnonzero(heard):
        h, n = of_level[cell], int(drawn[cell])
        times = rng.multinomial(n, chances[h].ravel(), size=simulated)
        population = counts[cell] * (1 + lost[h] / of_heard[h])
        tables[:, h] += times.reshape(-1, size, size) * (population / n)
    return _alphas(tables, float(drawn.sum()), numbers, level)


def _alphas(
    tables: Floats, items: float, numbers: Floats, level: Level
) -> tuple[Floats, Floats, Floats]:
    scaled = tables * (items / tables.sum((1, 2, 3), keepdims=True))
    together = scaled.sum(1)
    first, second = scaled.sum(3), scaled.sum(2)  # (simulated, judge, human)
    human = alphas(together + together.transpose(0, 2, 1), numbers, level)
    one, other = (
        alphas(table + table.transpose(0, 2, 1), numbers, level) for table in (first, second)
    )
    judge = one / 2 + other / 2
    return human, judge, human - judge


def _truth(
    counts: Floats,
    of_level: np.typing.NDArray[np.intp],
    chances: Floats,
    numbers: Floats,
    level: Level,
) -> tuple[float, float]:
    """Return the pool's expected coefficients, as if it were very large."""
    shares = np.bincount(of_level, counts, len(numbers)) / counts.sum()
    human, judge, _ = _alphas((chances * shares[:, None, None])[None], 1e9, numbers, level)
    return float(human[0]), float(judge[0])


def _width(values: Floats) -> float | None:
    kept = values[~np.isnan(values)]
    if len(kept) < 0.95 * len(values):
        return None
    low, high = np.quantile(kept, [0.025, 0.975])
    return float(high - low)


def _enough(rows: Sequence[Precision], design: Design, wished: float) -> int | None:
    sizes = [
        row.size
        for row in rows
        if row.design == design and row.human_human is not None and row.human_human <= wished
    ]
    return min(sizes, default=None)
