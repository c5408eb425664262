"""Turn stored rows into export rows with the columns of columns.py, as a stream."""

from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from typing import Any

from app.store.base import AnyRow
from app.store.export import dump, dump_figures, dump_logs, dump_models, dump_rated
from app.store.export.dump import Scope
from app.study.export import (
    rows_baseline,
    rows_figures,
    rows_logs,
    rows_models,
    rows_play,
    rows_rated,
    summary,
)
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.source import Facts, Source


def streamed(
    query: Callable[[Scope], Any], make: Callable[[Source, AnyRow], Facts]
) -> Callable[[Source], Iterator[Facts]]:
    """Return a function that streams a query's rows through another function."""

    def stream(source: Source) -> Iterator[Facts]:
        for row in dump.rows(source.db, query(source.scope)):
            yield make(source, row)

    return stream


STREAMS: Mapping[str, Callable[[Source], Iterator[Facts]]] = {
    "participant": streamed(dump.participants, rows_play.participant),
    "block": streamed(dump.blocks, rows_play.block),
    "episode": streamed(dump.episodes, rows_play.episode),
    "timing": rows_figures.timing,
    "answer": rows_play.answers,
    "explanation": streamed(dump.all_explanations, rows_play.explanation),
    "baseline": rows_baseline.baseline,
    "summary": summary.rows,
    "variant": rows_figures.variants,
    "flow": rows_figures.flow,
    "item": rows_rated.items,
    "sample": rows_rated.plain(dump_rated.samples),
    "rating": rows_rated.ratings,
    "adjudication": rows_rated.decisions,
    "judge": rows_rated.with_words(dump_rated.judged, "problem", "raw"),
    "model_result": rows_rated.results,
    "process": rows_logs.process,
    "seat": rows_logs.seats,
    "hand": rows_logs.hands,
    "note": rows_logs.notes,
    "problem": rows_logs.problems,
    "model_run": rows_models.runs,
    "model_episode": rows_models.episodes,
    "model_turn": rows_models.turns,
    "model_call": rows_models.calls,
    "sign": rows_logs.signs,
    "pause": rows_logs.pauses,
}
COUNTED: Mapping[str, Callable[[Scope], Any]] = {
    "participant": dump.participants,
    "block": dump.blocks,
    "episode": dump.episodes,
    "turn": dump.all_turns,
    "timing": dump.plays,
    "answer": dump.all_answers,
    "explanation": dump.all_explanations,
    "baseline": dump_figures.unit_blocks,
    "variant": dump_figures.variants,
    "item": dump_rated.items,
    "sample": dump_rated.samples,
    "rating": dump_rated.ratings,
    "adjudication": dump_rated.adjudications,
    "judge": dump_rated.judged,
    "model_result": dump_rated.results,
    "process": dump_logs.process,
    "seat": dump_logs.seats,
    "hand": dump_logs.hands,
    "note": dump_logs.notes,
    "problem": dump_logs.problems,
    "model_run": dump_models.runs,
    "model_episode": dump_models.episodes,
    "model_turn": dump_models.turns,
    "model_call": dump_models.calls,
    "pause": dump_rated.pauses,
}


def rows_of(source: Source, table: str) -> Iterator[list[Any]]:
    """Stream a table's rows; values are str, int, float, bool, datetime or None."""
    if table == "turn":
        yield from rows_play.turns(source)
        return
    values = itemgetter(*(column.name for column in EXPORT_COLUMNS[table]))
    for facts in STREAMS[table](source):
        yield list(values(facts))


def count_of(source: Source, table: str) -> int | None:
    """Return a table's number of rows as counted by the database, or None for computed tables."""
    query = COUNTED.get(table)
    return None if query is None else dump.count(source.db, query(source.scope))
