"""Recompute every table of a report from this bundle's files. Python 3.10+; NumPy for intervals.

    python3 analysis/recompute.py REPORT            compare with a report.json or its folder
    python3 analysis/recompute.py REPORT --out DIR  also write the recomputed tables, as CSV

It prints one line per table and exits with 1 if any value differs by more than 1e-9. Without NumPy
it recomputes everything but intervals and the p of more than 10 pairs, and says so.

It shares no code with hjstudy. Taken as given from the bundle, not recomputed: the bots' expected
scores (`episode.floor_*`), `variant.contextual_bias` and `variant.share_determined`; and from the
paper, its published means (below). Settings, such as the seed, come from the report.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import erfc, exp, fsum, inf, lgamma, log, log1p
from pathlib import Path
from typing import Any

try:
    import numpy as np
except ImportError:  # pragma: no cover - depends on the reader's machine
    np = None  # type: ignore[assignment]

DATA = Path(__file__).resolve().parents[1] / "data"
TOLERANCE = 1e-9
TASKS = ("A-Add", "A-Comp", "A-Cond", "A-Over", "P-Add", "P-Comp", "P-Cond", "P-Over")
FAMILIES = ("attribute", "procedural")
BOTS = ("oracle", "inducer", "enumerator", "copycat", "eliminator", "neighbour", "prior")
FLOORS = BOTS[2:]
COVERAGES = ("0", "1/3", "2/3", "1", "2")
NEVER = ("no_consent", "screened_out", "failed_check", "over_quota", "withdrawn")
ERASED = "not known: data erased"
PAGES = (
    *("consent", ERASED, "instructions", "before the first command", "questions", "practice"),
    *("comprehension", "world", "last_forms", "finished"),
)
SIGNS = {
    "few_keys": "few keystrokes",
    "pasted": "pasted",
    "hidden": "away before a rule",
    "even": "even tempo",
    "automated": "driven by a program",
    "alike": "like another’s text",
    "canary": "follows the hidden sentence",
}
LABEL = {"first": "first episodes", "all": "all episodes"}
SKIPPED = object()  # a value that needs NumPy
PAPER = """
ECSR|Qwen3.5-27B|.22 .42 .29 .33 .41 .01 .26 .17
ECSR|Gemini-3.1-Flash|.49 .45 .29 .60 .48 .00 .05 .18
ECSR|GPT-OSS-120B|.85 .91 .38 .70 .45 .03 .26 .47
ECSR|GPT-5.4-mini|.65 .93 .35 .83 .35 .12 .16 .21
ECSR|Llama-4|.13 .58 .30 .48 .42 .00 .00 .04
ECSR|Olmo3.1-32B-Instruct|.36 .20 .23 .25 .31 .01 .00 .05
ECSR|Humans|.63 .75 .57 .78 .61 .57 .62 .58
RV|Qwen3.5-27B|.12 .30 .03 .07 .00 .00 .03 .03
RV|Gemini-3.1-Flash|.47 .47 .00 .00 .10 .03 .00 .00
RV|GPT-OSS-120B|.47 .80 .20 .42 .45 .42 .00 .53
RV|GPT-5.4-mini|.47 .60 .00 .42 .42 .07 .00 .30
RV|Llama-4|.03 .20 .00 .00 .00 .00 .00 .10
RV|Olmo3.1-32B-Instruct|.05 .00 .00 .00 .00 .00 .00 .05
RV|Humans|.71 .79 .64 1.00 .71 .57 .57 .71
"""

Row = dict[str, Any]
Unit = dict[str, Any]
Value = Callable[[Unit], float | None]
Pairs = list[tuple[str, float]]  # (player, value of a unit)
Side = tuple[list[Unit], Value]

# ---------------------------------------------------------------- reading the bundle


def cell(text: str) -> Any:
    """Return a CSV cell: true, false, missing, or its text."""
    return {"true": True, "false": False, "": None}.get(text, text)


def read(table: str) -> list[Row]:
    """Return a table's rows; missing values are None."""
    found = [*DATA.glob(f"*_level-{table.replace('_', '')}_data.*")]
    files = [one for one in found if one.suffix in (".csv", ".jsonl")]
    if not files:
        return []
    with files[0].open(encoding="utf-8", newline="") as file:
        if files[0].suffix == ".jsonl":
            lines = [json.loads(line) for line in file.read().split("\n") if line]
            return [{k: None if v == "" else v for k, v in one.items()} for one in lines]
        csv.field_size_limit(10**8)
        return [{k: cell(v) for k, v in one.items()} for one in csv.DictReader(file)]


def number(value: Any) -> float:
    """Return a cell as a number, missing as 0."""
    return 0.0 if value is None else float(value)


def mean(values: Iterable[float]) -> float | None:
    """Return the mean, None without a value."""
    found = list(values)
    return fsum(found) / len(found) if found else None


def play_of(row: Row, person: str = "") -> Row:
    """Return what an episode is scored by."""
    direct = row["format"] == "direct"
    stated = row["stated_item"] is not None or row["stated_activity"] is not None
    right = row["success"] if direct and stated else None
    floors = [row[f"floor_{bot}"] for bot in BOTS]
    return {
        **{name: row[name] for name in ("state", "episode_id", "duration_ms")},
        "index": int(row["episode_index"]),
        "actions": number(row["actions_used"]),
        "mistyped": number(row["mistyped"]),
        "attempts": number(row["attempts"]),
        "ref": number(row["ref_length"]),
        "tries": number(row["n_tries"]),
        "right": right,
        "voided": bool(row["voided"]),
        "in_play": row["state"] == "open" and person == "active",
        "counts": (number(row["actions_used"]) > 0 or right is not None) and not row["voided"],
        "floors": None if floors[0] is None else [float(one) for one in floors],
    }


def rv_in(row: Row) -> float | None:
    """Return the RV in a row: half of its score, or an eighth of the sum of its four criteria."""
    if row["value"] is not None:
        return number(row["value"]) / 2
    scores = [row.get(one) for one in ("inputs", "output", "structure", "generality")]
    return None if None in scores else sum(number(one) for one in scores) / 8


def ratings() -> dict[str, dict[str, float | None]]:
    """Return explanation -> RV by judge, by human annotators, and final."""
    judged, rated = defaultdict(list), defaultdict(list)
    for row in read("judge"):
        if (rv := rv_in(row)) is not None:
            judged[row["item_id"]].append(rv)
    for row in read("rating"):
        counts = row["role"] in ("main", "gold") and not number(row["repeat"])
        if counts and (rv := rv_in(row)) is not None:
            rated[row["item_id"]].append(rv)
    newest: dict[str, tuple[float, float]] = {}
    for row in read("adjudication"):
        if (rv := rv_in(row)) is not None:
            this = number(row["round"]), rv
            newest[row["item_id"]] = max(this, newest.get(row["item_id"], this))
    found: dict[str, dict[str, float | None]] = {}
    for item in {*judged, *rated, *newest}:
        human = mean(rated[item])
        final = newest[item][1] if item in newest else human
        found[item] = {"judge": mean(judged[item]), "human": human, "final": final}
    return found


