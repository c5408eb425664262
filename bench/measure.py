"""How everything here is measured: in turns, in ratios, with the speed of the moment beside it.

A machine that others use too drifts by half within minutes, so a figure alone says little. Two
things are measured alternately, and their ratio is the median of the rounds' ratios.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

QUIET = 0.15  # share of all cores that others may keep busy when a measurement begins
BUSY_WINDOW_S = 0.25


@dataclass(frozen=True, slots=True)
class Result:
    """One ratio, and what it should be. `at_least`: more is better, else less is."""

    name: str
    ratio: float
    target: float
    at_least: bool = True

    @property
    def ok(self) -> bool:
        """Tell whether the target is met."""
        return self.ratio >= self.target if self.at_least else self.ratio <= self.target

    def line(self) -> str:
        """Return the result in one line."""
        sign = ">=" if self.at_least else "<="
        verdict = "ok" if self.ok else "MISSED"
        return f"{self.name:<44} {self.ratio:8.2f}   target {sign} {self.target:<5} {verdict}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two things measured in turns. `ratio`: median over the rounds of ours / other."""

    ours: float
    other: float
    ratio: float
    rounds: int
    spin_ms: float
    busy: float

    def told(self, unit: str, ours: str, other: str) -> str:
        """Return both figures in words, with the state of the machine."""
        return (
            f"  {ours} {self.ours:,.1f} {unit}, {other} {self.other:,.1f} {unit}"
            f"  ({self.rounds} rounds, spin {self.spin_ms:.0f} ms, others busy {self.busy:.0%})"
        )


def alternate(ours: Callable[[], float], other: Callable[[], float], rounds: int) -> Pair:
    """Measure both in turns, the first one of a round by turns too.

    Many short rounds beat few long ones: the machine's speed then changes between rounds rather
    than within one.
    """
    share, before = wait_quiet(), spin()
    pairs = []
    for number in range(rounds):
        if number % 2:
            second = other()
            pairs.append((ours(), second))
        else:
            pairs.append((ours(), other()))
    return Pair(
        ours=median(a for a, _ in pairs),
        other=median(b for _, b in pairs),
        ratio=median(a / b for a, b in pairs),
        rounds=rounds,
        spin_ms=(before + spin()) / 2,
        busy=share,
    )


def spin() -> float:
    """Return the milliseconds of a fixed piece of work: how fast the machine is at the moment."""
    began, total = time.perf_counter(), 0
    for number in range(1_000_000):
        total += number
    return (time.perf_counter() - began) * 1000


def cpu_ticks() -> tuple[int, int]:
    """Return all ticks and idle ticks of all cores; zeros where /proc does not exist."""
    try:
        first = Path("/proc/stat").read_text("ascii").partition("\n")[0]
    except OSError:
        return 0, 0
    ticks = [int(text) for text in first.split()[1:9]]
    return sum(ticks), ticks[3] + ticks[4]


def busy(seconds: float = BUSY_WINDOW_S) -> float:
    """Return the share of all cores that was at work during the next `seconds`, 0 to 1."""
    all_before, idle_before = cpu_ticks()
    time.sleep(seconds)
    all_after, idle_after = cpu_ticks()
    passed = all_after - all_before
    return 1 - (idle_after - idle_before) / passed if passed else 0.0


def wait_quiet() -> float:
    """Wait until others leave the machine alone; return how busy it was seen last."""
    share = busy()
    while share > QUIET and Patience.left_s > 0:
        time.sleep(0.5)
        Patience.left_s -= 0.5 + BUSY_WINDOW_S
        share = busy()
    return share


class Patience:
    """How much longer a benchmark may wait for a quiet machine, seconds; tiny runs do not wait."""

    left_s = 0.0
