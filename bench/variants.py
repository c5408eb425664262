"""Eight tasks x 1,000 seeds x 2 lexica: each variant generated, certified and compared.

The ratio is the share of variants that have every property that the paper and the rules of the game
require. The time is only printed.
"""

import time
from collections import Counter
from collections.abc import Iterator

from app.game.certify import Certificate, certify
from app.game.lexicon import Lexicon
from app.game.model import Variant
from app.game.tasks import TASK_NAMES, TASKS
from app.game.variant import generate
from app.study.design import library
from bench import measure
from bench.measure import Result

SIZES = {  # task -> classes, roles, outputs of the world, source, gen, n_tries (the paper's)
    "A-Add": (3, 3, 5, 6, 3, 5),
    "A-Comp": (3, 3, 9, 6, 3, 9),
    "A-Cond": (4, 3, 12, 8, 4, 6),
    "A-Over": (3, 3, 4, 7, 2, 4),
    "P-Add": (2, 2, 3, 3, 1, 3),
    "P-Comp": (2, 2, 4, 3, 1, 4),
    "P-Cond": (4, 2, 3, 7, 1, 3),
    "P-Over": (3, 4, 4, 9, 3, 4),
}
TWINS = {"P-Cond": 2}  # number of fitting functions with class and role swapped
WITH_RIVALS = {"P-Add", "P-Comp"}


def sizes(variant: Variant) -> tuple[int, ...]:
    """Return the sizes in the paper: items of the world, or outputs that the rule reaches."""
    reached = {output for row in variant.grid for output in row}
    rule_items = {process.item for _, process in variant.outputs}
    world = [item for item in variant.items if item.name in rule_items]
    sources = [one for one in variant.entities if one.split == "source"]
    return (
        len(variant.classes),
        len(variant.roles),
        len(world) if variant.task.family == "attribute" else len(reached),
        len(sources),
        len(variant.gen_cells),
        variant.task.n_tries,
    )


def problems(variant: Variant, certificate: Certificate) -> list[str]:
    """Return a list of what is wrong with a variant."""
    task, found = variant.task.name, []
    truths = [variant.grid[class_][role] for class_, role in variant.gen_cells]
    if not certificate.unique:
        found.append("not unique")
    if [one.predictions for one in certificate.cells] != [(truth,) for truth in truths]:
        found.append("predictions are not the truth")
    if sizes(variant) != SIZES[task]:
        found.append(f"sizes {sizes(variant)}")
    if certificate.n_twins != TWINS.get(task, 0):
        found.append(f"{certificate.n_twins} twins")
    if (certificate.n_rivals > 0) != (task in WITH_RIVALS):
        found.append(f"{certificate.n_rivals} rivals")
    return [f"{task}: {problem}" for problem in found]


def check(task: str, seeds: int, lexicon: Lexicon, wrong: Counter[str]) -> int:
    """Generate and certify variants, count errors, and return how many are correct."""
    right = 0
    for seed in range(seeds):
        variant = generate(TASKS[task], seed, lexicon)
        found = problems(variant, certify(variant))
        wrong.update(found)
        right += not found
    return right


def run(*, tiny: bool) -> Iterator[Result]:
    """Check all variants."""
    seeds, wrong, right, before = 5 if tiny else 1000, Counter[str](), 0, measure.spin()
    began = time.perf_counter()
    for name in library.LEXICON_NAMES:
        for task in TASK_NAMES:
            right += check(task, seeds, library.lexicon(name), wrong)
    took = time.perf_counter() - began
    number = seeds * len(TASK_NAMES) * len(library.LEXICON_NAMES)
    print(
        f"  {number:,} variants in {took:.1f} s: {took / number * 1000:.2f} ms each, certificate"
        f" included  (spin {(before + measure.spin()) / 2:.0f} ms)"
    )
    for problem, times in sorted(wrong.items()):
        print(f"  {times} x {problem}")
    yield Result("variants: share of them that is right", right / number, 1.0)
