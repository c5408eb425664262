"""Members of a study: who may do what in it, and changes of members."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.design import members, studies
from app.study.design import draft
from app.study.rights import NONE, Right, Role, rights_of


class Who(NamedTuple):
    """An account, as far as rights depend on it."""

    id: int
    is_admin: bool


class MemberError(StudyError):
    """The member cannot be added, changed or removed; the message says why."""

    code = "member/error"


@dataclass(frozen=True, slots=True)
class Member:
    """One line of the list of members."""

    name: str
    role: str
    active: bool
    added_by: str
    added_at: datetime


def rights_in(db: Connection, who: Who, slug: str) -> frozenset[Right]:
    """Return what someone may do in a study; nothing if it does not exist."""
    if who.is_admin:
        return rights_of("", is_admin=True)
    return rights_of(members.roles_by_slug(db, who.id).get(slug, ""))


def rights_for_variant(db: Connection, who: Who, variant_hash: str) -> frozenset[Right]:
    """Return what someone may do in at least one of the studies that use a variant."""
    roles = [] if who.is_admin else members.roles_for_variant(db, who.id, variant_hash)
    return NONE.union(*(rights_of(one, is_admin=who.is_admin) for one in roles or [""]))


def rights_anywhere(db: Connection, who: Who) -> frozenset[Right]:
    """Return what someone may do in at least one study."""
    roles = members.roles_by_slug(db, who.id).values()
    return NONE.union(*(rights_of(one, is_admin=who.is_admin) for one in [*roles, ""]))


def studies_of(db: Connection, who: Who) -> dict[str, frozenset[Right]]:
    """Return study -> rights of every study that someone may see at all."""
    if who.is_admin:
        return {slug: rights_of("", is_admin=True) for slug in studies.all_slugs(db)}
    return {slug: rights_of(role) for slug, role in members.roles_by_slug(db, who.id).items()}


def listed(db: Connection, slug: str) -> list[Member]:
    """Return a study's members, sorted by name. Raises NoStudyError."""
    rows = members.of_study(db, draft.load(db, slug).study_id)
    return [Member(row.name, row.role, row.active, row.added_by, row.added_at) for row in rows]


def put(db: Connection, slug: str, account: AnyRow, role: str, by: str, now: datetime) -> None:
    """Add a researcher to a study, or change their role.

    Raises NoStudyError, MemberError: no such role, not a researcher, or the last owner.
    """
    found = draft.lock(db, slug)
    check_role(role)
    if account.role != "researcher":
        raise MemberError(
            f"'{account.name}' is an annotator's account. Annotators join a study in its rounds."
        )
    if role != Role.OWNER:
        check_owner_left(members.of_study(db, found.study_id), account.id)
    members.put(db, found.study_id, account.id, role, by, now)


def check_role(role: str) -> None:
    """Raise MemberError if there is no such role."""
    if role not in {*Role}:
        raise MemberError(f"Choose one of these roles: {', '.join(Role)}.")


def drop(db: Connection, slug: str, account_id: int) -> None:
    """Remove a member. Raises NoStudyError, MemberError: not a member, or the last owner."""
    found = draft.lock(db, slug)
    if not members.role_in(db, account_id, found.study_id):
        raise MemberError("This account is not a member of the study.")
    check_owner_left(members.of_study(db, found.study_id), account_id)
    members.drop(db, found.study_id, account_id)


def check_owner_left(rows: Sequence[AnyRow], account_id: int) -> None:
    """Raise MemberError if this account is the study's only owner."""
    owners = {row.account_id for row in rows if row.role == Role.OWNER}
    if owners == {account_id}:
        raise MemberError("A study needs an owner. Make someone else an owner first.")
