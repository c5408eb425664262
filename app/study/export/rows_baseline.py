"""Rows of baseline: units (a participant's block) with their scores, as a stream."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from app.scoring import plays
from app.scoring.efficiency import UnitMetrics
from app.scoring.plays import Play
from app.scoring.rv import SOURCES, UNRATED, Rv
from app.store.base import AnyRow
from app.store.export import dump, dump_figures
from app.study.design.sources import of_variant
from app.study.export.row_keys import place
from app.study.export.rows_rated import rv_of_items
from app.study.export.source import Facts, Source
from app.study.people import analysed
from app.study.play.plays import play_of

BESIDE = ("clean_norm_eff", "clean_ecsr", "finished_success_rate", "finished_ecsr")
SCORES = ("success_rate", "norm_eff", "ecsr", "attempt_norm_eff", "attempt_ecsr")


def baseline(source: "Source") -> Iterator["Facts"]:
    """Yield the units: a participant's blocks with their scores."""
    rv = rv_of_items(source)
    rows = dump.rows(source.db, dump_figures.units(source.scope))
    for _, group in groupby(rows, attrgetter("block_id")):
        yield unit(source, list(group), rv)


def unit(source: "Source", rows: Sequence[AnyRow], rv: Mapping[str, Rv]) -> "Facts":
    """Return one unit. Episodes in progress are neither won nor failed, so they do not count."""
    row, own = rows[0], [play_of(one) for one in rows]
    left_out = analysed.left_out(
        is_test=row.is_test,
        state=row.person_state,
        excluded=row.excluded,
        has_episode=bool(row.has_episode),
    )
    here = place(row)
    facts = {
        **source.who(row),
        **here,
        "analysed": not left_out,
        "left_out": left_out,
        "voided": sum(one.voided for one in own),
        "source": of_variant(source.variant(row.variant_hash)),
        **(stated(own) if row.format == plays.DIRECT else figures(own)),
    }
    none = facts["figure_reason"] == analysed.NO_EPISODE
    main = source.study.spec.options.main_rv
    return {**facts, **rv_facts(row, here["block_id"], {} if none else rv, main, none=none)}


def figures(own: Sequence[Play]) -> dict[str, Any]:
    """Return the scores of a played unit."""
    every, firsts = plays.settled(own), plays.settled(own, plays.FIRST)
    whole = plays.metrics(every)
    reason = "" if whole else analysed.NO_EPISODE
    return {
        **unit_scores(whole, ""),
        **unit_scores(plays.metrics(firsts), "first_"),
        **beside(every, ""),
        **beside(firsts, "first_"),
        "episodes": whole.episodes if whole else 0,
        "successes": whole.successes if whole else 0,
        "unfinished": whole.unfinished if whole else 0,
        "figure_reason": reason or ("" if whole and whole.successes else "no_success"),
    }


def unit_scores(metrics: UnitMetrics | None, prefix: str) -> dict[str, Any]:
    """Return a unit's scores under their column names, empty without an episode."""
    return {prefix + name: metrics and getattr(metrics, name) for name in SCORES}


def beside(own: Sequence[Play], prefix: str) -> dict[str, Any]:
    """Return the scores of episodes without mistyped commands, and with unfinished ones missing."""
    clean, finished = plays.metrics(own, clean=True), plays.metrics(own, unfinished="missing")
    made = (
        clean and clean.norm_eff,
        clean and clean.ecsr,
        finished and finished.success_rate,
        finished and finished.ecsr,
    )
    return {prefix + name: value for name, value in zip(BESIDE, made, strict=True)}


def stated(own: Sequence[Play]) -> dict[str, Any]:
    """Return the figures of the direct format: the share of right answers, nothing else."""
    every, firsts = plays.settled(own), plays.settled(own, plays.FIRST)
    answered = plays.answered(every)
    names = (*SCORES, *BESIDE)
    return {
        **dict.fromkeys((*names, *(f"first_{name}" for name in names))),
        "success_rate": plays.accuracy(every),
        "first_success_rate": plays.accuracy(firsts),
        "episodes": len(answered),
        "successes": sum(answered),
        "unfinished": 0,
        "figure_reason": "direct_format" if answered else analysed.NO_EPISODE,
    }


def rv_facts(
    row: AnyRow, block_id: str, rv: Mapping[str, Rv], main: str, *, none: bool
) -> dict[str, Any]:
    """Return the RV columns of a unit: of its last explanation, and of its first.

    `none`: no episode of the block counts, so it is no unit, and has no RV.
    """

    def of(after: int | None) -> Rv:
        return UNRATED if after is None else rv.get(f"{block_id}-r{after + 1}", UNRATED)

    last, first = of(row.last_after), of(row.first_after)
    value = last.of(main)
    unrated = analysed.NO_EPISODE if none else "not_rated"
    reason = "no_explanation" if row.last_after is None else unrated
    return {
        "rv": value,
        "rv_source": main,
        **{f"rv_{name}": last.of(name) for name in SOURCES},
        **{f"first_rv_{name}": first.of(name) for name in SOURCES},
        "rv_reason": "" if value is not None else reason,
    }