class Study:
    """The people who count and their units (a player's block)."""

    def __init__(self, settings: Row) -> None:
        self.settings = settings
        self.kind = settings["main_rv"]
        episodes = [row for row in read("episode") if row["kind"] == "main"]
        acted = {row["participant_id"] for row in episodes if play_of(row)["counts"]}
        persons = read("participant")
        states = {one["participant_id"]: one["state"] for one in persons}
        self.reasons: dict[str, str] = {}
        self.people: list[Row] = []  # dropouts are counted over them
        for one in persons:
            name, excluded = one["participant_id"], one["excluded"]
            excluded = None if settings["keep_excluded"] else excluded
            reason = "test" if one["is_test"] else one["state"] if one["state"] in NEVER else ""
            reason = reason or ("excluded" if excluded else "" if name in acted else "no_episode")
            self.reasons[name] = reason
            if not one["is_test"] and not excluded:
                self.people.append(one)
        self.blocks = read("block")
        self.units = [
            {**row, "player": row["participant_id"], "plays": [], "rv": None, "rv_first": None}
            for row in self.blocks
            if self.reasons[row["participant_id"]] == ""
        ]
        by_block = {unit["block_id"]: unit for unit in self.units}
        for row in episodes:
            if row["block_id"] in by_block:
                play = play_of(row, states[row["participant_id"]])
                by_block[row["block_id"]]["plays"].append(play)
        for unit in self.units:
            unit["plays"].sort(key=lambda play: play["index"])
        self.rate(by_block)
        self.gaps = {
            row["episode_id"]: number(row["longest_gap_ms"])
            for row in read("timing")
            if row["longest_gap_ms"] is not None
        }
        self.variants = {row["variant_hash"]: row for row in read("variant")}

    def rate(self, by_block: dict[str, Unit]) -> None:
        """Give each unit that counts the RV of its first and of its last explanation."""
        rv, written = ratings(), defaultdict(list)
        for row in read("explanation"):
            written[row["block_id"]].append(row)
        for block, rows in written.items():
            unit = by_block.get(block)
            if unit and (ecsr("all")(unit) is not None or accuracy(unit) is not None):
                rows.sort(key=lambda row: number(row["episode_index"]))
                unit["rv_first"] = rv.get(rows[0]["explanation_id"], {})
                unit["rv"] = rv.get(rows[-1]["explanation_id"], {})

    def main_rv(self, unit: Unit) -> float | None:
        """Return RV of the last explanation, by the study's main ratings."""
        return (unit["rv"] or {}).get(self.kind)

    def played(self) -> list[Unit]:
        """Return the units of the played format."""
        return [unit for unit in self.units if unit["format"] == "episodic"]


# ---------------------------------------------------------------- scores of a unit


def settled(unit: Unit, which: str) -> list[Row]:
    """Return the first or all episodes, without those still in play."""
    return [p for p in unit["plays"] if not p["in_play"] and (which == "all" or p["index"] == 1)]


def score(unit: Unit, which: str, name: str, how: str = "") -> float | None:
    """Return a score of a played unit. `how`: '', 'missing' (unfinished) or 'clean' (mistyped)."""
    kept = [
        p
        for p in settled(unit, which)
        if not p["voided"] and p["actions"] > 0 and (how != "missing" or p["state"] != "open")
    ]
    if unit["format"] == "direct" or not kept:
        return None
    wins = [p for p in kept if p["state"] == "won"]
    if name == "success_rate":
        return len(wins) / len(kept)
    efficiencies = []
    for p in wins:
        t = (p["actions"] - (p["mistyped"] if how == "clean" else 0)) / p["ref"]
        if name.startswith("attempt"):
            t = p["attempts"]
        worth = (p["tries"] / t - 1) / (p["tries"] - 1)
        efficiencies.append(max(0.0, worth) if name.startswith("attempt") else worth)
    if name.endswith("norm_eff"):
        return mean(efficiencies)
    return fsum(efficiencies) / len(kept)


class Share:
    """A value from 0 to 1 that is a mean over a unit's episodes: its interval needs their number.

    `which`: '' = of a single thing, such as a rated rule.
    """

    def __init__(self, value: Value, which: str = "") -> None:
        self.value, self.which = value, which

    def __call__(self, unit: Unit) -> float | None:
        """Return the value."""
        return self.value(unit)

    def episodes(self, unit: Unit) -> int:
        """Return how many episodes, or stated answers, count."""
        plays = settled(unit, self.which) if self.which else []
        direct = unit["format"] == "direct"
        kept = [p for p in plays if (p["right"] is not None if direct else p["actions"] > 0)]
        return sum(not p["voided"] for p in kept) if self.which else 1


def scored(which: str, name: str, how: str = "") -> Value:
    """Return the function that gives a score of a unit, see `score`."""

    def value(unit: Unit) -> float | None:
        return score(unit, which, name, how)

    return value if name.endswith("norm_eff") else Share(value, which)


def ecsr(which: str) -> Value:
    """Return the function that gives a unit's ECSR."""
    return scored(which, "ecsr")


def accuracy(unit: Unit) -> float | None:
    """Return the share of right stated answers."""
    if unit["format"] != "direct":
        return None
    plays = [p for p in settled(unit, "all") if p["right"] is not None and not p["voided"]]
    return mean(float(p["right"]) for p in plays)


ACCURACY = Share(accuracy, "all")


# ---------------------------------------------------------------- intervals and tests


def drawn(players: int, settings: Row) -> Iterator[Any]:
    """Yield how often each player is drawn, (rows, players): the same draws for every figure."""
    random = np.random.default_rng(settings["seed"])
    left = settings["replicates"]
    while left:
        rows = min(left, max(1, 250_000 // max(1, players)))
        picks = random.integers(0, players, (rows, players))
        yield np.stack([np.bincount(one, minlength=players) for one in picks]).astype(float)
        left -= rows


def beta_below(x: float, a: float, b: float) -> float:
    """Return the share of a beta distribution below x, by its continued fraction."""
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_below(1 - x, b, a)
    steps = [1.0]
    for m in range(250):
        steps.append(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)))
        steps.append((m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2)))
    value = 0.0
    for step in reversed(steps):
        value = step / (1 + value)
    scale = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)
    return exp(scale) * value / a


def student(freedom: float) -> float:
    """Return the 97.5 % point of Student's t."""
    low, high = 1.0, 13.0
    while low < (t := (low + high) / 2) < high:
        if beta_below(freedom / (freedom + t * t), freedom / 2, 0.5) > 0.05:
            low = t
        else:
            high = t
    return high


def reach_of(totals: Any, signs: list[float]) -> tuple[float, float] | None:
    """Return how much replicates vary too little, and Student's t; None = too few players.

    totals: (2, samples, players), sums and numbers of values. Replicates vary too little, as a
    variance that is divided by n and not by n - 1 does; and Student's t is due, with Welch's
    degrees of freedom, or with those of all players together if they are fewer.
    """
    own, naive, wide, spread = np.zeros(totals.shape[2]), 0.0, 0.0, 0.0
    for s, c, sign in zip(*totals, signs, strict=True):
        whole = c.sum()
        variance = sign**2 * (((s - c * s.sum() / whole) / whole) ** 2).sum()
        n = whole**2 / (c**2).sum()
        if n < 1 + 1e-6:
            return None
        naive, wide = naive + variance, wide + variance * n / (n - 1)
        spread += (variance * n / (n - 1)) ** 2 / (n - 1)
        own += variance * c / whole
    if not naive:
        return 1.0, 1.959963984540054
    freedom = float(min(wide**2 / spread, naive**2 / (own**2).sum() - 1))
    return None if freedom < 9 - 1e-6 else (float(wide / naive) ** 0.5, student(freedom))


