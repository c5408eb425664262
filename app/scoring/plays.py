"""Scores of plays: the one place where what is stored of an episode becomes a figure.

Exports, reports and payments all ask here, so the same play is worth the same everywhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from app.scoring.accuracy import unit_accuracy
from app.scoring.efficiency import (
    EpisodeResult,
    NoEpisodesError,
    Unfinished,
    UnitMetrics,
    attempt_norm_eff,
    norm_eff,
    t_of,
    unit_metrics,
)

Which = Literal["first", "all"]
FIRST: Which = "first"
ALL: Which = "all"
WHICH: tuple[Which, ...] = (FIRST, ALL)
DIRECT = "direct"  # the format of blocks whose answers are stated, not played


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """One main episode of a person, or of a model, as it is stored.

    Attributes:
        state: open, won or lost.
        index: 1 = first of its block.
        actions: submitted commands, mistyped ones too.
        mistyped: those of them that were not understood.
        attempts: failed `defeat`s at the entity, + 1 on success.
        ref_length: actions of the shortest solution.
        n_tries: the task's; the budget is ref_length x n_tries actions.
        right: direct format: the stated answer was right; None = nothing was stated.
        voided: a researcher voided it; it never counts.
        in_play: open, and its player is still under way: neither won nor failed yet.
    """

    state: str
    index: int
    actions: int
    mistyped: int
    attempts: int
    ref_length: int
    n_tries: int
    right: bool | None = None
    voided: bool = False
    in_play: bool = False

    @property
    def is_won(self) -> bool:
        """Tell whether the entity was defeated, or the right answer stated."""
        return self.state == "won"

    @property
    def is_over(self) -> bool:
        """Tell whether the episode has ended."""
        return self.state != "open"

    @property
    def is_touched(self) -> bool:
        """Tell whether there is an action or a stated answer."""
        return self.actions > 0 or self.right is not None

    @property
    def counts(self) -> bool:
        """Tell whether it makes its player count: touched and not voided."""
        return self.is_touched and not self.voided

    def result(self, *, clean: bool = False) -> EpisodeResult:
        """Return what scoring needs. `clean`: mistyped commands cost a success nothing."""
        free = self.mistyped if clean and self.is_won else 0
        return EpisodeResult(
            success=self.is_won,
            actions_used=self.actions - free,
            attempts=self.attempts,
            ref_length=self.ref_length,
            n_tries=self.n_tries,
            finished=self.is_over,
            voided=self.voided,
        )


AnyPlay = TypeVar("AnyPlay", bound=Play)


@dataclass(frozen=True, slots=True)
class EpisodeScores:
    """Scores of one played episode; None = it has none (yet)."""

    success: bool | None = None
    t: float | None = None
    norm_eff: float | None = None
    attempt_norm_eff: float | None = None


@dataclass(frozen=True, slots=True)
class PayScores:
    """What a bonus formula may name of a person's plays; 0 where there is none to count."""

    episodes: int
    successes: int
    success_rate: float
    ecsr: float
    norm_eff: float


def settled(plays: Iterable[AnyPlay], which: Which = ALL) -> list[AnyPlay]:
    """Return the first play of a unit, or all of them, without those still in play."""
    return [one for one in plays if not one.in_play and (which == ALL or one.index == 1)]


def metrics(
    plays: Iterable[Play], *, unfinished: Unfinished = "failure", clean: bool = False
) -> UnitMetrics | None:
    """Score played episodes, None if none counts. `clean`: mistyped commands cost nothing."""
    try:
        return unit_metrics([one.result(clean=clean) for one in plays], unfinished=unfinished)
    except NoEpisodesError:
        return None


def answered(plays: Iterable[Play]) -> list[bool]:
    """Return whether each stated answer that counts was right."""
    return [one.right for one in plays if one.right is not None and not one.voided]


def accuracy(plays: Iterable[Play]) -> float | None:
    """Return the share of right answers of the direct format, None without an answer."""
    try:
        return unit_accuracy(answered(plays))
    except NoEpisodesError:
        return None


def efficiency(
    actions: int, ref_length: int, n_tries: int, *, won: bool, scored: bool = True
) -> float | None:
    """Return an episode's norm_eff; None unless it was won by playing.

    `scored`: false for the practice and for stated answers, which have no efficiency.
    """
    return norm_eff(actions, ref_length, n_tries) if won and scored else None


def episode_scores(play: Play) -> EpisodeScores:
    """Return a played episode's scores: a success once it is over, an efficiency if won."""
    if not play.is_over:
        return EpisodeScores()
    return EpisodeScores(
        play.is_won,
        t_of(play.actions, play.ref_length),
        efficiency(play.actions, play.ref_length, play.n_tries, won=play.is_won),
        attempt_norm_eff(play.attempts, play.n_tries) if play.is_won else None,
    )


def pay_scores(played: Iterable[Play], stated: Iterable[Play]) -> PayScores:
    """Return what a person is paid by: episodes that are over and count.

    `played`: episodes; `stated`: those of the direct format, which count as right or wrong alone.
    """
    over = [one for one in played if one.is_over and one.counts]
    rights = answered(stated)
    found = metrics(over)
    episodes = len(over) + len(rights)
    successes = sum(one.is_won for one in over) + sum(rights)
    return PayScores(
        episodes,
        successes,
        successes / episodes if episodes else 0.0,
        found.ecsr if found else 0.0,
        (found.norm_eff or 0.0) if found else 0.0,
    )
