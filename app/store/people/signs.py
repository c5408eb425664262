"""Queries for signs of automation: what browsers reported on rule pages, tempo, texts."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.design.studies import study
from app.store.people.monitor import real
from app.store.play.answers import answer
from app.store.play.episodes import MAIN, block, episode
from app.store.play.explanations import explanation
from app.store.play.participants import participant
from app.store.play.process_data import AUTOMATED, process_event
from app.store.play.turns import turn

WHO = ("id", "public_id", "state", "design_id", "arrival")


def people(db: Connection, study_id: int) -> list[AnyRow]:
    """Return the real participants who have consented and whose data are there; never bots."""
    query = (
        sa.select(*(participant.c[name] for name in WHO))
        .join(study, study.c.id == participant.c.study_id)
        .where(real(study_id), study.c.kind != "bots")
        .where(participant.c.consented_at.is_not(None), participant.c.erased_at.is_(None))
    )
    return list(db.execute(query.order_by(participant.c.id)))


def events(db: Connection, study_id: int) -> list[AnyRow]:
    """Return, for each participant, page and kind, the sum of the values that browsers reported.

    For pages other than those for rules, only that a script ran and whether a program drives it.
    """
    event = process_event.c
    automated = sa.and_(event.kind == "client", event.detail == AUTOMATED)
    kind = sa.case((automated, AUTOMATED), else_=event.kind).label("kind")
    query = (
        sa.select(event.participant_id, event.page, kind, sa.func.sum(event.value).label("total"))
        .join(participant, participant.c.id == event.participant_id)
        .where(real(study_id), sa.or_(event.page.like("%/rule"), automated, event.kind == "open"))
        .group_by(event.participant_id, event.page, kind)
    )
    return list(db.execute(query))


def left_before_rule(db: Connection, study_id: int, lead_ms: int) -> list[AnyRow]:
    """Return `participant_id, total`: longest time away from a guardian's page before its rule.

    Only absences that ended in the last `lead_ms` before the rule form was opened, by the
    browser's clock if it sent one.
    """
    event = process_event.c
    at: Any = sa.func.coalesce(event.client_ms, event.received_ms)
    opened = (
        sa.select(event.participant_id, event.page, sa.func.min(at).label("at"))
        .where(event.kind == "open", event.page.like("%/rule"))
        .group_by(event.participant_id, event.page)
        .subquery()
    )
    same = sa.and_(
        opened.c.participant_id == event.participant_id, opened.c.page == event.page + "/rule"
    )
    query = (
        sa.select(event.participant_id, sa.func.max(event.value).label("total"))
        .join(participant, participant.c.id == event.participant_id)
        .join(opened, same)
        .where(real(study_id), event.kind == "hidden", (opened.c.at - at).between(0, lead_ms))
        .group_by(event.participant_id)
    )
    return list(db.execute(query))


def answers(db: Connection, study_id: int) -> list[AnyRow]:
    """Return the last answers of real participants to each question, with their designs."""
    row = answer.c
    query = (
        sa.select(row.participant_id, participant.c.design_id, row.phase, row.question, row.value)
        .join(participant, participant.c.id == row.participant_id)
        .where(real(study_id), participant.c.erased_at.is_(None), row.phase != "comprehension")
        .order_by(row.id)
    )
    return list(db.execute(query))


def tempo(db: Connection, study_id: int, longest_ms: int) -> list[AnyRow]:
    """Return `number, mean, mean_square` of the gaps between commands, by participant.

    Gaps are those within a guardian, in milliseconds; longer ones than `longest_ms` are breaks.
    """
    before = sa.func.lag(turn.c.received_ms).over(
        partition_by=turn.c.episode_id, order_by=turn.c.seq
    )
    steps = (
        sa.select(episode.c.participant_id, (turn.c.received_ms - before).label("gap"))
        .join(episode, episode.c.id == turn.c.episode_id)
        .join(participant, participant.c.id == episode.c.participant_id)
        .where(real(study_id), episode.c.kind == MAIN)
        .subquery()
    )
    gap: Any = sa.cast(steps.c.gap, sa.Float)
    query = sa.select(
        steps.c.participant_id,
        sa.func.count().label("number"),
        sa.func.avg(gap).label("mean"),
        sa.func.avg(gap * gap).label("mean_square"),
    ).where(steps.c.gap.between(0, longest_ms))
    return list(db.execute(query.group_by(steps.c.participant_id)))


def texts(db: Connection, study_id: int) -> list[AnyRow]:
    """Return the explanations of real participants, in the order in which they were written."""
    row = explanation.c
    query = (
        sa.select(
            row.participant_id,
            block.c.variant_hash,
            block.c.position.label("block_position"),
            row.after,
            *(row.text, row.inputs, row.output, row.how, row.found_how),
        )
        .join(block, block.c.id == row.block_id)
        .join(participant, participant.c.id == row.participant_id)
        .where(real(study_id), row.do_not_know.is_(False))
        .order_by(row.id)
    )
    return list(db.execute(query))
