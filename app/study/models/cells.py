"""Which cells of a study's design a run plays."""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from app.agents.presets import DISTRACTORS
from app.errors import StudyError
from app.study.design.sources import OWN
from app.study.design.spec import CellSpec
from app.study.design.studies import StudyView

DIRECT = "direct"
SHORT = 2  # seeds in a row that are listed one by one


class NothingToPlayError(StudyError):
    """The study has no such cell, task or seed."""

    code = "models/no_cells"


class RunCell(NamedTuple):
    """One variant of a run, as in the study's design."""

    key: str
    task: str
    seed: int
    lexicon: str
    coverage: str
    format: str
    variant_hash: str


def choose(
    study: StudyView, tasks: Collection[str], seeds: Collection[int], *, direct: bool
) -> tuple[RunCell, ...]:
    """Return the cells of a study's newest design with these tasks and seeds; none = all.

    With `direct`, every variant is asked about in the direct format, whatever its cell says.
    Raises: NothingToPlayError: a task or seed is not the study's, or would not be played.
    """
    known = [cell for cell in study.spec.cells() if not direct or cell.source == OWN]
    check_known(study.slug, known, tasks, seeds)
    found: dict[str, RunCell] = {}
    for cell in known:
        if (tasks and cell.task not in tasks) or (seeds and cell.seed not in seeds):
            continue
        form = DIRECT if direct else cell.format
        shape = (cell.task, cell.seed, cell.lexicon, cell.coverage)
        key = CellSpec(*shape, cell.distractors, form, source=cell.source).key
        found.setdefault(key, RunCell(key, *shape, form, study.hashes[cell.key]))
    check_played(study.slug, tuple(found.values()), tasks, seeds)
    return tuple(found.values())


def check_known(
    slug: str, known: Sequence[CellSpec], tasks: Collection[str], seeds: Collection[int]
) -> None:
    """Refuse tasks and seeds that no cell has. Raises: NothingToPlayError."""
    all_tasks, all_seeds = {cell.task for cell in known}, {cell.seed for cell in known}
    odd_tasks, odd_seeds = sorted(set(tasks) - all_tasks), set(seeds) - all_seeds
    odd, has = [], []
    if odd_tasks:
        names = ", ".join(f"'{task[:40]}'" for task in odd_tasks[:20])
        odd.append(f"no {'task' if len(odd_tasks) == 1 else 'tasks'} {names}")
        has.append(", ".join(sorted(all_tasks)))
    if odd_seeds:
        odd.append(f"no {'seed' if len(odd_seeds) == 1 else 'seeds'} {spans(odd_seeds)[:200]}")
        has.append(spans(all_seeds))
    if odd:
        raise NothingToPlayError(f"'{slug}' has {' and '.join(odd)}. It has: {'; '.join(has)}.")


def check_played(
    slug: str, found: Sequence[RunCell], tasks: Collection[str], seeds: Collection[int]
) -> None:
    """Refuse tasks and seeds that, taken together, choose no cell. Raises: NothingToPlayError."""
    alone = sorted(set(tasks) - {cell.task for cell in found})
    unused = set(seeds) - {cell.seed for cell in found}
    if alone:
        raise NothingToPlayError(f"'{slug}' has no cell of {', '.join(alone)} with these seeds.")
    if unused:
        what = f"{'seed' if len(unused) == 1 else 'seeds'} {spans(unused)[:200]}"
        raise NothingToPlayError(f"'{slug}' has no cell of {', '.join(sorted(tasks))} with {what}.")
    if not found:
        raise NothingToPlayError(f"'{slug}' has no cell that can be played.")


def spans(seeds: Iterable[int]) -> str:
    """Return seeds as people write them, such as `0-4, 7`."""
    rows = groupby(enumerate(sorted(seeds)), lambda pair: pair[1] - pair[0])
    parts = list[str]()
    for _, row in rows:
        own = [seed for _, seed in row]
        parts += map(str, own) if len(own) <= SHORT else [f"{own[0]}-{own[-1]}"]
    return ", ".join(parts)


def unlike_preset(
    study: StudyView, cells: Collection[RunCell] | Collection[CellSpec], preset: str
) -> str:
    """Return a sentence if the cells' number of distractors is not the preset's, or ''.

    Presets of other people's programs say nothing of distractors.
    """
    shapes = {(cell.task, cell.seed, cell.lexicon, cell.coverage) for cell in cells}
    numbers = {
        cell.distractors
        for cell in study.spec.cells()
        if cell.source == OWN and (cell.task, cell.seed, cell.lexicon, cell.coverage) in shapes
    }
    wanted = DISTRACTORS.get(preset)
    if wanted is None or numbers <= {wanted}:
        return ""
    *first, last = map(str, sorted(numbers))
    listed = f"{', '.join(first)} or {last}" if first else last
    return (
        f"The study's variants have {listed} distractors, those of the preset {preset} have "
        f"{wanted}."
    )
