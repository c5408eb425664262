"""Which free texts may be shared: researchers' decisions on each, append-only."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of, text_field
from app.store.people.id_hashes import id_hash
from app.store.people.platforms import LISTED, platform_record
from app.store.play.participants import identity, participant

KINDS = ("explanation", "answer", "note", "problem", "turn")
STATES = ("released", "withheld")


class TextRelease(SQLModel, table=True):
    """One decision on one text; the newest counts. Rows are never updated.

    It covers only the text with that hash: a notebook changed afterwards is unreviewed.
    """

    __tablename__ = "text_release"
    __table_args__ = (one_of("kind", KINDS, "kind"), one_of("state", STATES, "state"))

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    kind: str = Field(max_length=16, description="explanation, answer, note, problem or turn")
    row_id: int = Field(
        index=True,
        sa_type=sa.BigInteger,
        description="id of the text's row in the table of its kind",
    )
    text_hash: str = Field(max_length=64, description="sha256 of the text that was read")
    state: str = Field(max_length=16, description="released or withheld")
    note: str = text_field("reason, as entered by the researcher", default="")
    made_by: str = Field(max_length=64, description="account that decided")
    at: Moment = Field(description="server clock, UTC")


text_release = table_of(TextRelease)


def insert(db: Connection, rows: list[dict[str, Any]]) -> None:
    """Add decisions."""
    if rows:
        db.execute(sa.insert(text_release), rows)


def newest(kind: str) -> sa.Subquery:
    """Return the newest decisions on texts of a kind: row_id, release_state, release_hash."""
    last = sa.select(sa.func.max(text_release.c.id)).where(text_release.c.kind == kind)
    query = sa.select(
        text_release.c.row_id,
        text_release.c.state.label("release_state"),
        text_release.c.text_hash.label("release_hash"),
    ).where(text_release.c.id.in_(last.group_by(text_release.c.row_id)))
    return query.subquery(f"release_of_{kind}")


def known_ids(db: Connection, study_id: int) -> set[str]:
    """Return every platform id, session, code and token of a study's people."""
    columns = (
        *(identity.c.external_id, identity.c.external_session),
        *(participant.c.code, participant.c.token),
    )
    query = (
        sa.select(*columns)
        .outerjoin_from(participant, identity, identity.c.participant_id == participant.c.id)
        .where(participant.c.study_id == study_id)
    )
    return {str(value) for row in db.execute(query) for value in row if value}


def listed_ids(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return the IDs, submissions and codes of everyone on the platforms' lists of a study."""
    query = sa.select(*(platform_record.c[name] for name in LISTED))
    return db.execute(query.where(platform_record.c.study_id == study_id)).all()


def searchable(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return everyone but test participants, with what is left to find their IDs by.

    Columns: public_id, erased_at, external_id and external_session (None once deleted), longest
    (characters of the longest hashed piece; None = there is no hash).
    """
    own = id_hash.c.participant_id == participant.c.id
    longest = sa.select(sa.func.max(id_hash.c.size)).where(own).scalar_subquery()
    query = (
        sa.select(
            *(participant.c[name] for name in ("public_id", "erased_at")),
            *(identity.c[name] for name in ("external_id", "external_session")),
            longest.label("longest"),
        )
        .outerjoin_from(participant, identity, identity.c.participant_id == participant.c.id)
        .where(participant.c.study_id == study_id, participant.c.is_test.is_(False))
    )
    return db.execute(query.order_by(participant.c.id)).all()


def erase(db: Connection, participant_id: int) -> None:
    """Delete the decisions on a person's erased texts."""
    db.execute(sa.delete(text_release).where(text_release.c.participant_id == participant_id))
