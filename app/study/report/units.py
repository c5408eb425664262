"""Turn rows of an export into units (player, block) with scores, the basis of every table."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.scoring.accuracy import unit_accuracy
from app.scoring.efficiency import (
    EpisodeResult,
    NoEpisodesError,
    Unfinished,
    UnitMetrics,
    unit_metrics,
)
from app.study.report.options import Options

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]
FIRST, ALL = "first", "all"
EPISODES = (FIRST, ALL)


@dataclass(frozen=True, slots=True)
class Rv:
    """RV of one explanation by source, each in [0, 1], or None if not rated."""

    judge: float | None = None
    human: float | None = None
    final: float | None = None

    def of(self, kind: str) -> float | None:
        """Return RV by `judge`, `human` or `final`."""
        found: float | None = getattr(self, kind)
        return found


UNRATED = Rv()


@dataclass(frozen=True, slots=True)
class Play:
    """One main episode, with the data for scoring and for tables of time and typing."""

    episode_id: str
    index: int  # 1 = first episode of its block
    variant_episode: int
    result: EpisodeResult
    mistyped: int
    in_play: bool  # open and its player still active: neither won nor failed yet
    duration_ms: int | None
    success: bool | None


@dataclass(slots=True)
class Unit:
    """A player's block."""

    player: str
    block_id: str
    block_index: int
    task: str
    family: str
    seed: int
    lexicon: str
    coverage: str
    format: str
    variant_hash: str
    plays: list[Play] = field(default_factory=list)
    rv_last: Rv | None = None  # None: there is no explanation
    rv_first: Rv | None = None
    _scored: dict[tuple[str, Unfinished, bool], UnitMetrics | None] = field(default_factory=dict)

    @property
    def condition(self) -> tuple[str, str]:
        """Return lexicon and coverage."""
        return self.lexicon, self.coverage

    def which(self, which: str) -> list[Play]:
        """Return the first or all episodes, without those still in progress."""
        return [p for p in self.plays if not p.in_play and (which == ALL or p.index == 1)]

    def metrics(
        self, which: str, *, unfinished: Unfinished = "failure", clean: bool = False
    ) -> UnitMetrics | None:
        """Score the unit, or None if no episode counts. `clean`: mistyped commands cost nothing."""
        key = (which, unfinished, clean)
        if key not in self._scored:
            self._scored[key] = self._score(which, unfinished, clean=clean)
        return self._scored[key]

    def _score(self, which: str, unfinished: Unfinished, *, clean: bool) -> UnitMetrics | None:
        if self.format != "episodic":
            return None
        results = [without_mistyped(p) if clean else p.result for p in self.which(which)]
        try:
            return unit_metrics(results, unfinished=unfinished)
        except NoEpisodesError:
            return None

    def ecsr(self, which: str) -> float | None:
        """Return ECSR, or None if no episode counts."""
        found = self.metrics(which)
        return None if found is None else found.ecsr

    def accuracy(self, which: str = ALL) -> float | None:
        """Return the share of correct answers in the direct format, or None without an answer."""
        if self.format != "direct":
            return None
        try:
            return unit_accuracy(p.success for p in self.which(which) if not p.result.voided)
        except NoEpisodesError:
            return None

    @property
    def counts(self) -> bool:
        """Return whether any episode counts. A block without one is not a unit and has no RV."""
        return self.metrics(ALL) is not None or self.accuracy() is not None

    def rv(self, kind: str) -> float | None:
        """Return RV of the last explanation."""
        return None if self.rv_last is None else self.rv_last.of(kind)


def without_mistyped(play: Play) -> EpisodeResult:
    """Return the result without mistyped commands if it is a success; failures are unchanged."""
    if not play.result.success:
        return play.result
    return replace(play.result, actions_used=play.result.actions_used - play.mistyped)


def conditions_of(units: Iterable[Unit]) -> list[tuple[str, str]]:
    """Return (lexicon, coverage) of units, the paper's (semantic, 1) first."""
    return sorted({one.condition for one in units}, key=lambda c: (c != ("semantic", "1"), c))


@dataclass(slots=True)
class People:
    """Who counts, who does not, and the units of those who do.

    `people`: everyone except test participants and excluded ones. It includes people who withdrew,
    so that dropouts are complete, but without units.
    """

    people: list[Row]
    left_out: Counter[str]  # reason -> people
    units: list[Unit]

    def episodic(self, condition: tuple[str, str] | None = None) -> list[Unit]:
        """Return the played units of one or all conditions."""
        return [
            one
            for one in self.units
            if one.format == "episodic" and condition in (None, one.condition)
        ]

    def conditions(self) -> list[tuple[str, str]]:
        """Return the played conditions, the paper's (semantic, 1) first."""
        return conditions_of(self.episodic())


def read_people(tables: Tables, rv: Mapping[str, Rv], options: Options) -> People:
    """Read the tables: test participants never count, excluded ones only on request."""
    left_out: Counter[str] = Counter()
    kept: dict[str, Row] = {}
    for person in tables.get("participant", ()):
        if person["is_test"]:
            left_out["test"] += 1
        elif person["excluded"] and not options.keep_excluded:
            left_out["excluded"] += 1
        else:
            kept[person["participant_id"]] = person
    units: dict[str, Unit] = {}
    gone = {name for name, person in kept.items() if person["state"] == "withdrawn"}
    left_out["withdrawn"] = len(gone)
    for row in tables.get("block", ()):
        if row["participant_id"] in kept and row["participant_id"] not in gone:
            units[row["block_id"]] = unit_of(row)
    for row in tables.get("episode", ()):
        unit = units.get(row["block_id"] or "")
        if unit is not None and row["kind"] == "main":
            unit.plays.append(play_of(row, kept[row["participant_id"]]))
    for unit in units.values():
        unit.plays.sort(key=lambda play: play.index)
    counting = {name: unit for name, unit in units.items() if unit.counts}
    add_rv(counting, tables.get("explanation", ()), rv)
    return People(list(kept.values()), left_out, list(units.values()))


def unit_of(row: Row) -> Unit:
    """Parse a row of the block table."""
    return Unit(
        player=row["participant_id"],
        block_id=row["block_id"],
        block_index=row["block_index"],
        task=row["task"],
        family=row["family"],
        seed=row["seed"],
        lexicon=row["lexicon"],
        coverage=row["coverage"],
        format=row["format"],
        variant_hash=row["variant_hash"],
    )


def play_of(row: Row, person: Row) -> Play:
    """Parse a row of the episode table."""
    is_open = row["state"] == "open"
    return Play(
        episode_id=row["episode_id"],
        index=row["episode_index"],
        variant_episode=row["variant_episode"],
        result=EpisodeResult(
            success=row["state"] == "won",
            actions_used=row["actions_used"],
            attempts=row["attempts"] or 0,
            ref_length=row["ref_length"],
            n_tries=row["n_tries"],
            finished=not is_open,
            voided=bool(row["voided"]),
        ),
        mistyped=row["mistyped"] or 0,
        in_play=is_open and person["state"] == "active",
        duration_ms=row["duration_ms"],
        success=row["success"],
    )


def add_rv(units: Mapping[str, Unit], rows: Sequence[Row], rv: Mapping[str, Rv]) -> None:
    """Set each unit's RV of its first and its last explanation."""
    own: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        own[row["block_id"]].append(row)
    for block_id, written in own.items():
        if block_id in units:
            written.sort(key=lambda row: row["episode_index"] or 0)
            units[block_id].rv_first = rv.get(written[0]["explanation_id"], UNRATED)
            units[block_id].rv_last = rv.get(written[-1]["explanation_id"], UNRATED)
