"""Export queries behind timing, baseline and variant; see dump.py."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.design.studies import design
from app.store.design.variants import variant
from app.store.export import dump
from app.store.export.dump import BLOCK_COLUMNS, WHO_COLUMNS, Scope, number_of
from app.store.models.runs import model_run
from app.store.play.acted import has_episode, turn_counts
from app.store.play.answers import answer, direct_answer
from app.store.play.episodes import MAIN, block, episode
from app.store.play.explanations import AFTER_BLOCK, explanation
from app.store.play.participants import participant
from app.store.play.process_data import process_event
from app.store.play.turns import turn
from app.store.rating.items import item

SLACK_MS = 2000  # requests overlap, and browsers round their clocks
BEFORE_GAME = ("before", "comprehension")


def whole_sum(value: sa.ColumnElement[Any]) -> sa.ColumnElement[int]:
    """Return a sum as a whole number (PostgreSQL's sum of large numbers is a decimal)."""
    return sa.cast(sa.func.sum(value), sa.BigInteger)


def designs(db: Connection, study_id: int) -> dict[int, str]:
    """Return design id -> study file (canonical JSON) of a study's designs."""
    query = sa.select(design.c.id, design.c.spec).where(design.c.study_id == study_id)
    return {int(row.id): str(row.spec) for row in db.execute(query)}


def is_unmeasured(steps: sa.Subquery) -> sa.ColumnElement[bool]:
    """Tell whether the browser's clock did not measure a whole pause between two actions.

    The browser sent no time, or a page was loaded in between. A clock that was set back by less
    than the rest of the pause leaves no trace.
    """
    return steps.c.gap.is_not(None) & (
        steps.c.think_ms.is_(None) | (steps.c.gap - steps.c.think_ms > SLACK_MS)
    )


def clock(scope: Scope, limits: Mapping[int, int]) -> sa.Subquery:
    """Return the timing of each episode with an action, as a subquery.

    `limits`: design id -> idle limit, ms. Columns: `episode_id, actions, first_ms, last_ms,
    idle_ms, idle_gaps, longest_gap_ms, back_ms, unmeasured, think_ms`. The database walks the log
    once, in the order of its index, and keeps one row per episode.
    """
    before = sa.func.lag(turn.c.received_ms).over(
        partition_by=turn.c.episode_id, order_by=turn.c.seq
    )
    limit = sa.case(dict(limits), value=participant.c.design_id) if limits else sa.literal(0)
    steps = (
        sa.select(
            turn.c.episode_id,
            turn.c.received_ms,
            turn.c.think_ms,
            (turn.c.received_ms - before).label("gap"),
            limit.label("idle_limit"),
        )
        .select_from(turn)
        .join(episode, episode.c.id == turn.c.episode_id)
        .join(participant, participant.c.id == episode.c.participant_id)
        .where(participant.c.study_id == scope.study_id)
        .subquery("steps")
    )
    idle = steps.c.gap > steps.c.idle_limit
    query = sa.select(
        steps.c.episode_id,
        sa.func.count().label("actions"),
        sa.func.min(steps.c.received_ms).label("first_ms"),
        sa.func.max(steps.c.received_ms).label("last_ms"),
        whole_sum(sa.case((idle, steps.c.gap), else_=0)).label("idle_ms"),
        whole_sum(sa.case((idle, 1), else_=0)).label("idle_gaps"),
        sa.func.max(steps.c.gap).label("longest_gap_ms"),
        sa.func.max(sa.func.coalesce(steps.c.think_ms, 0) - steps.c.gap).label("back_ms"),
        whole_sum(sa.case((is_unmeasured(steps), 1), else_=0)).label("unmeasured"),
        whole_sum(steps.c.think_ms).label("think_ms"),
    )
    return query.group_by(steps.c.episode_id).subquery("clock")


def hidden() -> sa.Subquery:
    """Return how long and how often each observed page was hidden."""
    is_hidden = process_event.c.kind == "hidden"
    query = sa.select(
        process_event.c.participant_id,
        process_event.c.page,
        whole_sum(sa.case((is_hidden, process_event.c.value), else_=0)).label("hidden_ms"),
        whole_sum(sa.case((is_hidden, 1), else_=0)).label("hidden_times"),
    )
    return query.group_by(process_event.c.participant_id, process_event.c.page).subquery("hidden")


def page_of_episode() -> sa.ColumnElement[str]:
    """Return the path of an episode's page, as in the process data."""

    def number(column: sa.Column[int]) -> sa.ColumnElement[str]:
        return sa.cast(column + 1, sa.Text)

    world = sa.literal("world/") + number(episode.c.block_position)
    path = world + sa.literal("/guardian/") + number(episode.c.position)
    return sa.case((episode.c.kind == MAIN, path), else_=sa.literal("practice"))


def timing(scope: Scope, limits: Mapping[int, int]) -> sa.Select[Any]:
    """Return the query for all episodes with their timing and the times of the steps around them.

    `ready_at`: when the person had finished everything before the game; `explained_at`: rule form
    after the episode; `stated_at`: answer of the direct format.
    """
    ticks, away = clock(scope, limits), hidden()

    def newest(moment: Any, *where: Any) -> Any:
        return sa.select(sa.func.max(moment)).where(*where).scalar_subquery()

    first = turn.alias("first_turn")
    other = episode.alias("other")
    last_of_block = sa.select(sa.func.max(other.c.position)).where(other.c.block_id == block.c.id)
    here = sa.or_(
        explanation.c.after == episode.c.position,
        sa.and_(
            explanation.c.after == AFTER_BLOCK,
            episode.c.position == last_of_block.scalar_subquery(),
        ),
    )
    mine = answer.c.participant_id == participant.c.id
    return (
        dump.plays(
            scope,
            *(participant.c[name] for name in ("consented_at", "instructions_at", "practice_at")),
            *(column for column in ticks.c if column.name != "episode_id"),
            first.c.think_ms.label("first_think_ms"),
            away.c.hidden_ms,
            away.c.hidden_times,
            newest(answer.c.created_at, mine, answer.c.phase.in_(BEFORE_GAME)).label("answered_at"),
            newest(explanation.c.created_at, explanation.c.block_id == block.c.id, here).label(
                "explained_at"
            ),
            direct_answer.c.created_at.label("stated_at"),
        )
        .outerjoin(ticks, ticks.c.episode_id == episode.c.id)
        .outerjoin(first, sa.and_(first.c.episode_id == episode.c.id, first.c.seq == 1))
        .outerjoin(direct_answer, direct_answer.c.episode_id == episode.c.id)
        .outerjoin(
            away,
            sa.and_(
                away.c.participant_id == episode.c.participant_id,
                away.c.page == page_of_episode(),
            ),
        )
    )


def units(scope: Scope) -> sa.Select[Any]:
    """Return the query for all main episodes, block by block; the source of baseline."""
    written = explanation.c.block_id == block.c.id
    names = ("state", "attempts", "ref_length", "n_tries", "voided_at", "position")
    query = (
        sa.select(
            *WHO_COLUMNS,
            *BLOCK_COLUMNS,
            block.c.id.label("block_id"),
            block.c.position.label("block_position"),
            participant.c.state.label("person_state"),
            participant.c.excluded,
            has_episode(),
            *(episode.c[name] for name in names),
            *turn_counts(),
            direct_answer.c.is_right,
            sa.select(sa.func.min(explanation.c.after))
            .where(written)
            .scalar_subquery()
            .label("first_after"),
            sa.select(sa.func.max(explanation.c.after))
            .where(written)
            .scalar_subquery()
            .label("last_after"),
        )
        .select_from(episode)
        .join(block, block.c.id == episode.c.block_id)
        .join(participant, participant.c.id == block.c.participant_id)
        .outerjoin(direct_answer, direct_answer.c.episode_id == episode.c.id)
    )
    return scope.people(query).order_by(scope.person, block.c.position, episode.c.position)


def unit_blocks(scope: Scope) -> sa.Select[Any]:
    """Return the query for the blocks that have episodes: one row of baseline each."""
    has = number_of(episode, episode.c.block_id == block.c.id, name="episodes")
    query = sa.select(block.c.id, has).join_from(block, participant)
    return scope.people(query).where(sa.exists().where(episode.c.block_id == block.c.id))


def variants(scope: Scope) -> sa.Select[Any]:
    """Return the query for the variants of the people in scope, of models and of rated items."""
    given = sa.select(block.c.variant_hash).join_from(block, participant)
    rated = sa.select(item.c.variant_hash).where(item.c.study_id == scope.study_id)
    played = sa.select(episode.c.variant_hash).join(model_run, model_run.c.id == episode.c.run_id)
    played = played.where(model_run.c.study_id == scope.study_id)
    groups = (scope.people(given), rated, played)
    either = sa.or_(*(variant.c.hash.in_(one) for one in groups))
    return sa.select(variant).where(either).order_by(variant.c.hash)
