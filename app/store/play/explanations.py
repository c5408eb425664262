"""A person's explanations, and drafts of text that is not sent yet."""

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, note_change, table_of, text_field
from app.store.play.participants import participant

AFTER_BLOCK = -1  # `after` of a rule form for a whole block


class Explanation(SQLModel, table=True):
    """One submitted rule form. Rows are never updated."""

    __table_args__ = (
        sa.UniqueConstraint("block_id", "after"),
        sa.CheckConstraint("confidence BETWEEN 0 AND 100", name="confidence"),
    )

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    block_id: int = Field(foreign_key="block.id", index=True)
    episode_id: int | None = Field(default=None, foreign_key="episode.id")
    after: int = Field(description="position of the episode it follows; -1 = after the block")
    form: str = Field(max_length=8, description="one (a single text) or three (parts)")
    text: str = text_field("the rule as one text (form one)", default="")
    inputs: str = text_field("which attributes matter (form three)", default="")
    output: str = text_field("what they decide (form three)", default="")
    how: str = text_field("how they decide it (form three)", default="")
    do_not_know: bool = Field(default=False, description="'I do not know' is an answer")
    confidence: int | None = Field(default=None, description="0 to 100, empty = not given")
    found_how: str = text_field("how it was found", default="")
    design_version: int = Field(description="version of the design it was written under")
    created_at: Moment = Field(description="server clock, UTC")
    digest: str | None = Field(
        default=None, max_length=32, description="blake2b-128 over the row; empty = row predates it"
    )


class Draft(SQLModel, table=True):
    """Unsent text of one page (rule form or notebook), newest revision only."""

    __table_args__ = (sa.UniqueConstraint("participant_id", "page"),)

    id: int | None = Field(default=None, primary_key=True)
    participant_id: int = Field(foreign_key="participant.id", index=True)
    page: str = Field(max_length=64, description="rule/<block>/<after> or notes/<block>")
    content: str = text_field("JSON object of the fields as entered")
    revision: int = Field(description="1, 2, ...; a stale one never overwrites")
    updated_at: Moment = Field(description="server clock, UTC")


explanation = table_of(Explanation)
draft = table_of(Draft)

OF_PARTICIPANT = (
    sa.select(explanation)
    .where(explanation.c.participant_id == sa.bindparam("who"))
    .order_by(explanation.c.id)
)
DRAFT_OF = sa.select(draft).where(
    draft.c.participant_id == sa.bindparam("who"), draft.c.page == sa.bindparam("page")
)


def insert(db: Connection, values: dict[str, Any]) -> None:
    """Add a submitted rule form; the database refuses a second one at the same place."""
    db.execute(sa.insert(explanation).values(values))
    note_change(db, values["participant_id"])


def all_of(db: Connection, study_id: int | None) -> Iterator[AnyRow]:
    """Stream all explanations, of one study or of all, with their authors' public ids."""
    query = sa.select(explanation, participant.c.public_id).join(participant)
    if study_id is not None:
        query = query.where(participant.c.study_id == study_id)
    query = query.order_by(explanation.c.id)
    yield from db.execute(query, execution_options={"yield_per": 1000})


def of_participant(db: Connection, participant_id: int) -> Sequence[AnyRow]:
    """Return a participant's explanations in the order they were sent."""
    return db.execute(OF_PARTICIPANT, {"who": participant_id}).all()


def at(db: Connection, block_id: int, after: int) -> AnyRow | None:
    """Return the explanation at one place, or None."""
    query = sa.select(explanation)
    query = query.where(explanation.c.block_id == block_id, explanation.c.after == after)
    return db.execute(query).first()


def draft_of(
    db: Connection, participant_id: int, page: str, *, lock: bool = False
) -> AnyRow | None:
    """Return the draft of one page, or None."""
    values = {"who": participant_id, "page": page}
    return db.execute(DRAFT_OF.with_for_update() if lock else DRAFT_OF, values).first()


def put_draft(db: Connection, values: dict[str, Any], old: AnyRow | None) -> None:
    """Store a draft: add it, or replace the older revision `old`."""
    if old is None:
        db.execute(sa.insert(draft).values(values))
    else:
        db.execute(sa.update(draft).where(draft.c.id == old.id).values(values))
