"""The game without a browser: from the keyboard, or line by line from a file."""

from typing import Any

import typer

from app.cli.common import explain
from app.game import world
from app.game.command import InputError, Typed
from app.game.model import Variant
from app.game.say import say
from app.game.view import player_view, text_view
from app.game.world import Observation, State, World
from app.scoring.efficiency import t_of
from app.scoring.plays import efficiency
from app.study.characters import visible
from app.study.typed import read_command


def play_lines(here: World, lines: list[str]) -> tuple[list[dict[str, Any]], State]:
    """Play lines as the server does: text that cannot be a command is reported and costs no action.

    Blank lines are skipped; lines after the end of the episode are not played.
    """
    state, turns = world.start(here), list[dict[str, Any]]()
    for number, raw in enumerate(map(visible, lines), start=1):
        if not raw.strip():
            continue
        if state.done:
            explain(f"Line {number} and the lines after it were not played: the episode is over.")
            break
        try:
            typed, state, seen = world.play(here, state, raw)
        except InputError as error:
            explain(f"Line {number}: {error.message}")
            continue
        turns.append(turn_facts(len(turns) + 1, raw, typed, state, seen))
    return turns, state


def turn_facts(seq: int, raw: str, typed: Typed, state: State, seen: Observation) -> dict[str, Any]:
    """Return the result of one action, ready for JSON."""
    return {
        "seq": seq,
        "raw": raw,
        "verb": typed.verb,
        "argument": typed.argument,
        "parse_status": typed.status,
        "ok": seen.ok,
        "code": seen.code,
        "message": say(seen),
        "done": seen.done,
        "success": seen.success,
        "attempt": seen.attempt,
        "actions_used": state.actions_used,
        "location": state.location,
        "inventory": [] if state.item is None else [state.item],
    }


def result(made: Variant, index: int, state: State) -> dict[str, Any]:
    """Return success, counts and scores of an episode; t is null before the first action."""
    one, used = made.episodes[index], state.actions_used
    score = efficiency(used, one.ref_length, one.n_tries, won=state.success)
    return {
        "success": state.success,
        "actions_used": used,
        "attempts": state.attempts,
        "t": t_of(used, one.ref_length) if used else None,
        "norm_eff": score,
    }


def ending(facts: dict[str, Any]) -> str:
    """Return the result in one line."""
    if facts["success"]:
        return f"Won with {facts['actions_used']} actions, norm_eff {facts['norm_eff']:.3f}."
    return f"Not won, {facts['actions_used']} actions used."


def play(made: Variant, here: World, index: int) -> None:
    """Play at the keyboard; end of input or Ctrl-C ends the game politely."""
    typer.echo(text_view(player_view(made, index)))
    state = world.start(here)
    while not state.done:
        try:
            raw = input("> ")
        except (EOFError, KeyboardInterrupt):
            typer.echo("\nUntil next time.")
            return
        try:
            _, state, seen = world.play(here, state, read_command(raw))
        except InputError as error:
            typer.echo(error.message)
            continue
        typer.echo(say(seen))
    typer.echo(ending(result(made, index, state)))
