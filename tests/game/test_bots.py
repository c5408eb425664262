from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from app.errors import FieldError
from app.game.bots import BOTS, GIVE_UP, SLIP, commands_for, make_bot, tiers, win_chances
from app.game.command import UNDERSTOOD, Typed
from app.game.expectation import Chances, norm_eff
from app.game.lexicon import Lexicon, parse_lexicon
from app.game.model import Episode, Variant
from app.game.practice import practice_variant
from app.game.tasks import TASK_NAMES, TASKS
from app.game.variant import generate
from app.game.world import Observation, State, World, episode_world, play, start

LEXICON = Path(__file__).parents[2] / "app" / "lexica" / "semantic.json"
SEEDS = range(24)  # variants of a task in the simulation
ROUNDS = 6  # times a bot plays each of their episodes
SIMULATED = ("enumerator", "copycat", "eliminator", "neighbour", "prior", "inducer")

Turn = tuple[str, Typed, State, Observation]  # the line, its parsed form, what followed


@cache
def lexicon() -> Lexicon:
    return parse_lexicon(LEXICON.read_text("utf-8"))


@cache
def make(task: str, seed: int, coverage: str = "1") -> Variant:
    return generate(TASKS[task], seed, lexicon(), coverage)


def run(
    name: str,
    variant: Variant,
    index: int,
    seed: int | str,
    world: World | None = None,
    slip: Fraction | float = SLIP,
) -> list[Turn]:
    """Let a bot play an episode until it ends or the bot gives up; return its turns."""
    world = world or episode_world(variant, index)
    bot = make_bot(name, variant, index, Random(seed), slip=slip)
    state, last = start(world), None
    turns: list[Turn] = []
    while (raw := bot.next_command(last, state)) != GIVE_UP:
        typed, state, last = play(world, state, raw)
        turns.append((raw, typed, state, last))
        assert len(turns) < 500, "a bot that never ends"
    return turns


def score(variant: Variant, index: int, turns: list[Turn]) -> Fraction:
    if not turns or not turns[-1][2].success:
        return Fraction(0)
    episode = variant.episodes[index]
    return norm_eff(len(turns), episode.ref_length, episode.n_tries)


@dataclass
class Tally:
    """Played scores of one group, with their expected mean and variance."""

    played: Fraction = Fraction(0)
    mean: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    def add(self, scores: list[Fraction], chances: Chances, episode: Episode) -> None:
        worth = {a: norm_eff(a, episode.ref_length, episode.n_tries) for a in chances}
        mean = sum((c * worth[a] for a, c in chances.items()), Fraction(0))
        square = sum((c * worth[a] ** 2 for a, c in chances.items()), Fraction(0))
        self.played += sum(scores, Fraction(0))
        self.mean += len(scores) * mean
        self.variance += len(scores) * (square - mean**2)

    @property
    def errors(self) -> float:
        """Distance from the expectation in standard errors; infinite where none is allowed."""
        off = abs(self.played - self.mean)
        if not self.variance:
            return float("inf") if off else 0.0
        return float(off) / sqrt(self.variance)


Tallies = defaultdict[object, Tally]


def simulate(name: str, task: str, coverage: str = "1") -> Tallies:
    """Play many episodes; tally them by played cell (in P-Add by the hidden count)."""
    tallies: Tallies = defaultdict(Tally)
    for seed in SEEDS:
        variant = make(task, seed, coverage)
        for index, episode in enumerate(variant.episodes):
            world = episode_world(variant, index)
            turns = (run(name, variant, index, f"{seed}/{n}", world) for n in range(ROUNDS))
            scores = [score(variant, index, one) for one in turns]
            cell = variant.entity(episode.entity).cell
            group: object = episode.process.count if task == "P-Add" else cell
            tallies[group].add(scores, win_chances(name, variant, index), episode)
    return tallies


def total(tallies: Tallies) -> Tally:
    whole = Tally()
    for part in tallies.values():
        whole.played += part.played
        whole.mean += part.mean
        whole.variance += part.variance
    return whole


