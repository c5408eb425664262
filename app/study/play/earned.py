"""What a participant has earned: pages, files and the log all ask here."""

import json
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection

from app.scoring.plays import DIRECT, Play, pay_scores
from app.store.base import AnyRow
from app.store.play import earned as rows
from app.study.design.formula import METRICS
from app.study.design.spec import StudySpec
from app.study.play.pay import active_minutes, payment
from app.study.play.players import Player
from app.study.play.plays import play_of


def stored_metrics(db: Connection, row: AnyRow, spec: StudySpec) -> dict[str, float]:
    """Return one person's metrics for the bonus formula, from all that is stored of them.

    `row`: the participant; someone who left after finishing counts as finished.
    """
    stated: list[Play] = []
    played: list[Play] = []
    for one in rows.main_episodes(db, row.id):
        (stated if one.format == DIRECT else played).append(play_of(one))
    found = pay_scores(played, stated)
    metrics: dict[str, float] = {
        "finished": row.finished_at is not None,
        **asdict(found),
        "explanations": rows.explanation_count(db, row.id),
        "minutes": active_minutes(rows.moments(db, row.id), spec.clocks.idle_minutes),
    }
    return {name: float(metrics[name]) for name in METRICS}


def owed(db: Connection, row: AnyRow, spec: StudySpec) -> dict[str, Any]:
    """Return what a participant is owed: minutes (one decimal) and whole cents per part of the pay.

    For people whose data were erased, this was computed just before.
    """
    if row.owed:
        kept: dict[str, Any] = json.loads(row.owed)
        return kept
    metrics = stored_metrics(db, row, spec)
    due = payment(spec.payment, metrics)
    return {
        "active_minutes": f"{metrics['minutes']:.1f}",
        "base_cents": due.base_cents,
        "time_cents": due.time_cents,
        "bonus_cents": due.bonus_cents,
        "total_cents": due.total_cents,
        "bonus_problem": due.bonus_problem,
    }


def bonus_to_tell(db: Connection, player: Player) -> int | None:
    """Return the bonus that a player's last page names, in cents; None if it names none.

    It is final once they have finished. It names none if outcomes are hidden, or if stated answers
    decide it: nobody is told whether those are right.
    """
    pay, is_final = player.spec.payment, player.row.state == "finished"
    if not (is_final and pay.bonus.strip() and pay.bonus_cap_cents):
        return None
    if player.spec.options.hide_outcomes or any(one.direct for one in player.progress.blocks):
        return None
    due = owed(db, player.row, player.spec)
    return None if due["bonus_problem"] else int(due["bonus_cents"])
