"""Who rates what in a round: drawn before it opens, and as it is afterwards."""

from dataclasses import dataclass
from itertools import combinations

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.rating import handovers, rounds
from app.store.rating.rounds import GOLD, KINDS, MAIN, TRAINING
from app.study.rating import matrix
from app.study.rating.matrix import Turn


@dataclass(frozen=True, slots=True)
class RaterPlan:
    """One annotator's workload."""

    pseudonym: str
    name: str
    active: bool
    main: int
    gold: int
    repeats: int
    training: int

    @property
    def total(self) -> int:
        """Number of pages this annotator sees."""
        return self.main + self.gold + self.repeats + self.training


@dataclass(frozen=True, slots=True)
class Plan:
    """The assignment matrix of a round before it opens.

    `cells`: each main item (external id) with its annotators' pseudonyms; `overlap`: the number of
    items that each pair of annotators shares.
    """

    raters: tuple[RaterPlan, ...]
    cells: tuple[tuple[str, tuple[str, ...]], ...]
    overlap: tuple[tuple[str, str, int], ...]


def turns_of(row: AnyRow, raters: int, listed: list[AnyRow]) -> list[list[Turn]]:
    """Return each rater's whole order, training first; items are indices of `listed`."""
    numbers: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for number, one in enumerate(listed):
        if not one.is_erased:
            numbers[one.kind].append(number)
    cells = matrix.assign(numbers[MAIN], raters, row.k, row.seed)
    found = []
    for rater in range(raters):
        own = [item for item, who in zip(numbers[MAIN], cells, strict=True) if rater in who]
        mixed = matrix.order(sorted([*own, *numbers[GOLD]]), row.repeat_percent, row.seed, rater)
        found.append([*(Turn(item) for item in numbers[TRAINING]), *mixed])
    return found


def stored_turns(
    db: Connection, row: AnyRow, raters: list[AnyRow], listed: list[AnyRow]
) -> list[list[Turn]]:
    """Return each annotator's turns in an opened round, as they are after handing over."""
    at = {one.round_item_id: number for number, one in enumerate(listed)}
    found: dict[int, list[Turn]] = {one.account_id: [] for one in raters}
    for one in handovers.present(db, row.id):
        found[one.account_id].append(Turn(at[one.round_item_id], one.repeat))
    return list(found.values())


def plan(db: Connection, row: AnyRow) -> Plan:
    """Return the assignment matrix, drawn or to be drawn. Raises MatrixError."""
    raters = list(rounds.raters(db, row.id))
    listed = list(rounds.items(db, row.id))
    turns = (
        turns_of(row, len(raters), listed)
        if row.state == "draft"
        else stored_turns(db, row, raters, listed)
    )
    shares: list[set[int]] = []
    plans = []
    for who, mine in zip(raters, turns, strict=True):
        kinds = [listed[turn.item].kind for turn in mine if not turn.repeat]
        plans.append(
            RaterPlan(
                pseudonym=who.pseudonym,
                name=who.name,
                active=who.active,
                main=kinds.count(MAIN),
                gold=kinds.count(GOLD),
                repeats=len(mine) - len(kinds),
                training=kinds.count(TRAINING),
            )
        )
        shares.append({turn.item for turn in mine if listed[turn.item].kind == MAIN})
    cells = tuple(
        (
            one.external_id,
            tuple(who.pseudonym for who, own in zip(raters, shares, strict=True) if place in own),
        )
        for place, one in enumerate(listed)
        if one.kind == MAIN
    )
    overlap = tuple(
        (raters[a].pseudonym, raters[b].pseudonym, len(shares[a] & shares[b]))
        for a, b in combinations(range(len(raters)), 2)
    )
    return Plan(tuple(plans), cells, overlap)
