"""How people went about it: RV against ECSR, time, learning, dropouts."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from app.game.tasks import TASKS
from app.scoring.players import Sample, mean_figure, quartiles
from app.scoring.ranks import spearman_figure
from app.study import stops
from app.study.report.baseline import HEAD, TOTAL, WHICH, over
from app.study.report.floors import ecsr_of
from app.study.report.options import Options
from app.study.report.shape import Table, columns, ordered
from app.study.report.units import ALL, EPISODES, FIRST, People, Play, Row, Unit
from app.study.stops import ERASED

FAMILIES = ("attribute", "procedural")
MINUTE_MS = 60_000


def points(people: People, main_rv: str) -> Table:
    """Return one point a player and task of the main condition: RV against ECSR."""
    table = Table(
        "relation_points",
        "RV and ECSR of each player in each task",
        "One row a player and task: means over the player's worlds of that task.",
        columns("player", "task", "family", "rv:number:RV", "ecsr_first:number", "ecsr_all:number"),
    )
    groups: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for unit in people.episodic():
        groups[unit.player, unit.task].append(unit)
    names = list(dict.fromkeys(str(person["participant_id"]) for person in people.people))
    places = {name: f"p{at + 1}" for at, name in enumerate(names)}
    tasks = people.tasks()
    for player, task in sorted(groups, key=lambda k: (names.index(k[0]), tasks.index(k[1]))):
        own = groups[player, task]
        rv = over(own, lambda unit: unit.rv(main_rv)).mean()
        first, whole = (over(own, ecsr_of(which)).mean() for which in EPISODES)
        if rv is not None and whole is not None:
            table.add(places[player], task, own[0].family, rv, first, whole)
    return table


def relation(told: Table, options: Options) -> Table:
    """Return Spearman's rho of RV and ECSR over player x task, by family."""
    table = Table(
        "relation",
        "RV against ECSR",
        "Spearman's rho over player x task; interval: players drawn whole with all their points.",
        columns("episodes", "family", "players:int", "points:int", "rho:figure:Spearman's rho"),
    )
    for which, place in ((FIRST, 4), (ALL, 5)):
        rows = [row for row in told.rows if row[place] is not None]
        for family in ("all", *ordered({str(row[2]) for row in rows}, FAMILIES)):
            own = [r for r in rows if family in ("all", r[2])]
            made = [(str(r[0]), number(r[3]), number(r[place])) for r in own]
            found = spearman_figure(made, options.replicates, options.seed)
            table.add(WHICH[which], family, found.players, found.units, found)
    return table


def number(cell: object) -> float:
    """Return a cell as a number."""
    if not isinstance(cell, int | float):
        raise TypeError("no number")
    return float(cell)


def times(people: People, gaps: dict[str, int], options: Options) -> Table:
    """Return seconds per ended episode, from the first to the last action.

    `gaps`: episode id -> longest time between two actions, milliseconds.
    """
    limit = options.idle_minutes * MINUTE_MS
    table = Table(
        "time",
        "Time per episode",
        f"Seconds from the first to the last action of ended episodes. An episode with more than "
        f"{options.idle_minutes} minutes between two actions is left out and counted (idle); "
        "where gaps are not known, one that took longer as a whole.",
        columns(
            *HEAD[2:],
            "episodes",
            "counted:int",
            "idle:int:left out: idle",
            "median_s:number:median, s",
            "q1_s:number:lower quartile, s",
            "q3_s:number:upper quartile, s",
        ),
    )
    units = people.episodic()
    for task in (*people.tasks(units), TOTAL):
        for which in EPISODES:
            plays = [
                play
                for unit in units
                if task in (TOTAL, unit.task)
                for play in unit.which(which)
                if play.result.finished and not play.result.voided and play.duration_ms is not None
            ]
            if not plays:
                continue
            kept = [play for play in plays if longest_gap(play, gaps) <= limit]
            found = quartiles([(play.duration_ms or 0) / 1000 for play in kept])
            low, middle, high = found or (None, None, None)
            table.add(task, WHICH[which], len(kept), len(plays) - len(kept), middle, low, high)
    return table


def longest_gap(play: Play, gaps: dict[str, int]) -> int:
    """Return the longest gap in an episode, its whole duration where gaps are not known."""
    return gaps.get(play.episode_id, play.duration_ms or 0)


