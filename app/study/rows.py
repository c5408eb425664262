"""Stored rows -> rows of an export, in the columns of columns.py. Streams; keeps nothing."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection

from app.game.certify import describe_output
from app.game.command import UNDERSTOOD
from app.game.model import Variant
from app.progress import Track, untracked
from app.scoring.efficiency import attempt_norm_eff, norm_eff, t_of
from app.store import dump, dump_figures, dump_logs, dump_rated
from app.store.base import AnyRow
from app.store.dump import Scope
from app.study import (
    analysed,
    flow,
    release,
    rows_baseline,
    rows_figures,
    rows_logs,
    rows_rated,
    stops,
    summary,
    verify,
)
from app.study.columns import EXPORT_COLUMNS
from app.study.library import Library
from app.study.rows_place import place, spot
from app.study.studies import StudyView

Facts = Mapping[str, Any]  # column -> value; None = missing
FREE_TEXT = ("text", "comment")
HELD_BACK = "yes"  # in the place of a researcher's reason, which is not shared
MILLISECOND = timedelta(milliseconds=1)


class Source:
    """What the rows are made from: one snapshot, one study, the scope, the stored variants."""

    def __init__(
        self,
        db: Connection,
        study: StudyView,
        scope: Scope,
        *,
        shareable: bool = False,
        track: Track = untracked,
    ) -> None:
        self.db, self.study, self.scope, self.track = db, study, scope, track
        ids = release.ids_of(db, study.id) if shareable else release.NO_IDS
        self.gate = release.Gate(shareable=shareable, ids=ids)
        self.library, self.versions = Library(), dump.versions(db, study.id)
        self._wrong: set[int] | None = None

    def rows(self, table: str) -> Iterator[list[Any]]:
        """Stream a table's rows; values are str, int, float, bool, datetime or None."""
        if table == "turn":
            yield from turns(self)
            return
        values = itemgetter(*(column.name for column in EXPORT_COLUMNS[table]))
        for facts in STREAMS[table](self):
            yield list(values(facts))

    def count(self, table: str) -> int | None:
        """Return how many rows a table has, counted by the database; None: it has no say."""
        query = COUNTED.get(table)
        return None if query is None else dump.count(self.db, query(self.scope))

    def replays(self, episode_id: int) -> bool:
        """Tell whether an episode's stored turns are what the engine says (verify, once)."""
        if self._wrong is None:
            self._wrong = verify.wrong_episodes(self.db, self.study.id, self.track)
        return episode_id not in self._wrong

    def spot(self, row: AnyRow) -> Facts:
        """Return the columns that say whose episode it is, and which."""
        return {**self.who(row), **spot(row)}

    def variant(self, name: str) -> Variant:
        """Return a stored variant."""
        return self.library.variant(self.db, name)

    def kind_of(self, design_id: int, phase: str, question: str) -> str:
        """Return the kind of a question; free text where the design does not know it."""
        if phase == "comprehension":
            return "choice"
        spec = self.library.spec(self.db, design_id).questions
        asked = spec.before if phase == "before" else spec.after
        known = {one.key: one.kind for one in asked}
        return known.get(question, "comment")

    def who(self, row: AnyRow) -> dict[str, Any]:
        """Return the columns that say whose row it is, and of which version where it is told."""
        facts = {
            "study": self.study.slug,
            "participant_id": row.public_id,
            "is_test": row.is_test,
        }
        if "design_id" in row._fields:
            facts["design_version"] = self.versions.get(row.design_id)
        return facts


def between(start: datetime | None, end: datetime | None) -> int | None:
    """Return the milliseconds between two times, if both are known."""
    return None if start is None or end is None else (end - start) // MILLISECOND


def participant(source: Source, row: AnyRow) -> Facts:
    """Return a person's row."""
    left_out = analysed.of_person(row)
    return {
        **row._asdict(),
        **source.who(row),
        "study_kind": source.study.kind,
        "duration_ms": between(row.consented_at, row.finished_at),
        "analysed": not left_out,
        "left_out": left_out,
        "is_erased": row.erased_at is not None,
        "page": "" if row.erased_at else page_of(source, row),
        "excluded": HELD_BACK if row.excluded and source.gate.shareable else row.excluded,
    }


def page_of(source: Source, row: AnyRow) -> str:
    """Return the page that a person stands before, or stood before when they left."""
    signs = {"before": row.asked_before, "comprehension": row.passed_check}
    done = [phase for phase, sign in signs.items() if sign]
    spot = None if row.open_block is None else (row.open_block, row.open_position)
    return stops.stop_of(row, source.library.spec(source.db, row.design_id), done, spot)


def block(source: Source, row: AnyRow) -> Facts:
    """Return a block's row."""
    variant = source.variant(row.variant_hash)
    task = variant.task
    return {
        **row._asdict(),
        **source.who(row),
        **place(row),
        "family": task.family,
        "form": task.form,
        "classes": task.n_class,
        "roles": task.n_role,
        "distractors": variant.distractors,
        "n_tries": task.n_tries,
    }


