"""A judge compared with humans: coefficients, confusion, levels, corrected mean, influence."""

from dataclasses import replace

import numpy as np
import pytest

from app.scoring import bylevel, confusion, influence, judging
from app.scoring.agreement import LEVELS, alpha
from app.scoring.bootstrap import Interval
from app.scoring.confusion import Pairing
from app.scoring.panel import JudgedItem, PanelError, make
from app.scoring.proportions import wilson
from app.scoring.sampling import Stratum, draw
from bench.judged import JUDGE, RATED_GIVEN_TRUE, SCALE, TRUE_GIVEN_JUDGE, make_frame, rate

ROWS = [
    (0, 0, 0),
    (0, 1, 0),
    (0, 0, 0),
    (1, 1, 1),
    (1, 0, 1),
    (2, 2, 1),
    (2, 2, 2),
    (2, 1, 2),
    (2, 2, 2),
]
STRATA = tuple(Stratum(f"level {h}", h, n, 3) for h, n in enumerate((39, 60, 201)))


def make_panel(seed=1, size=1600, per_level=33, **how):
    rng = np.random.default_rng(seed)
    frame = make_frame(size, rng)
    return rate(frame, draw(frame, per_level, seed, **how), rng)


def small_panel(rows=ROWS, strata=STRATA):
    """The stratified reference case: 9 items, 3 per judge level."""
    items = [
        JudgedItem(
            f"i{n}",
            f"level {judge}",
            f"c{n}",
            "A-Add",
            "players",
            {name: value for name, value in (("h1", one), ("h2", two)) if value is not None},
            {"judge": judge},
        )
        for n, (one, two, judge) in enumerate(rows)
    ]
    return make(items, strata, SCALE, ("judge",))


def row(panel, *, pool, replicates=0):
    return judging.coefficients(panel, "ordinal", pool=pool, replicates=replicates, seed=1)


def pairing(panel, *, pool=True, replicates=0, human=0):
    return Pairing(panel, panel.human[:, human], panel.judge[:, 0], pool, replicates, 1)


@pytest.mark.parametrize(
    ("pool", "human_human", "first", "second"),
    [(False, 0.787555, 0.920746, 0.685185), (True, 0.655538, 0.889213, 0.573762)],
)
def test_both_rows_of_the_reference_case(pool, human_human, first, second):
    found = row(small_panel(), pool=pool)
    (judge,) = found.judges
    assert found.human_human.found.alpha == pytest.approx(human_human, abs=6e-7)
    assert judge.each["h1"].found.alpha == pytest.approx(first, abs=6e-7)
    assert judge.each["h2"].found.alpha == pytest.approx(second, abs=6e-7)
    assert judge.mean.value == pytest.approx((first + second) / 2, abs=6e-7)
    assert judge.difference.value == pytest.approx(human_human - (first + second) / 2, abs=1e-6)


def test_weights_are_made_of_the_usable_items():
    rows = [(0, None, 0), *ROWS[1:]]
    panel = small_panel(rows)
    usable = (panel.human != -1).all(1)
    assert panel.weights(usable, pool=True).tolist() == [0, 19.5, 19.5, 20, 20, 20, 67, 67, 67]
    assert panel.drawn(usable)[0] == {
        "stratum": "level 0",
        "level": 0,
        "population": 39,
        "drawn": 3,
        "usable": 2,
    }


def test_stratum_without_a_usable_item_is_named():
    rows = [(0, None, 0)] * 3 + ROWS[3:]
    found = row(small_panel(rows), pool=True)
    assert found.unheard == ("level 0",)
    assert found.human_human.found.n_single == 3


def test_intervals_over_items_and_over_clusters_surround_the_coefficients():
    found = row(make_panel(), pool=True, replicates=1000)
    (judge,) = found.judges
    for one in (found.human_human, *judge.each.values()):
        assert one.interval.low < one.found.alpha < one.interval.high
    for figure in (judge.mean, judge.difference):
        assert figure.interval.low < figure.value < figure.interval.high
        assert isinstance(figure.cluster_interval, Interval)


@pytest.mark.parametrize("replicates", [0, 300])
def test_levels_of_measurement_together_are_what_each_is_alone(replicates):
    panel = make_panel(3)
    how = {"pool": True, "replicates": replicates, "seed": 1}
    together = judging.coefficients_at(panel, LEVELS, **how)
    assert together == {level: judging.coefficients(panel, level, **how) for level in LEVELS}
    assert len({found.human_human.found.alpha for found in together.values()}) == 4


def test_paired_difference_is_steadier_than_unpaired_would_be():
    found = row(make_panel(), pool=False, replicates=4000)
    (judge,) = found.judges
    wide = [one.interval.high - one.interval.low for one in (found.human_human, judge.mean)]
    paired = judge.difference.interval.high - judge.difference.interval.low
    assert paired < 0.9 * (wide[0] ** 2 + wide[1] ** 2) ** 0.5


def test_judge_that_is_one_of_the_humans_differs_by_the_others_only():
    rows = [(j, two, j) for _, two, j in ROWS] * 4
    strata = [Stratum(f"level {h}", h, 100, 12) for h in SCALE]
    found = row(small_panel(rows, strata), pool=False, replicates=300)
    (judge,) = found.judges
    assert judge.each["h1"].interval.code == "not_estimable"
    assert judge.each["h2"].found.alpha == found.human_human.found.alpha
    assert isinstance(judge.mean.interval, Interval)


def test_figures_without_replicates_have_no_interval_even_where_a_pair_never_disagrees():
    rows = [(j, two, j) for _, two, j in ROWS]
    (judge,) = row(small_panel(rows), pool=False).judges
    assert judge.each["h1"].interval.code == "not_estimable"
    assert judge.mean.interval.code == "not_asked"


