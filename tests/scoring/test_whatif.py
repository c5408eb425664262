"""What-if by hand: people who always win, leave or differ; quotas; tests with few pairs."""

import numpy as np
import pytest

from app.scoring import crowd, whatif
from app.scoring.crowd import Assumed, WhatIfError, World
from app.scoring.planned import Range

SURE = {"spread": 0.0, "dropout": 0.0, "simulated": 20}


def world(task, seed=1, lexicon="semantic", how="episodic", **changes):
    key = f"{task}/{seed}/{lexicon}/{how}"
    return World(key, task, seed, lexicon, "1", how, **{"episodes": 2, "mean": 1.0} | changes)


def everything(worlds):
    """Every person gets every world that is not full."""

    def choose(counts, place, full):
        del counts, place
        return [] if full else worlds

    return choose


def plan(worlds, **assumed):
    return whatif.simulate(worlds, everything(worlds), Assumed(**SURE | assumed))


def test_people_who_always_win_have_exactly_the_assumed_efficiency():
    found = plan([world("A-Add"), world("P-Add", how="direct")], people=5)
    assert (found.finished, found.left, found.refused) == (5, 0, 0)
    played, stated = ("semantic", "1", "episodic"), ("semantic", "1", "direct")
    assert found.scores[(*played, "A-Add")] == Range(pytest.approx(0.9), 0)
    assert found.scores[(*stated, "P-Add")] == Range(1, 0)
    assert (*played, "Total") not in found.scores


def test_rate_efficiency_and_rules_have_their_own_widths():
    """Of 50 people each wins both episodes; the rule of 80 % is right."""
    assumed = {"norm_eff": 0.8, "eff_spread": 0.2, "rv": 0.8, "simulated": 400}
    worlds = [world("A-Add"), world("A-Add", how="direct")]
    found = plan(worlds, people=50, **assumed).beside
    place = "semantic", "1", "episodic", "A-Add"
    assert list(found) == ["success rate", "norm_eff", "RV"]
    assert all(list(own) == [place] for own in found.values())
    wide = {"norm_eff": 0.2 / 100**0.5, "RV": 0.4 / 50**0.5}
    assert found["success rate"][place] == Range(1, 0)
    for measure, error in wide.items():
        assert found[measure][place].mean == pytest.approx(0.8, abs=0.01)
        assert found[measure][place].width == pytest.approx(2 * 1.96 * error, rel=0.15)


def test_lexica_are_compared_in_rules_too():
    """Nobody finds a rule with made-up words: six pairs suffice."""
    worlds = [world("A-Add", n, words) for n in range(6) for words in ("semantic", "nonce")]
    found = plan(worlds, people=2, nonce=-1, rv=1.0).tests
    assert [(one.measure, one.level, one.power) for one in found if one.measure == "RV"] == [
        ("RV", "A-Add", 1),
        ("RV", "attribute", 1),
    ]
    alone = plan([world("A-Add")], people=2, model=0.5).tests
    assert [(one.name, one.difference.mean) for one in alone] == [
        ("people - model", pytest.approx(0.4))
    ] * 2


def test_total_is_the_mean_of_the_tasks():
    found = plan([world("A-Add"), world("P-Add", mean=0.5)], people=40, simulated=400)
    one, two, total = (
        found.scores["semantic", "1", "episodic", t] for t in ("A-Add", "P-Add", "Total")
    )
    assert total.mean == pytest.approx((one.mean + two.mean) / 2)
    binomial = 0.9 * (0.25 / 80) ** 0.5  # 40 people x 2 episodes
    assert two.width == pytest.approx(2 * 1.96 * binomial, rel=0.15)


def test_each_world_loses_the_assumed_share_of_people():
    found = plan([world("A-Add"), world("P-Add")], people=100, dropout=0.5, simulated=200)
    assert found.finished == pytest.approx(25, rel=0.06)
    assert found.finished + found.left == 100
    assert found.cells == dict.fromkeys(found.cells, found.finished)


def test_quota_turns_people_away_once_enough_have_finished():
    found = plan([world("A-Add", quota=3)], people=10)
    assert (found.finished, found.refused) == (3, 7)


