"""Simulated people in plain loops: who gets a place, who leaves, and who wins how often."""

import numpy as np
import pytest

from app.scoring import crowd
from app.scoring.crowd import Assumed, WhatIfError
from tests.scoring.worlds import KEYS, SEED, WORLDS, world


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    """Distributions are kept once they are known; each test begins without."""
    monkeypatch.setattr(crowd, "_known", {})


def wins(of, rank, chances, dropout=0.0, seed=SEED):
    """Return the wins of a person from the same draws: in each world, one to leave, one to win."""
    rng = np.random.default_rng(seed)
    assert rng.random() == rank
    found = []
    for one, chance in zip(of, chances, strict=True):
        if rng.random() < dropout:
            break
        found.append(rng.binomial(one.episodes, chance))
    return found


SPREAD = f"{KEYS[0]}: with a mean of {{}}, the spread must be below {{}}."
EFF_SPREAD = "With a mean norm_eff of {}, its spread must be below {}."
LEAVING = "The chance of leaving must be from 0 to below 1."
RANK = np.random.default_rng(SEED).random()


@pytest.mark.parametrize(
    ("effects", "chances"),
    [
        ({}, (0.6, 0.6, 0.6, 0.6)),
        ({"nonce": -0.2, "direct": 0.1}, (0.6, 0.4, 0.7, 0.5)),
        ({"nonce": 0.5, "direct": -0.7}, (0.6, 1.0, 0.0, 0.4)),
    ],
)
def test_chance_of_a_win_is_shifted_by_words_and_format(effects, chances):
    many = tuple(world(one.key, episodes=10_000) for one in WORLDS)
    how = Assumed(people=1, spread=0, dropout=0, **effects)
    person = crowd.play(many, how, np.random.default_rng(SEED))
    wanted = wins(many, RANK, [round(chance, 9) for chance in chances])
    assert person.given == many
    assert person.wins == pytest.approx(wanted, abs=1)  # rounding of the chance


def test_person_is_as_good_relative_to_others_in_every_world():
    many = [world(KEYS[0], episodes=10_000, mean=mean) for mean in (0.6, 0.3)]
    person = crowd.play(many, Assumed(1, spread=0.2, dropout=0), np.random.default_rng(SEED))
    chances = [crowd.skill(one.mean, 0.2, RANK) for one in many]
    assert list(person.wins) == wins(many, RANK, chances)


def test_person_who_leaves_has_no_score_in_that_world_or_a_later_one():
    draws = np.random.default_rng(SEED).random(2)
    how = Assumed(1, spread=0, dropout=float(draws[1]))  # as high as the draw: stays
    stays = crowd.play(WORLDS[:1], how, np.random.default_rng(SEED))
    assert (len(stays.wins), stays.is_finished) == (1, True)
    how = Assumed(1, spread=0, dropout=float(np.nextafter(draws[1], 1)))
    leaves = crowd.play(WORLDS[:1], how, np.random.default_rng(SEED))
    assert (leaves.wins, leaves.is_finished) == ((), False)
    found = [
        crowd.play(WORLDS, Assumed(1, 0, dropout=0.4), np.random.default_rng(seed))
        for seed in range(20)
    ]
    for seed, person in enumerate(found):
        rank = np.random.default_rng(seed).random()
        assert list(person.wins) == wins(WORLDS, rank, [0.6] * 4, 0.4, seed)
    assert {len(person.wins) for person in found} >= {0, 1, 2, 4}


@pytest.mark.parametrize(
    ("mean", "variance", "below"),
    [
        (1 / 2, 1 / 12, lambda x: x),
        (2 / 3, 1 / 18, lambda x: x**2),
        (1 / 3, 1 / 18, lambda x: 1 - (1 - x) ** 2),
        (1 / 2, 1 / 20, lambda x: 3 * x**2 - 2 * x**3),
        (3 / 4, 3 / 80, lambda x: x**3),
    ],
)
def test_skills_are_quantiles_of_beta_distributions_with_a_plain_formula(mean, variance, below):
    for skill in (0.2, 0.5, 0.75):
        found = crowd.skill(mean, variance**0.5, below(skill))
        assert found == pytest.approx(skill, abs=5e-6)
        assert crowd.skill(mean, variance**0.5, below(skill)) == found
    assert (crowd.skill(mean, variance**0.5, 0.0), crowd.skill(mean, variance**0.5, 1.0)) == (0, 1)


def test_skills_of_two_distributions_are_kept_apart():
    flat, rising = (1 / 12) ** 0.5, (1 / 18) ** 0.5
    found = [crowd.skill(mean, spread, 0.25) for mean, spread in ((0.5, flat), (2 / 3, rising))]
    assert found == pytest.approx([0.25, 0.5], abs=1e-5)


def test_people_come_until_no_one_is_placed():
    """Each gets both worlds; the second is full after two have finished."""
    asked = []
    worlds = (WORLDS[0], world(KEYS[1], quota=2))

    def choose(counts, place, full):
        asked.append((dict(counts), place, set(full)))
        return () if full else worlds

    people = crowd.fill(worlds, choose, Assumed(9, 0, dropout=0), np.random.default_rng(SEED))
    assert [person.given for person in people] == [worlds] * 2
    first, second = KEYS[:2]
    assert asked == [
        ({first: 0, second: 0}, 1, set()),
        ({first: 1, second: 1}, 2, set()),
        ({first: 2, second: 2}, 3, {second}),
    ]


