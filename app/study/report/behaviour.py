"""Behaviour of participants: RV against ECSR, time, learning, dropouts."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from app.scoring.permutation import FAMILIES, TOTAL
from app.scoring.players import Sample, quartiles
from app.scoring.plays import ALL
from app.scoring.plays import WHICH as EPISODES
from app.scoring.ranks import spearman_figure
from app.store.play.episodes import MAIN
from app.study.play import last_page
from app.study.play.last_page import ERASED
from app.study.report import marks
from app.study.report.marks import MARKS, Find
from app.study.report.options import Options
from app.study.report.samples import (
    CONDITION,
    HEAD,
    WHICH,
    Share,
    by_task,
    counted,
    ecsr_of,
    mean_of,
    over,
    rv_of,
)
from app.study.report.shape import Table, columns, ordered, records
from app.study.report.units import People, Play, Row, Tables, Unit

MINUTE_MS = 60_000


def points(people: People, main_rv: str) -> Table:
    """Return one point per player, task and condition: RV against ECSR."""
    table = Table(
        "relation_points",
        "RV and ECSR of each player in each task",
        "One row per player, task and condition: means over the player's worlds of that task that "
        "have an RV.",
        columns("player", *HEAD, "family", "rv:number:RV", "ecsr_first:number", "ecsr_all:number"),
    )
    names = list(dict.fromkeys(str(person["participant_id"]) for person in people.people))
    for condition in people.conditions():
        units = by_player(people.episodic(condition))
        for place, name in enumerate(names, start=1):
            rated = [unit for unit in units.get(name, ()) if unit.rv(main_rv) is not None]
            for task, own in by_task(rated).items():
                rv = over(own, rv_of(main_rv)).mean()
                first, whole = (over(own, ecsr_of(which)).mean() for which in EPISODES)
                if rv is not None and whole is not None:
                    table.add(f"p{place}", *condition, task, own[0].family, rv, first, whole)
    return table


def by_player(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    """Return player -> their units."""
    found: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        found[unit.player].append(unit)
    return found


def relation(points_table: Table, options: Options) -> Table:
    """Return Spearman's rho of RV and ECSR over player x task, by condition and family."""
    table = Table(
        "relation",
        "RV against ECSR",
        "The table shows Spearman's rho over player x task. The interval resamples players with "
        "all their points.",
        columns(
            *CONDITION,
            "episodes",
            *("family", "players:int", "points:int", "rho:figure:Spearman's rho"),
        ),
    )
    every = records(points_table.as_dict())
    for condition in dict.fromkeys((row["lexicon"], row["coverage"]) for row in every):
        here = [row for row in every if (row["lexicon"], row["coverage"]) == condition]
        for which in EPISODES:
            rows = [row for row in here if row[f"ecsr_{which}"] is not None]
            for family in ("all", *ordered({row["family"] for row in rows}, FAMILIES)):
                own = [row for row in rows if family in ("all", row["family"])]
                made = [(row["player"], row["rv"], row[f"ecsr_{which}"]) for row in own]
                found = spearman_figure(made, options.replicates, options.seed)
                counts = found.players, found.units
                table.add(*condition, WHICH[which], family, *counts, found)
    return table


def times(people: People, gaps: dict[str, int], options: Options) -> Table:
    """Return seconds per ended episode, from the first to the last action.

    `gaps`: episode id -> longest time between two actions, milliseconds.
    """
    limit = options.idle_minutes * MINUTE_MS
    table = Table(
        "time",
        "Time per episode",
        "Times are seconds from the first to the last action of ended episodes. An episode with "
        f"more than {options.idle_minutes} minutes between two actions is left out and counted as "
        "idle. If gaps are unknown, this applies to its whole duration. The total is over all "
        "these episodes together.",
        columns(
            *HEAD,
            "episodes",
            "counted:int",
            "idle:int:left out: idle",
            "median_s:number:median, s",
            "q1_s:number:lower quartile, s",
            "q3_s:number:upper quartile, s",
        ),
    )
    for condition in people.conditions():
        units = people.episodic(condition)
        for task, own in (*by_task(units).items(), (TOTAL, units)):
            for which in EPISODES:
                plays = [play for unit in own for play in unit.which(which) if is_timed(play)]
                kept = [play for play in plays if longest_gap(play, gaps) <= limit]
                if plays:
                    found = quartiles([(play.duration_ms or 0) / 1000 for play in kept])
                    low, middle, high = found or (None, None, None)
                    counts = len(kept), len(plays) - len(kept)
                    table.add(*condition, task, WHICH[which], *counts, middle, low, high)
    return table


def is_timed(play: Play) -> bool:
    """Return whether an episode has ended, counts, and has a duration."""
    return play.is_over and not play.voided and play.duration_ms is not None


def longest_gap(play: Play, gaps: dict[str, int]) -> int:
    """Return the longest gap in an episode, or its whole duration if gaps are unknown."""
    return gaps.get(play.episode_id, play.duration_ms or 0)


