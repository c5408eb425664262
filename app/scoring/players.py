"""Bootstrap over players: expanded percentile intervals of means, differences, totals of means.

Every figure here is made from ratios sum / count, where each player contributes a sum and a count
(of a player's units in a task, say). Players are drawn whole, so one person's data stay together,
and one draw serves all figures of a call, so their differences are paired.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.scoring import made_up, student
from app.scoring.player_reach import LEAST, spread_of

Floats = NDArray[np.float64]
Counts = NDArray[np.integer]

REPLICATES = 10_000
FEW = f"too few players: an interval needs {LEAST}"
MOST_UNDEFINED = 0.05  # of the replicates
SAME = 1e-12  # two figures closer than this are the same
MOST_SHARED = 300_000_000  # bytes of draws that the figures of one report share
SHIFT = 1100  # bits; every float is a whole number of 2**-1074
CHUNK = 200_000  # numbers held at once while drawing: a few megabytes


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its interval, or the reasons why there is none.

    `value`: None with a `reason` where it is undefined. `low`, `high`: None with a `reason` where
    there is no interval. `players`, `units`: how many the figure is based on.
    """

    value: float | None
    low: float | None
    high: float | None
    reason: str
    players: int
    units: int


NOTHING = Figure(None, None, None, "no data", 0, 0)


@dataclass(slots=True)
class Sample:
    """Values of units by player, to take a mean over.

    `made_up`: units with 0, and with 1, that a replicate has besides (see `made_up`); 0 = none.
    """

    values: dict[Hashable, list[float]] = field(default_factory=dict)
    made_up: float = 0.0

    def add(self, player: Hashable, value: float | None) -> None:
        """Add a unit's value; None is ignored."""
        if value is not None:
            self.values.setdefault(player, []).append(value)

    @property
    def units(self) -> list[float]:
        """Return all values, player by player."""
        return [value for own in self.values.values() for value in own]

    def mean(self) -> float | None:
        """Return the plain mean over units (exact, rounded once), None without any."""
        ratios = [value.as_integer_ratio() for value in map(float, self.units)]
        total_ = sum(top << (SHIFT - bottom.bit_length()) for top, bottom in ratios)
        return total_ / (len(ratios) << (SHIFT - 1)) if ratios else None


def sample(pairs: Iterable[tuple[Hashable, float | None]]) -> Sample:
    """Return a sample of (player, value) pairs."""
    made = Sample()
    for player, value in pairs:
        made.add(player, value)
    return made


@dataclass(slots=True)
class Shared:
    """What the figures of one report share: draws by number of players, and their replicates."""

    draws: dict[tuple[int, int, int], list[tuple[slice, Counts]]] = field(default_factory=dict)
    found: dict[tuple[Hashable, ...], Floats] = field(default_factory=dict)
    bytes: int = 0


_shared: ContextVar[Shared | None] = ContextVar("shared draws of a report", default=None)


@contextmanager
def sharing() -> Iterator[None]:
    """Let all figures in the block share draws, which are made when a figure first needs them."""
    token = _shared.set(Shared())
    try:
        yield
    finally:
        _shared.reset(token)


def draws(players: int, number: int, seed: int) -> Iterator[tuple[slice, Floats]]:
    """Yield, in chunks, (slice of replicates, (R, players) times each player is drawn)."""
    shared, key = _shared.get(), (players, number, seed)
    if shared is None or (
        key not in shared.draws and shared.bytes + players * number > MOST_SHARED
    ):
        chunks: Iterable[tuple[slice, Counts]] = _drawn(*key)
    else:
        if key not in shared.draws:
            shared.draws[key] = list(_drawn(*key))
            shared.bytes += sum(times.nbytes for _, times in shared.draws[key])
        chunks = shared.draws[key]
    for rows, times in chunks:
        yield rows, times.astype(np.float64)


