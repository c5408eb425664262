"""Two columns of scores: confusion, raw agreement, kappa and Spearman, with intervals."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from app.scoring import confusion
from app.scoring.bootstrap import NoInterval
from app.scoring.panel import MISSING
from app.scoring.proportions import wilson
from tests.scoring.panels import ROWS, make_panel, pairing, small_panel


def test_confusion_of_the_reference_case():
    found = confusion.confusion(pairing(small_panel()))
    assert found.counts == ((3, 0, 0), (0, 2, 0), (0, 1, 3))
    assert [share.value for share in found.human_given_judge[2]] == [0, pytest.approx(1 / 3), 1]
    assert found.joint[0][0].value == pytest.approx(39 / 300)
    assert found.joint[2][1].value == pytest.approx(20 / 300)
    assert found.judge_given_human[2][1].value == pytest.approx(20 / (20 + 201))
    assert found.accuracy.value == pytest.approx((39 + 40 + 201) / 300)


def test_recall_of_a_score_that_was_never_given_is_undefined():
    rows = [(2, 2, judge) for _, _, judge in ROWS]
    found = confusion.confusion(pairing(small_panel(rows)))
    assert [one.value for one in found.judge_given_human[0]] == [None] * 3


def test_confusion_cells_have_intervals():
    found = confusion.confusion(pairing(make_panel(), replicates=500))
    for value in (found.accuracy, found.judge_given_human[1][1], found.joint[1][1]):
        assert value.interval.low < value.value < value.interval.high
    cell = found.human_given_judge[1][1]
    assert (cell.n, cell.effective) == (33, pytest.approx(33))
    plain = confusion.confusion(pairing(make_panel())).human_given_judge[1][1]
    assert (plain.low, plain.high) == wilson(cell.value, 33)


def test_shares_of_a_level_are_drawn_with_half_an_item_more_of_each_score():
    """33 items and half a one of each of three scores: beta distributions."""
    found = confusion.confusion(pairing(make_panel(), replicates=40_000))
    counts = np.array(found.counts)
    for human, judge in ((1, 1), (0, 2), (0, 0)):
        hits = counts[human, judge]
        assert counts[:, judge].sum() == 33
        share, joint = found.human_given_judge[human][judge], found.joint[human][judge]
        wanted = stats.beta.ppf([0.025, 0.975], hits + 0.5, 34 - hits)
        wanted = min(wanted[0], share.value), max(wanted[1], share.value)
        assert (share.low, share.high) == pytest.approx(wanted, abs=0.006)
        part = joint.value / share.value if hits else 0
        if hits:
            ends = (joint.interval.low, joint.interval.high)
            assert ends == pytest.approx((part * share.low, part * share.high))


def spread_over_levels(hits, possible, weights, freedom):
    """The interval of a share of 33 items in each of three levels, with scipy's distributions."""
    rng, drawn = np.random.default_rng(9), 0.0
    for number, can, weight in zip(hits, possible, weights, strict=True):
        if can:
            drawn += weight * stats.beta.rvs(
                number + 1 / 3, 33 + 1 / 3 - number, size=200_000, random_state=rng
            )
    tail = stats.norm.cdf(-stats.t.ppf(0.975, freedom))
    return np.quantile(drawn, [tail, 1 - tail])


@pytest.mark.parametrize("pool", [False, True])
def test_shares_of_all_levels_add_up_beta_distributions_with_a_third_of_an_item_each(pool):
    """Off by 2 cannot be where the judge's score is 1, so no made-up item says it can.

    Student's t has the effective number of items less three levels.
    """
    panel = make_panel()
    found = confusion.raw(pairing(panel, pool=pool, replicates=40_000))
    sizes = np.array([stratum.population if pool else 33 for stratum in panel.strata], float)
    weights, freedom = sizes / sizes.sum(), 33 * sizes.sum() ** 2 / (sizes**2).sum() - 3
    apart = np.abs(panel.human[:, 0] - panel.judge[:, 0])
    shares = found.exact, found.off_by_1, found.off_by_2
    possible = [1, 1, 1], [1, 1, 1], [1, 0, 1]
    for steps, (share, can) in enumerate(zip(shares, possible, strict=True)):
        hits = [int((apart[panel.stratum == level] == steps).sum()) for level in range(3)]
        wanted = spread_over_levels(hits, can, weights, freedom)
        assert (share.low, share.high) == pytest.approx(wanted, abs=0.004)
    accuracy = confusion.confusion(pairing(panel, pool=pool, replicates=40_000)).accuracy
    assert (accuracy.value, accuracy.interval.low) == (found.exact.value, found.exact.low)
    assert accuracy.interval.high == found.exact.high


