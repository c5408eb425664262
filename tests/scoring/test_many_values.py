"""Alpha of ratings with many different values: the same figures, in little time and memory."""

import subprocess
import sys

import numpy as np
import pytest

from app.scoring import alphareport, manyvalues
from app.scoring.agreement import LEVELS, alpha
from app.scoring.bootstrap import Interval
from app.scoring.longrows import BadValueError, Row, from_rows

RNG = np.random.default_rng(5)
TRUE = RNG.random(60)
ROWS = [
    Row(
        f"u{unit}",
        rater,
        round(float(TRUE[unit] + RNG.normal() / 5) ** 2 * 30),
        weight=1.0 + unit % 3,
        stratum=f"s{unit % 2}",
        cluster=f"c{unit // 2}",
    )
    for unit in range(60)
    for rater in ("abc" if unit % 4 else "ab")
]
RATINGS = from_rows(ROWS)


@pytest.mark.parametrize("weighting", ["none", "scaled", "frequency"])
@pytest.mark.parametrize("level", LEVELS)
def test_both_ways_give_the_same_coefficient(monkeypatch, level, weighting):
    fine = alpha(RATINGS, level, weighting=weighting)
    assert manyvalues.is_fine(RATINGS) is False
    monkeypatch.setattr(manyvalues, "MOST_DENSE", 0)
    assert manyvalues.is_fine(RATINGS)
    dense, fine = fine, alpha(RATINGS, level, weighting=weighting)
    for name in ("alpha", "observed", "expected"):
        if level == "interval" and name != "alpha":
            continue  # in other units
        if level == "ordinal" and name != "alpha":
            continue
        assert getattr(fine, name) == pytest.approx(getattr(dense, name), rel=1e-9)
    assert fine.alpha == pytest.approx(dense.alpha, rel=1e-9)
    assert fine.counts == pytest.approx(dense.counts, rel=1e-9)
    assert (fine.status, fine.flags, fine.constant_raters) == (
        *(dense.status, dense.flags, dense.constant_raters),
    )


@pytest.mark.parametrize("over", ["interval", "cluster_interval"])
@pytest.mark.parametrize("level", LEVELS)
def test_both_ways_give_nearly_the_same_interval(monkeypatch, level, over):
    dense = alphareport.result(RATINGS, level, weighting="scaled", replicates=2000)
    monkeypatch.setattr(manyvalues, "MOST_DENSE", 0)
    fine = alphareport.result(RATINGS, level, weighting="scaled", replicates=2000)
    first, second = getattr(dense, over), getattr(fine, over)
    assert isinstance(first, Interval)
    assert (second.low, second.high) == pytest.approx((first.low, first.high), abs=0.02)
    assert (second.units, second.undefined) == (first.units, first.undefined)


def test_ratio_counts_units_where_values_are_more(monkeypatch):
    rows = [Row(f"u{n // 3}", "abc"[n % 3], float(n * n % 211)) for n in range(180)]
    few = from_rows([row for n, row in enumerate(rows) if n % 7])
    dense = alpha(few, "ratio")
    monkeypatch.setattr(manyvalues, "MOST_DENSE", 0)
    assert manyvalues.entries(few, "ratio").by_unit
    assert alpha(few, "ratio").alpha == pytest.approx(dense.alpha, rel=1e-12)
    assert alpha(few, "ratio").expected == pytest.approx(dense.expected, rel=1e-12)


def test_ratio_with_too_many_values_is_refused():
    rows = [Row(f"u{n // 2}", "ab"[n % 2], float(n)) for n in range(12_002)]
    with pytest.raises(BadValueError, match="too many for the level ratio"):
        alpha(from_rows(rows), "ratio")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("shift", "factor"), [(2**52, 1.0), (0.0, 1e-149), (0.0, 1e12)])
def test_extreme_values_keep_the_figures(level, shift, factor):
    rows = [
        (unit, rater, (unit + (rater == "b") * (unit % 3)) * factor)
        for unit in range(40)
        for rater in "ab"
    ]
    plain = from_rows([Row(str(u), r, v / factor) for u, r, v in rows])
    extreme = from_rows([Row(str(u), r, v + shift) for u, r, v in rows])
    wanted = alpha(plain, level).alpha
    if level == "ratio" and shift:
        wanted = alpha(extreme, level).alpha
        assert np.isfinite(wanted)
    assert alpha(extreme, level).alpha == pytest.approx(wanted, rel=1e-9)


PROGRAM = """
import sys, time
import numpy as np
from app.scoring import alphareport
from app.scoring.longrows import Row, from_rows
rng = np.random.default_rng(1)
rows = [Row(str(u), r, round(float(rng.random()), 6)) for u in range(1500) for r in "ab"]
ratings = from_rows(rows)
start = time.process_time()
np.random.default_rng(1).multinomial(1499, np.full(1500, 1 / 1500), size=10_000)
drawn = time.process_time()
found = alphareport.result(ratings, sys.argv[1], replicates=10_000)
assert found.interval.low < found.interval.high
print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))
print((time.process_time() - drawn) / (drawn - start))
"""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.long
def test_six_decimals_and_ten_thousand_replicates_take_little_time_and_memory(level):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, level], capture_output=True, text=True, check=True
    )
    peak_kib, times_the_drawing = done.stdout.split()
    assert int(peak_kib) < 1_000_000
    assert float(times_the_drawing) < 15  # 10 s where drawing the replicates takes 0.7 s