def test_only_people_who_finish_fill_a_place():
    """Person by person from the same draws: some leave and take no place."""
    full, worlds = [], [world(KEYS[0], quota=3)]

    def choose(counts, place, now_full):
        full.append((counts[KEYS[0]], place, set(now_full)))
        return () if now_full else worlds

    how = Assumed(50, 0, dropout=0.5)
    people = crowd.fill(worlds, choose, how, np.random.default_rng(SEED))
    rng = np.random.default_rng(SEED)
    wanted = [crowd.play(worlds, how, rng) for _ in people]
    assert people == wanted
    finished = [person.is_finished for person in people]
    assert (sum(finished), finished[-1], len(people) > 3) == (3, True, True)
    assert full[-1] == (3, len(people) + 1, {KEYS[0]})
    assert [count for count, _, _ in full] == [sum(finished[:n]) for n in range(len(full))]


def test_as_many_come_as_assumed():
    people = crowd.fill(WORLDS, lambda *_: WORLDS, Assumed(3, 0), np.random.default_rng(SEED))
    assert len(people) == 3
    how = Assumed(3, 0, dropout=0.99)  # nobody finishes
    assert len(crowd.fill(WORLDS, lambda *_: WORLDS, how, np.random.default_rng(SEED))) == 3


@pytest.mark.parametrize(("quota", "finish"), [(0, 0), (1, 1), (3, 3), (50, 22)])
def test_study_is_full_when_its_quota_have_finished(quota, finish):
    how = Assumed(40, 0, dropout=0.4)
    of = WORLDS[:1]
    people = crowd.fill(of, lambda *_: of, how, np.random.default_rng(SEED), quota)
    finished = [person.is_finished for person in people]
    assert sum(finished) == finish
    assert len(people) == 40 if quota == 50 else not people or finished[-1]


def test_efficiency_is_the_mean_of_the_wins_or_none_without_a_win():
    worlds = [world(KEYS[0], mean=1.0), world(KEYS[0], mean=1e-9), world(KEYS[2], mean=1.0)]
    alike = Assumed(1, spread=0, dropout=0, norm_eff=0.75)
    person = crowd.play(worlds, alike, np.random.default_rng(SEED))
    assert (person.wins, person.efficiency, person.rules) == ((3, 0, 3), (0.75, None, 0.75), ())
    varied = Assumed(1, spread=0, dropout=0, norm_eff=2 / 3, eff_spread=(2 / 63) ** 0.5)
    person = crowd.play(worlds, varied, np.random.default_rng(SEED))
    rng, wanted = np.random.default_rng(SEED), []
    rng.random()
    for one in worlds:
        rng.random()
        rng.binomial(one.episodes, one.mean)
        wanted.append(rng.beta(4, 2, 3).mean() if one.mean == 1 else None)
    assert person.efficiency == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(12))
def test_rule_is_right_with_the_assumed_chance_which_nonce_words_shift(seed):
    how = Assumed(1, spread=0, dropout=0, rv=0.6, nonce=-0.2)
    person = crowd.play(WORLDS, how, np.random.default_rng(seed))
    rng, wanted = np.random.default_rng(seed), []
    rng.random()
    for one, (chance, right) in zip(WORLDS, [(0.6, 0.6), (0.4, 0.4)] * 2, strict=True):
        rng.random()
        rng.binomial(one.episodes, chance)
        wanted.append(1.0 if rng.random() < right else 0.0)
    assert person.rules == tuple(wanted)


def test_rule_whose_draw_is_the_chance_itself_is_wrong():
    rng = np.random.default_rng(SEED)
    rng.random(2)
    rng.binomial(WORLDS[0].episodes, WORLDS[0].mean)
    draw = float(rng.random())
    found = [
        crowd.play(WORLDS[:1], Assumed(1, 0, dropout=0, rv=rv), np.random.default_rng(SEED)).rules
        for rv in (draw, float(np.nextafter(draw, 1)))
    ]
    assert found == [(0.0,), (1.0,)]


@pytest.mark.parametrize(
    ("mean", "assumed", "message"),
    [
        (0.0, {"spread": 0}, f"{KEYS[0]}: the mean must be above 0 and at most 1."),
        (1.1, {"spread": 0}, f"{KEYS[0]}: the mean must be above 0 and at most 1."),
        (1.0, {"spread": 0}, None),
        (1e-9, {"spread": 0}, None),
        (0.5, {"spread": 0.5}, SPREAD.format("0.50", "0.50")),
        (0.2, {"spread": 0.41}, SPREAD.format("0.20", "0.40")),
        (0.5, {"spread": 0.49}, None),
        (0.5, {"norm_eff": 0.8, "eff_spread": 0.41}, EFF_SPREAD.format("0.80", "0.40")),
        (0.5, {"norm_eff": 0.5, "eff_spread": 0.5}, EFF_SPREAD.format("0.50", "0.50")),
        (0.5, {"norm_eff": 0.8, "eff_spread": 0.39}, None),
        (0.5, {"norm_eff": 1.0, "eff_spread": 0.0}, None),
        (0.5, {"dropout": 1.0}, LEAVING),
        (0.5, {"dropout": -0.01}, LEAVING),
        (0.5, {"dropout": 0.0}, None),
        (0.5, {"dropout": 0.99}, None),
    ],
)
def test_limits_of_the_assumptions(mean, assumed, message):
    worlds, how = [world(KEYS[0], mean=mean)], Assumed(1, **assumed)
    if message:
        with pytest.raises(WhatIfError) as refused:
            crowd.check(worlds, how)
        assert (str(refused.value), refused.value.code) == (message, "plan/bad")
    else:
        crowd.check(worlds, how)
