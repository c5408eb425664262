"""Ratings as long rows `item, rater, value`: checked, coded as arrays, hashed.

The rows name the axes; a bare matrix is never accepted, since it might be transposed. A missing
value is the absence of a row.
"""

import hashlib
import json
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from app.errors import HjstudyError

Value = float | str
Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


class RatingsError(HjstudyError):
    """Rows that cannot be used; `place` is the number of the row or line."""

    code = "ratings/bad"

    def __init__(self, message: str, place: int = 0) -> None:
        super().__init__(message)
        self.place = place


class DoubleRatingError(RatingsError):
    """One rater has two values for one item."""

    code = "ratings/double"


class UnequalItemError(RatingsError):
    """The rows of one item differ in weight, stratum or cluster."""

    code = "ratings/unequal"


class BadValueError(RatingsError):
    """A value or weight that is not a number, not finite, or outside the scale."""

    code = "ratings/value"


@dataclass(frozen=True, slots=True)
class Row:
    """One rating. `weight`, `stratum` and `cluster` belong to the item, the same in each row."""

    item: str
    rater: str
    value: Value
    weight: float = 1.0
    stratum: str = ""
    cluster: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Long rows as arrays. R rows, U items, V values of the scale, in ascending order.

    `item`, `rater`, `value`: (R,) codes into `items`, `raters`, `domain`. `weight` (U,) > 0.
    `stratum`, `cluster`: (U,) codes into `strata`, `clusters`.
    """

    items: Sequence[str]
    raters: tuple[str, ...]
    domain: tuple[Value, ...]
    item: Ints
    rater: Ints
    value: Ints
    weight: Floats
    stratum: Ints
    strata: tuple[str, ...]
    cluster: Ints
    clusters: Sequence[str]

    def counts(self) -> Floats:
        """Return (U, V): how many raters gave item u the value v."""
        cells = len(self.items) * len(self.domain)
        if cells > MOST_CELLS:
            raise BadValueError(
                f"{len(self.items)} items x {len(self.domain)} different values are too many to "
                "count. Round the values to a coarser scale."
            )
        flat = np.bincount(self.item * len(self.domain) + self.value, minlength=cells)
        return flat.reshape(len(self.items), len(self.domain)).astype(np.float64)

    @property
    def weighted(self) -> bool:
        """Whether items count differently."""
        return bool(len(self.weight)) and bool(np.ptp(self.weight) > 0)

    def hash(self) -> str:
        """Return the SHA-256 (hex) of all rows, whatever their order."""
        rows = sorted(
            [
                self.items[i],
                self.raters[r],
                self.domain[v],
                float(self.weight[i]),
                self.strata[self.stratum[i]],
                self.clusters[self.cluster[i]],
            ]
            for i, r, v in zip(self.item, self.rater, self.value, strict=True)
        )
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


MOST_CELLS = 100_000_000
MOST_VALUE, LEAST_VALUE = 2**53, 1e-150
LEAST_WEIGHT, MOST_WEIGHT = 1e-100, 1e100


class _Numbers(Sequence[str]):
    """The names "0", "1", ..., made on demand, so that many items cost nothing."""

    def __init__(self, number: int) -> None:
        self._numbers = range(number)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        found = self._numbers[index]
        return str(found) if isinstance(found, int) else [str(number) for number in found]


def from_codes(item: Ints, rater: Ints, value: Ints, domain: Sequence[Value]) -> Ratings:
    """Make unweighted ratings from codes 0, 1, ...: the fast way for simulated or large data.

    Raises: DoubleRatingError; BadValueError: a value's code is outside the domain.
    """
    items, raters = (int(codes.max(initial=-1)) + 1 for codes in (item, rater))
    if len(value) and not (value.min() >= 0 and value.max() < len(domain)):
        raise BadValueError("A value's code is outside the domain.")
    pairs = np.bincount(item * raters + rater, minlength=1)
    if pairs.max() > 1:
        double = int(pairs.argmax())
        raise DoubleRatingError(f"Rater {double % raters} rated item {double // raters} twice.")
    return Ratings(
        items=_Numbers(items),
        raters=tuple(map(str, range(raters))),
        domain=tuple(domain),
        item=item,
        rater=rater,
        value=value,
        weight=np.ones(items),
        stratum=np.zeros(items, np.intp),
        strata=("",),
        cluster=np.arange(items),
        clusters=_Numbers(items),
    )


def from_rows(
    rows: Iterable[Row],
    *,
    domain: Collection[Value] = (),
    places: Sequence[int] | None = None,
    place: str = "row",
) -> Ratings:
    """Check rows and code them.

    Args:
        rows: in any order; values are all numbers (any level) or all text (nominal only).
        domain: the values of the scale, used or not; empty = those that occur.
        places: the number of each row, for messages (a file's lines); by default 1, 2, ...
        place: what such a number counts.

    Raises: DoubleRatingError, UnequalItemError, BadValueError: with the place in the message.
    """
    found = list(rows)
    numbers = places or range(1, len(found) + 1)
    first: dict[tuple[str, str], int] = {}
    of_item: dict[str, tuple[Row, int]] = {}
    for row, number in zip(found, numbers, strict=True):
        _check_row(row, domain, f"{place} {number}", number)
        earlier = first.setdefault((row.item, row.rater), number)
        if earlier != number:
            raise DoubleRatingError(
                f"{place} {number}: rater {row.rater} already has a value for item {row.item} "
                f"({place} {earlier}). Keep one of them.",
                number,
            )
        known, known_at = of_item.setdefault(row.item, (row, number))
        _check_same(row, known, f"{place} {number}", f"{place} {known_at}", number)
    return _code(found, [row for row, _ in of_item.values()], domain)


def _code(rows: Sequence[Row], items: Sequence[Row], domain: Collection[Value]) -> Ratings:
    values = set(domain) | {row.value for row in rows}
    if len({isinstance(value, str) for value in values}) > 1:
        raise BadValueError("Some values are numbers and some are text; use one kind.")
    scale = sorted(values)
    names = {
        "rater": sorted({row.rater for row in rows}),
        "stratum": sorted({row.stratum for row in items}),
        "cluster": sorted({row.cluster for row in items}),
    }
    at = {kind: {name: n for n, name in enumerate(known)} for kind, known in names.items()}
    at_item = {row.item: n for n, row in enumerate(items)}
    at_value = {value: n for n, value in enumerate(scale)}
    return Ratings(
        items=tuple(row.item for row in items),
        raters=tuple(names["rater"]),
        domain=tuple(_plain(value) for value in scale),
        item=np.array([at_item[row.item] for row in rows], np.intp),
        rater=np.array([at["rater"][row.rater] for row in rows], np.intp),
        value=np.array([at_value[row.value] for row in rows], np.intp),
        weight=np.array([row.weight for row in items], np.float64),
        stratum=np.array([at["stratum"][row.stratum] for row in items], np.intp),
        strata=tuple(names["stratum"]),
        cluster=np.array([at["cluster"][row.cluster] for row in items], np.intp),
        clusters=tuple(names["cluster"]),
    )


def _plain(value: Value) -> Value:
    """Return whole numbers without a decimal point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _check_row(row: Row, domain: Collection[Value], place: str, number: int) -> None:
    if not row.item or not row.rater:
        raise RatingsError(f"{place}: name both item and rater.", number)
    if not isinstance(row.value, str):
        _check_number(row.value, place, number)
    if domain and row.value not in domain:
        raise BadValueError(f"{place}: {row.value} is not on the scale {sorted(domain)}.", number)
    if not LEAST_WEIGHT <= row.weight <= MOST_WEIGHT:  # NaN and infinity are not within either
        raise BadValueError(
            f"{place}: a weight must be a number above 0, from {LEAST_WEIGHT:g} to "
            f"{MOST_WEIGHT:g}.",
            number,
        )


def _check_number(value: float, place: str, number: int) -> None:
    """Refuse values whose differences or squares floats cannot hold."""
    if not math.isfinite(value):
        raise BadValueError(f"{place}: the value must be a finite number.", number)
    if abs(value) > MOST_VALUE:
        raise BadValueError(
            f"{place}: the value must be at most {MOST_VALUE:,}, as larger numbers cannot be told "
            "apart. Divide all values by the same number.",
            number,
        )
    if 0 < abs(value) < LEAST_VALUE:
        raise BadValueError(
            f"{place}: the value must be 0 or at least {LEAST_VALUE:g}. Multiply all values by the "
            "same number.",
            number,
        )


def _check_same(row: Row, known: Row, place: str, known_place: str, number: int) -> None:
    for field in ("weight", "stratum", "cluster"):
        mine, theirs = getattr(row, field), getattr(known, field)
        if mine != theirs:
            raise UnequalItemError(
                f"{place}: item {row.item} has {field} {mine} here and {theirs} in {known_place}; "
                f"an item has one {field}.",
                number,
            )
