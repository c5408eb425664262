"""The corrected mean's interval and agreement within levels, put together from their parts."""

from functools import partial

import numpy as np
import pytest

from app.scoring import bootstrap, bylevel, confusion, posterior, smoothing, student
from app.scoring.bootstrap import Block, Units
from app.scoring.bylevel import Corrected, OfLevel
from app.scoring.confusion import Pairing
from app.scoring.panel import MISSING, JudgedItem, make
from app.scoring.sampling import Stratum

NUMBER, SEED = 70, 6
HUMANS = {  # what each says of the items of a stratum, in turn; None = missing
    "h1": ((1, 1, 2, 1), (1, 2, None, 3), (3, 3, 2, 3, 3)),
    "h2": ((1, None, 2, 3), (2, 1, 1, None, 3), (3, 2, 2, 3, None)),
    "few": ((1, 2, None, None), (1, None, 3, 2), (3, 3, None, 2)),
}
STRATA = (
    Stratum("a low", 1, 40, 12),
    Stratum("b low", 1, 90, 12),
    Stratum("high", 3, 200, 12),
)


def panel_of(strata=STRATA):
    """Return a panel with two strata of the first level and a second judge, who is stricter."""
    items = []
    for n in range(36):
        cycles = {name: own[n % 3][n // 3 % len(own[n % 3])] for name, own in HUMANS.items()}
        level = strata[n % 3].level
        items.append(
            JudgedItem(
                f"i{n}",
                strata[n % 3].name,
                f"c{n % 9}",
                "A-Add",
                "players",
                {name: score for name, score in cycles.items() if score is not None},
                {"first": level, "second": max(1, level - n % 4)},
            )
        )
    return make(items, strata, (1, 2, 3), ("first", "second"))


def means_of(panel, columns):
    """Return the mean score of each row, 0 without one."""
    given = [[panel.scale[code] for code in row if code != MISSING] for row in columns]
    return np.array([sum(row) / len(row) if row else 0.0 for row in given])


def drawn_totals(panel, columns, seed):
    """Return draws of the pool's total less its estimate, level by level, and the weights."""
    scores, usable = means_of(panel, columns), (columns != MISSING).any(1)
    weights = panel.weights(usable, pool=True)
    levels = np.array([panel.strata[code].level for code in panel.stratum])
    made = smoothing.made_up(panel, usable, columns, np.empty((36, 0), int), 3 / 2)
    made_up = means_of(panel, made.human)
    total = np.zeros(NUMBER)
    for level in (1, 3):
        own, more = usable & (levels == level), levels[made.like] == level
        features = np.concatenate([scores[own], made_up[more]])
        weight = np.concatenate([weights[own], weights[made.like][more]])
        mass = np.concatenate([np.ones(own.sum()), made.mass[more]])
        block = Block(features[:, None], weight)
        drawn = posterior.replicates(block, np.zeros(len(mass), int), mass, NUMBER, seed + level)
        size = weights[own].sum()
        centre = size * (weight * mass * features).sum() / (weight * mass).sum()
        total += (drawn[:, 0] - centre) * max(0.0, 1 - own.sum() / size) ** 0.5
    return total, weights


@pytest.mark.parametrize("human", [None, 0, 1, 2])
@pytest.mark.parametrize("whole", [False, True])
def test_interval_of_the_corrected_mean_is_put_together_from_its_parts(human, whole):
    strata = (Stratum("a low", 1, 12, 12), Stratum("b low", 1, 12, 12), STRATA[2])
    panel = panel_of(strata if whole else STRATA)
    columns = panel.human if human is None else panel.human[:, [human]]
    total, weights = drawn_totals(panel, columns, SEED)
    scores, population = means_of(panel, columns), sum(one.population for one in panel.strata)
    value = (weights * scores).sum() / population
    drawn = np.clip(value + total / population, 1, 3)
    levels = np.array([one.level for one in panel.strata])[panel.stratum]  # not cells of a level
    tail = student.tail(bootstrap.reach_of(Units(levels, panel.cluster), weights, "items"))
    low, high = np.quantile(drawn, [tail, 1 - tail])
    variance = 0.0
    for number, stratum in enumerate(panel.strata):
        own = scores[(panel.stratum == number) & (weights > 0)]
        part = stratum.population / population
        variance += part**2 * own.var(ddof=1) / len(own) * (1 - len(own) / stratum.population)
    judge = sum(one.population * one.level for one in panel.strata) / population
    assert bylevel.corrected_mean(panel, human, replicates=NUMBER, seed=SEED) == Corrected(
        None if human is None else panel.humans[human],
        pytest.approx(value),
        pytest.approx(variance),
        pytest.approx(min(low, value)),
        pytest.approx(max(high, value)),
        pytest.approx(judge),
        None,
    )


def test_interval_of_the_corrected_mean_stays_on_a_scale_that_does_not_start_at_0():
    """Everyone says 1 of all items, so the lower end would lie below 1."""
    items = [
        JudgedItem(f"i{n}", "all", f"c{n}", "A", "s", {"h": 1}, {"first": 1}) for n in range(12)
    ]
    panel = make(items, [Stratum("all", 1, 400, 12)], (1, 2, 3), ("first",))
    found = bylevel.corrected_mean(panel, replicates=2000)
    assert found.value == found.low == 1
    assert 1 < found.high < 1.5


def test_whoever_rates_all_items_of_the_pool_alike_has_no_interval_but_the_value():
    items = [
        JudgedItem(f"i{n}", "all", f"c{n}", "A", "s", {"h": 1}, {"first": 1}) for n in range(12)
    ]
    panel = make(items, [Stratum("all", 1, 12, 12)], (1, 2, 3), ("first",))
    found = bylevel.corrected_mean(panel, replicates=50)
    assert (found.value, found.variance, found.low, found.high) == (1, 0, 1, 1)


@pytest.mark.parametrize("judge", [0, 1])
def test_levels_are_put_together_from_their_parts(judge):
    panel = panel_of()
    found = bylevel.levels(panel, judge, replicates=NUMBER, seed=SEED)
    wanted = []
    for code, level in enumerate((1, 2, 3)):
        for number, human in enumerate(panel.humans):
            scores = panel.human[:, number], panel.judge[:, judge]
            keep = scores[1] == code
            of = Pairing(panel, *scores, True, NUMBER, SEED, keep)  # noqa: FBT003 - of the pool
            raw, bias = confusion.raw(of), None
            if (of.weights > 0).any():
                bias = confusion.Tables(of).estimate(partial(apart_from, code=code))
            wanted.append(OfLevel(level, human, panel.judges[judge], raw, bias))
    assert [one.level for one in found] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    for one, other in zip(found, wanted, strict=True):
        assert (one.level, one.human, one.judge) == (other.level, other.human, other.judge)
        assert one.raw == other.raw
        if other.bias is None:
            assert (one.bias.value, one.bias.interval.code) == (None, "undefined")
        else:
            assert one.bias.value == pytest.approx(other.bias.value)
            ends = (other.bias.interval.low, other.bias.interval.high)
            assert (one.bias.interval.low, one.bias.interval.high) == pytest.approx(ends)


def apart_from(tables, code):
    """Return the judge's score less the mean human score; all items have the judge's `code`."""
    given = tables.sum(-1)
    return code - (given * np.arange(3)).sum(-1) / given.sum(-1)
