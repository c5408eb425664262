"""Whatever else is shown with a 95 % interval: simulated studies in which the truth is known.

Alphas of other levels, tables of a judge, guesses, other raters, and participants of a report.
"""

from collections.abc import Callable
from functools import cache, partial

import numpy as np

from app.scoring import alphareport, blinding, crowd, made_up, players, ranks
from app.scoring.agreement import alphas
from app.scoring.manyvalues import Level
from app.scoring.sampling import draw
from bench import judged
from bench.coverage_judge import NUMBERS, Found, against_judge, seen
from bench.coverage_raters import other_raters, raters_of_a_pool

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")


def level_alphas(seed: int, replicates: int) -> Found:
    """Alphas of `hjstudy alpha`, which are not smoothed: of the pool, and without weights."""
    rng = np.random.default_rng([seed, 1])  # not the numbers that draw replicates
    frame = judged.make_frame(1600, rng)
    panel = judged.rate(frame, draw(frame, 33, seed), rng)
    shares = np.bincount([item.level for item in frame], minlength=3) / len(frame)
    for row, weighting, part in (("pool", "scaled", shares), ("drawn", "none", np.full(3, 1 / 3))):
        weights = panel.weights((panel.human >= 0).all(1), pool=weighting == "scaled")
        ratings = panel.ratings(panel.human, panel.humans, weights)
        table = 1e9 * (judged.chances() * part[:, None, None]).sum(0)
        for level in LEVELS:
            made = alphareport.result(
                ratings, level, weighting=weighting, replicates=replicates, seed=seed
            )
            truth = float(alphas(table + table.T, NUMBERS, level))
            yield from seen((row, f"alpha, {level}", "items"), made.interval, truth)
            yield from seen((row, f"alpha, {level}", "authors"), made.cluster_interval, truth)


Played = tuple[dict[tuple[str, str], players.Sample], players.Sample, list[ranks.Point]]
SKILL, UNSURE = (3.0, 2.0), 0.2  # beta of an item's chance to give its source away; "don't know"