def learning(people: People, main_rv: str, find: Find, options: Options) -> Table:
    """Return results by position: of the block in the study, and of the episode in the block."""
    table = Table(
        "learning",
        "Learning",
        "A place is the position of a world in a player's order, or of an episode in its world. "
        "Players learn from earlier episodes. If the order of worlds is fixed, places also differ "
        f"in their tasks. {marks.NOTE}",
        columns(
            *CONDITION,
            "over",
            *("place:int", "players:int", "units:int"),
            "success_rate:figure:success rate",
            "ecsr:figure:ECSR",
            "rv:figure:RV",
            *MARKS,
        ),
    )
    for condition in people.conditions():
        units = [unit for unit in people.episodic(condition) if unit.metrics(ALL) is not None]
        worlds = {place: [u for u in units if u.block_index == place] for place in places(units)}
        for place, own in worlds.items():
            rv = over(own, rv_of(main_rv))
            cells = learned(own, rv, find, options)
            table.add(*condition, "worlds", place, *counted(own), *cells)
        for place in sorted({play.index for unit in units for play in unit.plays}):
            alone = [only(unit, place) for unit in units]
            own = [unit for unit in alone if unit.metrics(ALL) is not None]
            if own:
                cells = learned(own, Sample(), find, options)
                table.add(*condition, "episodes", place, *counted(own), *cells)
    return table


def places(units: Iterable[Unit]) -> list[int]:
    """Return the positions of played worlds, in order."""
    return sorted({unit.block_index for unit in units})


def learned(own: Sequence[Unit], rv: Sample, find: Find, options: Options) -> list[object]:
    """Return success rate, ECSR, RV and marks of the units at one position (all episodes)."""
    rate = over(own, Share(success_rate, lambda unit: unit.episodes(ALL)))
    figures = (mean_of(one, options) for one in (rate, over(own, ecsr_of(ALL)), rv))
    return [*figures, *marks.marks([own], ALL, find)]


def success_rate(unit: Unit) -> float | None:
    """Return a unit's success rate over all its episodes."""
    found = unit.metrics(ALL)
    return None if found is None else found.success_rate


def only(unit: Unit, place: int) -> Unit:
    """Return a unit with only the episode at one position of its block."""
    alone = Unit(**{name: getattr(unit, name) for name in IDENTITY})
    alone.plays = [play for play in unit.plays if play.index == place]
    return alone


IDENTITY = (
    *("player", "block_id", "block_index", "task", "family", "seed"),
    *("lexicon", "coverage", "format", "variant_hash"),
)


def dropouts(people: Iterable[Row], tables: Tables) -> Table:
    """Return how many people reached each page, and how many of them ended there unfinished.

    `people`: those it is about, whether they count in the figures or not.
    """
    table = Table(
        "dropouts",
        "Dropouts by page",
        "'Reached' counts participants who reached the page or a later one. 'Ended here' counts "
        "those who ended on the page without finishing, by outcome. 'Still here' counts those who "
        "are still active. Participants left out of "
        "the report are also left out here. If someone's data were erased, only their consent page "
        "is known.",
        columns("page", "reached:int", "ended_here:int", "still_here:int", "outcomes"),
    )
    open_of = first_open(tables)
    ended: dict[Place, Counter[str]] = defaultdict(Counter)
    for person in people:
        ended[place_of(person, open_of)][str(person["state"])] += 1
    left = sum(sum(counter.values()) for counter in ended.values())
    for place in sorted(ended):
        states = ended[place]
        still, finished = states.pop("active", 0), states.pop("finished", 0)
        outcomes = ", ".join(f"{state} {count}" for state, count in sorted(states.items()))
        table.add(last_page.in_words(place[-1]), left, sum(states.values()), still, outcomes)
        left -= sum(states.values()) + still + finished
    return table


def first_open(tables: Tables) -> dict[str, tuple[int, int]]:
    """Return participant id -> place of the world and of the episode that they have open first."""
    worlds = {row["block_id"]: row["block_index"] for row in tables.get("block", ())}
    found: dict[str, tuple[int, int]] = {}
    for row in tables.get("episode", ()):
        if row["kind"] == MAIN and row["state"] == "open":
            spot = worlds[row["block_id"]], row["episode_index"]
            found[row["participant_id"]] = min(spot, found.get(row["participant_id"], spot))
    return found


Place = tuple[int, int, float, str]  # index of PAGES; in the game world and guardian; the code
GAME = "world"
BEFORE = "before the first command"  # in a bundle without pages
PAGES = (
    *("consent", ERASED, "instructions", BEFORE, "questions", "practice", "comprehension", GAME),
    *("last_forms", "finished"),
)


def place_of(person: Row, open_of: Mapping[str, tuple[int, int]]) -> Place:
    """Return the page where a person is or ended, as a value in page order."""
    if person.get("is_erased"):
        return PAGES.index(ERASED), 0, 0, ERASED
    page = person.get("page") or stop_without_page(person, open_of)
    if not last_page.is_in_world(page):
        return PAGES.index(page), 0, 0, page
    world, _, guardian = page.removesuffix(last_page.RULE).removeprefix("w").partition("-g")
    return PAGES.index(GAME), int(world), float(guardian or "inf"), page


def stop_without_page(person: Row, open_of: Mapping[str, tuple[int, int]]) -> str:
    """Return the best guess of a person's page in a bundle without pages."""
    if person["state"] == "finished":
        return "finished"
    if person["consented_at"] is None:
        return "consent"
    if person["instructions_at"] is None:
        return "instructions"
    if person["practice_at"] is None and not person["actions"]:
        return BEFORE
    spot = open_of.get(person["participant_id"])
    return "last_forms" if spot is None else "w{}-g{}".format(*spot)
