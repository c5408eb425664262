"""Read whole tables in order, row by row, for exports.

Nothing here keeps more than a few thousand rows in memory. Inside one `Store.read()` all streams
see the same snapshot.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.design.studies import design
from app.store.export.releases import newest
from app.store.play import spots
from app.store.play.acted import UNREAD, has_episode, turn_counts
from app.store.play.answers import answer, direct_answer
from app.store.play.episodes import MAIN, block, episode
from app.store.play.explanations import explanation
from app.store.play.participants import participant
from app.store.play.turns import turn

CHUNK = 2000  # rows fetched from PostgreSQL at a time


def rows(db: Connection, query: sa.Select[Any]) -> Iterator[AnyRow]:
    """Run a query and stream its rows."""
    yield from db.execute(query, execution_options={"yield_per": CHUNK})


class Scope:
    """The rows of an export: one study, with or without test people and practice."""

    def __init__(
        self,
        study_id: int,
        *,
        include_test: bool,
        include_practice: bool,
        is_shuffled: bool = False,
    ) -> None:
        self.study_id = study_id
        self.include_test, self.include_practice = include_test, include_practice
        self.is_shuffled = is_shuffled

    @property
    def person(self) -> sa.ColumnElement[Any]:
        """Return what people are sorted by: their arrival, or their random IDs."""
        return participant.c.public_id if self.is_shuffled else participant.c.arrival

    def order(self, *columns: Any) -> tuple[Any, ...]:
        """Return what logs are sorted by: the columns, person by person if shuffled."""
        return (participant.c.public_id, *columns) if self.is_shuffled else columns

    def people(self, query: sa.Select[Any]) -> sa.Select[Any]:
        """Keep the rows of people in scope; the query must include `participant`."""
        query = query.where(participant.c.study_id == self.study_id)
        return query if self.include_test else query.where(participant.c.is_test.is_(False))

    def plays(self, query: sa.Select[Any]) -> sa.Select[Any]:
        """Keep the rows of episodes in scope; the query must also include `episode`."""
        query = self.people(query)
        return query if self.include_practice else query.where(episode.c.kind == MAIN)


def count(db: Connection, query: sa.Select[Any]) -> int:
    """Return the number of rows of a query, counted by the database."""
    inner = query.order_by(None).subquery()
    return int(db.execute(sa.select(sa.func.count()).select_from(inner)).scalar_one())


def versions(db: Connection, study_id: int) -> dict[int, int]:
    """Return design id -> version number of a study."""
    query = sa.select(design.c.id, design.c.version).where(design.c.study_id == study_id)
    return {int(one): int(version) for one, version in db.execute(query).all()}


def number_of(table: sa.Table, *where: sa.ColumnElement[bool], name: str) -> sa.Label[int]:
    """Return a column that counts the rows of another table."""
    query = sa.select(sa.func.count()).select_from(table).where(*where)
    return query.scalar_subquery().label(name)


def with_release(query: sa.Select[Any], kind: str, row_id: sa.Column[Any]) -> sa.Select[Any]:
    """Add the newest decision on each row's text: release_state, release_hash."""
    found = newest(kind)
    return query.add_columns(found.c.release_state, found.c.release_hash).outerjoin(
        found, found.c.row_id == row_id
    )


PERSON_COLUMNS = (  # never the token, never the completion code
    *("public_id", "is_test", "arrival", "state", "end_reason", "excluded", "tag", "consent_hash"),
    *("created_at", "consented_at", "instructions_at", "practice_at", "finished_at", "ended_at"),
    *("resume_count", "longest_gap_s"),
)


def way_columns() -> Sequence[sa.Label[Any]]:
    """Return columns that show a participant's progress.

    `asked_before`: background questions answered; `passed_check`: comprehension passed.
    `open_spot`, `untold_spot`: see `spots.Spots`.
    """
    own, other = answer.c.participant_id == participant.c.id, answer.alias()
    a_wrong_one = sa.exists().where(
        other.c.participant_id == answer.c.participant_id,
        other.c.phase == answer.c.phase,
        other.c.attempt == answer.c.attempt,
        other.c.is_right.is_(False),
    )
    return (
        sa.exists().where(own, answer.c.phase == "before").label("asked_before"),
        sa.exists()
        .where(own, answer.c.phase == "comprehension", sa.not_(a_wrong_one))
        .label("passed_check"),
        spots.first_open().label("open_spot"),
        spots.untold(participant.c.id).label("untold_spot"),
    )


def participants(scope: Scope) -> sa.Select[Any]:
    """Return the query for everyone who enrolled or declined, in order of arrival."""
    own = block.c.participant_id == participant.c.id
    main = sa.and_(episode.c.participant_id == participant.c.id, episode.c.kind == MAIN)
    acted = sa.select(sa.func.count()).select_from(turn.join(episode)).where(main)
    query = sa.select(
        *(participant.c[name] for name in PERSON_COLUMNS),
        design.c.version.label("design_version"),
        number_of(block, own, name="blocks"),
        number_of(episode, main, name="episodes"),
        number_of(episode, main, episode.c.state != "open", name="episodes_finished"),
        acted.scalar_subquery().label("actions"),
        participant.c.erased_at,
        has_episode(),
        participant.c.design_id,
        *way_columns(),
    ).join(design, design.c.id == participant.c.design_id)
    return scope.people(query).order_by(scope.person)