def test_a_share_of_one_level_is_jeffreys_interval_itself():
    panel = make_panel()
    of = replace(pairing(panel, replicates=100_000), keep=panel.stratum == 2)
    found = confusion.raw(of).exact
    hits = found.value * 33
    wanted = stats.beta.ppf([0.025, 0.975], hits + 0.5, 33.5 - hits)
    assert (found.low, found.high) == pytest.approx(wanted, abs=0.003)


def test_a_combination_that_was_never_seen_has_an_interval():
    found = confusion.confusion(pairing(small_panel(), replicates=4000))
    never = found.joint[0][2]
    assert never.value == never.interval.low == 0
    assert 0.1 < never.interval.high < 201 / 300
    assert found.human_given_judge[0][0].high == 1
    assert never.interval.method == "Dirichlet draws, half an item per score"
    assert found.accuracy.interval.method == "Beta draws, a third of an item per answer, expanded"


def test_kappa_spearman_and_raw_agreement_of_the_reference_case():
    found = confusion.pair(pairing(small_panel(), pool=False))
    human, judge = np.array(ROWS)[:, 0], np.array(ROWS)[:, 2]
    chance = np.mean([(h - j) ** 2 for h in human for j in judge])
    assert found.kappa.value == pytest.approx(1 - np.mean((human - judge) ** 2) / chance)
    ranks = [np.array([(x < v).sum() + (x == v).sum() / 2 for v in x]) for x in (human, judge)]
    assert found.spearman.value == pytest.approx(np.corrcoef(ranks[0], ranks[1])[0, 1])
    assert [found.raw.exact.value, found.raw.off_by_1.value, found.raw.off_by_2.value] == (
        pytest.approx([8 / 9, 1 / 9, 0])
    )


def test_kappa_and_spearman_without_variation_are_undefined():
    found = confusion.pair(pairing(small_panel([(2, 2, judge) for _, _, judge in ROWS])))
    assert found.spearman.value is None
    same = small_panel([(2, 2, 2)] * 9)
    assert confusion.pair(pairing(same)).kappa.value is None


def test_raw_agreement_tells_one_step_from_two():
    rows = [(0, 0, 2), (0, 0, 1), (1, 1, 2), *ROWS[3:]]
    found = confusion.raw(pairing(small_panel(rows), pool=False))
    shares = [found.exact.value, found.off_by_1.value, found.off_by_2.value]
    assert shares == pytest.approx([5 / 9, 3 / 9, 1 / 9])


@pytest.mark.parametrize("pool", [False, True])
def test_intervals_name_what_was_drawn_and_leave_out_missing_scores(pool):
    panel = small_panel([(0, None, 0), (1, None, 0), (0, 0, 0), *ROWS[3:], (0, 0, 0)] * 4)
    of = pairing(panel, pool=pool, replicates=400, human=1)
    found = confusion.pair(of)
    for one in (found.kappa, found.spearman, confusion.confusion(of).accuracy):
        interval = one.interval
        assert (interval.over, interval.units, interval.seed) == ("items", 32, 1)
        assert interval.replicates == 400
    assert confusion.pair(of) == found


def test_estimates_without_an_interval_say_why():
    asked = confusion.confusion(pairing(small_panel())).accuracy
    assert asked.interval == NoInterval("not_asked", "no bootstrap was requested")
    panel = small_panel([(one, None, judge) for one, _, judge in ROWS[:-1]] + ROWS[-1:])
    panel.judge[-1] = MISSING  # the only item that the second human rated
    nothing = confusion.confusion(pairing(panel, replicates=50, human=1))
    for one in (nothing.accuracy, nothing.joint[0][0], nothing.judge_given_human[2][1]):
        assert one.value is None
        assert one.interval == NoInterval("undefined", "undefined: nothing to compare")
    assert nothing.counts == ((0, 0, 0),) * 3
