"""Adjudication by several people, blind to each other until all opinions are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.people import accounts
from app.store.rating import opinions


@dataclass(slots=True)
class Standing:
    """The opinions on one item: person -> their newest one, in the order of their first."""

    needed: int
    given: dict[str, AnyRow] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Return whether all opinions needed are given."""
        return len(self.given) >= self.needed

    def scores(self, names: Sequence[str]) -> set[tuple[int, ...]]:
        """Return the different scores."""
        return {tuple(getattr(row, name) for name in names) for row in self.given.values()}


@dataclass(frozen=True, slots=True)
class Seen:
    """What one researcher may see of the opinions on one item.

    `shown`: (label, words, comment), only once all are there, for the owner or after a decision.
    `mine`: the researcher's own scores by name, with the comment; empty = none yet.
    """

    needed: int
    given: int
    complete: bool
    owner: str
    decides: bool
    mine: Mapping[str, str]
    shown: tuple[tuple[str, str, str], ...]


def of_round(db: Connection, row: AnyRow) -> dict[int, Standing]:
    """Return round item -> its standing, for items with an opinion."""
    found: dict[int, Standing] = {}
    for one in opinions.of_round(db, row.id):
        standing = found.setdefault(one.round_item_id, Standing(row.adjudicators))
        standing.given[one.made_by] = one
        standing.revisions[one.made_by] = one.revision
    return found


def owner_of(db: Connection, row: AnyRow) -> str:
    """Return who has the last word: who made the round, or '' = everyone, if they are gone."""
    account = accounts.by_name(db, row.made_by)
    return row.made_by if account is not None and account.active else ""


def add(
    db: Connection,
    standing: Standing,
    round_item_id: int,
    scores: Mapping[str, Any],
    by: str,
    now: datetime,
) -> None:
    """Store one person's opinion as a new revision."""
    values = {
        "round_item_id": round_item_id,
        "revision": standing.revisions.get(by, 0) + 1,
        **scores,
        "made_by": by,
        "created_at": now,
    }
    opinions.insert(db, values)


def seen(
    db: Connection, row: AnyRow, names: Sequence[str], by: str, decided: Mapping[int, bool]
) -> dict[int, Seen]:
    """Return round item -> what this researcher may see; empty if one person decides alone.

    `decided`: round item -> whether there is a decision.
    """
    if row.adjudicators == 1:
        return {}
    standings, owner = of_round(db, row), owner_of(db, row)
    found = {}
    for item, is_decided in decided.items():
        standing = standings.get(item, Standing(row.adjudicators))
        mine = standing.given.get(by)
        decides = (standing.complete or is_decided) and owner in {"", by}
        shown = enumerate(standing.given.values(), start=1)
        found[item] = Seen(
            needed=row.adjudicators,
            given=len(standing.given),
            complete=standing.complete,
            owner=owner,
            decides=decides,
            mine={} if mine is None else own_fields(mine, names),
            shown=tuple(
                (f"Adjudicator {number}", words_of(one, names), one.comment)
                for number, one in shown
                if decides or is_decided
            ),
        )
    return found


def own_fields(one: AnyRow, names: Sequence[str]) -> dict[str, str]:
    """Return an opinion as fields of the form."""
    return {**{name: str(getattr(one, name)) for name in names}, "comment": one.comment}


def words_of(one: AnyRow, names: Sequence[str]) -> str:
    """Return an opinion's scores as short text."""
    return " ".join(str(getattr(one, name)) for name in names)