@pytest.mark.parametrize("task", TASK_NAMES)
@pytest.mark.parametrize("name", SIMULATED)
def test_simulated_bot_scores_within_three_standard_errors_of_its_expectation(name, task):
    """By played cell (in P-Add by count), and the task as a whole; seeds are fixed."""
    tallies = simulate(name, task)
    assert len(tallies) >= 3
    off = {group: tally.errors for group, tally in tallies.items() if tally.errors > 3}
    assert not off
    assert total(tallies).errors <= 3


@pytest.mark.parametrize("task", TASK_NAMES)
@pytest.mark.parametrize("name", ["inducer", "copycat", "neighbour", "typist"])
def test_simulated_bot_that_is_shown_a_third_scores_as_expected(name, task):
    assert total(simulate(name, task, "1/3")).errors <= 3


@pytest.mark.parametrize("task", TASK_NAMES)
def test_oracle_every_episode_scores_exactly_one(task):
    for seed in SEEDS:
        variant = make(task, seed)
        for index, episode in enumerate(variant.episodes):
            turns = run("oracle", variant, index, seed)
            assert score(variant, index, turns) == 1
            assert tuple(raw for raw, *_ in turns) in episode.solutions


@pytest.mark.parametrize("task", TASK_NAMES)
def test_bots_type_canonical_lines_that_the_world_never_refuses(task):
    variant = make(task, 5)
    for name in BOTS:
        if name != "typist":
            turns = run(name, variant, 0, 1)
            assert {(typed.status, seen.ok) for _, typed, _, seen in turns} == {("ok", True)}


@pytest.mark.parametrize("task", TASK_NAMES)
def test_bot_attempts_cost_the_nodes_of_what_is_tried_and_follow_the_tiers(task):
    variant = make(task, 7)
    nodes = {output: process.ref_length for output, process in variant.outputs}
    for name in SIMULATED:
        costs: Counter[int] = Counter()
        for *_, seen in run(name, variant, 0, 3):
            costs[seen.attempt] += 1
        order = [o for g in tiers(name, variant, 0) for o in sorted(g, key=lambda o: nodes[o])]
        assert set(costs.values()) <= {nodes[output] for output in order}


def test_enumerator_tries_no_output_twice_and_is_cut_off_by_the_budget():
    """P-Add with one ritual: three attempts with different counts need 18 actions; it has 15."""
    variant = next(v for v in (make("P-Add", s) for s in range(50)) if v.gen_cells == ((0, 0),))
    ends = [run("enumerator", variant, 0, seed)[-1][2] for seed in range(40)]
    assert {(end.success, end.actions_used) for end in ends} == {
        *((True, 5), (True, 11), (True, 12)),
        (False, 15),
    }


def test_copycat_with_nothing_left_to_try_gives_up_before_the_budget_ends():
    variant = make("P-Comp", 0)
    turns = run("copycat", variant, 0, 0)
    end = turns[-1][2]
    assert (end.done, end.attempt, end.actions_used) == (False, 4, 15)


def test_copycat_that_is_shown_nothing_gives_up_at_once():
    assert run("copycat", make("A-Add", 0, "0"), 0, 0) == []


def test_bot_that_starts_again_types_the_same_lines():
    variant = make("A-Comp", 3)
    for name in BOTS:
        assert run(name, variant, 0, "same") == run(name, variant, 0, "same")


def test_bot_draws_nothing_but_random_random():
    class Only(Random):
        def getrandbits(self, *_):  # what shuffle, choice, sample and randrange would draw
            raise AssertionError

    variant = make("A-Comp", 3)
    for name in BOTS:
        make_bot(name, variant, 0, Only(1)).next_command(None, start(episode_world(variant, 0)))


@pytest.mark.parametrize("task", TASK_NAMES)
def test_commands_for_every_output_cost_its_nodes_from_start_and_from_the_entity(task):
    variant = make(task, 4)
    place = variant.entity(variant.episodes[0].entity).place
    for output, process in variant.outputs:
        for location in (variant.start, place):
            assert len(commands_for(variant, 0, output, location)) == process.ref_length


