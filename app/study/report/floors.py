"""Floors and ceilings: expected results of each bot, compared with participants."""

from itertools import chain

from app.game.tiers import FLOORS
from app.scoring.permutation import TOTAL
from app.scoring.players import Figure
from app.scoring.plays import Which
from app.study.report.marks import Find, best_floor, bots_over
from app.study.report.options import Options
from app.study.report.samples import HEAD, WHICH, by_task, ecsr_of, mean_of, over, total_of
from app.study.report.shape import Table, columns
from app.study.report.units import People

NOTE = (
    "This table shows what ECSR to expect of bots on the participants' episodes. The values are "
    "exact, and are means over the same units. The oracle knows the rule. The inducer knows what "
    "the demonstrations prove. The other five bots are floors. The enumerator tries all possible "
    "answers at random. The copycat tries the answers that were shown. The eliminator tries the "
    "least shown answers first. The neighbour copies the nearest demonstration. The prior knows "
    "the tables, but neither the demonstrations nor which word stands for what. A result that does "
    "not beat the best floor is no evidence that players found the rule. At coverage 0, the best "
    "floor is the prior, because the others know which answers are possible. 'Beaten' means that "
    "the participants' whole interval lies above the best floor. The total is the mean of the "
    "tasks."
)


def floors(people: People, which: Which, find: Find, options: Options) -> Table:
    """Return the table of floors and ceilings with participants' ECSR."""
    table = Table(
        f"floors_{which}",
        f"Floors and ceilings, {WHICH[which]}",
        NOTE,
        columns(
            *HEAD,
            "people:figure:participants' ECSR",
            *(f"{name}:number" for name in FLOORS),
            "best_floor:number:best floor",
            "beaten:bool",
        ),
    )
    for condition in people.conditions():
        units = [u for u in people.episodic(condition) if u.metrics(which) is not None]
        tasks = by_task(units)
        samples = {task: over(own, ecsr_of(which)) for task, own in tasks.items()}
        lines = [(task, [own], mean_of(samples[task], options)) for task, own in tasks.items()]
        if len(tasks) > 1:
            lines.append((TOTAL, list(tasks.values()), total_of(samples, options)))
        for name, groups, found in lines:
            bots = bots_over(groups, which, find)
            if bots is None:
                table.add(*condition, name, found, *([None] * len(FLOORS)), None, None)
                continue
            best = best_floor(bots, chain(*groups))
            table.add(*condition, name, found, *bots.values(), best, beaten(found, best))
    return table


def beaten(found: Figure, best: float) -> bool | None:
    """Return whether the whole interval lies above the floor; None without an interval."""
    return None if found.low is None else found.low > best
