"""The amounts of bonuses that were recorded as sent.

They have a table of their own, because rows of manual actions are part of each participant's
chained log: another column would change the digests of rows that are stored already.
"""

from collections.abc import Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, table_of
from app.store.people.manual_actions import hand_action
from app.store.play.participants import participant


class SentBonus(SQLModel, table=True):
    """The amount of one bonus. Rows are never updated; older records of bonuses have none."""

    __tablename__ = "sent_bonus"
    __table_args__ = (sa.CheckConstraint("cents >= 0", name="cents"),)

    hand_action_id: int = Field(foreign_key="hand_action.id", primary_key=True)
    cents: int = Field(description="what was sent, in cents of the design's currency")


sent_bonus = table_of(SentBonus)


def add(db: Connection, rows: Sequence[tuple[int, int]]) -> None:
    """Store the amounts of manual actions: (id, cents)."""
    if rows:
        values = [{"hand_action_id": action, "cents": cents} for action, cents in rows]
        db.execute(sa.insert(sent_bonus), values)


def newest(
    db: Connection, study_id: int, actions: Iterable[str], person_id: int | None = None
) -> dict[int, AnyRow]:
    """Return participant id -> the newest of these actions on them: action, at, cents (or None).

    `person_id`: only of this person; None = everyone in the study.
    """
    query = (
        sa.select(
            *(hand_action.c[name] for name in ("participant_id", "action", "at")),
            sent_bonus.c.cents,
        )
        .join(participant, participant.c.id == hand_action.c.participant_id)
        .outerjoin(sent_bonus, sent_bonus.c.hand_action_id == hand_action.c.id)
        .where(participant.c.study_id == study_id, hand_action.c.action.in_(list(actions)))
        .order_by(hand_action.c.id)
    )
    if person_id is not None:
        query = query.where(participant.c.id == person_id)
    return {row.participant_id: row for row in db.execute(query)}


def cents_of(db: Connection, participant_id: int) -> dict[int, int]:
    """Return manual action -> amount, for a participant's bonuses that were sent."""
    query = sa.select(sent_bonus).join(hand_action, hand_action.c.id == sent_bonus.c.hand_action_id)
    rows = db.execute(query.where(hand_action.c.participant_id == participant_id))
    return {row.hand_action_id: row.cents for row in rows}