def test_mask_keeps_the_weights_of_the_whole_sample():
    panel = make_panel()
    mask = np.array([item.task == "A-Add" for item in panel.items])
    found = judging.coefficients(panel, "ordinal", pool=True, replicates=0, seed=1, mask=mask)
    kept = panel.weights(np.ones(len(mask), bool), pool=True) * mask
    expected = alpha(panel.ratings(panel.human, panel.humans, kept), "ordinal", weighting="scaled")
    assert found.human_human.found.alpha == pytest.approx(expected.alpha)
    assert found.human_human.found.n_pairable == mask.sum()


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
    assert (cell.low, cell.high) == wilson(cell.value, 33)


def test_wilson_gives_the_textbook_interval():
    assert wilson(0.7, 10) == (pytest.approx(0.3968, abs=5e-5), pytest.approx(0.8922, abs=5e-5))
    assert wilson(0.0, 10) == (0.0, pytest.approx(0.2775, abs=5e-4))
    assert wilson(1.0, 10)[1] == 1.0


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


def test_levels_tell_agreement_and_signed_bias():
    found = bylevel.levels(small_panel(), 0, replicates=0, seed=1)
    first = {one.level: one for one in found if one.human == "h1"}
    assert first[1].bias.value == pytest.approx(-1 / 3)
    assert first[1].raw.exact.value == pytest.approx(2 / 3)
    assert first[0].bias.value == 0
    assert not hasattr(first[0], "alpha")


def test_levels_of_a_second_judge_keep_the_weights_of_the_sample():
    """Two items of its level 1: one stands for 13 of the pool, one for 67."""
    second = [0, 1, 0, 0, 0, 0, 1, 0, 0]
    first = small_panel()
    items = [
        replace(item, judges={**item.judges, "other": level})
        for item, level in zip(first.items, second, strict=True)
    ]
    panel = make(items, STRATA, SCALE, ("judge", "other"))
    found = {(one.level, one.human): one for one in bylevel.levels(panel, 1, replicates=0, seed=1)}
    assert found[1, "h1"].bias.value == pytest.approx((13 * (1 - 0) + 67 * (1 - 2)) / 80)


def test_bias_has_an_interval_unless_nothing_varies():
    found = bylevel.levels(make_panel(), 0, replicates=500, seed=1)
    assert all(one.bias.interval.low <= one.bias.value <= one.bias.interval.high for one in found)
    (flat, *_) = bylevel.levels(small_panel(), 0, replicates=200, seed=1)
    assert flat.bias.interval.code == "not_estimable"


def test_corrected_mean_and_its_variance_are_the_formulas():
    found = bylevel.corrected_mean(small_panel(), 0)
    assert found.value == pytest.approx((39 * 0 + 60 * 4 / 3 + 201 * 2) / 300)
    assert found.variance == pytest.approx((60 / 300) ** 2 * (1 / 3) / 3 * (1 - 3 / 60))
    assert found.judge == pytest.approx((60 + 402) / 300)
    both = bylevel.corrected_mean(small_panel())
    assert both.value == pytest.approx((39 / 6 + 60 * 7 / 6 + 201 * 11 / 6) / 300)


def test_corrected_mean_of_a_whole_frame_has_no_sampling_variance():
    strata = [Stratum(f"level {h}", h, 3, 3) for h in SCALE]
    assert bylevel.corrected_mean(small_panel(strata=strata)).variance == 0


def test_corrected_mean_says_why_it_is_missing():
    none = small_panel([(0, None, 0)] * 3 + ROWS[3:])
    assert "level 0" in bylevel.corrected_mean(none, 1).reason
    one = small_panel([(0, None, 0)] * 2 + ROWS[2:])
    found = bylevel.corrected_mean(one, 1)
    assert (found.variance, "only one" in found.reason) == (None, True)


@pytest.mark.parametrize("allocation", ["proportional", "balanced"])
def test_corrected_mean_is_unbiased_over_samples(allocation):
    found = [
        bylevel.corrected_mean(make_panel(seed, 400, 16, allocation=allocation), 0)
        for seed in range(150)
    ]
    expected = np.array(JUDGE) @ TRUE_GIVEN_JUDGE @ RATED_GIVEN_TRUE @ np.arange(3)
    values = [one.value for one in found]
    assert np.mean(values) == pytest.approx(expected, abs=3 * np.std(values) / 150**0.5)


@pytest.mark.parametrize("pool", [False, True])
def test_influence_is_the_change_that_leaving_out_makes(pool):
    panel = make_panel(3)
    whole = row(panel, pool=pool)
    found = influence.leave_one_out(panel, "ordinal", pool=pool)
    assert len(found) == len(panel.items)
    for one in (found[0], found[50], found[-1]):
        kept = [item for item in panel.items if item.id != one.item]
        without = row(make(kept, panel.strata, SCALE, panel.judges), pool=pool)
        changes = (
            without.human_human.found.alpha - whole.human_human.found.alpha,
            without.judges[0].mean.value - whole.judges[0].mean.value,
        )
        assert (one.human_human, one.human_judge) == pytest.approx(changes, abs=1e-9)
    sizes = [max(abs(one.human_human), abs(one.human_judge)) for one in found]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([], "no drawn item"),
        ([JudgedItem("a", "level 9", "c", "t", "s", {}, {})], "level 9"),
        ([JudgedItem("a", "level 0", "c", "t", "s", {"h": 7}, {})], "not on the scale"),
    ],
)
def test_panels_that_cannot_be_are_refused(items, words):
    with pytest.raises(PanelError, match=words):
        make(items, STRATA, SCALE)
