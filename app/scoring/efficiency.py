"""Efficiency of played episodes: t, norm_eff, success rate and ECSR.

Every figure is computed exactly (as a fraction) and rounded once, when it is returned, so the same
episodes give the same floats in any order.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from app.errors import HjstudyError

Unfinished = Literal["failure", "missing"]


class ScoreError(HjstudyError):
    """The figures are impossible, such as a success in fewer actions than the reference."""

    code = "scoring/impossible"


class NoEpisodesError(ScoreError):
    """No episode counts, so there is no rate (NaN is never returned)."""

    code = "scoring/no_episodes"

    def __init__(self) -> None:
        super().__init__("No episode counts: all are voided, untouched or left out.")


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """What scoring needs to know about one episode.

    `actions_used` counts every submitted command, even mistyped; `attempts` = failed `defeat`s
    at the entity, + 1 on success. `finished` is false while neither won nor out of budget;
    `voided` episodes never count.
    """

    success: bool
    actions_used: int
    attempts: int
    ref_length: int
    n_tries: int
    finished: bool = True
    voided: bool = False


@dataclass(frozen=True, slots=True)
class UnitMetrics:
    """Figures of one unit (player, block); rates are proportions in [0, 1].

    `norm_eff` and `attempt_norm_eff`: mean over the successes, None without any; `ecsr` = success
    rate x mean norm_eff = sum of norm_eff / episodes, failures as 0; `attempt_ecsr` the same with
    attempts for actions. `episodes`: those that count; `unfinished` and `voided`: all of them.
    """

    success_rate: float
    norm_eff: float | None
    ecsr: float
    attempt_norm_eff: float | None
    attempt_ecsr: float
    episodes: int
    successes: int
    unfinished: int
    voided: int


@dataclass(frozen=True, slots=True)
class TaskMetrics:
    """Means over units. `norm_eff` covers only units with a success, the others all `units`.

    Mean rate x mean norm_eff therefore differs from mean ECSR in general.
    """

    success_rate: float
    norm_eff: float | None
    ecsr: float
    attempt_norm_eff: float | None
    attempt_ecsr: float
    units: int


def t_of(actions_used: int, ref_length: int) -> float:
    """Return actions used in units of the shortest solution: fractional, >= 1 for every success.

    Raises: ScoreError: `actions_used` < 0 or `ref_length` < 1.
    """
    if actions_used < 0 or ref_length < 1:
        raise ScoreError(f"t needs actions >= 0 and ref_length >= 1: {actions_used}, {ref_length}.")
    return actions_used / ref_length


def norm_eff(actions_used: int, ref_length: int, n_tries: int) -> float:
    """Return the efficiency of a success: 1 = shortest solution, 0 = last action of the budget.

    (n/t - 1) / (n - 1) with t = actions_used / ref_length and n = n_tries; below 0 only beyond a
    budget of ref_length x n_tries, which the game does not allow.
    Raises: ScoreError: fewer actions than `ref_length`, or `n_tries` < 2.
    Source: the paper's formula with t in actions (the example value it prints does not follow).
    """
    return float(_norm_eff(actions_used, ref_length, n_tries))


def attempt_norm_eff(attempts: int, n_tries: int) -> float:
    """Return the efficiency of a success by attempts: max(0, (n/attempts - 1) / (n - 1)).

    More attempts than n_tries are possible where attempts are cheaper than ref_length (P-Add).
    Raises: ScoreError: `attempts` < 1 or `n_tries` < 2.
    """
    return float(_attempt_norm_eff(attempts, n_tries))


def counted(
    results: Iterable[EpisodeResult], *, unfinished: Unfinished = "failure"
) -> tuple[EpisodeResult, ...]:
    """Return the episodes that count, in order.

    Voided and untouched ones (no action) never do. An unfinished episode with at least one action
    counts as a failure (main figure) or, with "missing", not at all (sensitivity analysis).
    """
    return tuple(
        result
        for result in results
        if not result.voided
        and result.actions_used > 0
        and (result.finished or unfinished == "failure")
    )


def unit_metrics(
    results: Sequence[EpisodeResult], *, unfinished: Unfinished = "failure"
) -> UnitMetrics:
    """Score one unit: a player's episodes in one block (or only the first of them).

    Raises: NoEpisodesError: none counts (see `counted`); ScoreError: an impossible episode.
    """
    return _remembered(tuple(results), unfinished)


def _unit_metrics(results: tuple[EpisodeResult, ...], unfinished: Unfinished) -> UnitMetrics:
    """Score a unit."""
    kept = counted(results, unfinished=unfinished)
    if not kept:
        raise NoEpisodesError
    wins = [result for result in kept if result.success]
    if not all(result.finished for result in wins):
        raise ScoreError("A success is always finished.")
    by_actions = [_norm_eff(w.actions_used, w.ref_length, w.n_tries) for w in wins]
    by_attempts = [_attempt_norm_eff(w.attempts, w.n_tries) for w in wins]
    return UnitMetrics(
        success_rate=len(wins) / len(kept),
        norm_eff=_mean_or_none(by_actions),
        ecsr=float(sum(by_actions, Fraction(0)) / len(kept)),
        attempt_norm_eff=_mean_or_none(by_attempts),
        attempt_ecsr=float(sum(by_attempts, Fraction(0)) / len(kept)),
        episodes=len(kept),
        successes=len(wins),
        unfinished=sum(not r.finished and not r.voided and r.actions_used > 0 for r in results),
        voided=sum(r.voided for r in results),
    )


# Thousands of players have few different results.
_remembered = lru_cache(maxsize=10_000)(_unit_metrics)


def task_metrics(units: Iterable[UnitMetrics]) -> TaskMetrics:
    """Return a task's figures: the plain mean over its units, however many episodes each has.

    Raises: NoEpisodesError: there is no unit.
    """
    rows = list(units)
    if not rows:
        raise NoEpisodesError
    return TaskMetrics(
        success_rate=_mean([Fraction(row.successes, row.episodes) for row in rows]),
        norm_eff=_mean_or_none([Fraction(r.norm_eff) for r in rows if r.norm_eff is not None]),
        ecsr=_mean([Fraction(row.ecsr) for row in rows]),
        attempt_norm_eff=_mean_or_none(
            [Fraction(r.attempt_norm_eff) for r in rows if r.attempt_norm_eff is not None]
        ),
        attempt_ecsr=_mean([Fraction(row.attempt_ecsr) for row in rows]),
        units=len(rows),
    )


def _norm_eff(actions_used: int, ref_length: int, n_tries: int) -> Fraction:
    if n_tries < 2 or ref_length < 1 or actions_used < ref_length:  # noqa: PLR2004 - n - 1 divides
        raise ScoreError(
            "norm_eff needs n_tries >= 2 and actions >= ref_length >= 1: "
            f"{n_tries}, {actions_used}, {ref_length}."
        )
    return Fraction(n_tries * ref_length - actions_used, actions_used * (n_tries - 1))


def _attempt_norm_eff(attempts: int, n_tries: int) -> Fraction:
    return max(Fraction(0), _norm_eff(attempts, 1, n_tries))


def _mean(values: Sequence[Fraction]) -> float:
    return float(sum(values, Fraction(0)) / len(values))


def _mean_or_none(values: Sequence[Fraction]) -> float | None:
    return _mean(values) if values else None
