"""Measure two things alternately and compare them by their ratio.

The speed of a shared machine can change by half within minutes, so a single figure says little.
Two things are therefore measured alternately, and the result is the median ratio of the rounds.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

QUIET = 0.15  # share of all cores that may be busy when a measurement begins
BUSY_WINDOW_S = 0.25


@dataclass(frozen=True, slots=True)
class Result:
    """A ratio and its target. `at_least`: higher is better; otherwise lower is."""

    name: str
    ratio: float
    target: float
    at_least: bool = True

    @property
    def ok(self) -> bool:
        """Return whether the target is met."""
        return self.ratio >= self.target if self.at_least else self.ratio <= self.target

    def line(self) -> str:
        """Return the result in one line."""
        sign = ">=" if self.at_least else "<="
        verdict = "ok" if self.ok else "MISSED"
        return f"{self.name:<44} {self.ratio:8.2f}   target {sign} {self.target:<5} {verdict}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two things measured alternately. `ratio`: median of ours / other over the rounds."""

    ours: float
    other: float
    ratio: float
    rounds: int
    spin_ms: float
    busy: float

    def line(self, unit: str, ours: str, other: str) -> str:
        """Describe both figures and the state of the machine."""
        return (
            f"  {ours} {self.ours:,.1f} {unit}, {other} {self.other:,.1f} {unit}"
            f"  ({self.rounds} rounds, spin {self.spin_ms:.0f} ms, others busy {self.busy:.0%})"
        )


def alternate(ours: Callable[[], float], other: Callable[[], float], rounds: int) -> Pair:
    """Measure both alternately, and alternate which of them starts a round.

    Many short rounds are better than few long ones, because the machine's speed then changes
    between rounds rather than within them.
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
    """Return the milliseconds that a fixed piece of work takes right now."""
    began, total = time.perf_counter(), 0
    for number in range(1_000_000):
        total += number
    return (time.perf_counter() - began) * 1000


def cpu_ticks() -> tuple[int, int]:
    """Return all ticks and idle ticks of all cores, or zeros without /proc."""
    try:
        first = Path("/proc/stat").read_text("ascii").partition("\n")[0]
    except OSError:
        return 0, 0
    ticks = [int(text) for text in first.split()[1:9]]
    return sum(ticks), ticks[3] + ticks[4]


def busy(seconds: float = BUSY_WINDOW_S) -> float:
    """Return the share of all cores that is busy during the next `seconds`, 0 to 1."""
    all_before, idle_before = cpu_ticks()
    time.sleep(seconds)
    all_after, idle_after = cpu_ticks()
    passed = all_after - all_before
    return 1 - (idle_after - idle_before) / passed if passed else 0.0


def wait_quiet() -> float:
    """Wait until the machine is idle; return how busy it was at the last check."""
    share = busy()
    while share > QUIET and Patience.left_s > 0:
        time.sleep(0.5)
        Patience.left_s -= 0.5 + BUSY_WINDOW_S
        share = busy()
    return share


class Patience:
    """Seconds that a benchmark may still wait for an idle machine; tiny runs do not wait."""

    left_s = 0.0