def interval(figure: Row, replicates: Any, reach: float | None) -> Row:
    """Add the interval of the replicates that leaves out Phi(-reach), or why there is none."""
    good = replicates[~np.isnan(replicates)]
    if len(replicates) - len(good) > 0.05 * len(replicates):
        reason = "too few players: more than 5 % of the replicates are undefined"
        return {**figure, "reason": reason}
    tail = erfc((reach or 1.959963984540054) / 2**0.5) / 2
    low, high = np.quantile(good, [tail, 1 - tail])
    if high - low < 1e-12:
        return {**figure, "reason": "no variance: no interval"}
    if reach is None:
        return {**figure, "reason": "too few players: an interval needs 10"}
    return {**figure, "low": float(low), "high": float(high)}


def figure_of(value: float | None, players: int, units: int, reason: str = "") -> Row:
    """Return a value without an interval (yet)."""
    found = {"value": value, "low": None, "high": None}
    return {**found, "reason": reason, "players": players, "units": units}


def unknown(figure: Row) -> Row:
    """Return a figure whose interval cannot be recomputed here."""
    return {**figure, "low": SKIPPED, "high": SKIPPED, "reason": SKIPPED}


def made_up(rates: list[float], settings: Row) -> Any:
    """Return how many units of 0 and of 1 replicates have besides, (replicates, 2, samples).

    If nearly everyone succeeds, few failures are seen, so half an episode that is lost and half a
    one that is won are made up: a Poisson number of units, from numbers below a million.
    """
    random = np.random.default_rng(settings["seed"] + 1)
    at = random.integers(0, 1_000_000, (len(rates), 2, settings["replicates"]))
    found = np.zeros(at.shape)
    for place, rate in enumerate(rates):
        below, chance, count = 0.0, exp(-rate), 0
        while (below := below + chance * 1_000_000) < 999_999.999:
            found[place] += at[place] >= below
            count += 1
            chance *= rate / count
    return found.transpose(2, 1, 0)


def combined(
    samples: list[Pairs], signs: list[float], settings: Row, rates: Sequence[float] = ()
) -> Row:
    """Return sum of sign x mean of each sample, with its interval over players.

    rates: units that are made up, on average, of 0 and of 1 in each sample; none = no such units.
    """
    players = list(dict.fromkeys(player for pairs in samples for player, _ in pairs))
    means = [mean(value for _, value in pairs) for pairs in samples]
    units = sum(map(len, samples))
    known = [one for one in means if one is not None]
    if len(known) < max(1, len(means)):
        return figure_of(None, len(players), units, "no data")
    value = fsum(sign * one for sign, one in zip(signs, known, strict=True))
    found = figure_of(value, len(players), units)
    if len(players) == 1:
        return {**found, "reason": "one player: no interval"}
    if np is None:
        return unknown(found)
    place = {player: at for at, player in enumerate(players)}
    sums = np.zeros((2, len(samples), len(players)))
    for at, pairs in enumerate(samples):
        for player, one in pairs:
            sums[0, at, place[player]] += one
            sums[1, at, place[player]] += 1

    def replicates(more: Any) -> Any:
        parts, done = [], 0
        for times in drawn(len(players), settings):
            extra = more[done : done + len(times)]
            done += len(times)
            with np.errstate(invalid="ignore", divide="ignore"):
                size = times @ sums[1].T + extra.sum(axis=1)
                ratios = (times @ sums[0].T + extra[:, 1]) / size
            parts.append((ratios * np.array(signs)).sum(axis=1))
        return np.concatenate(parts)

    reach = reach_of(sums, signs)
    none = np.zeros((settings["replicates"], 2, len(samples)))
    made = interval(found, replicates(none), None if reach is None else reach[0] * reach[1])
    if made["low"] is None or reach is None or not rates or not all(rates):
        return made
    return interval(found, replicates(made_up(list(rates), settings)), reach[1])


def pairs_of(units: Iterable[Unit], value: Value) -> Pairs:
    """Return (player, value) of the units that have the value."""
    found = ((unit["player"], value(unit)) for unit in units)
    return [(player, one) for player, one in found if one is not None]


def mean_of(units: Sequence[Unit], value: Value, settings: Row) -> Row:
    """Return the mean over units with its interval."""
    return combined([pairs_of(units, value)], [1.0], settings, [rate_of(units, value)])


def rate_of(units: Iterable[Unit], value: Value) -> float:
    """Return how many units of 0, and of 1, are made up: half an episode; 0 = none."""
    known = [unit for unit in units if isinstance(value, Share) and value(unit) is not None]
    each = [value.episodes(unit) for unit in known] if isinstance(value, Share) else []
    return len(known) / sum(each) / 2 if known else 0.0


def total_of(tasks: dict[str, list[Unit]], value: Value, settings: Row) -> Row:
    """Return the mean of the tasks' means; nothing if some task has no value."""
    samples = {task: pairs_of(units, value) for task, units in tasks.items()}
    rates = [rate_of(units, value) for units in tasks.values()]
    signs = [1 / len(samples)] * len(samples)
    found = combined(list(samples.values()), signs, settings, rates)
    missing = [task for task, pairs in samples.items() if not pairs]
    if 0 < len(missing) < len(samples):
        return {**found, "reason": f"no value in {', '.join(missing)}"}
    return found


def sign_test(differences: list[float], seed: int) -> tuple[int, float | None, Any]:
    """Return pairs, mean difference and two-sided p of the sign-permutation test."""
    n, total = len(differences), fsum(differences)
    if not n:
        return 0, None, None
    least = abs(total) - 1e-12 * fsum(map(abs, differences))
    if n <= 10:
        sums = [0.0]
        for one in differences:
            sums = [base + sign * one for base in sums for sign in (1, -1)]
        return n, total / n, sum(abs(one) >= least for one in sums) / 2**n
    if np is None:
        return n, total / n, SKIPPED
    signs = 1 - 2 * np.random.default_rng(seed).integers(0, 2, (5000, n))
    hits = int((np.abs(signs @ np.array(differences)) >= least).sum())
    return n, total / n, (1 + hits) / 5001


def tested(differences: list[float], tests: int, seed: int) -> list[Any]:
    """Return pairs, mean difference, p, number of tests and p times that number."""
    n, middle, p = sign_test(differences, seed)
    adjusted = p if p is None or p is SKIPPED else min(1.0, p * tests)
    return [n, middle, p, tests, adjusted]


def spearman(points: list[tuple[str, float, float]], settings: Row) -> Row:
    """Return Spearman's rho with its interval; a player is drawn with all their points."""
    players = list(dict.fromkeys(player for player, _, _ in points))
    x, y = [p[1] for p in points], [p[2] for p in points]
    n = len(points)
    if n < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        reason = "fewer than 2 points" if n < 2 else "x or y does not vary"
        return figure_of(None, len(players), n, reason)
    found = figure_of(rho(x, y), len(players), n)
    if len(players) == 1:
        return {**found, "reason": "one player: no interval"}
    if np is None:
        return unknown(found)
    place = {player: at for at, player in enumerate(players)}
    owner = [place[player] for player, _, _ in points]
    parts = [rhos(x, y, times[:, owner]) for times in drawn(len(players), settings)]
    size = n**2 / sum(owner.count(at) ** 2 for at in place.values())
    reach = None if size < 10 - 1e-6 else (size / (size - 1)) ** 0.5 * student(size - 1)
    return interval(found, np.concatenate(parts), reach)


def rho(x: list[float], y: list[float]) -> float:
    """Return the correlation of the mean ranks."""
    a, b = ranks(x), ranks(y)
    middle = (len(x) + 1) / 2
    both = fsum((v - middle) * (u - middle) for v, u in zip(a, b, strict=True))
    squares = [fsum((v - middle) ** 2 for v in one) for one in (a, b)]
    return float(both / (squares[0] * squares[1]) ** 0.5)


