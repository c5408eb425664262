"""Queries that span participants, blocks, episodes and turns: who is where."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.design.studies import design, study
from app.store.play.clocks import LAST_TURN_MS
from app.store.play.episodes import block, episode
from app.store.play.participants import participant
from app.store.play.turns import turn

# Queries of every page are built once: building one takes longer than SQLite takes to answer it.
BY_TOKEN = (
    sa.select(
        participant,
        design.c.version.label("design_version"),
        design.c.spec,
        study.c.slug,
        study.c.title.label("study_title"),
        study.c.state.label("study_state"),
        LAST_TURN_MS.label("last_turn_ms"),
    )
    .join(design, design.c.id == participant.c.design_id)
    .join(study, study.c.id == participant.c.study_id)
    .where(participant.c.token == sa.bindparam("token"))
)
LOCKED_BY_TOKEN = BY_TOKEN.with_for_update(of=participant)


def by_token(db: Connection, token: str, *, lock: bool = False) -> AnyRow | None:
    """Return a participant's row (with design, study and last command's time), or None."""
    return db.execute(LOCKED_BY_TOKEN if lock else BY_TOKEN, {"token": token}).first()


TO_PLAY = (
    sa.select(
        episode.c.id,
        episode.c.kind,
        episode.c.variant_hash,
        episode.c.variant_episode,
        episode.c.state,
        episode.c.engine_version,
        participant.c.id.label("participant_id"),
        participant.c.state.label("participant_state"),
        participant.c.seat,
        participant.c.consented_at,
        participant.c.seen_at,
        participant.c.extended_until,
        participant.c.design_id,
        sa.select(sa.func.max(turn.c.seq))
        .where(turn.c.episode_id == episode.c.id)
        .scalar_subquery()
        .label("last_seq"),
    )
    .join(participant, participant.c.id == episode.c.participant_id)
    .where(
        participant.c.token == sa.bindparam("token"),
        episode.c.block_position == sa.bindparam("block_position"),
        episode.c.position == sa.bindparam("position"),
    )
)


LOCK = (
    sa.select(episode.c.id)
    .join(participant, participant.c.id == episode.c.participant_id)
    .where(
        participant.c.token == sa.bindparam("token"),
        episode.c.block_position == sa.bindparam("block_position"),
        episode.c.position == sa.bindparam("position"),
    )
    .with_for_update(of=episode)
)


def to_play(db: Connection, token: str, block_position: int, position: int) -> AnyRow | None:
    """Return one episode, locked, with its participant's state and last seq (None = no turn).

    Returns None if this token has no such episode.
    """
    values = {"token": token, "block_position": block_position, "position": position}
    if db.dialect.name == "postgresql":
        # A separate statement, so that the next one sees every turn committed before the lock.
        # (SQLite's BEGIN IMMEDIATE has locked already.)
        db.execute(LOCK, values)
    return db.execute(TO_PLAY, values).first()


# Ended episodes store their number of turns; only open ones are counted.
OPEN_TURNS = (
    sa.select(sa.func.count())
    .where(turn.c.episode_id == episode.c.id, episode.c.state == "open")
    .correlate(episode)
    .scalar_subquery()
)
TURNS = (
    sa.select(sa.func.sum(sa.func.coalesce(episode.c.actions_used, OPEN_TURNS)))
    .where(episode.c.participant_id == participant.c.id)
    .correlate(participant)
    .scalar_subquery()
)


def of_study(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return all participants of a study with their last action, in order of arrival."""
    query = (
        sa.select(participant, LAST_TURN_MS.label("last_ms"), TURNS.label("turns"))
        .where(participant.c.study_id == study_id)
        .order_by(participant.c.arrival)
    )
    return db.execute(query).all()


def first_blocks(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return each participant's first block, with the `design_id` of the participant."""
    query = sa.select(block, participant.c.design_id).join(
        participant, participant.c.id == block.c.participant_id
    )
    own = participant.c.study_id == study_id, block.c.position == 0
    return db.execute(query.where(*own)).all()


def state_counts(db: Connection, study_id: int) -> dict[str, int]:
    """Return state -> number of participants, leaving out test people."""
    query = (
        sa.select(participant.c.state, sa.func.count())
        .where(participant.c.study_id == study_id, participant.c.is_test.is_(False))
        .group_by(participant.c.state)
    )
    return {str(state): int(count) for state, count in db.execute(query).all()}


def counts_by_study(db: Connection) -> dict[int, dict[str, int]]:
    """Return study id -> as `state_counts`, of studies with participants."""
    who = (participant.c.study_id, participant.c.state)
    query = sa.select(*who, sa.func.count()).where(participant.c.is_test.is_(False)).group_by(*who)
    found: dict[int, dict[str, int]] = {}
    for study_id, state, count in db.execute(query):
        found.setdefault(study_id, {})[str(state)] = int(count)
    return found
