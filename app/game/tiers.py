"""What each bot knows: the outputs it tries, in groups, and what the split law makes likely.

A group is tried in random order, one output per attempt, before the next group begins. Only the
oracle (and the typist, which knows as much) looks at what a gen cell requires.
Source: game.md section 7.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

from app.errors import FieldError
from app.game.certify import certify
from app.game.model import Cell, Output, Task, Variant
from app.game.rules import output_space, reachable, truth
from app.game.splits import all_splits

Tiers = tuple[tuple[Output, ...], ...]
TASKS_KEPT = 64
PERMUTED = ("activity", "order")  # dimensions whose values `permute_outputs` exchanges


def _oracle(variant: Variant, index: int) -> Tiers:
    """Know the rule."""
    return ((variant.episodes[index].output,),)


def _inducer(variant: Variant, index: int) -> Tiers:
    """Try what rules of the right form leave open, given the demonstrations."""
    cell = _cell(variant, index)
    return _groups(next(one.predictions for one in certify(variant).cells if one.cell == cell))


def _enumerator(variant: Variant, _index: int) -> Tiers:
    """Try everything that the rule can reach."""
    return _groups(reachable(variant.task))


def _copycat(variant: Variant, _index: int) -> Tiers:
    """Try the distinct outputs shown, then give up."""
    return _groups(output for _, output in _shown(variant))


def _eliminator(variant: Variant, _index: int) -> Tiers:
    """Try what was shown least often first."""
    times = Counter(output for _, output in _shown(variant))
    return _ranked({output: times[output] for output in reachable(variant.task)})


def _neighbour(variant: Variant, index: int) -> Tiers:
    """Copy the shown cells of the same class, then of the same role, then try the rest."""
    class_, role = _cell(variant, index)
    same_class = [output for cell, output in _shown(variant) if cell[0] == class_]
    same_role = [output for cell, output in _shown(variant) if cell[1] == role]
    return _groups(same_class, same_role, reachable(variant.task))


def _prior(variant: Variant, _index: int) -> Tiers:
    """Try first what is most probable at a gen cell, knowing tables and laws but no words."""
    return prior_tiers(variant)


_TIERS: Mapping[str, Callable[[Variant, int], Tiers]] = {
    "oracle": _oracle,
    "typist": _oracle,
    "inducer": _inducer,
    "enumerator": _enumerator,
    "copycat": _copycat,
    "eliminator": _eliminator,
    "neighbour": _neighbour,
    "prior": _prior,
}
BOTS: tuple[str, ...] = tuple(_TIERS)
FLOORS: tuple[str, ...] = tuple(name for name in BOTS if name != "typist")


def tiers(name: str, variant: Variant, episode_index: int) -> Tiers:
    """Return the groups of outputs that a bot tries in order, one output per attempt.

    Within a group the order is random. No output is in two groups.
    Raises: FieldError: there is no bot of that name; IndexError: there is no such episode.
    """
    if name not in _TIERS:
        raise FieldError("bot", f"must be one of {', '.join(BOTS)}, not {name!r}")
    return _TIERS[name](variant, episode_index)


def prior_tiers(variant: Variant, *, knows_words: bool = False) -> Tiers:
    """Return the outputs by probability at a gen cell, the most probable first."""
    chances = prior_chances(variant.task, permuted=variant.permute_outputs, knows_words=knows_words)
    return _ranked({output: -chance for output, chance in chances.items()})


@lru_cache(maxsize=TASKS_KEPT)  # a task's variants share them
def prior_chances(
    task: Task, *, permuted: bool = False, knows_words: bool = False
) -> Mapping[Output, Fraction]:
    """Return each output's probability at a gen cell before anything is shown, in index order.

    Splits are equally likely, and so are the gen cells of a split. Words are drawn at random, so
    before anything is shown each word of a dimension is as likely as any other; numbers, and
    without `permuted` also activities and orders, mean the same in every variant. `knows_words`:
    as if every word always stood for the same value.
    """
    grid, splits = truth(task), all_splits(task)
    chances = dict.fromkeys(output_space(task), Fraction(0))
    for gen_cells in splits:
        for class_, role in gen_cells:
            chances[grid[class_][role]] += Fraction(1, len(splits) * len(gen_cells))
    for place, dimension in enumerate(task.dimensions):
        if permuted if dimension.name in PERMUTED else not (dimension.numbered or knows_words):
            chances = {
                output: sum(
                    (chances[_with(output, place, value)] for value in dimension.values),
                    Fraction(0),
                )
                / len(dimension.values)
                for output in chances
            }
    return MappingProxyType({output: chance for output, chance in chances.items() if chance})


def _cell(variant: Variant, index: int) -> Cell:
    cell = variant.entity(variant.episodes[index].entity).cell
    if cell is None:
        raise FieldError("episodes", "an episode's entity has no class and role")
    return cell


def _shown(variant: Variant) -> list[tuple[Cell, Output]]:
    """Return cell and output of every source demonstration, repeats included."""
    cells = (variant.entity(d.entity).cell for d in variant.demonstrations)  # None: distractors
    return [(cell, variant.grid[cell[0]][cell[1]]) for cell in cells if cell is not None]


def _with(output: Output, place: int, value: int) -> Output:
    return (*output[:place], value, *output[place + 1 :])


def _groups(*groups: Iterable[Output]) -> Tiers:
    """Keep each output in its first group only, and drop groups left empty."""
    seen: set[Output] = set()
    kept: list[tuple[Output, ...]] = []
    for group in groups:
        fresh = tuple(output for output in dict.fromkeys(group) if output not in seen)
        seen.update(fresh)
        if fresh:
            kept.append(fresh)
    return tuple(kept)


def _ranked(chances: Mapping[Output, Fraction | int]) -> Tiers:
    """Group outputs of equal rank, the lowest first."""
    ranks = sorted(set(chances.values()))
    return tuple(tuple(o for o, rank in chances.items() if rank == r) for r in ranks)