def guesses(seed: int, replicates: int, items: int = 60, raters: int = 3) -> Found:
    """Yield James's and Bang's indices of several raters; some items are easier for everyone."""
    rng = np.random.default_rng([seed, 1])
    counts = np.zeros((items, 3, 2))
    for item in range(items):
        arm, right = item % 2, rng.beta(*SKILL)
        chances = np.full(3, UNSURE)
        chances[arm], chances[1 - arm] = (1 - UNSURE) * right, (1 - UNSURE) * (1 - right)
        counts[item, :, arm] = rng.multinomial(raters, chances)
    authors = [f"author {item // 4}, {item % 2}" for item in range(items)]
    right = SKILL[0] / sum(SKILL) * (1 - UNSURE)
    wrong = 1 - UNSURE - right
    table = np.array([[right, wrong], [wrong, right], [UNSURE, UNSURE]]) * 1e9
    truth = blinding.values(table[None])[0]
    made = blinding.pooled(counts, authors, replicates=replicates, seed=seed)
    for name, index, value in zip(
        ("James", "Bang, people", "Bang, models"), (made.james, *made.bang), truth, strict=True
    ):
        yield from seen((f"{items} items", name, "items"), index.interval, value)
        yield from seen((f"{items} items", name, "authors"), index.cluster_interval, value)
    table = np.stack([rng.multinomial(items // 2, table[:, arm] / 1e9) for arm in range(2)], 1)
    single = blinding.alone(table, replicates=replicates, seed=seed)
    for name, own, value in zip(
        ("James", "Bang, people", "Bang, models"), single, truth, strict=True
    ):
        yield from seen((f"{items} items", f"{name}, one rater", "guesses"), own, value)


LEXICA = "semantic", "nonce"
TASKS, EFFICIENCY, NONCE, RULES = ("A", "B", "C", "D"), 0.9, -0.15, 0.5
EFF_SPREAD = 0.1  # of the norm_eff of a win
MEANS = 0.5, 0.6, 0.7  # chances to win: studies take turns, as few people have few possible counts
HIGH = (0.85,)  # nearly everyone succeeds


def people(
    seed: int,
    replicates: int,
    number: int,
    episodes: int = 4,
    means: tuple[float, ...] = MEANS,
) -> Found:
    """Yield figures of a report: everyone plays four tasks, two in each lexicon."""
    rng, mean = np.random.default_rng([seed, number]), means[seed % len(means)]
    scores, rules, points = played(number, episodes, mean, rng)
    made = partial(players.mean_figure, number=replicates, seed=seed)
    plain, nonce = ([scores[words, task] for task in TASKS] for words in LEXICA)
    row, truths = f"{number} people", expected(mean)
    yield from seen((row, "ECSR of a task", "people"), made(plain[0]), truths["semantic"])
    total = players.total(plain, replicates, seed)
    yield from seen((row, "ECSR, total", "people"), total, truths["semantic"])
    yield from seen((row, "RV", "people"), made(rules), RULES)
    pairs = list(zip(plain, nonce, strict=True))
    apart = players.total_difference(pairs, replicates, seed)
    gap = truths["semantic"] - truths["nonce"]
    yield from seen((row, "semantic - nonce, total", "people"), apart, gap)
    apart = players.difference(plain[0], nonce[0], replicates, seed)
    yield from seen((row, "semantic - nonce of a task", "people"), apart, gap)
    apart = players.difference(plain[0], nonce[1], replicates, seed)
    yield from seen((row, "difference, the same people", "people"), apart, gap)
    rho = ranks.spearman_figure(points, replicates, seed)
    yield from seen((row, "rho of RV and ECSR", "people"), rho, true_rho(episodes, mean))


def played(number: int, episodes: int, mean: float, rng: np.random.Generator) -> Played:
    """Return ECSR by lexicon and task, RV, and points (player, ECSR, RV) of simulated people."""
    how = crowd.Assumed(
        1, spread=0.2, dropout=0, nonce=NONCE, norm_eff=EFFICIENCY, eff_spread=EFF_SPREAD
    )
    scores: dict[tuple[str, str], players.Sample] = {}
    rules, points = players.Sample(made_up=made_up.rate(1, 1)), list[ranks.Point]()
    for who in range(number):
        given = [
            crowd.World(task, task, 1, LEXICA[(who + at) % 2], "1", "episodic", episodes, mean)
            for at, task in enumerate(TASKS)
        ]
        one = crowd.play(given, how, rng)
        for world, wins, efficiency in zip(given, one.wins, one.efficiency, strict=True):
            own = scores.setdefault((world.lexicon, world.task), players.Sample())
            ecsr = wins / episodes * (efficiency or 0.0)
            own.add(who, ecsr)
            own.made_up = made_up.rate(1, episodes)
            rules.add(who, rng.choice([0, 0.5, 1], p=[0.35, 0.3, 0.35]))
            points.append((who, ecsr, float(rng.random() < 0.2 + 0.6 * ecsr)))
    return scores, rules, points


@cache
def true_rho(episodes: int, mean: float) -> float:
    """Return rho over very many people."""
    rng, (a, b) = np.random.default_rng(1), crowd.beta_of(EFFICIENCY, EFF_SPREAD)
    skills = np.array([crowd.skill(mean, 0.2, rank) for rank in rng.random(20_000)])
    chances = np.clip(np.concatenate([skills, skills + NONCE]), 0, 1)
    won = rng.random((len(chances), episodes)) < chances[:, None]
    ecsr = (won * rng.beta(a, b, won.shape)).mean(1)
    right = (rng.random(len(ecsr)) < 0.2 + 0.6 * ecsr).astype(float)
    return ranks.spearman(ecsr.tolist(), right.tolist()) or 0.0


@cache
def expected(mean: float) -> dict[str, float]:
    """Return the expected ECSR in each lexicon."""
    ranks = (np.arange(20_000) + 0.5) / 20_000
    skills = np.array([crowd.skill(mean, 0.2, rank) for rank in ranks])
    return {
        words: float(np.clip(skills + shift, 0, 1).mean() * EFFICIENCY)
        for words, shift in (("semantic", 0.0), ("nonce", NONCE))
    }


MORE: dict[str, Callable[[int, int], Found]] = {
    "alphas of every level": level_alphas,
    "people against a judge": against_judge,
    "people against a judge, other truths": partial(against_judge, varied=True),
    "low agreement, other truths": partial(against_judge, rated=judged.LOW, varied=True),
    "balanced, other truths": partial(against_judge, varied=True, allocation="balanced"),
    "a tenth skipped, other truths": partial(against_judge, varied=True, skipped=0.1),
    "guesses": guesses,
    "guesses, few": partial(guesses, items=24),
    "other raters": other_raters,
    "other raters of a pool": raters_of_a_pool,
    "20 people": partial(people, number=20),
    "24 people, one episode": partial(people, number=24, episodes=1),
    "24 people": partial(people, number=24),
    "48 people": partial(people, number=48),
    "96 people": partial(people, number=96),
    "24 people, nearly all succeed": partial(people, number=24, means=HIGH),
    "48 people, nearly all succeed": partial(people, number=48, means=HIGH),
}
