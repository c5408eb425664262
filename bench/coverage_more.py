"""Whatever else is shown with a 95 % interval: simulated studies in which the truth is known.

Alphas of other levels, tables of a judge, guesses, other raters, and participants of a report.
"""

from collections.abc import Callable
from functools import cache, partial
from statistics import NormalDist

import numpy as np

from app.scoring import (
    agreement,
    alphareport,
    blinding,
    crowd,
    over_raters,
    players,
    ranks,
)
from app.scoring.agreement import alphas
from app.scoring.longrows import Row, from_rows
from app.scoring.manyvalues import Level
from app.scoring.sampling import draw
from bench import judged
from bench.coverage_judge import NUMBERS, Found, against_judge, seen

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


LENIENCY, NOISE = 0.3, 0.4  # standard deviations


def leniently_rated(items, raters, rng):
    """Return ratings (items, raters) from 0 to 2 by raters who differ in leniency."""
    lean, noise = rng.normal(0, LENIENCY, raters), rng.normal(0, NOISE, (items, raters))
    values = rng.integers(0, 3, items)[:, None] + lean + noise
    return np.clip(np.round(values), 0, 2).astype(int)


@cache
def alpha_of_all_raters() -> float:
    """Return alpha over all such raters and items: at a true score, two raters are independent."""
    spread = [NormalDist(true, float(np.hypot(LENIENCY, NOISE))) for true in range(3)]
    below = np.array([[0.0, one.cdf(0.5), one.cdf(1.5), 1.0] for one in spread])
    shares = np.diff(below)  # a row for each true score
    return float(alphas(1e9 * shares.T @ shares, NUMBERS, "ordinal"))


def other_raters(seed: int, replicates: int) -> Found:
    """Yield the interval over items and raters, by the number of raters."""
    for raters in (3, 5, 10, 20):
        rng = np.random.default_rng([seed, raters])
        given = leniently_rated(60, raters, rng)
        rows = [Row(f"i{n}", f"r{r}", int(given[n, r])) for n, r in np.ndindex(*given.shape)]
        ratings = from_rows(rows, domain=judged.SCALE)
        found = agreement.alpha(ratings, "ordinal")
        made = over_raters.interval(ratings, found, "none", replicates=replicates, seed=seed)
        key = f"{raters} raters", "alpha, ordinal", "items and raters"
        yield from seen(key, made.interval, alpha_of_all_raters())


LEXICA = "semantic", "nonce"
TASKS, MEAN, EFFICIENCY, NONCE, RULES = ("A", "B", "C", "D"), 0.6, 0.9, -0.15, 0.5


def people(seed: int, replicates: int, number: int, episodes: int = 4) -> Found:
    """Yield figures of a report: everyone plays four tasks, two in each lexicon."""
    rng = np.random.default_rng([seed, number])
    scores, rules, points = played(number, episodes, rng)
    made = partial(players.mean_figure, number=replicates, seed=seed)
    plain, nonce = ([scores[words, task] for task in TASKS] for words in LEXICA)
    row, truths = f"{number} people", expected()
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
    yield from seen((row, "rho of RV and ECSR", "people"), rho, true_rho(episodes))


def played(number: int, episodes: int, rng: np.random.Generator) -> Played:
    """Return ECSR by lexicon and task, RV, and points (player, ECSR, RV) of simulated people."""
    how = crowd.Assumed(1, spread=0.2, dropout=0, nonce=NONCE)
    scores: dict[tuple[str, str], players.Sample] = {}
    rules, points = players.Sample(), list[ranks.Point]()
    for who in range(number):
        given = [
            crowd.World(task, task, 1, LEXICA[(who + at) % 2], "1", "episodic", episodes, MEAN)
            for at, task in enumerate(TASKS)
        ]
        for world, wins in zip(given, crowd.play(given, how, rng).wins, strict=True):
            own = scores.setdefault((world.lexicon, world.task), players.Sample())
            ecsr = wins / episodes * EFFICIENCY
            own.add(who, ecsr)
            rules.add(who, rng.choice([0, 0.5, 1], p=[0.35, 0.3, 0.35]))
            points.append((who, ecsr, float(rng.random() < 0.2 + 0.6 * ecsr)))
    return scores, rules, points


@cache
def true_rho(episodes: int) -> float:
    """Return rho over very many people."""
    _, _, points = played(30_000, episodes, np.random.default_rng(1))
    return ranks.spearman([p[1] for p in points], [p[2] for p in points]) or 0.0


@cache
def expected() -> dict[str, float]:
    """Return the expected ECSR in each lexicon."""
    ranks = (np.arange(20_000) + 0.5) / 20_000
    skills = np.array([crowd.skill(MEAN, 0.2, rank) for rank in ranks])
    return {
        words: float(np.clip(skills + shift, 0, 1).mean() * EFFICIENCY)
        for words, shift in (("semantic", 0.0), ("nonce", NONCE))
    }


MORE: dict[str, Callable[[int, int], Found]] = {
    "alphas of every level": level_alphas,
    "people against a judge": against_judge,
    "people against a judge, other truths": partial(against_judge, varied=True),
    "low agreement, other truths": partial(against_judge, rated=judged.LOW, varied=True),
    "guesses": guesses,
    "guesses, few": partial(guesses, items=24),
    "other raters": other_raters,
    "20 people": partial(people, number=20),
    "24 people, one episode": partial(people, number=24, episodes=1),
    "24 people": partial(people, number=24),
    "48 people": partial(people, number=48),
    "96 people": partial(people, number=96),
}
