"""Many players at once, each in its own thread, and their results."""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from random import Random
from statistics import quantiles
from typing import Any

from app.bots.player import HttpPlayer, Knows
from app.bots.stops import EndedError
from app.errors import FieldError
from app.game.tiers import BOTS
from app.progress import Track, untracked
from app.scoring.efficiency import EpisodeResult, task_metrics, unit_metrics

ENTRY_TIMEOUT_S = 120
MOST_PLAYERS = 10_000
FULL = "over_quota"  # outcome of a player who finds no place
PART = re.compile(r"([a-z]+)(?::([0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One player's outcome. `error`: a sentence, '' = reached the end, or found no place."""

    player: HttpPlayer
    error: str
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """The report of `hjstudy simulate`. Times are None without actions.

    `actions`: acknowledged commands, practice included. `per_bot`: bot -> success_rate, norm_eff,
    ecsr as means over (player, world), without practice. `problems`: a sentence for each of the
    first errors and mismatches. `full`: players who found no place in the study, which is no error.
    `resent`: requests sent again, `conflicts`: refused as outdated.
    """

    players: int
    finished: int
    full: int
    actions: int
    errors: int
    mismatches: int
    resent: int
    conflicts: int
    p50_ms: float | None
    p95_ms: float | None
    per_bot: dict[str, dict[str, float | None]]
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Tell whether everyone with a place finished and the log is what the players saw."""
        return not self.errors and not self.mismatches and self.full < self.players

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, ready for JSON."""
        return {**asdict(self), "problems": list(self.problems)}


def read_bots(text: str) -> tuple[str, ...]:
    """Return a bot name per player from text such as `oracle:5,typist`. Raises FieldError."""
    names: list[str] = []
    for part in text.split(","):
        found = PART.fullmatch(part.strip())
        if found is None or found[1] not in BOTS:
            known = ", ".join(BOTS)
            raise FieldError(
                "bots", f"must be NAME:COUNT with a name of {known}, not '{part.strip()}'"
            )
        names += [found[1]] * int(found[2] or 1)
    if not 1 <= len(names) <= MOST_PLAYERS:
        raise FieldError("bots", f"must be 1 to {MOST_PLAYERS} players, not {len(names)}")
    return tuple(names)


def make(
    base_url: str | Sequence[str],
    names: Sequence[str],
    knows: Knows,
    seed: int,
    *,
    plain_every: int = 2,
    **options: Any,
) -> list[HttpPlayer]:
    """Return players for these bots; one in `plain_every` has no script.

    The same `seed` gives the same players; `options` go to HttpPlayer.
    """
    return [
        HttpPlayer(
            base_url,
            name,
            knows,
            Random(f"hjstudy bots|{seed}|{number}"),
            htmx=bool(number % plain_every),
            **options,
        )
        for number, name in enumerate(names)
    ]


def run(
    players: Sequence[HttpPlayer],
    start_of: Callable[[int], str],
    *,
    in_order: bool,
    track: Track = untracked,
) -> list[Outcome]:
    """Let all players play the study at once; return how they fared, in their order.

    `start_of`: number of a player (from 0) -> the address at which they begin. `in_order`: each
    agrees only when the one before has, so that the same players get the same worlds in every
    run; they play at once all the same.
    """
    outcomes: list[Outcome | None] = [None] * len(players)
    entered = [threading.Event() for _ in players]

    def play(number: int) -> None:
        player = players[number]
        player.on_entry = entered[number].set
        try:
            player.play_study(start_of(number))
            outcomes[number] = Outcome(player, "")
        except Exception as problem:  # noqa: BLE001 - one player's trouble is an outcome
            is_full = isinstance(problem, EndedError) and problem.outcome == FULL
            words = f"player {number + 1} ({player.bot}): {type(problem).__name__}: {problem}"
            outcomes[number] = Outcome(player, "" if is_full else words, is_full)
        finally:
            entered[number].set()

    threads = [
        threading.Thread(target=play, args=(number,), name=f"bot-{number}", daemon=True)
        for number in range(len(players))
    ]
    starts = zip(threads, entered, strict=True)
    for thread, inside in track(starts, "Players entering", len(threads)):
        thread.start()
        if in_order:
            inside.wait(ENTRY_TIMEOUT_S)
    for thread in track(threads, "Players playing", len(threads)):
        thread.join()
    return [one for one in outcomes if one is not None]


def report(outcomes: Sequence[Outcome], mismatches: Sequence[str], shown: int = 20) -> Report:
    """Return the figures of a crowd. `mismatches`: from `stored.compare`."""
    players = [one.player for one in outcomes]
    errors = [one.error for one in outcomes if one.error]
    took = [one for player in players for one in player.took_ms]
    counts = [len(one.acknowledged) for player in players for one in player.adventures.values()]
    middle, late = percentiles(took)
    return Report(
        players=len(players),
        finished=sum(bool(player.code) for player in players),
        full=sum(one.is_full for one in outcomes),
        actions=sum(counts),
        errors=len(errors),
        mismatches=len(mismatches),
        resent=sum(player.sender.resent for player in players),
        conflicts=sum(player.conflicts for player in players),
        p50_ms=middle,
        p95_ms=late,
        per_bot={
            name: scores([player for player in players if player.bot == name])
            for name in dict.fromkeys(player.bot for player in players)
        },
        problems=(*errors, *mismatches)[:shown],
    )


def percentiles(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Return the 50th and 95th percentile, rounded to 0.1; None without values."""
    if not values:
        return None, None
    cuts = quantiles(values, n=20, method="inclusive") if len(values) > 1 else [values[0]] * 19
    return round(cuts[9], 1), round(cuts[18], 1)


def scores(players: Sequence[HttpPlayer]) -> dict[str, float | None]:
    """Return success rate, norm_eff and ECSR over the worlds that these players played."""
    units: dict[tuple[int, int], list[EpisodeResult]] = {}
    for number, player in enumerate(players):
        for (block, _), one in player.adventures.items():
            if block >= 0 and one.state.actions_used:
                episode, state = one.variant.episodes[one.index], one.state
                units.setdefault((number, block), []).append(
                    EpisodeResult(
                        success=state.success,
                        actions_used=state.actions_used,
                        attempts=state.attempts,
                        ref_length=episode.ref_length,
                        n_tries=episode.n_tries,
                        finished=state.done,
                    )
                )
    if not units:
        return {"success_rate": None, "norm_eff": None, "ecsr": None}
    means = task_metrics(unit_metrics(results) for results in units.values())
    return {
        "success_rate": means.success_rate,
        "norm_eff": means.norm_eff,
        "ecsr": means.ecsr,
    }