BLOCK_COLUMNS = tuple(
    block.c[name] for name in ("task", "seed", "lexicon", "coverage", "format", "variant_hash")
)
WHO_COLUMNS = (
    *(participant.c[name] for name in ("public_id", "is_test", "arrival", "design_id")),
    participant.c.id.label("participant_row"),
)


def blocks(scope: Scope) -> sa.Select[Any]:
    """Return the query for all blocks, person by person."""
    own = episode.c.block_id == block.c.id
    query = sa.select(
        *WHO_COLUMNS,
        *BLOCK_COLUMNS,
        block.c.position.label("block_position"),
        number_of(episode, own, name="episodes"),
        number_of(episode, own, episode.c.state != "open", name="episodes_finished"),
        number_of(episode, own, episode.c.state == "won", name="episodes_won"),
        number_of(explanation, explanation.c.block_id == block.c.id, name="explanations"),
    ).join(participant, participant.c.id == block.c.participant_id)
    return scope.people(query).order_by(scope.person, block.c.position)


def plays(scope: Scope, *wanted: Any) -> sa.Select[Any]:
    """Return a query over episodes with their people and blocks, in the order they were made."""
    query = (
        sa.select(
            *WHO_COLUMNS,
            *(block.c[name] for name in ("task", "seed", "lexicon", "coverage", "format")),
            episode.c.variant_hash,
            *(episode.c[name] for name in ("id", "kind", "block_position", "position")),
            *wanted,
        )
        .select_from(episode)
        .join(participant, participant.c.id == episode.c.participant_id)
        .outerjoin(block, block.c.id == episode.c.block_id)
    )
    # episodes are made at consent: people by arrival
    return scope.plays(query).order_by(*scope.order(episode.c.id))


def episodes(scope: Scope) -> sa.Select[Any]:
    """Return the query for all episodes, with totals over their turns."""

    def over_turns(figure: Any) -> Any:
        return sa.select(figure).where(turn.c.episode_id == episode.c.id).scalar_subquery()

    own = (
        *("variant_episode", "entity", "engine_name", "engine_version", "code_version"),
        *("ref_length", "n_tries", "budget", "state", "attempts", "finished_at", "voided_at"),
    )
    return plays(
        scope,
        *(episode.c[name] for name in own),
        direct_answer.c.is_right,
        *(
            direct_answer.c[name].label(f"stated_{name}")
            for name in ("item", "activity", "placed", "times")
        ),
        *turn_counts(),
        over_turns(sa.func.min(turn.c.received_ms)).label("started_ms"),
        over_turns(sa.func.max(turn.c.received_ms)).label("ended_ms"),
    ).outerjoin(direct_answer, direct_answer.c.episode_id == episode.c.id)


def all_turns(scope: Scope) -> sa.Select[Any]:
    """Return the query for all turns, episode by episode, in order."""
    own = [column for column in turn.c if column.name not in {"id", "episode_id"}]
    query = plays(scope, *own).join(turn, turn.c.episode_id == episode.c.id)
    return with_release(query, "turn", turn.c.id).order_by(turn.c.seq)


def unread_commands(scope: Scope) -> sa.Select[Any]:
    """Return the query for the commands that may hold free text, in order."""
    query: sa.Select[Any] = (
        sa.select(
            *WHO_COLUMNS, *(turn.c[name] for name in ("id", "episode_id", "raw", "parse_status"))
        )
        .select_from(turn)
        .join(episode, episode.c.id == turn.c.episode_id)
        .join(participant, participant.c.id == episode.c.participant_id)
        .where(turn.c.parse_status.in_(UNREAD))
    )
    query = with_release(query, "turn", turn.c.id)
    return scope.plays(query).order_by(*scope.order(episode.c.id, turn.c.seq))


def all_answers(scope: Scope) -> sa.Select[Any]:
    """Return the query for all answers to questions, person by person, in the order given."""
    names = ("phase", "attempt", "question", "value", "is_right", "created_at")
    query: sa.Select[Any] = sa.select(
        *WHO_COLUMNS,
        *(answer.c[name] for name in ("id", *names)),
    ).join_from(answer, participant)
    query = with_release(query, "answer", answer.c.id)
    return scope.people(query).order_by(scope.person, answer.c.id)


def all_explanations(scope: Scope) -> sa.Select[Any]:
    """Return the query for all explanations, in the order in which they were asked for."""
    other = explanation.alias()
    last = sa.select(sa.func.max(other.c.after)).where(other.c.block_id == block.c.id)
    query: sa.Select[Any] = (
        sa.select(
            *WHO_COLUMNS,
            *BLOCK_COLUMNS,
            block.c.position.label("block_position"),
            explanation,
            (explanation.c.after == last.scalar_subquery()).label("is_last"),
        )
        .join(participant, participant.c.id == explanation.c.participant_id)
        .join(block, block.c.id == explanation.c.block_id)
    )
    query = with_release(query, "explanation", explanation.c.id)
    ordered = (scope.person, block.c.position, explanation.c.after)
    return scope.people(query).order_by(*ordered)


def starts(db: Connection, study_id: int) -> dict[str, datetime]:
    """Return public id -> when the participant's row was created."""
    query = sa.select(participant.c.public_id, participant.c.created_at)
    found = db.execute(query.where(participant.c.study_id == study_id))
    return {str(who): at for who, at in found.all()}


def schema_revision(db: Connection) -> str:
    """Return the schema revision of the database."""
    return str(db.execute(sa.text("SELECT version_num FROM alembic_version")).scalar())
