"""Two columns of scores: every figure and interval put together from its parts."""

from dataclasses import replace

import numpy as np
import pytest

from app.scoring import bootstrap, confusion, posterior, smoothing, student
from app.scoring.bootstrap import Block, Interval, NoInterval
from app.scoring.confusion import Estimate, Pairing, Raw
from app.scoring.panel import MISSING, JudgedItem, make
from app.scoring.proportions import Share, by_row, quadratic_kappa, share, spearman
from app.scoring.sampling import Stratum

SEED, NUMBER = 9, 60
HUMANS = {  # what each says of the items of a level, in turn; None = missing
    "h1": ((0, 0, 1, 0), (1, 1, 0, 1, 2), (2, 2, 1, 2, 2, None)),
    "h2": ((0, None, 1, 2), (1, 1, 1, 0, 2), (2, 1, 1, 2, 0)),
    "low": ((0, 1, 0), (None,), (None,)),  # rates one level only
    "two": ((0, 1, 0), (1, 0, 1, 2), (None,)),
    "other": ((1,), (2,), (0,)),  # constant in each level, but not the judge
}


def panel_of(scale=(0, 1, 2), judges=("first", "second")):
    """Return a panel whose second judge says the highest of every fifth item."""
    values = len(scale)
    items = []
    for n in range(48):
        level, turn = n % values, n // values
        said = {name: own[level][turn % len(own[level])] for name, own in HUMANS.items()}
        scores = {name: min(one, values - 1) for name, one in said.items() if one is not None}
        judged = {name: values - 1 if name == "second" and n % 5 == 0 else level for name in judges}
        items.append(
            JudgedItem(f"i{n}", f"level {level}", f"c{n % 24}", "A-Add", "players", scores, judged)
        )
    sizes = enumerate((40, 60, 200)[:values])
    strata = [Stratum(f"level {h}", h, size, 48 // values) for h, size in sizes]
    return make(items, strata, scale, judges)


def of_names(panel, human, second, *, pool=True, keep=None):
    first = panel.human[:, panel.humans.index(human)]
    if second in panel.humans:
        other = panel.human[:, panel.humans.index(second)]
    else:
        other = panel.judge[:, panel.judges.index(second)]
    return Pairing(panel, first, other, pool, NUMBER, SEED, keep)


def with_made_up(of, mass, groups, weights):
    """Return the items' cells with those of the made-up items, and these.

    A judge's score that is constant in a group stays so; other people's scores are made up.
    """
    judged = any(np.array_equal(of.second, column) for column in of.panel.judge.T)
    human = of.first[:, None] if judged else np.column_stack([of.first, of.second])
    judge = of.second[:, None] if judged else np.empty((48, 0), int)
    made = smoothing.made_up(of.panel, weights > 0, human, judge, mass, groups)
    size = len(of.panel.scale)
    more = np.hstack([made.human, made.judge])
    scores = np.vstack([np.column_stack([of.first, of.second]), more])
    cells = np.eye(size * size)[np.where(scores < 0, 0, scores) @ [size, 1]]
    return Block(cells, np.concatenate([weights, weights[made.like]])), made


class Parts:
    """The weights, table and draws of a pairing."""

    def __init__(self, of):
        self.of, panel = of, of.panel
        usable = (of.first != MISSING) & (of.second != MISSING)
        self.weights = panel.weights(usable, pool=of.pool)
        self.groups = np.array([stratum.level for stratum in panel.strata])[panel.stratum]
        if of.keep is not None:
            self.weights, self.groups = self.weights * of.keep, np.zeros(48, int)
        self.units, size = int((self.weights > 0).sum()), len(panel.scale)
        self.table = np.zeros((size, size))
        np.add.at(self.table, (of.first[usable], of.second[usable]), self.weights[usable])
        self.reach = bootstrap.reach_of(panel.units, self.weights, "items")

    def smoothed(self):
        block, made = with_made_up(self.of, smoothing.MASS, None, self.weights)
        (found,) = bootstrap.replicates([block], made.units(self.of.panel), NUMBER, SEED, "items")
        return found.reshape(-1, *self.table.shape)

    def drawn(self):
        prior = len(self.table) / 2
        block, made = with_made_up(self.of, prior, self.groups, self.weights)
        groups = np.concatenate([self.groups, self.groups[made.like]])
        mass = np.concatenate([np.ones(48), made.mass])
        found = posterior.replicates(block, groups, mass, NUMBER, SEED)
        return found.reshape(-1, *self.table.shape)

    def answers(self, cells):
        """Return the interval of the share of items in some cells."""
        block, made = with_made_up(self.of, 0.9, self.groups, self.weights)
        hits = block.features @ np.array(cells, float).ravel()
        several = len({group for group, w in zip(self.groups, self.weights, strict=True) if w}) > 1
        groups = np.concatenate([self.groups, self.groups[made.like]])
        mass = np.concatenate([np.ones(48), made.mass])
        prior = 1 / 3 if several else 1 / 2
        values = posterior.answers(hits, block.weights, groups, mass, NUMBER, SEED, prior)
        point = float(self.weights @ hits[:48] / self.weights.sum())
        if several:
            return self.interval(values, point, posterior.OF_GROUPS, student.tail(self.reach))
        return self.interval(values, point, posterior.ANSWERS)

    def interval(self, values, point, method, tail=0.025, *, widened=True):
        """Return an interval; that of a posterior holds the estimate."""
        low, high = np.nanquantile(values, [tail, 1 - tail])
        if widened:
            low, high = min(low, point), max(high, point)
        undefined = int(np.isnan(values).sum())
        return Interval(
            *(pytest.approx(low), pytest.approx(high), "items", self.units, NUMBER, SEED),
            *(undefined, 0.95, method),
        )

    def estimate(self, of_tables):
        values, point = of_tables(self.drawn()), of_tables(self.table[None])[0]
        made = self.interval(values, point, posterior.METHOD)
        return Estimate(pytest.approx(point), made)

    def correlation(self, of_tables):
        values, point = of_tables(self.smoothed()), of_tables(self.table[None])[0]
        tail = student.tail(self.reach)
        made = self.interval(values, point, smoothing.METHOD, tail, widened=False)
        return Estimate(pytest.approx(point), made)

    def share(self, cells):
        cells = np.array(cells)
        usable = self.weights > 0
        hits = np.zeros(48)
        hits[usable] = cells[self.of.first[usable], self.of.second[usable]]
        made, found = self.answers(cells), share(hits, self.weights)
        return replace(found, low=made.low, high=made.high)

    def of_column(self, human, judge):
        """Return the share of a human's score among the items of one score of the judge."""
        found = share((self.of.first == human) * 1.0, self.weights * (self.of.second == judge))
        tables = self.drawn()
        values = tables[:, human, judge] / tables[:, :, judge].sum(1)
        made = self.interval(values, found.value, "")
        return replace(found, low=made.low, high=made.high)


KEPT = np.arange(48) % 7 != 3
CASES = {
    "whole": ("h1", "first", {}),
    "balanced": ("h2", "first", {"pool": False}),
    "kept": ("h1", "first", {"keep": KEPT}),
    "second judge": ("h1", "second", {}),
    "two humans": ("h1", "h2", {}),
    "constant human": ("h1", "other", {}),
    "one level": ("low", "second", {}),
    "two levels": ("two", "second", {}),
}


@pytest.fixture(params=CASES)
def of(request):
    human, second, how = CASES[request.param]
    return of_names(panel_of(), human, second, **how)


def apart(size):
    codes = np.arange(size)
    return np.abs(codes[:, None] - codes)


def test_raw_agreement_and_accuracy_are_shares_of_answers(of):
    parts, steps = Parts(of), apart(3)
    wanted = Raw(parts.share(steps == 0), parts.share(steps == 1), parts.share(steps >= 2))
    assert confusion.raw(of) == wanted
    found = confusion.confusion(of).accuracy
    assert found == Estimate(wanted.exact.value, parts.answers(steps == 0))


def test_correlations_come_from_a_smoothed_bootstrap(of):
    found, parts = confusion.pair(of), Parts(of)
    assert found.raw == confusion.raw(of)
    kappa = parts.correlation(lambda tables: quadratic_kappa(tables, np.array([0.0, 1, 2])))
    assert found.kappa == kappa
    assert found.spearman == parts.correlation(spearman)


@pytest.mark.parametrize("case", ["whole", "balanced", "kept", "second judge", "two humans"])
def test_tables_are_shares_of_the_drawn_tables(case):
    human, second, how = CASES[case]
    of = of_names(panel_of(), human, second, **how)
    found, parts = confusion.confusion(of), Parts(of)
    for h in range(3):
        for j in range(3):
            joint = parts.estimate(lambda t, h=h, j=j: t[:, h, j] / t.sum((1, 2)))
            row = parts.estimate(lambda t, h=h, j=j: by_row(t)[:, h, j])
            assert found.joint[h][j] == joint
            assert found.judge_given_human[h][j] == row
            assert found.human_given_judge[h][j] == parts.of_column(h, j)
            seen = (of.first == h) & (of.second == j) & (of.weights > 0)
            assert found.counts[h][j] == seen.sum()


def test_two_scores_have_half_a_made_up_item_of_each():
    """Made-up items stay below one item each, or they would count as items of the sample."""
    of = of_names(panel_of(scale=(0, 1)), "h2", "first")
    parts = Parts(of)
    found = confusion.raw(of)
    assert found.exact == parts.share(apart(2) == 0)
    assert found.off_by_1 == parts.share(apart(2) == 1)


def test_people_are_compared_without_any_judge():
    of = of_names(panel_of(judges=("first",)), "h1", "h2")
    alone = replace(of, panel=replace(of.panel, judges=(), judge=of.panel.judge[:, :0]))
    assert confusion.pair(alone) == confusion.pair(of)


NOBODY = Share(None, None, None, 0, 0.0)


def test_a_score_of_the_judge_without_items_has_no_shares():
    found = confusion.confusion(of_names(panel_of(), "low", "first"))
    for row in found.human_given_judge:
        assert row[0].n == 16
        assert row[1:] == (NOBODY, NOBODY)


def test_without_any_item_nothing_agrees_and_nothing_is_drawn():
    of = of_names(panel_of(), "h1", "first", keep=np.zeros(48, bool))
    assert confusion.raw(of) == Raw(NOBODY, NOBODY, NOBODY)
    nothing = Estimate(None, NoInterval("undefined", "undefined: nothing to compare"))
    assert confusion.confusion(of).accuracy == nothing


def test_figures_without_replicates_were_not_asked_to_have_an_interval():
    of = replace(of_names(panel_of(), "h1", "first"), replicates=0)
    why = NoInterval("not_asked", "no bootstrap was requested")
    found, pair = confusion.confusion(of), confusion.pair(of)
    for one in (found.accuracy, found.joint[1][1], pair.kappa, pair.spearman):
        assert one == Estimate(one.value, why)
        assert one.value is not None


def test_cells_of_a_level_do_not_make_intervals_of_shares_longer():
    """Shares are drawn within levels, so that is what counts, not the cells of a balanced draw."""
    whole = panel_of()
    half = np.arange(48) // 3 % 2
    cells = tuple(
        Stratum(f"{one.name}, {part}", one.level, one.population // 2, one.drawn // 2)
        for part in range(2)
        for one in whole.strata
    )
    apart = replace(whole, strata=cells, stratum=whole.stratum + 3 * half)
    for second in ("h2", "first"):
        pairs = [of_names(one, "h1", second, pool=False) for one in (apart, whole)]
        found, wanted = map(confusion.raw, pairs)
        for name in ("exact", "off_by_1", "off_by_2"):
            one, other = getattr(found, name), getattr(wanted, name)
            assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-12)