@pytest.mark.parametrize(("quota", "finished"), [(4, 3), (2, 2), (0, 0), (None, 3)])
def test_quota_of_the_whole_study_counts_beside_those_of_its_cells(quota, finished):
    worlds = [world("A-Add", quota=3), world("P-Add")]
    how = Assumed(**SURE, people=10)
    found = whatif.simulate(worlds, everything(worlds), how, quota=quota)
    assert (found.finished, found.refused) == (finished, 10 - finished)


def test_place_of_someone_who_left_goes_to_the_next_person():
    worlds = [world("A-Add")]
    how = Assumed(**SURE | {"dropout": 0.5}, people=40)
    found = whatif.simulate(worlds, everything(worlds), how, quota=3)
    assert found.finished == 3
    assert found.left > 1


@pytest.mark.parametrize(("pairs", "power"), [(5, 0), (6, 1)])
def test_sign_test_needs_six_pairs_to_find_even_the_largest_difference(pairs, power):
    """Of 2^5 sign patterns two are as extreme: p = .0625; of 2^6: p = .03125."""
    worlds = [world("A-Add", n, words) for n in range(pairs) for words in ("semantic", "nonce")]
    found, _ = plan(worlds, people=2, nonce=-1).tests
    assert (found.name, found.condition) == ("semantic - nonce", "coverage 1")
    assert found.difference.mean == pytest.approx(0.9)
    assert (found.pairs, found.power) == (pairs, power)


def test_format_gap_is_a_planned_test_where_a_lexicon_has_both_formats():
    worlds = [world("A-Add", n, how=how) for n in range(6) for how in ("direct", "episodic")]
    found, _ = plan([*worlds, world("A-Add", 9, "nonce", "direct")], people=2).tests
    assert (found.name, found.condition) == ("direct - played", "semantic, coverage 1")
    assert found.difference.mean == pytest.approx(0.1)


def test_skills_have_the_quantiles_of_the_beta_distribution():
    flat = 1 / 12**0.5  # beta(1, 1) is uniform
    assert [crowd.skill(0.5, flat, rank) for rank in (0.1, 0.25, 0.9)] == pytest.approx(
        [0.1, 0.25, 0.9], abs=1e-3
    )
    drawn = [crowd.skill(0.6, 0.2, rank) for rank in np.linspace(0.0005, 0.9995, 2000)]
    assert (np.mean(drawn), np.std(drawn)) == (
        pytest.approx(0.6, abs=2e-3),
        pytest.approx(0.2, abs=2e-3),
    )


@pytest.mark.parametrize(("mean", "spread"), [(0.9, 0.2), (0.95, 0.2), (0.5, 0.4), (0.05, 0.2)])
def test_skills_close_to_0_or_1_keep_the_mean_and_the_spread(mean, spread):
    """Nearly everyone always wins or always loses, so most of the distribution is at its ends."""
    drawn = [crowd.skill(mean, spread, (rank + 0.5) / 4000) for rank in range(4000)]
    assert (np.mean(drawn), np.std(drawn)) == pytest.approx((mean, spread), abs=1e-3)


def test_people_who_differ_make_means_less_certain():
    worlds = [world("A-Add", mean=0.5, episodes=8)]
    place = ("semantic", "1", "episodic", "A-Add")
    alike, apart = (
        plan(worlds, people=20, spread=spread, simulated=300).scores[place].width
        for spread in (0.0, 0.4)
    )
    assert apart > 2 * alike


@pytest.mark.parametrize(
    ("changes", "assumed", "words"),
    [
        ({"mean": 0.9}, {"spread": 0.3}, "spread must be below 0.30"),
        ({"mean": 1.2}, {}, "at most 1"),
        ({}, {"dropout": 1.0}, "chance of leaving"),
        ({}, {"norm_eff": 0.9, "eff_spread": 0.3}, "its spread must be below 0.30"),
    ],
)
def test_impossible_assumptions_are_refused_in_words(changes, assumed, words):
    with pytest.raises(WhatIfError, match=words):
        plan([world("A-Add", **changes)], people=2, **assumed)


def test_same_seed_gives_the_same_plan_and_observers_see_every_study():
    worlds, seen = [world("A-Add", mean=0.5)], []
    how = Assumed(people=4, simulated=7)
    first = whatif.simulate(worlds, everything(worlds), how, seen.append)
    assert first == whatif.simulate(worlds, everything(worlds), how)
    assert [len(people) for people in seen] == [4] * 7
