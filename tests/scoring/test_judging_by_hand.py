"""Coefficients of a small panel, each put together from its parts, and when there are none."""

import numpy as np
import pytest

from app.scoring import bootstrap, judging, smoothing, student
from app.scoring.agreement import alpha, unit_coincidences
from app.scoring.alphareport import Result, table_alphas
from app.scoring.bootstrap import Block, Interval, NoInterval
from app.scoring.judging import Coefficients, Figure, HumanJudge
from app.scoring.panel import MISSING, JudgedItem, counts_of, make
from app.scoring.sampling import Stratum

SCALE = (0, 1, 2)
STRATA = tuple(Stratum(f"level {h}", h, n, 16) for h, n in enumerate((40, 60, 200)))
HUMANS = {  # what each says of the items of a stratum, in turn; None = missing
    "h1": ((0, 0, 1, 0), (1, 1, 0, 1, 2), (2, 2, 1, 2, 2, None)),
    "h2": ((0, None, 1, 2), (1, 1, 1, 0, 2), (2, 1, 1, 2, 0)),
    "h3": ((0, 1, None), (1, None, 0, 1), (None, 2, 2)),
}
NEVER = "not estimable: the raters never disagree"


def panel_of(humans=HUMANS, judges=("first", "second"), clusters=24, strata=STRATA):
    """Return a panel whose second judge says 2 of every fifth item and else what the first does."""
    return make(
        [
            JudgedItem(
                f"i{n}",
                f"level {n % 3}",
                f"c{n % clusters}",
                "A-Add",
                "players",
                {
                    name: said
                    for name, of_stratum in humans.items()
                    for cycle in [of_stratum[n % 3]]
                    if (said := cycle[n // 3 % len(cycle)]) is not None
                },
                {name: 2 if name == "second" and n % 5 == 0 else n % 3 for name in judges},
            )
            for n in range(48)
        ],
        strata,
        SCALE,
        judges,
    )


def parts_of(panel, level, pool, replicates, seed, mask):
    """Return, per comparison, its result without intervals, its weights, and its replicates."""
    weighting = "scaled" if pool else "none"
    compared = [(panel.human, list(panel.humans))] + [
        (np.column_stack([panel.human[:, r], panel.judge[:, k]]), [human, judge])
        for k, judge in enumerate(panel.judges)
        for r, human in enumerate(panel.humans)
    ]
    made = smoothing.made_up(panel, mask, panel.human, panel.judge)
    made_up = [made.human] + [
        np.column_stack([made.human[:, r], made.judge[:, k]])
        for k in range(len(panel.judges))
        for r in range(len(panel.humans))
    ]
    found, blocks = [], []
    for (scores, names), more in zip(compared, made_up, strict=True):
        pairable = (scores != MISSING).sum(1) > 1
        weights = panel.weights(pairable, pool=pool) * mask
        ratings = panel.ratings(scores, names, weights + (mask & ~pairable))
        found.append((alpha(ratings, level, weighting=weighting), ratings.hash(), weights))
        features = unit_coincidences(counts_of(scores, 3))
        blocks.append(made.block(Block(features, weights), unit_coincidences(counts_of(more, 3))))
    over = {
        kind: [
            table_alphas(totals, one[0], weighting)
            for totals, one in zip(
                bootstrap.replicates(blocks, made.units(panel), replicates, seed, kind),
                found,
                strict=True,
            )
        ]
        for kind in ("items", "clusters")
    }
    return found, over


def spans(point, values, weights, clusters, seed):
    """Return both intervals from replicates over items and over clusters."""
    drawn = {"items": int((weights > 0).sum()), "clusters": clusters}
    made = []
    for kind, replicated in values.items():
        tail = student.tail(bootstrap.reach_of(panel_of().units, weights, kind))
        low, high = np.quantile(replicated, [tail, 1 - tail])
        made.append(
            Interval(
                pytest.approx(low),
                pytest.approx(high),
                kind,
                drawn[kind],
                len(replicated),
                seed,
                0,
                method="expanded percentile bootstrap, smoothed",
            )
        )
    return made


@pytest.mark.parametrize("pool", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("level", ["ordinal", "nominal"])
def test_coefficients_are_put_together_from_their_parts(level, masked, pool):
    panel = panel_of()
    mask = np.arange(48) % 7 != 3 if masked else np.ones(48, bool)
    found, over = parts_of(panel, level, pool, 60, 9, mask)

    def result(n):
        values = {kind: replicated[n] for kind, replicated in over.items()}
        items, clusters = spans(found[n][0].alpha, values, found[n][2], 24, 9)
        return Result(found[n][0], items, clusters, found[n][1])

    def figure(factors):
        point = sum(f * found[n][0].alpha for n, f in factors.items())
        weights = min((found[n][2] for n in factors), key=lambda one: (one > 0).sum())
        values = {
            kind: sum(f * replicated[n] for n, f in factors.items())
            for kind, replicated in over.items()
        }
        return Figure(pytest.approx(point), None, *spans(point, values, weights, 24, 9))

    def judge(name, first):
        mean = dict.fromkeys(range(first, first + 3), 1 / 3)
        return HumanJudge(
            name,
            {human: result(first + r) for r, human in enumerate(("h1", "h2", "h3"))},
            shown(figure(mean)),
            shown(figure({0: 1.0} | {n: -share for n, share in mean.items()})),
        )

    def shown(made):  # means and differences have no interval at other levels than ordinal
        none = [judging.OTHER_LEVEL] * 2
        return made if level == "ordinal" else Figure(made.value, None, *none)

    expected = Coefficients(pool, result(0), (judge("first", 1), judge("second", 4)), ())
    given = mask if masked else None
    how = {"pool": pool, "replicates": 60, "seed": 9, "mask": given}
    assert judging.coefficients(panel, level, **how) == expected


def test_strata_are_unheard_in_the_estimate_of_the_pool_only():
    """Of the last stratum, no item has two human values; the masked ones do not count either."""
    alone = HUMANS | {"h2": ((0, 1), (1, 0), (None,)), "h3": ((0,), (1,), (None,))}
    how = {"replicates": 0, "seed": 1}
    whole = tuple(Stratum(f"level {h}", h, 16, 16) for h in SCALE)
    assert judging.coefficients(
        panel_of(alone, strata=whole), "ordinal", pool=True, **how
    ).unheard == ("level 2",)
    panel = panel_of(alone)
    assert judging.coefficients(panel, "ordinal", pool=True, **how).unheard == ("level 2",)
    assert judging.coefficients(panel, "ordinal", pool=False, **how).unheard == ()
    mask = panel.stratum != 0
    masked = judging.coefficients(panel, "ordinal", pool=True, mask=mask, **how)
    assert masked.unheard == ("level 0", "level 2")
    assert masked.human_human.found.n_single == 14  # h1 skips two of the last stratum's items


def test_items_with_one_value_are_counted_with_a_weight_of_one():
    panel = panel_of({"h1": HUMANS["h1"], "h2": ((0, 1), (1, 0), (None,))})
    found = judging.coefficients(panel, "ordinal", pool=True, replicates=0, seed=1)
    pairable = (panel.human != MISSING).sum(1) == 2
    weights = np.where(pairable, panel.weights(pairable, pool=True), 1.0)
    ratings = panel.ratings(panel.human, panel.humans, weights)
    assert found.human_human.data_hash == ratings.hash()
    assert found.human_human.found.n_single == 14


@pytest.mark.parametrize("replicates", [0, 50])
def test_without_humans_nothing_is_defined(replicates):
    found = judging.coefficients(panel_of({}), "ordinal", pool=True, replicates=replicates, seed=1)
    assert found.human_human.found.status == "no_data"
    assert found.human_human.interval.code == "undefined"
    assert [judge.each for judge in found.judges] == [{}, {}]
    for judge in found.judges:
        for figure, why in ((judge.mean, "no human"), (judge.difference, "no data")):
            reason = f"it needs an alpha that is undefined ({why})"
            gone = NoInterval("undefined", reason)
            assert figure == Figure(None, reason, gone, gone)


@pytest.mark.parametrize("replicates", [0, 50])
def test_one_human_is_compared_with_the_judge_only(replicates):
    panel = panel_of({"h1": HUMANS["h1"]}, ("first",))
    found = judging.coefficients(panel, "ordinal", pool=True, replicates=replicates, seed=1)
    (judge,) = found.judges
    assert judge.mean.value == judge.each["h1"].found.alpha
    assert judge.mean.interval == judge.each["h1"].interval
    assert judge.difference.value is None
    assert judge.difference.reason == "it needs an alpha that is undefined (no pairable units)"


def test_figure_names_every_alpha_that_is_undefined():
    """Of the items of the last stratum, everyone always says the same."""
    panel = panel_of({"h1": ((0,), (0,), (2,)), "h2": ((1,), (1,), (2,))}, ("first",))
    (judge,) = judging.coefficients(
        panel, "ordinal", pool=True, replicates=0, seed=1, mask=panel.stratum == 2
    ).judges
    why = "undefined no variation"
    assert judge.mean.reason == f"it needs an alpha that is undefined ({why}, {why})"


def judge_of(second_human):
    """Return the figures of a judge from humans of whom the second rates some items only."""
    panel = panel_of({"h1": HUMANS["h1"], "h2": second_human}, ("first",))
    (judge,) = judging.coefficients(panel, "ordinal", pool=False, replicates=50, seed=1).judges
    return judge


def some(score, number):
    """Return a score for so many items of a stratum, and none for the others."""
    return (*[score] * number, *[None] * (16 - number))


def test_figures_are_drawn_from_the_items_of_the_one_who_rated_fewest():
    judge = judge_of((some(0, 6), some(1, 6), some(2, 6)))
    assert judge.each["h2"].interval == NoInterval("not_estimable", NEVER)
    assert (judge.mean.interval.units, judge.each["h1"].interval.units) == (18, 46)
    assert judge.difference.interval.units == 17  # the first skips one of them


def test_figures_of_few_items_have_no_interval():
    judge = judge_of((some(0, 1), some(1, 1), some(2, 7)))
    assert judge.each["h2"].interval == NoInterval("not_estimable", NEVER)
    assert judge.mean.interval.code == "undefined_replicates"  # so it was drawn all the same
    assert judge.difference.interval.code == "too_few_units"
    judge = judge_of((some(1, 1), some(1, 1), some(2, 7)))
    few = NoInterval("too_few_units", "9 units are too few (fewer than 10)")
    assert judge.mean == Figure(judge.mean.value, None, few, few)
    assert judge.mean.value is not None


def test_figures_of_raters_who_never_disagree_have_no_interval():
    same = ((0,), (1,), (2,))
    panel = panel_of({"h1": same, "h2": same}, ("first",))
    (judge,) = judging.coefficients(panel, "nominal", pool=True, replicates=50, seed=1).judges
    never = NoInterval("not_estimable", NEVER)
    assert judge.mean == Figure(1.0, None, never, never)
    assert judge.difference == Figure(0.0, None, never, never)
    (judge,) = judging.coefficients(panel, "nominal", pool=True, replicates=0, seed=1).judges
    asked = NoInterval("not_asked", "no bootstrap was requested")
    assert judge.mean == Figure(1.0, None, asked, asked)


@pytest.mark.parametrize(
    ("clusters", "why"), [(48, "every cluster has one item"), (19, "19 clusters are too few")]
)
def test_few_clusters_leave_the_interval_over_items(clusters, why):
    panel = panel_of(clusters=clusters)
    found = judging.coefficients(panel, "ordinal", pool=True, replicates=50, seed=1)
    for one in (found.human_human, found.judges[0].mean, found.judges[1].difference):
        assert isinstance(one.interval, Interval)
        assert one.cluster_interval.code == "clusters"
        assert one.cluster_interval.reason.startswith(why)