def ranks(values: list[float]) -> list[float]:
    """Return the ranks; equal values share their mean rank."""
    ordered = sorted(values)
    first = {value: at for at, value in reversed(list(enumerate(ordered, 1)))}
    last = {value: at for at, value in enumerate(ordered, 1)}
    return [(first[value] + last[value]) / 2 for value in values]


def rhos(x: list[float], y: list[float], times: Any) -> Any:
    """Return rho of each row, each point taken `times` (rows, points) times; NaN if undefined."""
    sides = []
    for values in (np.array(x), np.array(y)):
        order = np.argsort(values, kind="stable")
        ends = np.flatnonzero(np.append(np.diff(values[order]), 1.0) > 0)
        upto = np.cumsum(times[:, order], axis=1)[:, ends]
        below = np.hstack([np.zeros((len(times), 1)), upto[:, :-1]])
        group = np.searchsorted(values[order][ends], values)
        rank = ((below + upto + 1) / 2)[:, group]
        size = times.sum(axis=1, keepdims=True)
        sides.append(rank - (times * rank).sum(axis=1, keepdims=True) / size)
    a, b = sides
    spread = (times * a * a).sum(axis=1) * (times * b * b).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (times * a * b).sum(axis=1) / np.sqrt(spread)
    return np.where(spread > 1e-9, found, np.nan)


# ---------------------------------------------------------------- groups of units


def in_order(names: Iterable[str], known: tuple[str, ...]) -> list[str]:
    """Return known names in their order, then the others by alphabet."""
    found = set(names)
    return [one for one in known if one in found] + sorted(found - set(known))


def by_task(units: Iterable[Unit]) -> dict[str, list[Unit]]:
    """Return task -> units, the paper's tasks first."""
    found: dict[str, list[Unit]] = defaultdict(list)
    for unit in units:
        found[unit["task"]].append(unit)
    return {task: found[task] for task in in_order(found, TASKS)}


def condition(unit: Unit) -> tuple[str, str]:
    """Return lexicon and coverage."""
    return unit["lexicon"], unit["coverage"]


def conditions(units: Iterable[Unit]) -> list[tuple[str, str]]:
    """Return the conditions of units, the paper's first."""
    return sorted({condition(u) for u in units}, key=lambda c: (c != ("semantic", "1"), c))


def people_of(units: list[Unit]) -> tuple[int, int]:
    """Return the numbers of players and of units."""
    return len({unit["player"] for unit in units}), len(units)


def levels(tasks: dict[str, list[Unit]]) -> list[tuple[str, list[str], int]]:
    """Return (name, its tasks, number of tests) of each task, each family and the total."""
    family = {task: units[0]["family"] for task, units in tasks.items()}
    names = in_order(family.values(), FAMILIES)
    own = {name: [task for task in tasks if family[task] == name] for name in names}
    found = [(task, [task], len(own[family[task]])) for task in tasks]
    found += [(name, own[name], len(names)) for name in names]
    return [*found, ("Total", list(tasks), 1)] if len(tasks) > 1 else found


def bots_of(groups: Iterable[list[Unit]], which: str) -> list[float] | None:
    """Return each bot's expected ECSR: over a unit's episodes, a task's units, the tasks."""
    tasks = []
    for group in groups:
        units = []
        for unit in group:
            if ecsr(which)(unit) is not None:
                rows = [p["floors"] for p in settled(unit, which) if p["counts"]]
                if None in rows:
                    return None
                units.append([fsum(one) / len(rows) for one in zip(*rows, strict=True)])
        if units:
            tasks.append([fsum(one) / len(units) for one in zip(*units, strict=True)])
    return [fsum(one) / len(tasks) for one in zip(*tasks, strict=True)] if tasks else None


def best_floor(bots: list[float], groups: Iterable[list[Unit]]) -> float:
    """Return the best bot that does not work out the rule; without demonstrations, the prior."""
    expected = dict(zip(BOTS, bots, strict=True))
    if all(unit["coverage"] == "0" for group in groups for unit in group):
        return expected["prior"]
    return max(expected[bot] for bot in FLOORS)


def marks(groups: Iterable[list[Unit]], which: str) -> list[float | None]:
    """Return best floor and ceiling (inducer)."""
    groups = list(groups)
    bots = bots_of(groups, which)
    return [None, None] if bots is None else [best_floor(bots, groups), bots[1]]


def layout(study: Study) -> Callable[[Unit], Any]:
    """Return the key of variants that differ only in their words."""

    def fixed(value: Any) -> Any:
        return tuple(map(fixed, value)) if isinstance(value, list) else value

    def key(unit: Unit) -> Any:
        row = study.variants.get(unit["variant_hash"])
        if row is None:
            return unit["task"], int(unit["seed"]), None
        variant = json.loads(row["content"])
        cells = {one["name"]: fixed(one["cell"]) for one in variant["entities"]}
        shown = tuple(cells[one["entity"]] for one in variant["demonstrations"])
        parts = fixed(variant["grid"]), fixed(variant["gen_cells"]), shown
        return unit["task"], int(unit["seed"]), parts

    return key


def same_variant(unit: Unit) -> Any:
    """Return the key of units of the same variant."""
    return unit["task"], int(unit["seed"]), unit["variant_hash"]


def means_by(units: list[Unit], value: Value, key: Callable[[Unit], Any]) -> dict[Any, float]:
    """Return key -> mean of its units."""
    found: dict[Any, list[float]] = defaultdict(list)
    for unit in units:
        one = value(unit)
        if one is not None:
            found[key(unit)].append(one)
    return {name: fsum(values) / len(values) for name, values in found.items()}


def paired(left: Side, right: Side, key: Callable[[Unit], Any]) -> list[float]:
    """Return left - right of every pair, in the order of the keys' Python text."""
    ours, theirs = means_by(*left, key), means_by(*right, key)
    return [ours[one] - theirs[one] for one in sorted(set(ours) & set(theirs), key=repr)]


def contrast(left: Side, right: Side, settings: Row, key: Callable[[Unit], Any]) -> Iterator[Any]:
    """Yield (name, left units by task, right ones, both figures and their difference, test)."""
    ours, theirs = (
        by_task(u for u in units if value(u) is not None) for units, value in (left, right)
    )
    shared = {task: units for task, units in ours.items() if task in theirs}
    for name, tasks, tests in levels(shared):
        one, other = ({task: side[task] for task in tasks} for side in (ours, theirs))
        samples = [
            pairs_of(side[task], value)
            for task in tasks
            for side, value in ((one, left[1]), (other, right[1]))
        ]
        signs = [1 / len(tasks), -1 / len(tasks)] * len(tasks)
        figures = [
            total_of(one, left[1], settings),
            total_of(other, right[1], settings),
            combined(samples, signs, settings),
        ]
        flat = [[unit for group in side.values() for unit in group] for side in (one, other)]
        pairs = paired((flat[0], left[1]), (flat[1], right[1]), key)
        yield name, one, other, figures, tested(pairs, tests, settings["seed"])


# ---------------------------------------------------------------- the tables

Rows = list[list[Any]]


