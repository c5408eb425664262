"""Who belongs to which study, and in which role."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of
from app.store.design.studies import design, study

ROLES = ("owner", "editor", "viewer", "payer", "coordinator")
account = sa.table("account", *map(sa.column, ("id", "name", "role", "active")))  # room above


class StudyMember(SQLModel, table=True):
    """A researcher's role in a study. An account without one cannot see the study."""

    __tablename__ = "study_member"
    __table_args__ = (one_of("role", ROLES, "role"),)

    study_id: int = Field(foreign_key="study.id", primary_key=True)
    account_id: int = Field(foreign_key="account.id", primary_key=True, index=True)
    role: str = Field(max_length=16)
    added_by: str = Field(max_length=64, description="account, or 'command line'")
    added_at: Moment = Field(description="server clock, UTC")


study_member = table_of(StudyMember)


def role_in(db: Connection, account_id: int, study_id: int) -> str:
    """Return an account's role in a study; '' = none."""
    query = sa.select(study_member.c.role).where(
        study_member.c.study_id == study_id, study_member.c.account_id == account_id
    )
    return db.execute(query).scalar() or ""


def roles_by_slug(db: Connection, account_id: int) -> dict[str, str]:
    """Return study -> role of every study that an account belongs to."""
    query = (
        sa.select(study.c.slug, study_member.c.role)
        .join(study, study.c.id == study_member.c.study_id)
        .where(study_member.c.account_id == account_id)
        .order_by(study.c.id)
    )
    return {row.slug: row.role for row in db.execute(query)}


def roles_for_variant(db: Connection, account_id: int, variant_hash: str) -> list[str]:
    """Return an account's roles in the studies whose designs use a variant."""
    query = (
        sa.select(study_member.c.role)
        .join(design, design.c.study_id == study_member.c.study_id)
        .where(
            study_member.c.account_id == account_id,
            design.c.variants.contains(f'"{variant_hash}"', autoescape=True),
        )
        .order_by(study_member.c.study_id)
    )
    return list(db.execute(query).scalars())


def of_study(db: Connection, study_id: int) -> Sequence[AnyRow]:
    """Return a study's members with their accounts, sorted by name."""
    query = (
        sa.select(study_member, account.c.name, account.c.active)
        .join(account, account.c.id == study_member.c.account_id)
        .where(study_member.c.study_id == study_id)
        .order_by(account.c.name)
    )
    return db.execute(query).all()


def put(
    db: Connection, study_id: int, account_id: int, role: str, added_by: str, now: Moment
) -> None:
    """Add a member, or change their role. Lock the study's row first."""
    mine = sa.and_(study_member.c.study_id == study_id, study_member.c.account_id == account_id)
    values = {"role": role, "added_by": added_by, "added_at": now}
    if db.execute(sa.update(study_member).where(mine).values(values)).rowcount == 0:
        ids = {"study_id": study_id, "account_id": account_id}
        db.execute(sa.insert(study_member).values(ids | values))


def drop(db: Connection, study_id: int, account_id: int) -> None:
    """Remove a member."""
    mine = sa.and_(study_member.c.study_id == study_id, study_member.c.account_id == account_id)
    db.execute(sa.delete(study_member).where(mine))
