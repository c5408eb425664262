"""What each role in a study may do: the one table that pages and commands ask. Pure."""

from collections.abc import Iterable, Mapping
from enum import StrEnum


class Right(StrEnum):
    """Something that a member of a study may do."""

    SEE = "see"  # the design, the monitor, the report, shareable exports: no identifiers
    PEOPLE = "people"  # single participants, what they typed, full exports, manual actions
    EDIT = "edit"  # change the design, try it, open and close the study, import models' results
    MONEY = "money"  # recruitment and pay: platform IDs, links, codes, bonuses
    RATE = "rate"  # the rating rooms: items, judges, rounds, annotators, agreement
    OWN = "own"  # members, the audit log, archiving and deleting


class Role(StrEnum):
    """The part someone has in a study."""

    OWNER = "owner"
    EDITOR = "editor"
    VIEWER = "viewer"
    PAYER = "payer"
    COORDINATOR = "coordinator"


ALL = frozenset(Right)
NONE: frozenset[Right] = frozenset()
RIGHTS: Mapping[Role, frozenset[Right]] = {
    Role.OWNER: ALL,
    Role.EDITOR: ALL - {Right.OWN},
    Role.VIEWER: frozenset({Right.SEE}),
    Role.PAYER: frozenset({Right.MONEY}),
    Role.COORDINATOR: frozenset({Right.RATE}),
}
MEANS: Mapping[Role, str] = {
    Role.OWNER: "everything, including members, the audit log, archiving and deleting",
    Role.EDITOR: "everything except members, the audit log, archiving and deleting",
    Role.VIEWER: "design, monitor, report and shareable exports; no identifiers, no individuals",
    Role.PAYER: "recruitment and pay only",
    Role.COORDINATOR: "rating only: items, judges, rounds, annotators, agreement",
}
HOMES = ((Right.SEE, ""), (Right.MONEY, "/recruit"), (Right.RATE, "/rating"))


def rights_of(role: str, *, is_admin: bool = False) -> frozenset[Right]:
    """Return the rights of a role; '' or an unknown one = not a member. Administrators have all."""
    if is_admin:
        return ALL
    return RIGHTS[Role(role)] if role in {*Role} else NONE


def allows(own: frozenset[Right], needed: Iterable[Right]) -> bool:
    """Tell whether someone has at least one of the rights that a page needs."""
    return not own.isdisjoint(needed)


def home_of(own: frozenset[Right]) -> str:
    """Return where a study's pages begin for someone, below the study's address."""
    return next((path for right, path in HOMES if right in own), "")


def roles_with(needed: Iterable[Right]) -> list[Role]:
    """Return the roles that have at least one of these rights."""
    wanted = set(needed)
    return [role for role, own in RIGHTS.items() if own & wanted]