def baseline(study: Study, which: str) -> Rows:
    """Return the human baseline."""
    names = [("success_rate", ""), ("norm_eff", ""), ("ecsr", ""), ("ecsr", "missing")]
    names += [("attempt_norm_eff", ""), ("attempt_ecsr", "")]
    names += [("norm_eff", "clean"), ("ecsr", "clean")]
    values: list[Value] = [scored(which, name, how) for name, how in names]
    values.append(Share(study.main_rv))
    rows: Rows = []
    for here in conditions(study.played()):
        units = [u for u in study.played() if condition(u) == here]
        units = [u for u in units if ecsr(which)(u) is not None]
        tasks = by_task(units)
        for task, own in tasks.items():
            figures = [mean_of(own, value, study.settings) for value in values]
            rows.append([*here, task, *people_of(own), *figures, *marks([own], which)])
        if len(tasks) > 1:
            figures = [total_of(tasks, value, study.settings) for value in values]
            beside = marks(tasks.values(), which)
            rows.append([*here, "Total", *people_of(units), *figures, *beside])
    return rows


def floors(study: Study, which: str) -> Rows:
    """Return ECSR beside every bot's."""
    rows: Rows = []
    for here in conditions(study.played()):
        units = [u for u in study.played() if condition(u) == here]
        tasks = by_task(u for u in units if ecsr(which)(u) is not None)
        lines = [(task, {task: own}) for task, own in tasks.items()]
        lines += [("Total", tasks)] if len(tasks) > 1 else []
        for name, groups in lines:
            found = total_of(groups, ecsr(which), study.settings)
            bots = bots_of(groups.values(), which)
            if bots is None:
                rows.append([*here, name, found, *[None] * 9])
                continue
            best, low = best_floor(bots, groups.values()), found["low"]
            beaten = low if low is None or low is SKIPPED else low > best
            rows.append([*here, name, found, *bots, best, beaten])
    return rows


def rv(study: Study) -> Rows:
    """Return RV by kind of rating."""
    kinds, rows = ("judge", "human", "final"), []
    for here in conditions(study.played()):
        units = [u for u in study.played() if condition(u) == here and u["rv"] is not None]
        for task, own in by_task(units).items():
            unrated = sum(all(u["rv"].get(kind) is None for kind in kinds) for u in own)
            figures = [
                mean_of(own, Share(lambda u, p=place, k=kind: u[p].get(k)), study.settings)  # type: ignore[misc]
                for place in ("rv", "rv_first")
                for kind in kinds
            ]
            rows.append([*here, task, len(own), unrated, *figures])
    return rows


def relation_points(study: Study) -> Rows:
    """Return RV and ECSR of each player in each task."""
    rows: Rows = []
    for here in conditions(study.played()):
        units = [u for u in study.played() if condition(u) == here]
        rated = [u for u in units if study.main_rv(u) is not None]
        for place, person in enumerate(study.people, 1):
            mine = [u for u in rated if u["player"] == person["participant_id"]]
            for task, own in by_task(mine).items():
                values = (study.main_rv, ecsr("first"), ecsr("all"))
                x, first, whole = (mean(v for _, v in pairs_of(own, one)) for one in values)
                if whole is not None:
                    rows.append([f"p{place}", *here, task, own[0]["family"], x, first, whole])
    return rows


def relation(study: Study) -> Rows:
    """Return Spearman's rho of RV and ECSR."""
    points, rows = relation_points(study), []
    for here in dict.fromkeys((row[1], row[2]) for row in points):
        for at, which in ((6, "first"), (7, "all")):
            known = [row for row in points if (row[1], row[2]) == here and row[at] is not None]
            for family in ("all", *in_order({row[4] for row in known}, FAMILIES)):
                own = [
                    (row[0], round(row[5], 10), round(row[at], 10))
                    for row in known
                    if family in ("all", row[4])
                ]
                found = spearman(own, study.settings)
                counts = found["players"], found["units"]
                rows.append([*here, LABEL[which], family, *counts, found])
    return rows


def quantile(values: list[float], share: float) -> float | None:
    """Return a quantile, linear between ranks."""
    if not values:
        return None
    ordered, place = sorted(values), share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def time(study: Study) -> Rows:
    """Return seconds per episode."""
    limit, rows = study.settings["idle_minutes"] * 60_000, []
    for here in conditions(study.played()):
        units = [u for u in study.played() if condition(u) == here]
        for task, own in (*by_task(units).items(), ("Total", units)):
            for which, label in LABEL.items():
                plays = [
                    p
                    for unit in own
                    for p in settled(unit, which)
                    if p["state"] != "open" and not p["voided"] and p["duration_ms"] is not None
                ]
                durations = [(number(p["duration_ms"]), p["episode_id"]) for p in plays]
                kept = [ms / 1000 for ms, name in durations if study.gaps.get(name, ms) <= limit]
                if plays:
                    counts = [len(kept), len(plays) - len(kept)]
                    marks_ = [quantile(kept, share) for share in (0.5, 0.25, 0.75)]
                    rows.append([*here, task, label, *counts, *marks_])
    return rows


def learning(study: Study) -> Rows:
    """Return results by position of the block and of the episode."""
    rows: Rows = []

    def add(here: tuple[str, str], over: str, place: int, own: list[Unit], rv_: Value) -> None:
        values: list[Value] = [scored("all", "success_rate"), ecsr("all"), rv_]
        figures = [mean_of(own, value, study.settings) for value in values]
        if rv_ is nothing:
            figures[2] = figure_of(None, 0, 0, "no data")
        rows.append([*here, over, place, *people_of(own), *figures, *marks([own], "all")])

    for here in conditions(study.played()):
        units = [u for u in study.played() if condition(u) == here]
        units = [u for u in units if ecsr("all")(u) is not None]
        for place in sorted({int(u["block_index"]) for u in units}):
            own = [u for u in units if int(u["block_index"]) == place]
            add(here, "worlds", place, own, Share(study.main_rv))
        for place in sorted({p["index"] for u in units for p in u["plays"]}):
            alone = [{**u, "plays": [p for p in u["plays"] if p["index"] == place]} for u in units]
            own = [u for u in alone if ecsr("all")(u) is not None]
            if own:
                add(here, "episodes", place, own, nothing)
    return rows


def nothing(_unit: Unit) -> float | None:
    """Return no value."""
    return None


def dropouts(study: Study) -> Rows:
    """Return how many people reached each page and ended there."""
    ended: dict[tuple[int, int, float, bool], Counter[str]] = defaultdict(Counter)
    for person in study.people:
        page = ERASED if person["is_erased"] else person["page"]
        found = re.fullmatch(r"w(\d+)(?:-g(\d+))?(-rule)?", page)
        at = (PAGES.index("world" if found else page), 0, 0.0, False)
        if found:
            world, guardian, rule = found.groups()
            at = (at[0], int(world), float(guardian or "inf"), bool(rule))
        ended[at][person["state"]] += 1
    left, rows = sum(sum(one.values()) for one in ended.values()), []
    for at in sorted(ended):
        states = dict(ended[at])
        still, finished = states.pop("active", 0), states.pop("finished", 0)
        told = ", ".join(f"{state} {count}" for state, count in sorted(states.items()))
        name = PAGES[at[0]]
        if name == "world":
            guardian = f", guardian {at[2]:.0f}" if at[2] < inf else ""
            name = f"world {at[1]}{guardian}{': rule' if at[3] else ''}"
        name = {"questions": "questions before", "last_forms": "last forms"}.get(name, name)
        rows.append([name, left, sum(states.values()), still, told])
        left -= sum(states.values()) + still + finished
    return rows


def format_gap(study: Study) -> Rows:
    """Return direct accuracy - ECSR."""
    rows: Rows = []
    for here in conditions(study.units):
        own = [u for u in study.units if condition(u) == here]
        sides = [[u for u in own if u["format"] == kind] for kind in ("direct", "episodic")]
        left, right = (sides[0], ACCURACY), (sides[1], ecsr("all"))
        for name, _, other, figures, test in contrast(left, right, study.settings, same_variant):
            rows.append([*here, name, *figures, *test, *marks(other.values(), "all")])
    return rows


