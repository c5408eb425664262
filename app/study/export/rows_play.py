"""Rows of participants' data: participant, block, episode, turn, answer, explanation."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

from app.game.certify import describe_output
from app.game.command import UNDERSTOOD
from app.game.tiers import FLOORS
from app.scoring.plays import DIRECT, EpisodeScores, episode_scores
from app.store.base import AnyRow
from app.store.export import dump
from app.store.play.acted import UNREAD
from app.store.play.episodes import MAIN
from app.store.play.spots import Spots
from app.study.design.sources import of_variant, source_of
from app.study.export import release
from app.study.export.columns import EXPORT_COLUMNS
from app.study.export.row_keys import place, spot
from app.study.export.source import FREE_TEXT, Facts, Source, between
from app.study.people import analysed
from app.study.play import last_page, steps
from app.study.play.plays import play_of

NO_FLOORS = (None,) * len(FLOORS)
SENT = ("client_ms", "think_ms")  # of a turn: numbers that a browser sent
HELD_BACK = "yes"  # replaces a researcher's reason, which is not shared


def participant(source: Source, row: AnyRow) -> Facts:
    """Return a participant's row."""
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
    """Return a participant's current page, or the last one if they left."""
    signs = {"before": row.asked_before, "comprehension": row.passed_check}
    done = [phase for phase, sign in signs.items() if sign]
    here = Spots(row.open_spot, row.untold_spot)
    return last_page.stop_of(row, source.library.spec(source.db, row.design_id), done, here)


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
        "source": of_variant(variant),
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
        **floors(source, row),
        "words_hash": source.words_hash(row),
        "player_kind": "participant",
        "source": source_of(row.engine_name),
        "language": source.language(row),
    }


def floors(source: Source, row: AnyRow) -> Facts:
    """Return the bots' expected scores in a played main episode; empty in all others."""
    is_played = row.kind == MAIN and row.format != DIRECT
    found = source.floors(row.variant_hash, row.variant_episode) if is_played else ()
    values = found or NO_FLOORS
    return {f"floor_{name}": value for name, value in zip(FLOORS, values, strict=True)}


def scores(row: AnyRow) -> Facts:
    """Return an episode's scores; only ended ones have a success, only won ones an efficiency.

    The practice and the direct format have no efficiency.
    """
    play = play_of(row)
    if row.kind == MAIN and row.format != DIRECT:
        return asdict(episode_scores(play))
    return asdict(EpisodeScores(play.is_won if play.is_over else None))


def turns(source: Source) -> Iterator[list[Any]]:
    """Stream the turns: the largest table, so rows are built by position, not by name.

    The columns that identify the episode are computed once per episode, since its turns are
    consecutive. A stored row already has the order of the other columns (log, then version).
    """
    names = [column.name for column in EXPORT_COLUMNS["turn"]]
    for _, some in groupby(dump.rows(source.db, dump.all_turns(source.scope)), attrgetter("id")):
        yield from turns_of_episode(source, names, some)


def turns_of_episode(
    source: Source, names: list[str], rows: Iterator[AnyRow]
) -> Iterator[list[Any]]:
    """Yield the turns of one episode."""
    first, raw, clock, tip = map(names.index, ("seq", "raw", "client_ms", "digest"))
    one = next(rows)
    facts = source.spot(one)
    here, version = [facts[name] for name in names[:first]], facts["design_version"]
    start, end = map(one._fields.index, ("seq", "release_state"))
    is_hidden = False
    for row, held in with_held(source, chain([one], rows)):
        made = [*here, *row[start:end], version, "", ""]
        if row.parse_status not in UNDERSTOOD:
            found = command(source, row, held=held)
            made[raw], made[-2], made[-1] = found
            is_hidden = is_hidden or found[0] != row.raw
        if source.gate.shareable:
            sent = without_ids(source, row)
            made[clock : clock + 2] = [sent.get(name, getattr(row, name)) for name in SENT]
            is_hidden = is_hidden or bool(sent)
        if is_hidden:  # a digest would confirm a guess at what was left out
            made[tip] = ""
        yield made


def with_held(source: Source, rows: Iterator[AnyRow]) -> Iterator[tuple[AnyRow, bool]]:
    """Yield the turns of an episode, each with whether an ID was found in what was typed.

    Only a shareable bundle reads the commands of an episode together, so only it keeps them.
    """
    if not source.gate.shareable:
        yield from ((row, False) for row in rows)
        return
    kept = list(rows)
    typed = [row.raw if row.parse_status in UNREAD else "" for row in kept]
    yield from zip(kept, source.gate.holding(typed), strict=True)


def without_ids(source: Source, row: AnyRow) -> Facts:
    """Return, empty, those of SENT that hold an ID."""
    is_kept = {
        "client_ms": source.numbers.clock(row.client_ms, row.received_ms) == row.client_ms,
        "think_ms": source.numbers.kept(row.think_ms) == row.think_ms,
    }
    if all(is_kept.values()):
        return {}
    facts = {name: getattr(row, name) for name in SENT}
    held = [name for name in SENT if not is_kept[name]]
    return source.empty("turn", facts, held, source.gate.number_reason)


def command(source: Source, row: AnyRow, *, held: bool) -> tuple[str, str, str]:
    """Return a command that was not understood, the decision on it and why it is left out.

    `held`: whether `Gate.holding` found an ID in it.
    """
    if row.parse_status in UNREAD:
        found = {"raw": row.raw, **source.gate.passes("turn", row._asdict(), row, held=held)}
        return found["raw"], found["release"], found["text_reason"]
    reason = source.gate.held(row.raw)
    return "" if reason else row.raw, "", reason


def answers(source: Source) -> Iterator[Facts]:
    """Yield the answers to questions, page by page."""
    for rows in release.pages("answer", dump.rows(source.db, dump.all_answers(source.scope))):
        held = source.gate.holding([typed_answer(source, row) for row in rows])
        for row, is_held in zip(rows, held, strict=True):
            yield answer(source, row, held=is_held)


def typed_answer(source: Source, row: AnyRow) -> str:
    """Return what someone typed as an answer, or '' if they chose it."""
    kind = source.kind_of(row.design_id, row.phase, row.question)
    return str(row.value or "") if kind == "number" or kind in FREE_TEXT else ""


def answer(source: Source, row: AnyRow, *, held: bool) -> Facts:
    """Return the row of an answer. `held`: whether `Gate.holding` found an ID in it."""
    kind = source.kind_of(row.design_id, row.phase, row.question)
    facts = {**row._asdict(), **source.who(row), "kind": kind}
    if kind not in FREE_TEXT:
        reason = release.HOLDS_ID if held else source.gate.held(row.value)
        kept_back = {"value": ""} if reason else {}
        return {**facts, "release": "", "text_reason": reason, **kept_back}
    return {**facts, **source.gate.passes("answer", facts, row, held=held)}


def explanation(source: Source, row: AnyRow) -> Facts:
    """Return an explanation's row."""
    whole = row.after == steps.AFTER_BLOCK
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
