"""'Report a problem': messages from players, stored for the researchers."""

from datetime import datetime
from typing import Any

from app.languages.text import phrase
from app.store.db import Store
from app.store.play import problems
from app.study.play import players
from app.study.text_checks import AnswerError, tidy, too_long
from app.study.tickets import once

LIMIT = 5_000


def report(store: Store, token: str, page: str, text: str, ticket: str, now: datetime) -> None:
    """Store a player's report, once. Raises AnswerError if it is empty or too long."""
    text = tidy(text)
    problem = too_long(text, LIMIT) or (
        "" if text.strip() else phrase("Please say what went wrong.")
    )
    if problem:
        raise AnswerError({"text": problem})
    with store.write() as db:
        player = players.load(db, token, lock=True)

        def add() -> dict[str, Any]:
            values = {"participant_id": player.id, "page": page[:128], "text": text}
            problems.add(db, {**values, "created_at": now})
            return {"done": True}

        once(db, ticket, f"participant/{player.id}", now, add)
