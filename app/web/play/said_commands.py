"""Which commands the instructions name: those that a participant can meet, and no others."""

from collections.abc import Iterable
from typing import NamedTuple

from app.game.command import ARGUMENT_KINDS, BARE_VERBS
from app.game.practice import practice_variant
from app.game.view import PlayerView, player_view
from app.study.play.players import Player
from app.web.deps import Server

Commands = tuple[tuple[str, str], ...]  # (command, what it asks for or ''), as help lists them


class Lists(NamedTuple):
    """The commands of a participant's worlds, and those that only the practice has."""

    worlds: Commands
    practice: Commands

    def __bool__(self) -> bool:
        """Tell whether there is anything to type."""
        return bool(self.worlds or self.practice)


def commands_of(server: Server, player: Player) -> Lists:
    """Return the commands of the worlds that a participant plays, and of the practice."""
    played = {block.position for block in player.blocks if not player.is_direct(block.position)}
    rows = [row for row in player.episodes if row.block_position in played]
    with server.store.read() as db:
        worlds = merged(
            server.library.view(db, row.variant_hash, row.variant_episode) for row in rows
        )
    has_practice = player.progress.practice is not None
    practised = player_view(practice_variant(), 0).verbs if has_practice else ()
    return Lists(worlds, tuple(one for one in practised if one not in worlds))


def merged(views: Iterable[PlayerView]) -> Commands:
    """Return the commands of several worlds, in the order in which help lists them."""
    found = {one for view in views for one in view.verbs}
    order = (*ARGUMENT_KINDS, *BARE_VERBS)
    return tuple(sorted(found, key=lambda one: order.index(one[0])))