def learning(people: People, main_rv: str, options: Options) -> Table:
    """Return figures by position: of the block in the study, and of the episode in the block."""
    table = Table(
        "learning",
        "Learning",
        "By the place of a world in a player's order, and by the place of an episode in its "
        "world (later episodes are informed by earlier ones). The tasks differ from place to "
        "place where the order is fixed.",
        columns(
            "over",
            "place:int",
            "players:int",
            "units:int",
            "success_rate:figure:success rate",
            "ecsr:figure:ECSR",
            "rv:figure:RV",
        ),
    )
    units = [unit for unit in people.episodic() if unit.metrics(ALL) is not None]

    def line(over_: str, place: int, own: Sequence[tuple[str, float, float, float | None]]) -> None:
        samples = [Sample(), Sample(), Sample()]
        for player, *values in own:
            for one, value in zip(samples, values, strict=True):
                one.add(player, value)
        found = [mean_figure(one, options.replicates, options.seed) for one in samples]
        table.add(over_, place, len({o[0] for o in own}), len(own), *found)

    for place in sorted({unit.block_index for unit in units}):
        line("worlds", place, list(of_blocks(units, place, main_rv)))
    for place in sorted({play.index for unit in units for play in unit.plays}):
        line("episodes", place, list(of_episodes(units, place)))
    return table


def of_blocks(
    units: Iterable[Unit], place: int, main_rv: str
) -> Iterable[tuple[str, float, float, float | None]]:
    """Yield player, success rate, ECSR and RV of the units in one place (all episodes)."""
    for unit in units:
        found = unit.metrics(ALL)
        if unit.block_index == place and found is not None:
            yield unit.player, found.success_rate, found.ecsr, unit.rv(main_rv)


def of_episodes(units: Iterable[Unit], place: int) -> Iterable[tuple[str, float, float, None]]:
    """Yield player, success and ECSR of the episodes in one place of their block."""
    for unit in units:
        alone = Unit(**{name: getattr(unit, name) for name in IDENTITY})
        alone.plays = [play for play in unit.plays if play.index == place]
        found = alone.metrics(ALL)
        if found is not None:
            yield unit.player, found.success_rate, found.ecsr, None


IDENTITY = (
    *("player", "block_id", "block_index", "task", "family", "seed"),
    *("lexicon", "coverage", "format", "variant_hash"),
)


def dropouts(people: Iterable[Row], units: Iterable[Unit]) -> Table:
    """Return how many people reached each page, and how many of them ended there unfinished."""
    table = Table(
        "dropouts",
        "Dropouts by page",
        "Reached: people who came at least so far. Ended here: of these, people whose way ended "
        "on that page without finishing, by outcome. Still here: people who are under way. A rule "
        "form counts as the guardian after it. People left out of the report are left out here; of "
        "those who had their data erased only the consent is known to have been reached.",
        columns("page", "reached:int", "ended_here:int", "still_here:int", "outcomes"),
    )
    open_of: dict[str, tuple[int, int]] = {}
    for unit in units:
        spots = [(unit.block_index, play.index) for play in unit.plays if not play.result.finished]
        if spots:
            spot = min(spots)
            open_of[unit.player] = min(spot, open_of.get(unit.player, spot))
    ended: dict[Place, Counter[str]] = defaultdict(Counter)
    for person in people:
        ended[place_of(person, open_of)][str(person["state"])] += 1
    left = sum(sum(counter.values()) for counter in ended.values())
    for place in sorted(ended):
        states = ended[place]
        still, finished = states.pop("active", 0), states.pop("finished", 0)
        told = ", ".join(f"{state} {count}" for state, count in sorted(states.items()))
        table.add(page_name(place), left, sum(states.values()), still, told)
        left -= sum(states.values()) + still + finished
    return table


Place = tuple[int, int, int]  # of PAGES, then world and guardian in the game, else 0
GAME = "world"
BEFORE = "before the first command"  # of a bundle that does not tell the page
PAGES = (
    *("consent", ERASED, "instructions", BEFORE, "questions", "practice", "comprehension", GAME),
    *("last_forms", "finished"),
)


def place_of(person: Row, open_of: Mapping[str, tuple[int, int]]) -> Place:
    """Return where somebody stands or ended, in an order that sorts as the way goes."""
    if person.get("is_erased"):
        return PAGES.index(ERASED), 0, 0
    page = person.get("page") or stop_without_page(person, open_of)
    world, dash, guardian = page.removeprefix("w").partition("-g")
    if dash:
        return PAGES.index(GAME), int(world), int(guardian)
    return PAGES.index(page), 0, 0


def stop_without_page(person: Row, open_of: Mapping[str, tuple[int, int]]) -> str:
    """Return the page of somebody in a bundle that does not tell it, as well as can be known."""
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


def page_name(place: Place) -> str:
    """Return a place in words."""
    page, world, guardian = place
    return stops.in_words(f"w{world}-g{guardian}" if PAGES[page] == GAME else PAGES[page])


__all__ = ["FAMILIES", "TASKS", "dropouts", "learning", "points", "relation", "times"]
