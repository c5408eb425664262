"""A report of 2,000 people with 10,000 replicates, against a plain NumPy bootstrap of its draws."""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from app.scoring import players
from app.study.report.document import document
from app.study.report.options import Options
from bench import measure
from bench.measure import Result

PEOPLE, REPLICATES, WORLDS = 2000, 10_000, 4
TASKS = ("A-Add", "A-Comp", "A-Cond", "A-Over", "P-Add", "P-Comp", "P-Cond", "P-Over")
LENGTH, TRIES, EPISODES = 4, 4, 3
Tables = dict[str, list[dict[str, Any]]]


def tables_of(people: int, seed: int = 1) -> Tables:
    """Return an export's tables: each person plays four of the eight tasks and is rated."""
    rng = random.Random(seed)
    found: Tables = {name: [] for name in ("participant", "block", "episode", "explanation")}
    found["rating"] = []
    for at in range(people):
        person = {"participant_id": f"p{at}", "is_test": False, "excluded": None}
        times = dict.fromkeys(("consented_at", "instructions_at", "practice_at"), "2026-01-01")
        person |= {"state": "finished", "page": "finished", "is_erased": False, **times}
        found["participant"].append(person)
        for index, task in enumerate(rng.sample(TASKS, WORLDS), start=1):
            play(found, f"p{at}", index, task, rng)
    return found


def play(found: Tables, name: str, index: int, task: str, rng: random.Random) -> None:
    """Add one world of a person: three episodes and a rated explanation."""
    here = {
        "participant_id": name,
        "block_id": f"{name}-w{index}",
        "block_index": index,
        "task": task,
        "family": "attribute" if task[0] == "A" else "procedural",
        "seed": 1,
        "lexicon": "semantic",
        "coverage": "1",
        "format": "episodic",
        "variant_hash": task,
    }
    found["block"].append(here)
    for position in range(1, EPISODES + 1):
        used = rng.choice([LENGTH, LENGTH + 1, 2 * LENGTH, 3 * LENGTH, 0])
        won = {
            "state": "won",
            "success": True,
            "actions_used": used,
            "attempts": -(-used // LENGTH),
        }
        lost = {"state": "lost", "success": False, "actions_used": LENGTH * TRIES, "attempts": 0}
        episode = {"episode_id": f"{here['block_id']}-g{position}", "episode_index": position}
        more = {"variant_episode": position - 1, "kind": "main", "ref_length": LENGTH}
        rest = {"n_tries": TRIES, "voided": False, "mistyped": 0, "duration_ms": used * 1000}
        found["episode"].append({**here, **(won if used else lost), **episode, **more, **rest})
    item = f"{here['block_id']}-r{EPISODES}"
    found["explanation"].append({**here, "explanation_id": item, "episode_index": EPISODES})
    found["rating"] += [{"item_id": item, "rater": r, "value": rng.randint(0, 2)} for r in "ab"]


class Asked:
    """What a report asks of its bootstrap: every different set of sums and counts by player."""

    def __init__(self) -> None:
        self.figures: dict[bytes, tuple[np.ndarray, np.ndarray]] = {}
        self.times = 0

    def spy(self, sums: np.ndarray, counts: np.ndarray) -> None:
        """Note a figure, once."""
        self.times += 1
        self.figures[sums.tobytes() + counts.tobytes()] = sums, counts


def plain(asked: Asked, replicates: int, seed: int = 1) -> None:
    """Bootstrap the same figures plainly: draw players by number, take sums of what was drawn."""
    by_size: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}
    for sums, counts in asked.figures.values():
        by_size.setdefault(len(sums), []).append((sums, counts))
    for size, figures in by_size.items():
        rng, means = np.random.default_rng(seed), [[] for _ in figures]
        step = max(1, 200_000 // size)
        for start in range(0, replicates, step):
            picks = rng.integers(0, size, (min(step, replicates - start), size))
            for found, (sums, counts) in zip(means, figures, strict=True):
                drawn = counts[picks].sum(axis=1)
                ratio = sums[picks].sum(axis=1) / np.where(drawn > 0, drawn, np.nan)
                found.append(ratio.mean(axis=1))
        for found in means:
            np.nanquantile(np.concatenate(found), [0.025, 0.975])


def figures_of(tables: Tables) -> Asked:
    """Return what a report of these tables asks, from a report with few replicates."""
    asked, original = Asked(), players.matrices

    def spy(*given: Any) -> tuple[np.ndarray, np.ndarray]:
        made = original(*given)
        asked.spy(*made)
        return made

    players.matrices = spy  # type: ignore[assignment]
    try:
        document(tables, {"main_rv": "human"}, Options(replicates=100))
    finally:
        players.matrices = original
    return asked


def cpu(act: Callable[[], object]) -> float:
    """Return the processor time of a call, which others on the machine do not change."""
    began = time.process_time()
    act()
    return time.process_time() - began


def run(*, tiny: bool = False) -> Iterator[Result]:
    """Measure a whole report: scores, tables, all intervals, Spearman's rho and tests."""
    people, replicates = (40, 200) if tiny else (PEOPLE, REPLICATES)
    tables = tables_of(people)
    asked = figures_of(tables)
    options = Options(replicates=replicates)
    pair = measure.alternate(
        lambda: cpu(lambda: document(tables, {"main_rv": "human"}, options)),
        lambda: cpu(lambda: plain(asked, replicates)),
        1 if tiny else 3,
    )
    print(
        f"  {people:,} people, {replicates:,} replicates, {asked.times} intervals of "
        f"{len(asked.figures)} figures: {pair.ours:.1f} s, plain {pair.other:.1f} s "
        f"(processor time, {pair.rounds} rounds)"
    )
    yield Result("report: time / plain bootstrap of its draws", pair.ratio, 2.0, at_least=False)
