"""A model that guesses scores what the bot that guesses is expected to score, in both formats."""

from fractions import Fraction
from math import sqrt

import pytest

from app.game.bots import expected, tiers
from app.scoring.efficiency import norm_eff
from app.store.models import plays, runs
from tests.models.scripted import Players, Scripted

TASKS = ("A-Over", "P-Comp")
SEEDS = "1-12"


@pytest.fixture
def script(make_study, variants_of):
    make_study(blocks=[{"task": task, "seeds": SEEDS} for task in TASKS])
    return Scripted(Players(variants_of(), "enumerator", seed=3))


@pytest.mark.parametrize("task", TASKS)
def test_guessing_model_is_within_the_interval_of_the_random_floor(
    run_model, facts, store, variants_of, task
):
    run_model("--tasks", task, "--explanations", "none", "--concurrency", 4)
    with store.read() as db:
        found = plays.of_run(db, runs.find(db, 1, 1).id)
    scores = [
        norm_eff(row.actions_used, row.ref_length, row.n_tries) if row.state == "won" else 0.0
        for row in found
    ]
    floors = [
        expected("enumerator", variant, index).ecsr
        for variant in variants_of()
        if variant.task.name == task
        for index in range(len(variant.episodes))
    ]
    assert len(scores) == len(floors)
    floor = float(sum(floors, Fraction(0)) / len(floors))
    mean = sum(scores) / len(scores)
    spread = sqrt(sum((one - mean) ** 2 for one in scores) / (len(scores) - 1))
    assert abs(mean - floor) < 3 * spread / sqrt(len(scores))
    assert facts("model", "verify", "--study", "demo", "--run", 1)["ok"]


@pytest.mark.parametrize("task", TASKS)
def test_guessed_answers_are_right_as_often_as_chance_allows(run_model, store, variants_of, task):
    run_model("--method", "direct", "--tasks", task, "--explanations", "none")
    with store.read() as db:
        right = [row.state == "won" for row in plays.of_run(db, runs.find(db, 1, 1).id)]
    variant = next(one for one in variants_of() if one.task.name == task)
    chance = 1 / sum(map(len, tiers("enumerator", variant, 0)))
    assert abs(sum(right) / len(right) - chance) < 3 * sqrt(chance * (1 - chance) / len(right))