def _drawn(players: int, number: int, seed: int) -> Iterator[tuple[slice, Counts]]:
    rng = np.random.default_rng(seed)
    size = max(1, CHUNK // max(players, 1))
    for start in range(0, number, size):
        rows = min(size, number - start)
        picks = rng.integers(0, players, (rows, players))
        picks += np.arange(rows)[:, None] * players
        times = np.bincount(picks.ravel(), minlength=rows * players).reshape(rows, players)
        few = times.max(initial=0) <= np.iinfo(np.uint8).max
        yield slice(start, start + rows), times.astype(np.uint8 if few else np.int32)


def mean_figure(one: Sample, number: int = REPLICATES, seed: int = 1) -> Figure:
    """Return the mean over units, with an interval over players."""
    return figure([one], _first, number, seed, pad=True)


def difference(left: Sample, right: Sample, number: int = REPLICATES, seed: int = 1) -> Figure:
    """Return mean(left) - mean(right); a player in both is drawn once for both."""
    return figure([left, right], _minus, number, seed)


def total(parts: Sequence[Sample], number: int = REPLICATES, seed: int = 1) -> Figure:
    """Return the mean of the means (each task counts once, however many people played it)."""
    return figure(parts, _mean, number, seed, pad=True)


def total_difference(
    pairs: Sequence[tuple[Sample, Sample]], number: int = REPLICATES, seed: int = 1
) -> Figure:
    """Return the mean over pairs of mean(left) - mean(right), players drawn once for all."""
    return figure([one for pair in pairs for one in pair], _mean_of_pairs, number, seed)


def figure(
    parts: Sequence[Sample],
    combine: Callable[[Floats], Floats],
    number: int = REPLICATES,
    seed: int = 1,
    *,
    pad: bool = False,
) -> Figure:
    """Return combine(means of the parts) with its expanded percentile interval over players.

    Args:
        parts: samples; a player has the same key in all parts.
        combine: (..., parts) means -> (...) figures, a weighted sum; NaN: an undefined mean.
        number: replicates.
        seed: of the draw.
        pad: the interval is that of replicates with made-up units, if all parts have some. They
            stand in for what replicates vary too little, so only t is due.

    There is no interval, but a reason, if there is no value or only one player, if all replicates
    are equal, if more than 5 % of them are undefined (a part has no drawn player), or if there
    are fewer than LEAST players in effect.
    """
    means = [one.mean() for one in parts]
    units = sum(len(one.units) for one in parts)
    players = list(dict.fromkeys(player for one in parts for player in one.values))
    if not parts or any(mean is None for mean in means):
        return Figure(None, None, None, "no data", len(players), units)
    value = float(combine(np.array(means, dtype=np.float64)))
    if len(players) == 1:
        return Figure(value, None, None, "one player: no interval", 1, units)
    found = replicates(parts, players, combine, number, seed)
    spread = spread_of(*matrices(parts, players), combine(np.eye(len(parts))))
    reach = None if spread is None else spread[0] * spread[1]
    made = percentile(value, found, reach, len(players), units)
    if made.low is None or spread is None or not pad or not all(one.made_up for one in parts):
        return made
    more = made_up.drawn([one.made_up for one in parts], number, seed)
    found = replicates(parts, players, combine, number, seed, more)
    return percentile(value, found, spread[1], len(players), units)


def percentile(
    value: float, found: Floats, reach: float | None, players: int, units: int
) -> Figure:
    """Return a value with the middle part of its replicates (number,), or why there is none.

    Args: reach: as from `reach_of`, None = too few players.
    """

    def without(reason: str) -> Figure:
        return Figure(value, None, None, reason, players, units)

    good = found[~np.isnan(found)]
    if len(found) - len(good) > MOST_UNDEFINED * len(found):
        return without("too few players: more than 5 % of the replicates are undefined")
    tail = student.tail(student.NORMAL if reach is None else reach)
    low, high = np.quantile(good, [tail, 1 - tail])
    if high - low < SAME:
        return without("no variance: no interval")
    if reach is None:
        return without(FEW)
    return Figure(value, float(low), float(high), "", players, units)


def replicates(
    parts: Sequence[Sample],
    players: Sequence[Hashable],
    combine: Callable[[Floats], Floats],
    number: int,
    seed: int,
    more: Floats | None = None,
) -> Floats:
    """Return (number,) replicates of the figure, NaN where one is undefined.

    Args: more: made-up units, (number, 2, parts), as from `made_up.drawn`.
    """
    sums, counts = matrices(parts, players)
    rates = () if more is None else tuple(one.made_up for one in parts)
    shared, key = _shared.get(), (combine, number, seed, sums.tobytes(), counts.tobytes(), rates)
    if shared is not None and key in shared.found:
        return shared.found[key]
    found = np.empty(number)
    for rows, times in draws(len(players), number, seed):
        size, total_ = times @ counts, times @ sums
        if more is not None:
            size, total_ = size + more[rows].sum(1), total_ + more[rows, 1]
        means = np.where(size > 0, total_ / np.where(size > 0, size, 1.0), np.nan)
        found[rows] = combine(means)
    if shared is not None:
        shared.found[key] = found
    return found


def matrices(parts: Sequence[Sample], players: Sequence[Hashable]) -> tuple[Floats, Floats]:
    """Return (players, parts) sums and counts."""
    at = {player: place for place, player in enumerate(players)}
    sums = np.zeros((len(players), len(parts)))
    counts = np.zeros((len(players), len(parts)))
    for column, one in enumerate(parts):
        for player, values in one.values.items():
            sums[at[player], column] = sum(values)
            counts[at[player], column] = len(values)
    return sums, counts


def against(people: Figure, published: float) -> Figure:
    """Return people - a published mean. The interval covers the people's uncertainty only."""
    if people.value is None:
        return people
    low = None if people.low is None else people.low - published
    high = None if people.high is None else people.high - published
    value = people.value - published
    return Figure(value, low, high, people.reason, people.players, people.units)


def quartiles(values: Sequence[float]) -> tuple[float, float, float] | None:
    """Return lower quartile, median, upper quartile (linear between ranks), None without any."""
    if not values:
        return None
    low, middle, high = np.quantile(np.array(values, dtype=np.float64), [0.25, 0.5, 0.75])
    return float(low), float(middle), float(high)


def _first(means: Floats) -> Floats:
    return means[..., 0]


def _minus(means: Floats) -> Floats:
    return np.asarray(means[..., 0] - means[..., 1])


def _mean(means: Floats) -> Floats:
    return np.asarray(means.mean(axis=-1))


def _mean_of_pairs(means: Floats) -> Floats:
    return np.asarray((means[..., 0::2] - means[..., 1::2]).mean(axis=-1))
