"""Recompute coefficients.csv and blinding.csv from the raw ratings and guesses. Python 3.9+ alone.

Run it in this folder: python3 recompute.py
It prints one line per coefficient and exits with 1 if any differs by more than 1e-9.

It shares no code with hjstudy: hjstudy counts values in a matrix, this script loops over pairs.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-9
PAIR = 2
NAMES = ("set", "row", "level", "kind", "judge", "human")


def read(name: str) -> list[dict[str, str]]:
    """Return a CSV's rows."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def apart(c: float, k: float, of_value: dict[float, float], level: str) -> float:
    """Return the squared distance of two different values at a level of measurement."""
    if level == "nominal":
        return 1.0
    if level == "interval":
        return (c - k) ** 2
    if level == "ratio":
        return ((c - k) / (c + k)) ** 2
    between = sum(of_value[g] for g in of_value if min(c, k) <= g <= max(c, k))
    return (between - (of_value[c] + of_value[k]) / 2) ** 2


def alpha_of(units: dict[str, list[float]], weights: dict[str, float], level: str) -> float | None:
    """Return alpha of units (item -> values) with weights (item -> weight), None if undefined."""
    pairs: dict[tuple[float, float], float] = defaultdict(float)
    n = 0
    for item, values in units.items():
        m = len(values)
        if m >= PAIR:
            n += m
            for i in range(m):
                for j in range(m):
                    if i != j:
                        pairs[values[i], values[j]] += weights[item] / (m - 1)
    total = sum(pairs.values())
    of_value: dict[float, float] = defaultdict(float)
    for pair, mass in pairs.items():
        pairs[pair] = mass * n / total
        of_value[pair[0]] += pairs[pair]
    if len(of_value) < PAIR:
        return None

    def distance(c: float, k: float) -> float:
        return 0.0 if c == k else apart(c, k, of_value, level)

    seen = sum(mass * distance(c, k) for (c, k), mass in pairs.items()) / n
    chance = sum(of_value[c] * of_value[k] * distance(c, k) for c in of_value for k in of_value)
    return 1 - seen / (chance / (n * (n - 1)))


class Ratings:
    """The raw ratings and their strata."""

    def __init__(self) -> None:
        self.sizes = {one["stratum"]: float(one["population"]) for one in read("strata.csv")}
        self.stratum: dict[str, str] = {}
        self.given: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
        for one in read("scores.csv"):
            self.stratum[one["item"]] = one["stratum"]
            self.given[one["set"], one["rater"]][one["item"]] = float(one["value"])

    def alpha(self, row: str, level: str, columns: list[tuple[str, str]]) -> float | None:
        """Return alpha of some columns, each a (set, rater), at a level of measurement."""
        units: dict[str, list[float]] = defaultdict(list)
        for column in columns:
            for item, value in self.given.get(column, {}).items():
                units[item].append(value)
        usable = [item for item, values in units.items() if len(values) >= PAIR]
        numbers = Counter(self.stratum[item] for item in usable)
        weights = dict.fromkeys(usable, 1.0)
        if row == "pool":
            for item in usable:
                stratum = self.stratum[item]
                weights[item] = self.sizes[stratum] / numbers[stratum]
        return alpha_of(units, weights, level)

    def expected(self, one: dict[str, str]) -> float | None:
        """Return the coefficient named by a line of coefficients.csv."""
        humans = sorted(column for column in self.given if column[0] == one["set"])
        judge = ("judge", one["judge"])
        row, level = one["row"], one["level"]
        if one["kind"] == "human_human":
            return self.alpha(row, level, humans)
        if one["kind"] == "human_judge":
            return self.alpha(row, level, [(one["set"], one["human"]), judge])
        each = [self.alpha(row, level, [human, judge]) for human in humans]
        known = [value for value in each if value is not None]
        if not known or len(known) < len(each):
            return None
        mean = sum(known) / len(known)
        if one["kind"] == "mean_human_judge":
            return mean
        between = self.alpha(row, level, humans)
        return None if between is None else between - mean


def blinding(one: dict[str, str]) -> float | None:
    """Return the blinding index named by a line of blinding.csv."""
    kept = [row for row in read("guesses.csv") if one["rater"] in ("", row["rater"])]
    if one["index"] == "bang":
        own = [row["guess"] for row in kept if row["source"] == one["source"]]
        other = "model" if one["source"] == "person" else "person"
        return (own.count(one["source"]) - own.count(other)) / len(own) if own else None
    if len({row["source"] for row in kept}) < PAIR:
        return None
    known = [row for row in kept if row["guess"] != "unknown"]
    guesses = Counter(row["guess"] for row in known)
    sources = Counter(row["source"] for row in known)
    wrong = sum(row["guess"] != row["source"] for row in known)
    chance = guesses["person"] * sources["model"] + guesses["model"] * sources["person"]
    n, k = len(kept), len(known)
    apart = wrong * k * k / (n * chance) if chance else wrong / n
    return 1 - k / n + apart / 2


def compare(file: str, names: tuple[str, ...], expected: Callable[..., float | None]) -> int:
    """Print one line per value of a file; return how many differ."""
    wrong = 0
    for one in read(file):
        stated = float(one["value"]) if one["value"] else None
        found = expected(one)
        if stated is None or found is None:
            same = stated is None and found is None
        else:
            same = abs(stated - found) < TOLERANCE
        wrong += not same
        name = " ".join(one[part] for part in names if one[part])
        print("same   " if same else "DIFFERS", name, stated, found)
    return wrong


def main() -> int:
    """Compare; return the exit code."""
    wrong = compare("coefficients.csv", NAMES, Ratings().expected)
    wrong += compare("blinding.csv", ("index", "source", "rater"), blinding)
    print(wrong, "differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
