"""Leaving a study for good: data are erased or kept as the study says, the seat is released."""

import json
from datetime import datetime
from typing import Any

from app.store import erasure
from app.store.db import Store
from app.store.play import participants
from app.study import jobs
from app.study.play import earned, players, seats
from app.study.play.commands import NotActiveError
from app.study.tickets import once

REASON = "withdrawn"


def withdraw(store: Store, token: str, ticket: str, now: datetime) -> list[str]:
    """End a participant's part at their own request, once; the remaining row keeps counts correct.

    With `people.withdrawal: erase`, everything they typed or did is deleted in the same
    transaction; what they are owed is computed just before. People who have finished can still
    have their data erased; their code stays valid.

    Returns: the jobs whose files may contain erased data and have to go now.
    Raises NotActiveError if the person's part has already ended some other way.
    """
    cancelled = list[str]()
    with store.write() as db:
        player = players.load(db, token, lock=True)

        def leave() -> dict[str, Any]:
            if player.row.state == "withdrawn":
                return {"done": True}
            if player.row.state not in {"active", "finished"}:
                raise NotActiveError
            seats.end(db, player.id, "withdrawn", REASON, now)
            if player.spec.people.withdrawal == "erase":
                owed = json.dumps(earned.owed(db, player.row, player.spec))
                erasure.erase(db, player.id)
                participants.change(db, player.id, {"erased_at": now, "owed": owed})
                cancelled.extend(jobs.cancel(db, player.row.study_id))
            return {"done": True}

        once(db, ticket, f"participant/{player.id}", now, leave)
    return cancelled
