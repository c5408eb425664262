"""Exact expectations of bots that try outputs one after another, as fractions.

An attempt at output o costs as many actions as o's process has nodes. A bot tries groups of
outputs in order, each group in random order; the right output is in one of them. So a win costs
the actions of all earlier groups, of a random subset of its own group, and its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial

from app.errors import FieldError
from app.game.model import Episode, Variant
from app.game.tiers import FLOORS, Tiers, prior_tiers, tiers

SLIP = Fraction(3, 20)  # the typist's probability of mistyping a line

Chances = Mapping[int, Fraction]  # actions used by a win -> its probability; the rest are failures


@dataclass(frozen=True, slots=True)
class Expectation:
    """The mean score of a bot's episode: ecsr = success x norm_eff.

    `success`: probability of a win; `ecsr`: mean score, a failure as 0; `norm_eff`: mean score of
    the wins, None where a win is impossible.
    """

    success: Fraction
    ecsr: Fraction
    norm_eff: Fraction | None


def norm_eff(actions_used: int, ref_length: int, n_tries: int) -> Fraction:
    """Score a win: (n/t - 1) / (n - 1), t = actions_used / ref_length, n = n_tries >= 2."""
    return Fraction(n_tries * ref_length - actions_used, actions_used * (n_tries - 1))


def expectation(chances: Chances, ref_length: int, n_tries: int) -> Expectation:
    """Return the mean score of wins with these probabilities."""
    success = sum(chances.values(), Fraction(0))
    ecsr = sum(
        (chance * norm_eff(actions, ref_length, n_tries) for actions, chance in chances.items()),
        Fraction(0),
    )
    return Expectation(success, ecsr, ecsr / success if success else None)


def trying(before: int, others: Sequence[int], own: int, budget: int) -> Chances:
    """Return the chances of a bot that tries the right output among others, in random order.

    Args: before: actions of all attempts that always come first; others: actions of each attempt
        that may come first, at random; own: actions of the right one; budget: in actions.
    Returns: actions of a win -> probability, only wins within the budget.
    """
    subsets: dict[tuple[int, int], int] = {(0, 0): 1}  # (attempts, their actions) -> how many
    for cost in others:
        for (number, total), count in list(subsets.items()):
            key = number + 1, total + cost
            subsets[key] = subsets.get(key, 0) + count
    chances: dict[int, Fraction] = {}
    for (number, total), count in sorted(subsets.items()):
        actions = before + total + own
        if actions <= budget:
            orders = factorial(number) * factorial(len(others) - number)
            chance = Fraction(count * orders, factorial(len(others) + 1))
            chances[actions] = chances.get(actions, Fraction(0)) + chance
    return chances


def slipping(ref_length: int, slip: Fraction, budget: int) -> Chances:
    """Return the chances of a bot that types the shortest solution but may slip before each line.

    Before a line it slips with probability `slip`, repeatedly, each time for one action, as long
    as the remaining actions are enough to finish.
    """
    spare = budget - ref_length
    chances = {
        ref_length + slips: comb(slips + ref_length - 1, slips)
        * slip**slips
        * (1 - slip) ** ref_length
        for slips in range(spare)
    }
    return {**chances, budget: 1 - sum(chances.values(), Fraction(0))}


def win_chances(
    name: str, variant: Variant, episode_index: int, *, slip: Fraction | float = SLIP
) -> Chances:
    """Return the probability of each number of actions that a win of this bot can take.

    Raises: FieldError: there is no bot of that name, or the episode has no budget (practice).
    """
    episode = variant.episodes[episode_index]
    if episode.budget is None:
        raise FieldError("budget", "an episode without a budget has no expected score")
    if name == "typist":
        return slipping(episode.ref_length, Fraction(slip), episode.budget)
    return trying_tiers(tiers(name, variant, episode_index), variant, episode, episode.budget)


def trying_tiers(groups: Tiers, variant: Variant, episode: Episode, budget: int) -> Chances:
    """Return the chances of a bot that tries groups in order, each group in random order."""
    cost = {output: process.ref_length for output, process in variant.outputs}
    before = 0
    for group in groups:
        if episode.output in group:
            others = [cost[output] for output in group if output != episode.output]
            return trying(before, others, episode.ref_length, budget)
        before += sum(cost[output] for output in group)
    return {}


def expected(
    name: str, variant: Variant, episode_index: int, *, slip: Fraction | float = SLIP
) -> Expectation:
    """Return a bot's exact success probability, ECSR and norm_eff in one episode.

    Raises: FieldError: as `win_chances`.
    """
    episode = variant.episodes[episode_index]
    chances = win_chances(name, variant, episode_index, slip=slip)
    return expectation(chances, episode.ref_length, episode.n_tries)


def episode_floors(variant: Variant, episode_index: int) -> tuple[Fraction, ...]:
    """Return each bot's exact expected ECSR in one episode, in the order of FLOORS."""
    return tuple(expected(name, variant, episode_index).ecsr for name in FLOORS)


def floors(variant: Variant) -> dict[str, Fraction]:
    """Return the exact expected ECSR of every bot but the typist, as a mean over the gen cells.

    Nothing is known of bots in the world of another engine, so there is nothing for its variants.
    """
    if variant.built:
        return {}
    each = [episode_floors(variant, index) for index in range(len(variant.episodes))]
    means = [sum(values, Fraction(0)) / len(each) for values in zip(*each, strict=True)]
    return dict(zip(FLOORS, means, strict=True))


def prior_knowing_words(variant: Variant) -> Fraction:
    """Return the prior's floor as in old certificates, where it knew what each word stands for."""
    groups = prior_tiers(variant, knows_words=True)
    each = [
        expectation(
            trying_tiers(groups, variant, one, one.budget or 0), one.ref_length, one.n_tries
        ).ecsr
        for one in variant.episodes
    ]
    return sum(each, Fraction(0)) / len(each)
