"""Rows of baseline: units (a person's block) with their figures. Streams; keeps one unit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any

from app.scoring.accuracy import unit_accuracy
from app.scoring.efficiency import (
    EpisodeResult,
    NoEpisodesError,
    Unfinished,
    UnitMetrics,
    unit_metrics,
)
from app.store.base import AnyRow
from app.store.export import dump, dump_figures
from app.study.export.row_keys import place
from app.study.export.rows_rated import UNRATED, Rv, rv_of_items
from app.study.export.source import Facts, Source
from app.study.people import analysed

NO_EPISODE = "no_episode"
BESIDE = ("clean_norm_eff", "clean_ecsr", "finished_success_rate", "finished_ecsr")
SCORES = ("success_rate", "norm_eff", "ecsr", "attempt_norm_eff", "attempt_ecsr")


def baseline(source: "Source") -> Iterator["Facts"]:
    """Yield the units: a person's block with its figures."""
    rv = rv_of_items(source)
    rows = dump.rows(source.db, dump_figures.units(source.scope))
    for _, group in groupby(rows, attrgetter("block_id")):
        yield unit(source, list(group), rv)


def unit(source: "Source", rows: Sequence[AnyRow], rv: Mapping[str, Rv]) -> "Facts":
    """Return one unit. Episodes still in play are neither won nor failed yet: they do not count."""
    row = rows[0]
    played = [one for one in rows if not (one.state == "open" and one.person_state == "active")]
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
        "voided": sum(one.voided_at is not None for one in rows),
        **(stated(played) if row.format == "direct" else figures(played)),
    }
    none = facts["figure_reason"] == NO_EPISODE
    main = source.study.spec.options.main_rv
    return {**facts, **rv_facts(row, here["block_id"], {} if none else rv, main, none=none)}


def figures(rows: Sequence[AnyRow]) -> dict[str, Any]:
    """Return the scores of a unit that was played."""
    whole = scored([result_of(row) for row in rows])
    firsts = [row for row in rows if row.position == 0]
    reason = "" if whole else NO_EPISODE
    return {
        **told(whole, ""),
        **told(scored([result_of(row) for row in firsts]), "first_"),
        **beside(rows, ""),
        **beside(firsts, "first_"),
        "episodes": whole.episodes if whole else 0,
        "successes": whole.successes if whole else 0,
        "unfinished": whole.unfinished if whole else 0,
        "figure_reason": reason or ("" if whole and whole.successes else "no_success"),
    }


def told(metrics: UnitMetrics | None, prefix: str) -> dict[str, Any]:
    """Return a unit's scores under their column names, empty without an episode."""
    return {prefix + name: metrics and getattr(metrics, name) for name in SCORES}


def beside(rows: Sequence[AnyRow], prefix: str) -> dict[str, Any]:
    """Return the scores of episodes without mistyped commands, and with unfinished ones missing."""
    clean = scored([clean_result(result_of(row), row) for row in rows])
    finished = scored([result_of(row) for row in rows], unfinished="missing")
    made = (
        clean and clean.norm_eff,
        clean and clean.ecsr,
        finished and finished.success_rate,
        finished and finished.ecsr,
    )
    return {prefix + name: value for name, value in zip(BESIDE, made, strict=True)}


def scored(
    results: Sequence[EpisodeResult], *, unfinished: Unfinished = "failure"
) -> UnitMetrics | None:
    """Score episodes, None if none counts."""
    try:
        return unit_metrics(results, unfinished=unfinished)
    except NoEpisodesError:
        return None


def result_of(row: AnyRow) -> EpisodeResult:
    """Return what scoring needs of a stored episode."""
    return EpisodeResult(
        success=row.state == "won",
        actions_used=row.turns,
        attempts=row.attempts or 0,
        ref_length=row.ref_length,
        n_tries=row.n_tries,
        finished=row.state != "open",
        voided=row.voided_at is not None,
    )


def clean_result(result: EpisodeResult, row: AnyRow) -> EpisodeResult:
    """Return a success without its mistyped commands; failures stay as they are."""
    if not result.success:
        return result
    return replace(result, actions_used=result.actions_used - row.mistyped)


def stated(rows: Sequence[AnyRow]) -> dict[str, Any]:
    """Return the figures of the direct format: the share of right answers, nothing else."""
    rights = [row.is_right for row in rows if row.voided_at is None]
    first = [row.is_right for row in rows if row.voided_at is None and row.position == 0]
    answered = [right for right in rights if right is not None]
    names = (*SCORES, *BESIDE)
    return {
        **dict.fromkeys((*names, *(f"first_{name}" for name in names))),
        "success_rate": share(rights),
        "first_success_rate": share(first),
        "episodes": len(answered),
        "successes": sum(answered),
        "unfinished": 0,
        "figure_reason": "direct_format" if answered else NO_EPISODE,
    }


def share(rights: Sequence[bool | None]) -> float | None:
    """Return the share of right answers, None without an answer."""
    try:
        return unit_accuracy(rights)
    except NoEpisodesError:
        return None


def rv_facts(
    row: AnyRow, block_id: str, rv: Mapping[str, Rv], main: str, *, none: bool
) -> dict[str, Any]:
    """Return the RV columns of a unit: of its last explanation, and of its first.

    `none`: no episode of the block counts, so it is no unit, and has no RV.
    """

    def of(after: int | None) -> Rv:
        return UNRATED if after is None else rv.get(f"{block_id}-r{after + 1}", UNRATED)

    last, first = of(row.last_after), of(row.first_after)
    value = getattr(last, main)
    unrated = NO_EPISODE if none else "not_rated"
    reason = "no_explanation" if row.last_after is None else unrated
    return {
        "rv": value,
        "rv_source": main,
        **{f"rv_{name}": getattr(last, name) for name in ("judge", "human", "final")},
        **{f"first_rv_{name}": getattr(first, name) for name in ("judge", "human", "final")},
        "rv_reason": "" if value is not None else reason,
    }
