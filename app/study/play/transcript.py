"""An episode as lines to read: what was typed and what the world answered."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from app.game.world import Observation
from app.languages.text import Text, joined, phrase
from app.store.base import AnyRow
from app.store.play import answers, turns
from app.study.play import game_words
from app.study.play.direct import sentence
from app.study.play.players import Player


@dataclass(frozen=True, slots=True)
class Line:
    """One action in a transcript. `kind`: ok, no (refused), fail (attempt lost), win, end.

    `hint`: what a page adds to the game's own words, '' = nothing.
    """

    seq: int
    raw: str
    message: str
    kind: str
    ends_attempt: bool
    hint: str = ""


def kind_of(code: str, *, ok: bool, done: bool, success: bool, failed: bool) -> str:
    """Return the kind of a line, which decides how it is shown."""
    del code
    if success:
        return "win"
    if done:
        return "end"
    if failed:
        return "fail"
    return "ok" if ok else "no"


def hint_of(code: str, message: str, *, done: bool) -> str:
    """Return what a page adds to an answer: the words themselves belong to the engine's version.

    It depends on the code alone, and goes only with our own engine's words, which are a `Text`.
    """
    return HINTS.get(code, "") if isinstance(message, Text) and not done else ""


def line_of(seq: int, raw: str, observation: Observation, message: str, attempt: int) -> Line:
    """Return the line of an action just played; `attempt` is that of the state after it."""
    failed = observation.attempt != attempt
    code, params = observation.code, observation.params
    message = game_words.sentence(code, params, message, done=observation.done)
    kind = kind_of(
        observation.code,
        ok=observation.ok,
        done=observation.done,
        success=observation.success,
        failed=failed,
    )
    hint = hint_of(code, message, done=observation.done)
    return Line(seq, raw, message, kind, failed and not observation.done, hint)


def lines_of(rows: Iterable[AnyRow]) -> list[Line]:
    """Return the lines of stored turns; the page draws a line after each attempt."""
    lines = []
    for row in rows:
        failed = row.code in FAILED
        params = tuple(json.loads(row.params))
        message = game_words.sentence(row.code, params, row.message, done=row.done)
        kind = kind_of(row.code, ok=row.ok, done=row.done, success=row.success, failed=failed)
        hint = hint_of(row.code, message, done=row.done)
        lines.append(Line(row.seq, row.raw, message, kind, failed and not row.done, hint))
    return lines


def own_lines(db: Connection, player: Player, rows: Sequence[AnyRow]) -> list[Line]:
    """Return what a player did in some episodes of a block.

    Args:
        db: a read transaction.
        player: the player.
        rows: the episodes' rows, at least one. In the direct format each episode is one line,
            which does not tell whether the answer is right.
    """
    if not player.is_direct(rows[0].block_position):
        return [line for row in rows for line in lines_of(turns.of_episode(db, row.id))]
    stated = answers.direct_of(db, player.id)
    texts = [
        joined((row.entity, sentence(stated[row.id])), ": ") for row in rows if row.id in stated
    ]
    return [Line(n, text, SAVED, "ok", ends_attempt=False) for n, text in enumerate(texts, 1)]


HINTS = {
    "unknown_verb": phrase(
        "The first word is not one of these commands. Where you are does not matter."
    ),
    "already_bought": phrase(
        "If anything in it was wrong, this attempt then fails, and the next one begins."
    ),
    "failed": phrase("Coins that you have spent stay spent."),
}
FAILED = ("failed",)
SAVED = phrase("Your answer is saved.")
