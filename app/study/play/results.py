"""What a player achieved, for the debrief: guardians, actions, and perhaps the hidden rule."""

from dataclasses import dataclass

from sqlalchemy import Connection

from app.languages.text import joined, phrase, phrases
from app.study.design.library import Library
from app.study.play.players import Player, is_practice
from app.study.rule_words import rule_of


@dataclass(frozen=True, slots=True)
class WorldResult:
    """One world: guardians met, defeated, and the actions used.

    `direct`: the player stated answers instead; whether they are right is not revealed.
    `rule`: the hidden rule, empty if the study does not reveal it.
    """

    number: int
    guardians: int
    defeated: int
    actions: int
    direct: bool
    rule: str


def results_of(db: Connection, library: Library, player: Player) -> list[WorldResult]:
    """Return the result of every world that a player went through, in order."""
    return [result_of(db, library, player, block.position) for block in player.blocks]


def result_of(db: Connection, library: Library, player: Player, block: int) -> WorldResult:
    """Return the result of one world (from 0)."""
    rows = [row for row in player.episodes if row.block_position == block and not is_practice(row)]
    direct = player.is_direct(block)
    shows_rule = player.spec.options.show_rule and bool(rows)
    return WorldResult(
        number=block + 1,
        guardians=len(rows),
        defeated=0 if direct else sum(row.state == "won" for row in rows),
        actions=sum(row.actions_used or 0 for row in rows),
        direct=direct,
        rule=joined(rule_of(library.variant(db, rows[0].variant_hash))) if shows_rule else "",
    )


def in_words(result: WorldResult) -> str:
    """Return a result as one sentence."""
    met, defeated = result.guardians, result.defeated
    if result.direct:
        return phrases(
            "You said what it takes to defeat one guardian.",
            "You said what it takes to defeat {n} guardians.",
            met,
        )
    used = phrases("You used 1 action.", "You used {n} actions.", result.actions)
    if met == 1:
        won = phrase("You defeated the guardian.")
        return joined((won if defeated else phrase("The guardian was not defeated."), used))
    of_all = phrase("You defeated {number} of {total} guardians.", number=defeated, total=met)
    return joined((of_all, used))
