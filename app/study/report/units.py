"""Turn rows of an export into units (player, block) with scores, the basis of every table."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.scoring import plays
from app.scoring.efficiency import Unfinished, UnitMetrics
from app.scoring.plays import ALL, Which
from app.scoring.rv import UNRATED, Rv
from app.store.play.episodes import MAIN
from app.study.people import analysed
from app.study.report.options import Options

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]
STATED = ("stated_item", "stated_activity")


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(plays.Play):
    """One main episode: what scoring needs, and what the tables of time and bots need."""

    episode_id: str = ""
    variant_episode: int = 0
    duration_ms: int | None = None


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
    _scored: dict[tuple[Which, Unfinished, bool], UnitMetrics | None] = field(default_factory=dict)

    @property
    def condition(self) -> tuple[str, str]:
        """Return lexicon and coverage."""
        return self.lexicon, self.coverage

    def which(self, which: Which) -> list[Play]:
        """Return the first or all episodes, without those still in progress."""
        return plays.settled(self.plays, which)

    def metrics(
        self, which: Which, *, unfinished: Unfinished = "failure", clean: bool = False
    ) -> UnitMetrics | None:
        """Score the unit, or None if no episode counts. `clean`: mistyped commands cost nothing."""
        if self.format == plays.DIRECT:
            return None
        key = (which, unfinished, clean)
        if key not in self._scored:
            own = self.which(which)
            self._scored[key] = plays.metrics(own, unfinished=unfinished, clean=clean)
        return self._scored[key]

    def ecsr(self, which: Which) -> float | None:
        """Return ECSR, None if no episode counts."""
        found = self.metrics(which)
        return None if found is None else found.ecsr

    def episodes(self, which: Which) -> int:
        """Return how many played episodes count."""
        found = self.metrics(which)
        return 0 if found is None else found.episodes

    def answers(self) -> int:
        """Return how many stated answers count."""
        return len(plays.answered(self.which(ALL)))

    def accuracy(self, which: Which = ALL) -> float | None:
        """Return the share of right answers of the direct format, None without an answer."""
        return plays.accuracy(self.which(which)) if self.format == plays.DIRECT else None

    @property
    def counts(self) -> bool:
        """Return whether any episode counts. A block without one is not a unit and has no RV."""
        return self.metrics(ALL) is not None or self.accuracy() is not None

    def rv(self, kind: str) -> float | None:
        """Return RV of the last explanation."""
        return None if self.rv_last is None else self.rv_last.of(kind)


def conditions_of(units: Iterable[Unit]) -> list[tuple[str, str]]:
    """Return (lexicon, coverage) of units, the paper's (semantic, 1) first."""
    return sorted({one.condition for one in units}, key=lambda c: (c != ("semantic", "1"), c))


@dataclass(slots=True)
class People:
    """Who counts, who does not, and the units of those who do.

    Attributes:
        people: all but test participants and excluded ones; dropouts are counted over them.
        reasons: participant id -> why a participant is left out of all figures, '' = counts.
        units: those of participants who count.
    """

    people: list[Row]
    reasons: Mapping[str, str]
    units: list[Unit]

    @property
    def counting(self) -> list[Row]:
        """Return those who count."""
        return [one for one in self.people if not self.reasons[one["participant_id"]]]

    @property
    def left_out(self) -> Counter[str]:
        """Return reason -> number of people."""
        return Counter(reason for reason in self.reasons.values() if reason)

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
    """Read the tables; `analysed` decides who counts, as in the export."""
    main = [row for row in tables.get("episode", ()) if row["kind"] == MAIN]
    acted = {row["participant_id"] for row in main if play_of(row).counts}
    people, reasons, states = [], {}, {}
    for person in tables.get("participant", ()):
        name, excluded = person["participant_id"], person["excluded"] or ""
        excluded = "" if options.keep_excluded else excluded
        reasons[name] = analysed.left_out(
            is_test=person["is_test"],
            state=person["state"],
            excluded=excluded,
            has_episode=name in acted,
        )
        states[name] = person["state"]
        if not person["is_test"] and not excluded:
            people.append(person)
    units = {
        row["block_id"]: unit_of(row)
        for row in tables.get("block", ())
        if reasons.get(row["participant_id"]) == ""
    }
    for row in main:
        if row["block_id"] in units:
            units[row["block_id"]].plays.append(play_of(row, states[row["participant_id"]]))
    for unit in units.values():
        unit.plays.sort(key=lambda play: play.index)
    counting = {name: unit for name, unit in units.items() if unit.counts}
    add_rv(counting, tables.get("explanation", ()), rv)
    return People(people, reasons, list(units.values()))


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


def play_of(row: Row, person_state: str = "") -> Play:
    """Parse a row of the episode table."""
    is_stated = row["format"] == plays.DIRECT and was_stated(row)
    return Play(
        state=row["state"],
        index=row["episode_index"],
        actions=row["actions_used"],
        mistyped=row["mistyped"] or 0,
        attempts=row["attempts"] or 0,
        ref_length=row["ref_length"],
        n_tries=row["n_tries"],
        right=row["success"] if is_stated else None,
        voided=bool(row["voided"]),
        in_play=row["state"] == "open" and person_state == "active",
        episode_id=row["episode_id"],
        variant_episode=row["variant_episode"],
        duration_ms=row["duration_ms"],
    )


def was_stated(row: Row) -> bool:
    """Return whether an answer was stated; researchers can carry players over a question."""
    answers = [row[name] for name in STATED if name in row]  # an early bundle has no such columns
    return not answers or any(value is not None for value in answers)


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