@pytest.mark.parametrize("task", TASK_NAMES)
def test_commands_for_a_player_at_the_shop_need_no_journey_there(task):
    variant = make(task, 4)
    output = variant.episodes[0].output
    shop = next(i.shop for i in variant.items if i.name == variant.episodes[0].process.item)
    there, away = (commands_for(variant, 0, output, at) for at in (shop, variant.start))
    assert there == tuple(line for line in away if line != f"go {shop}")
    assert len(there) == len(away) - 1


@pytest.mark.parametrize("task", TASK_NAMES)
def test_typist_always_wins_and_every_slip_is_a_line_not_understood(task):
    variant, slips = make(task, 1), 0
    for seed in range(60):
        turns = run("typist", variant, 0, seed)
        assert turns[-1][2].success
        wrong = [seen for _, typed, _, seen in turns if typed.status not in UNDERSTOOD]
        assert not any(seen.ok for seen in wrong)
        assert len(turns) == variant.episodes[0].ref_length + len(wrong)
        slips += len(wrong)
    assert slips > 20


def test_typist_mistypes_names_as_well_as_verbs():
    variant = make("A-Add", 1)
    seen = {typed.status for seed in range(60) for _, typed, *_ in run("typist", variant, 0, seed)}
    assert {"ok", "unknown_verb", "unknown_name"} <= seen


@pytest.mark.parametrize("task", TASK_NAMES)
def test_typist_scores_within_three_standard_errors_and_below_one(task):
    tally = total(simulate("typist", task))
    assert tally.errors <= 3
    assert tally.played < len(SEEDS) * ROUNDS * len(make(task, 0).episodes)


@pytest.mark.parametrize("task", TASK_NAMES)
def test_typist_that_nearly_always_slips_still_wins_on_the_last_action(task):
    variant = make(task, 0)
    end = run("typist", variant, 0, 0, slip=0.999)[-1][2]
    assert (end.success, end.actions_used) == (True, variant.episodes[0].budget)


def test_typist_without_slips_is_an_oracle():
    variant = make("P-Over", 0)
    assert run("typist", variant, 0, 0, slip=0) == run("oracle", variant, 0, 0)


@pytest.mark.parametrize("slip", [-0.1, 1])
def test_make_bot_slip_out_of_range_is_refused(slip):
    with pytest.raises(FieldError) as caught:
        make_bot("typist", make("A-Add", 0), 0, Random(0), slip=slip)
    assert caught.value.field == "slip"


def test_make_bot_unknown_name_is_refused():
    with pytest.raises(FieldError) as caught:
        make_bot("wizard", make("A-Add", 0), 0, Random(0))
    assert caught.value.field == "bot"


def test_bot_picked_up_within_an_attempt_finishes_it_first():
    variant = make("A-Add", 2)
    world = episode_world(variant, 0)
    item = next(i for i in variant.items if i.name != variant.episodes[0].process.item)
    state, last = start(world), None
    for raw in (f"go {item.shop}", f"buy {item.name}"):
        _, state, last = play(world, state, raw)
    bot, typed = make_bot("oracle", variant, 0, Random(0)), []
    while (raw := bot.next_command(last, state)) != GIVE_UP:
        _, state, last = play(world, state, raw)
        typed.append(raw)
    entity = variant.entity(variant.episodes[0].entity)
    assert typed[:2] == [f"go {entity.place}", f"defeat {entity.name}"]
    assert (state.success, state.attempt) == (True, 2)


def test_bot_repeats_a_refused_line():
    variant = make("A-Add", 0)
    bot, world = make_bot("oracle", variant, 0, Random(0)), episode_world(variant, 0)
    first = bot.next_command(None, start(world))
    _, state, refused = play(world, start(world), "go nowhere")
    assert bot.next_command(refused, state) == first


@pytest.mark.parametrize("name", ["oracle", "typist", "enumerator"])
def test_bot_in_the_practice_world_wins_without_a_budget(name):
    assert run(name, practice_variant(), 0, 0)[-1][2].success