def lexicon(study: Study) -> Rows:
    """Return semantic - nonce."""
    rows, units, key = [], study.played(), layout(study)
    measures: tuple[tuple[str, Value], ...] = (("ECSR", ecsr("all")), ("RV", Share(study.main_rv)))
    for label, value in measures:
        for _, share in conditions(u for u in units if u["lexicon"] == "semantic"):
            sides = [
                ([u for u in units if condition(u) == (words, share)], value)
                for words in ("semantic", "nonce")
            ]
            for name, one, other, figures, test in contrast(
                sides[0], sides[1], study.settings, key
            ):
                beside: list[float | None] = [None] * 4
                if label == "ECSR":
                    beside = [*marks(one.values(), "all"), *marks(other.values(), "all")]
                rows.append([label, share, name, *figures, *test, *beside])
    return rows


def coverage(study: Study) -> Rows:
    """Return results by coverage, with what the demonstrations give away."""
    rows: Rows = []
    units = [u for u in study.played() if ecsr("all")(u) is not None]
    for words in sorted({u["lexicon"] for u in units}, key=lambda one: (one != "semantic", one)):
        for task, played in by_task(u for u in units if u["lexicon"] == words).items():
            for share in COVERAGES:
                own = [u for u in played if u["coverage"] == share]
                if own:
                    values = (ecsr("first"), ecsr("all"), Share(study.main_rv))
                    figures = [mean_of(own, value, study.settings) for value in values]
                    cells = [*people_of(own), *figures, *proofs_of(study, own)]
                    rows.append([words, task, share, *cells, *marks([own], "all")])
    return rows


def proofs_of(study: Study, units: list[Unit]) -> list[float | None]:
    """Return mean contextual bias and share determined; None if a variant is not in the bundle."""
    found = [study.variants.get(unit["variant_hash"]) for unit in units]
    return [
        None if None in found else mean(number(row[name]) for row in found if row)
        for name in ("contextual_bias", "share_determined")
    ]


def published() -> dict[str, dict[str, list[float]]]:
    """Return measure -> name -> the paper's means by task."""
    found: dict[str, dict[str, list[float]]] = defaultdict(dict)
    for line in PAPER.split("\n"):
        if line:
            measure, name, values = line.split("|")
            found[measure][name] = [float(one) for one in values.split()]
    return found


def paper(_study: Study) -> Rows:
    """Return the paper's table with averages and the lead of its people."""
    rows: Rows = []
    for measure, means in published().items():
        rows += [[measure, name, *own, mean(own)] for name, own in means.items()]
        models = [name for name in means if name != "Humans"]
        best = means[max(models, key=lambda name: fsum(means[name]))]
        lead = [one - other for one, other in zip(means["Humans"], best, strict=True)]
        rows.append([measure, "Lead", *lead, mean(lead)])
    return rows


def against_paper(study: Study) -> Rows:
    """Return this study's people minus the published means."""
    rows: Rows = []
    units = [u for u in study.played() if condition(u) == ("semantic", "1")]
    known = by_task(u for u in units if u["task"] in TASKS)
    met = by_task(u for u in units if u["task"] in TASKS and ecsr("first")(u) is not None)
    beside = {task: marks([own], "first") for task, own in met.items()}
    beside["Average"] = marks(met.values(), "first")
    for measure, means in published().items():
        value = ecsr("first") if measure == "ECSR" else Share(study.main_rv)
        own = {task: us for task, us in known.items() if pairs_of(us, value)}
        figures = {task: mean_of(us, value, study.settings) for task, us in own.items()}
        if len(own) > 1:
            figures["Average"] = total_of(own, value, study.settings)
        for name, values in means.items():
            by_name = dict(zip(TASKS, values, strict=True))
            for task, figure in figures.items():
                names = own if task == "Average" else [task]
                theirs = fsum(by_name[one] for one in names) / len(names)
                gap = {
                    key: one - theirs if isinstance(one, float) else one
                    for key, one in figure.items()
                }
                two = beside.get(task, [None, None]) if measure == "ECSR" else [None, None]
                rows.append([measure, name, task, figure, theirs, gap, *two])
    return rows


def model_units(study: Study) -> dict[str, list[Unit]]:
    """Return model -> its results as units."""
    family = {row["task"]: row["family"] for row in (*study.variants.values(), *study.blocks)}
    found: dict[Any, Unit] = {}
    names = ("model", "task", "seed", "lexicon", "coverage", "format", "variant_hash")
    for row in read("model_result"):
        key = tuple(row[name] for name in names)
        by_name = "procedural" if row["task"].startswith("P-") else "attribute"
        new = {"family": family.get(row["task"]) or by_name, "rv": None, "player": row["model"]}
        unit = found.setdefault(key, {**{name: row[name] for name in names}, **new, "plays": []})
        limit = number(row["ref_length"]) * number(row["n_tries"])
        unit["plays"].append(
            {
                "index": int(row["episode_index"]),
                "state": "won" if row["success"] else "lost",
                "actions": min(number(row["actions_used"]), limit),
                "mistyped": 0.0,
                "attempts": 1.0,
                "voided": False,
                "in_play": False,
                "ref": number(row["ref_length"]),
                "tries": number(row["n_tries"]),
                "right": row["success"] if row["format"] == "direct" else None,
            }
        )
        if row["rv"] is not None:
            unit["rv"] = number(row["rv"])
    explained(found.values(), study.kind)
    models: dict[str, list[Unit]] = defaultdict(list)
    for unit in found.values():
        models[unit["model"]].append(unit)
    return {model: models[model] for model in sorted(models)}


def explained(units: Iterable[Unit], kind: str) -> None:
    """Give each model's unit without an RV of its own that of its rated explanations."""
    rv, known = ratings(), defaultdict(list)
    for row in read("item"):
        one = rv.get(row["item_id"], {}).get(kind)
        if row["item_kind"] == "model" and one is not None:
            is_direct = row["item_id"].endswith("/direct")
            known[row["source"], row["variant_hash"], is_direct].append(one)
    for unit in units:
        key = unit["model"], unit["variant_hash"], unit["format"] == "direct"
        if unit["rv"] is None:
            unit["rv"] = mean(known[key])


def played_runs() -> dict[str, Row]:
    """Return label -> run, of the runs that played."""
    return {row["label"]: row for row in read("model_run") if row["kind"] == "play"}


def models_points(study: Study) -> Rows:
    """Return RV and ECSR of each model in each task."""
    rows: Rows = []
    for model, units in model_units(study).items():
        for here in conditions(units):
            own = [u for u in units if condition(u) == here and u["rv"] is not None]
            for task, rated in by_task(u for u in own if ecsr("all")(u) is not None).items():
                rv_, whole = (
                    mean(u["rv"] for u in rated),
                    mean(number(ecsr("all")(u)) for u in rated),
                )
                rows.append([model, *here, task, rated[0]["family"], rv_, whole])
    return rows


def models_relation(study: Study) -> Rows:
    """Return Spearman's rho of models' RV and ECSR."""
    points, rows = models_points(study), []
    for here in dict.fromkeys((row[1], row[2]) for row in points):
        known = [row for row in points if (row[1], row[2]) == here]
        for family in ("all", *in_order({row[4] for row in known}, FAMILIES)):
            own = [row for row in known if family in ("all", row[4])]
            x, y = ([round(row[at], 10) for row in own] for at in (5, 6))
            found = rho(x, y) if len(set(x)) > 1 and len(set(y)) > 1 else None
            rows.append([*here, family, len({row[0] for row in own}), len(own), found])
    return rows


