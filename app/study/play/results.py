"""What a player achieved, for the debrief: guardians, actions, and perhaps the hidden rule."""

from dataclasses import dataclass

from sqlalchemy import Connection

from app.study.design.library import Library
from app.study.ground_truth import rule_of
from app.study.play.players import Player, is_practice


@dataclass(frozen=True, slots=True)
class WorldResult:
    """One world: guardians met, defeated, and the actions used.

    `direct`: the player stated answers instead; whether they are right is not told.
    `rule`: the hidden rule in sentences, empty if the study keeps it to itself.
    """

    number: int
    guardians: int
    defeated: int
    actions: int
    direct: bool
    rule: tuple[str, ...]


def results_of(db: Connection, library: Library, player: Player) -> list[WorldResult]:
    """Return the result of every world that a player went through, in order."""
    return [result_of(db, library, player, block.position) for block in player.blocks]


def result_of(db: Connection, library: Library, player: Player, block: int) -> WorldResult:
    """Return the result of one world (from 0)."""
    rows = [row for row in player.episodes if row.block_position == block and not is_practice(row)]
    direct = player.is_direct(block)
    told = player.spec.options.show_rule and bool(rows)
    return WorldResult(
        number=block + 1,
        guardians=len(rows),
        defeated=0 if direct else sum(row.state == "won" for row in rows),
        actions=sum(row.actions_used or 0 for row in rows),
        direct=direct,
        rule=rule_of(library.variant(db, rows[0].variant_hash)) if told else (),
    )


def in_words(result: WorldResult) -> str:
    """Return a result as one sentence."""
    if result.direct:
        what = "one guardian" if result.guardians == 1 else f"{result.guardians} guardians"
        return f"You said what {what} took."
    actions = "1 action" if result.actions == 1 else f"{result.actions} actions"
    if result.guardians == 1:
        verb = "You defeated the guardian" if result.defeated else "The guardian was not defeated"
        return f"{verb}. You used {actions}."
    return f"You defeated {result.defeated} of {result.guardians} guardians. You used {actions}."