def episode(source: Source, row: AnyRow) -> Facts:
    """Return an episode's row, scores and replay included."""
    variant = source.variant(row.variant_hash)
    entity = variant.entity(row.entity)
    class_, role = entity.cell or (0, 0)
    started, ended = row.started_ms, row.ended_ms
    return {
        **row._asdict(),
        **source.who(row),
        **spot(row),
        **scores(row),
        "class": variant.classes[class_],
        "role": variant.roles[role],
        "answer": describe_output(variant, variant.episodes[row.variant_episode].output),
        "voided": row.voided_at is not None,
        "actions_used": row.turns,
        "duration_ms": None if started is None else ended - started,
        "replay_ok": source.replays(row.id),
    }


def scores(row: AnyRow) -> Facts:
    """Return an episode's scores; only ended ones have a success, only won ones an efficiency.

    The practice and the direct format have no efficiency.
    """
    won, ended = row.state == "won", row.state != "open"
    if row.kind != "main" or not ended or row.is_right is not None:
        success = won if ended else None
        return {"success": success, "t": None, "norm_eff": None, "attempt_norm_eff": None}
    used, length, tries = row.turns, row.ref_length, row.n_tries
    return {
        "success": won,
        "t": t_of(used, length),
        "norm_eff": norm_eff(used, length, tries) if won else None,
        "attempt_norm_eff": attempt_norm_eff(row.attempts, tries) if won else None,
    }


def turns(source: Source) -> Iterator[list[Any]]:
    """Stream the turns: the largest table, so rows are put together by place, not by name.

    What says which episode it is comes once an episode, since its turns come together; the rest of
    a stored row is in the order of the columns already (the columns of the log, then the version).
    """
    names = [column.name for column in EXPORT_COLUMNS["turn"]]
    first, raw = names.index("seq"), names.index("raw")
    episode_id, here = 0, list[Any]()
    for row in dump.rows(source.db, dump.all_turns(source.scope)):
        if row.id != episode_id:
            facts = source.spot(row)
            episode_id, here = row.id, [facts[name] for name in names[:first]]
            start, version = row._fields.index("seq"), facts["design_version"]
        made = [*here, *row[start:], version]
        if row.parse_status not in UNDERSTOOD and source.gate.hides(row.raw):
            made[raw] = ""
        yield made


def answer(source: Source, row: AnyRow) -> Facts:
    """Return the row of an answer to a question."""
    kind = source.kind_of(row.design_id, row.phase, row.question)
    facts = {**row._asdict(), **source.who(row), "kind": kind}
    if kind not in FREE_TEXT:
        held = (
            {"value": "", "text_reason": release.HOLDS_ID} if source.gate.hides(row.value) else {}
        )
        return {**facts, "release": "", "text_reason": "", **held}
    return {**facts, **source.gate.passes("answer", facts, row)}


def explanation(source: Source, row: AnyRow) -> Facts:
    """Return an explanation's row."""
    whole = row.after == flow.AFTER_BLOCK
    here = place(row)
    return {
        **row._asdict(),
        **source.gate.passes("explanation", row._asdict(), row),
        **source.who(row),
        **here,
        "episode_id": None if whole else f"{here['block_id']}-g{row.after + 1}",
        "episode_index": None if whole else row.after + 1,
        "explanation_id": f"{here['block_id']}-r{row.after + 1}",
        "asked": "after_block" if whole else "after_episode",
        "is_last": bool(row.is_last),
    }


def streamed(
    query: Callable[[Scope], Any], make: Callable[[Source, AnyRow], Facts]
) -> Callable[[Source], Iterator[Facts]]:
    """Return what streams the rows of a query through a function."""

    def stream(source: Source) -> Iterator[Facts]:
        for row in dump.rows(source.db, query(source.scope)):
            yield make(source, row)

    return stream


STREAMS: Mapping[str, Callable[[Source], Iterator[Facts]]] = {
    "participant": streamed(dump.participants, participant),
    "block": streamed(dump.blocks, block),
    "episode": streamed(dump.episodes, episode),
    "timing": rows_figures.timing,
    "answer": streamed(dump.all_answers, answer),
    "explanation": streamed(dump.all_explanations, explanation),
    "baseline": rows_baseline.baseline,
    "summary": summary.rows,
    "variant": rows_figures.variants,
    "flow": rows_figures.flow,
    "item": rows_rated.items,
    "sample": rows_rated.plain(dump_rated.samples),
    "rating": rows_rated.ratings,
    "adjudication": rows_rated.with_words(dump_rated.adjudications, "comment"),
    "judge": rows_rated.with_words(dump_rated.judged, "problem", "raw"),
    "model_result": rows_rated.results,
    "process": rows_logs.process,
    "seat": rows_logs.seats,
    "hand": rows_logs.hands,
    "note": rows_logs.notes,
    "problem": rows_logs.problems,
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
}