def models_coverage(study: Study) -> Rows:
    """Return each model's ECSR and RV by coverage."""
    rows: Rows = []
    for model, units in model_units(study).items():
        own = [u for u in units if ecsr("all")(u) is not None]
        for words in sorted({u["lexicon"] for u in own}, key=lambda one: (one != "semantic", one)):
            for task, played in by_task(u for u in own if u["lexicon"] == words).items():
                for share in COVERAGES:
                    here = [u for u in played if u["coverage"] == share]
                    if here:
                        values: list[Value] = [ecsr("all"), lambda unit: unit["rv"]]
                        found = [mean(v for _, v in pairs_of(here, one)) for one in values]
                        proved = proofs_of(study, here)
                        rows.append([model, words, task, share, len(here), *found, *proved])
    return rows


METHODS = ("react", "hr", "idea", "ace")
Groups = dict[tuple[str, str], dict[str, list[Unit]]]  # (model, preset) -> method -> units


def method_groups(study: Study) -> Groups:
    """Return (model, preset) -> method -> units of its runs."""
    runs = played_runs()
    groups: Groups = defaultdict(lambda: defaultdict(list))
    for label, units in model_units(study).items():
        if label in runs:
            run = runs[label]
            for unit in units:
                unit["base"] = run["model"]
            groups[run["model"], run["preset"]][run["method"]] += units
    return groups


def methods(study: Study) -> Rows:
    """Return each method's ECSR minus that of plain prompting."""
    groups, rows = method_groups(study), []

    def own_variant(unit: Unit) -> Any:
        return unit["base"], same_variant(unit)

    for name in sorted(groups):
        for method in METHODS:
            own = groups[name]
            sides = own[method], own["plain"]
            rows += method_rows(study, (*name, method), sides, same_variant)
    for preset in sorted({preset for _, preset in groups}):
        all_own = [groups[name] for name in sorted(groups) if name[1] == preset]
        for method in METHODS:
            both = [one for one in all_own if one["plain"] and one[method]]
            if len(both) > 1:
                after, plain = ([u for one in both for u in one[m]] for m in (method, "plain"))
                head = "all models", preset, method
                rows += method_rows(study, head, (after, plain), own_variant)
    return rows


def method_rows(
    study: Study, head: tuple[str, str, str], sides: tuple[list[Unit], list[Unit]], key: Any
) -> Rows:
    """Return the rows of a method against plain prompting."""
    rows: Rows = []
    settings = {**study.settings, "replicates": 1}
    after, plain = ([u for u in one if u["format"] == "episodic"] for one in sides)
    for here in conditions(plain) if after else []:
        left, right = ([u for u in side if condition(u) == here] for side in (after, plain))
        both = (left, ecsr("all")), (right, ecsr("all"))
        for level, _, _, figures, test in contrast(*both, settings, key):
            new, old, change = (one["value"] for one in figures)
            rows.append([*head, *here, level, old, new, change, *test])
    return rows


def models_cost(study: Study) -> Rows:
    """Return what each run used, beside its scores."""
    rows, units = [], model_units(study)
    for label, run in played_runs().items():
        for here in conditions(units.get(label, [])):
            own = [u for u in units[label] if condition(u) == here]
            values: list[Value] = [ecsr("all"), lambda unit: unit["rv"], accuracy]
            scores = []
            for value in values:
                tasks = by_task(u for u in own if value(u) is not None)
                scores.append(
                    mean(number(mean(v for _, v in pairs_of(g, value))) for g in tasks.values())
                )
            used = [
                int(number(run[name])) for name in ("calls", "prompt_tokens", "completion_tokens")
            ]
            named = [int(run["run"]), label, run["method"], run["preset"], *here]
            plays = sum(len(u["plays"]) for u in own)
            cost = None if run["cost"] is None else float(run["cost"])
            rows.append([*named, plays, *scores, *used, cost])
    return rows


def parity(study: Study) -> Rows:
    """Return whether each model got the words that people got."""
    people, versions, languages = defaultdict(set), set(), set()
    for row in read("episode"):
        if row["kind"] == "main" and not row["is_test"]:
            languages |= {row["language"]} if row.get("language") else set()
            key = row["variant_hash"], int(row["variant_episode"]), row["format"]
            people[key].add(row.get("words_hash") or "")
            versions |= {int(row["design_version"])} if row.get("design_version") else set()
    known: dict[str, dict[Any, str]] = defaultdict(dict)
    source = {row["model"]: row["source"] or "" for row in read("model_result")}
    for row in read("model_result"):
        key = row["variant_hash"] or "", int(row["episode_index"]) - 1, row["format"]
        known[row["model"]][key] = ""
    for row in read("model_episode"):
        key = row["variant_hash"], int(row["variant_episode"]), row["format"]
        known[row["label"]][key] = row["words_hash"] or ""
    runs = {row["label"]: row for row in read("model_run")}
    rows: Rows = []
    for label in sorted(known):
        own, run = known[label], runs.get(label)
        shared = sorted(key for key in own if key in people)
        proved = [key for key in shared if own[key] and "" not in people[key]]
        same = sum(people[key] == {own[key]} for key in proved)
        other, unknown = len(proved) - same, len(shared) - len(proved)
        verdict = "other words" if other else "not proved" if unknown else "same words"
        facts = [int(run["run"]) if run else None, ", ".join(map(str, sorted(versions)))]
        facts += [", ".join(sorted(languages)), int(run["design_version"]) if run else None]
        counts = [len(own), len(shared), same, other, unknown]
        verdict = verdict if shared else "no shared episode"
        code = study.settings["metric_code"]
        both = [[sorted(people[key]) for key in shared], [[own[key]] for key in shared]]
        ends = [verdict, code, *map(digest_of, both)]
        rows.append([label, source.get(label, ""), *facts, *counts, *ends])
    return rows


def digest_of(words: list[list[str]]) -> str:
    """Return the SHA-256 of hashes, one line per episode; '' if one is missing, or without any."""
    if not words or "" in {one for hashes in words for one in hashes}:
        return ""
    return hashlib.sha256("\n".join(" ".join(one) for one in words).encode()).hexdigest()


def models(study: Study) -> Rows:
    """Return this study's people minus imported models."""
    measures: tuple[tuple[str, str, Value, Value], ...] = (
        ("ECSR", "first", ecsr("first"), ecsr("all")),
        ("ECSR", "all", ecsr("all"), ecsr("all")),
        ("RV", "all", Share(study.main_rv), lambda unit: unit["rv"]),
        ("direct", "all", ACCURACY, ACCURACY),
    )
    rows: Rows = []
    for model, units in model_units(study).items():
        for measure, which, ours, theirs in measures:
            kind = "direct" if measure == "direct" else "episodic"
            left = [u for u in study.units if u["format"] == kind and ours(u) is not None]
            right = [u for u in units if u["format"] == kind and theirs(u) is not None]
            for here in conditions(left):
                sides = [[u for u in side if condition(u) == here] for side in (left, right)]
                for name, groups, cells in beside_model(sides, ours, theirs, study.settings):
                    two = marks(groups, which) if measure == "ECSR" else [None, None]
                    rows.append([model, measure, which, *here, name, *cells, *two])
    return rows


