"""Alpha with its intervals and data hash: the result object shared by page, CSV and JSON."""

from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from app.progress import Track, untracked
from app.scoring import bootstrap, manyvalues, smoothing
from app.scoring.agreement import (
    FEW_UNITS,
    PAIR,
    Alpha,
    Weighting,
    alpha,
    alphas,
    scores,
    unit_coincidences,
)
from app.scoring.bootstrap import Block, Interval, NoInterval, Over, Units
from app.scoring.longrows import Floats, Ratings
from app.scoring.manyvalues import Level


@dataclass(frozen=True, slots=True)
class Result:
    """A coefficient, its intervals over items and over clusters, and the data's hash."""

    found: Alpha
    interval: Interval | NoInterval
    cluster_interval: Interval | NoInterval
    data_hash: str

    def to_dict(self) -> dict[str, Any]:
        """Return the result object ready for JSON: unrounded, null where undefined."""
        document = asdict(self.found)
        document["n_raters"] = len(self.found.raters)
        document["counts"] = [
            {"value": value, "count": count}
            for value, count in zip(self.found.domain, self.found.counts, strict=True)
        ]
        document["Do"], document["De"] = document.pop("observed"), document.pop("expected")
        document |= interval_fields("interval", self.interval)
        document |= interval_fields("cluster_interval", self.cluster_interval)
        document["data_hash"] = self.data_hash
        return document


def interval_fields(name: str, found: Interval | NoInterval) -> dict[str, Any]:
    """Return an interval, or null and the reason, as fields of a document."""
    if isinstance(found, Interval):
        return {name: asdict(found), f"{name}_reason": None}
    return {name: None, f"{name}_reason": asdict(found)}


def result(
    ratings: Ratings,
    level: Level,
    *,
    weighting: Weighting = "none",
    replicates: int = 0,
    seed: int = 1,
    clusters: bool = True,
    track: Track = untracked,
) -> Result:
    """Return alpha with intervals from `replicates` bootstrap draws (0 = no intervals).

    `clusters` False leaves out the interval over clusters. `track` reports the draws.
    """
    found = alpha(ratings, level, weighting=weighting)
    refused = refusal(found, replicates)
    if refused is not None:
        return Result(found, refused, refused, ratings.hash())
    kept = np.bincount(ratings.item, minlength=len(ratings.items)) >= PAIR
    units = Units(ratings.stratum[kept], ratings.cluster[kept])
    weight = np.ones(int(kept.sum())) if weighting == "none" else ratings.weight[kept]
    replicated = _fine_alphas if manyvalues.is_fine(ratings) else _dense_alphas

    def over(kind: Over) -> Interval | NoInterval:
        draws = _Draws(units, replicates, seed, kind, track)
        values = replicated(ratings, found, weighting, weight, draws)
        drawn = len(weight) if kind == "items" else len(np.unique(units.clusters))
        reach = bootstrap.reach_of(units, weight, kind)
        made = bootstrap.percentile(values, found.alpha, kind, seed, drawn, reach)
        smooth = weighting != "none" and replicated is _dense_alphas
        if smooth and isinstance(made, Interval):
            return replace(made, method=smoothing.METHOD)
        return made

    reason = units.cluster_reason
    reason = reason if clusters else "no interval over clusters was requested"
    second = NoInterval("clusters", reason) if reason else over("clusters")
    return Result(found, over("items"), second, ratings.hash())


class _Draws(NamedTuple):
    """What is drawn: replicates of units, over items or clusters."""

    units: Units
    number: int
    seed: int
    over: Over
    track: Track


def _dense_alphas(
    ratings: Ratings, found: Alpha, weighting: Weighting, weight: Floats, draws: _Draws
) -> Floats:
    """Return alpha (B,) of each replicate, from tables of values x values.

    If units are weighted, the draws are smoothed as in the report of a round.
    """
    counts, units = ratings.counts(), draws.units
    counts = counts[counts.sum(1) >= PAIR]
    if weighting != "none":
        counts, units, weight = smoothing.of_counts(counts, units, weight)
    block = Block(unit_coincidences(counts), weight)
    drawn = bootstrap.replicates([block], *draws._replace(units=units))[0]
    return table_alphas(drawn, found, weighting)


def _fine_alphas(
    ratings: Ratings, found: Alpha, weighting: Weighting, weight: Floats, draws: _Draws
) -> Floats:
    """Return the same without such tables."""
    entries = manyvalues.entries(ratings, found.level)
    values = None if weighting == "frequency" else float(found.n_pairable_values)
    parts = [
        manyvalues.alphas(entries, weights, values)
        for _, weights in bootstrap.unit_weights(weight, *draws)
    ]
    return np.concatenate(parts)


def table_alphas(totals: Floats, found: Alpha, weighting: Weighting) -> Floats:
    """Return alpha (B,) of replicated coincidences (B, V * V), rescaled as `weighting` says."""
    values = len(found.domain)
    table = totals.reshape(-1, values, values)
    if weighting != "frequency":
        mass = table.sum((1, 2), keepdims=True)
        table = table * (found.n_pairable_values / np.where(mass > 0, mass, 1.0))
    return alphas(table, scores(found.domain, found.level), found.level)


def refusal(found: Alpha, replicates: int) -> NoInterval | None:
    """Return why a coefficient gets no interval, or None."""
    if found.alpha is None:
        return NoInterval("undefined", "alpha is undefined, so it has no interval")
    if found.observed == 0:
        return NoInterval("not_estimable", "not estimable: the raters never disagree")
    if found.n_pairable < FEW_UNITS:
        return NoInterval(
            "too_few_units", f"{found.n_pairable} units are too few (fewer than {FEW_UNITS})"
        )
    if not replicates:
        return NoInterval("not_asked", "no bootstrap was requested")
    return None