def beside_model(
    sides: list[list[Unit]], ours: Value, theirs: Value, settings: Row
) -> Iterator[tuple[str, list[list[Unit]], list[Any]]]:
    """Yield name, people's units by task, and the cells of the comparison with a model."""
    left, right = sides
    shared = {u["variant_hash"] for u in left} & {u["variant_hash"] for u in right}

    def key(unit: Unit) -> Any:
        return unit["variant_hash"] if shared else unit["task"]

    known = means_by(right, theirs, key)
    tasks = by_task(u for u in left if key(u) in known)
    for name, names, tests in levels(tasks):
        own = {task: tasks[task] for task in names}
        figures = [
            total_of(own, ours, settings),
            total_of(own, lambda u: known[key(u)], {**settings, "replicates": 1})["value"],
            total_of(own, lambda u: (ours(u) or 0.0) - known[key(u)], settings),
        ]
        flat = [unit for group in own.values() for unit in group]
        met = [u for u in right if shared and u["task"] in names]
        pairs = paired((flat, ours), (met, theirs), lambda unit: unit["variant_hash"])
        label = "same" if shared else "other"
        yield name, list(own.values()), [label, *figures, *tested(pairs, tests, settings["seed"])]


def models_format_gap(study: Study) -> Rows:
    """Return each model's direct accuracy - ECSR."""
    rows: Rows = []
    for model, units in model_units(study).items():
        for here in conditions(units):
            own = [u for u in units if condition(u) == here]
            sides = [[u for u in own if u["format"] == kind] for kind in ("direct", "episodic")]
            left, right = (sides[0], ACCURACY), (sides[1], ecsr("all"))
            for name, _, _, figures, test in contrast(left, right, study.settings, same_variant):
                rows.append([model, *here, name, *(one["value"] for one in figures), *test])
    return rows


def signs(study: Study) -> Rows:
    """Return the baseline with and without people with signs of automation."""
    seen = {
        row["participant_id"]: [sign for sign in SIGNS if row.get(f"sign_{sign}")]
        for row in read("sign")
    }
    values: list[Value] = [scored("all", name) for name in ("success_rate", "norm_eff", "ecsr")]
    values.append(Share(study.main_rv))
    rows: Rows = []
    for here in conditions(study.played()) if seen else []:
        units = [u for u in study.played() if condition(u) == here]
        units = [u for u in units if ecsr("all")(u) is not None]
        having = {
            sign: {u["player"] for u in units if sign in seen.get(u["player"], ())}
            for sign in SIGNS
        }
        groups: dict[str, set[str]] = {"everyone": set()}
        groups["without anyone with a sign"] = {one for who in having.values() for one in who}
        groups |= {f"without {SIGNS[sign]}": who for sign, who in having.items() if who}
        for name, dropped in groups.items():
            kept = [u for u in units if u["player"] not in dropped]
            tasks = by_task(kept)
            figures = [
                total_of(tasks, value, study.settings)
                if len(tasks) > 1
                else mean_of(kept, value, study.settings)
                for value in values
            ]
            rows.append([*here, name, len(dropped), *people_of(kept), *figures])
    return rows


TABLES: dict[str, Callable[[Study], Rows]] = {
    "baseline_first": lambda study: baseline(study, "first"),
    "baseline_all": lambda study: baseline(study, "all"),
    "floors_first": lambda study: floors(study, "first"),
    "floors_all": lambda study: floors(study, "all"),
    "rv": rv,
    "relation": relation,
    "relation_points": relation_points,
    "time": time,
    "learning": learning,
    "dropouts": dropouts,
    "format_gap": format_gap,
    "lexicon": lexicon,
    "coverage": coverage,
    "against_paper": against_paper,
    "models": models,
    "models_format_gap": models_format_gap,
    "models_relation": models_relation,
    "models_points": models_points,
    "models_coverage": models_coverage,
    "methods": methods,
    "models_cost": models_cost,
    "parity": parity,
    "signs": signs,
    "paper": paper,
}

# ---------------------------------------------------------------- comparing


def flat(row: list[Any]) -> list[Any]:
    """Return a row with figures as their parts, in a fixed order."""
    parts = ("value", "low", "high", "reason", "players", "units")
    return [
        value
        for one in row
        for value in ([one[part] for part in parts] if isinstance(one, dict) else [one])
    ]


class Comparison:
    """What differs in one table, and what could not be recomputed."""

    def __init__(self, name: str, made: Rows, stored: Rows) -> None:
        self.largest, self.values, self.skipped = 0.0, 0, 0
        self.wrong: list[str] = []
        if len(made) != len(stored):
            self.wrong.append(f"{name}: {len(made)} rows recomputed, {len(stored)} in the report")
        for at, (one, other) in enumerate(zip(made, stored, strict=False), 1):
            ours, theirs = flat(one), flat(other)
            if len(ours) != len(theirs):
                self.wrong.append(f"{name}, row {at}: {len(ours)} values, not {len(theirs)}")
            for mine, given in zip(ours, theirs, strict=False):
                self.compare(f"{name}, row {at}", mine, given)

    def compare(self, place: str, mine: Any, given: Any) -> None:
        """Compare one value."""
        if mine is SKIPPED:
            self.skipped += 1
            return
        self.values += 1
        if isinstance(mine, (int, float)) and isinstance(given, (int, float)):
            gap = abs(mine - given)
            self.largest = max(self.largest, gap)
            if gap <= TOLERANCE and isinstance(mine, bool) == isinstance(given, bool):
                return
        elif mine == given or (mine is None and given == ""):
            return
        self.wrong.append(f"{place}: recomputed {mine!r}, in the report {given!r}")


def shown(value: Any) -> Any:
    """Return a value for a CSV cell; a text that a spreadsheet would run gets an apostrophe."""
    if value is SKIPPED:
        return "?"
    risky = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r", "\n")
    return f"'{value}" if risky else value


def write(folder: Path, table: Row, made: Rows) -> None:
    """Write a recomputed table as CSV."""
    folder.mkdir(parents=True, exist_ok=True)
    heads = []
    for column in table["columns"]:
        heads.append(column["name"])
        if column["kind"] == "figure":
            parts = ("low", "high", "reason", "players", "units")
            heads += [f"{column['name']}_{part}" for part in parts]
    with (folder / f"{table['name']}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(heads)
        writer.writerows([[shown(value) for value in flat(row)] for row in made])


def main(words: list[str]) -> int:
    """Recompute and compare; return the exit status."""
    out = Path(words.pop(words.index("--out") + 1)) if "--out" in words[:-1] else None
    words = [word for word in words if word != "--out"]
    if len(words) != 1:
        print(__doc__)
        return 2
    path = Path(words[0])
    report = json.loads((path / "report.json" if path.is_dir() else path).read_text("utf-8"))
    study = Study(report["settings"])
    stored = {table["name"]: table for table in report["tables"]}
    wrong = [f"{name}: not in the report" for name in TABLES if name not in stored]
    wrong += [f"{name}: this program does not know it" for name in stored if name not in TABLES]
    skipped = 0
    for name, make in TABLES.items():
        if name in stored:
            made = make(study)
            found = Comparison(name, made, stored[name]["rows"])
            skipped += found.skipped
            wrong += found.wrong
            left = f", {found.skipped} not recomputed" if found.skipped else ""
            print(
                f"{name}: {len(made)} rows, {found.values} values, largest difference "
                f"{found.largest:.1e}{left}"
            )
            if out is not None:
                write(out, stored[name], made)
    if skipped:
        print(f"{skipped} values of intervals and drawn p need NumPy: pip install numpy")
    print(*wrong[:50], sep="\n")
    print(f"{len(wrong)} differences" if wrong else "Everything recomputed is equal.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
