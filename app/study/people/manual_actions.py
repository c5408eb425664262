"""Manual actions of researchers for one participant; each is logged with its reason."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.people import manual_actions, sent_bonuses
from app.store.play import episodes, participants
from app.study.people import payments, sent_file
from app.study.people.overview import NoParticipantError
from app.study.play import players, seats, steps
from app.study.text_checks import storable
from app.study.tickets import once

ACTIONS = (
    *("extend", "unstick", "void", "unvoid", "exclude", "include", "end", "note"),
    *(payments.SENT, payments.DUE),
)
BY_HAND = "by_hand"
EXTEND = timedelta(hours=24)
MAX_REASON = 2000


class HandError(StudyError):
    """The action is not possible; the message says why."""

    code = "hand/error"


def act(
    store: Store,
    account_id: int,
    public_id: str,
    action: str,
    reason: str,
    ticket: str,
    now: datetime,
    episode_id: int | None = None,
    amount: str = "",
) -> None:
    """Perform one action, once, and log it. Raises NoParticipantError, HandError, TicketError.

    `amount`: of a bonus that was sent, such as `1.20`; empty = what is owed now.
    """
    reason = reason.strip()
    if action not in ACTIONS:
        raise HandError(f"Choose one of: {', '.join(ACTIONS)}.", "action")
    if not reason or len(reason) > MAX_REASON or not storable(reason):
        raise HandError(f"Give a reason of 1 to {MAX_REASON:,} characters for the log.", "reason")
    cents = typed_cents(amount) if action == payments.SENT else None
    with store.write() as db:
        bare = participants.by_public_id(db, public_id)
        if bare is None:
            raise NoParticipantError
        player = players.load(db, bare.token, lock=True)

        def do() -> dict[str, Any]:
            concerned = DOERS[action](db, player, reason, episode_id, now)
            row = {
                "participant_id": player.id,
                "episode_id": concerned,
                "account_id": account_id,
                "action": action,
                "reason": reason,
                "at": now,
            }
            made = manual_actions.log_action(db, row)
            if action == payments.SENT:
                keep_amount(db, made, player, cents)
            return {"done": True}

        once(db, ticket, f"account/{account_id}", now, do)


def typed_cents(amount: str) -> int | None:
    """Return an amount as typed in cents; None = left empty. Raises HandError."""
    cents = sent_file.cents_in(amount)
    if amount.strip() and cents is None:
        raise HandError("Give the amount that was sent as in 1.20, or leave it empty.", "amount")
    return cents


def keep_amount(db: Connection, action: int, player: players.Player, cents: int | None) -> None:
    """Store the amount of a bonus that was sent; None = what is owed now, if anything can be."""
    if cents is None:
        found = payments.of_person(db, player.row.study_id, player.row.public_id)
        cents = None if found is None else found.extra_cents
    if cents is not None:
        sent_bonuses.add(db, [(action, cents)])


def extend(
    db: Connection, player: players.Player, _reason: str, _episode: int | None, now: datetime
) -> int | None:
    """Suspend the clocks for 24 hours; people timed out or ended manually can continue."""
    values: dict[str, Any] = {"extended_until": now + EXTEND}
    if player.row.state in {"timed_out", "technical"}:
        values |= {"state": "active", "ended_at": None, "end_reason": ""}
    elif player.row.state != "active":
        raise HandError(
            "Only people who are under way, timed out or ended manually can get more time.",
            "action",
        )
    participants.change(db, player.id, values)
    return None


def unstick(
    db: Connection, player: players.Player, _reason: str, _episode: int | None, now: datetime
) -> int | None:
    """Move a person past the practice or guardian where they are stuck; void the guardian."""
    step = player.present
    if player.row.state != "active" or step.kind not in {steps.PRACTICE, steps.GAME, steps.DIRECT}:
        raise HandError("This works only for people in the practice or at a guardian.", "action")
    if step.kind == steps.PRACTICE:
        participants.change(db, player.id, {"practice_at": now})
        return None
    row = player.episode(step.block, step.episode)
    episodes.close(db, row.id, {"state": "lost", "voided_at": now, "finished_at": now})
    return int(row.id)


def end(
    db: Connection, player: players.Player, _reason: str, _episode: int | None, now: datetime
) -> None:
    """End a person's part because of a technical problem of ours, with the page and code for it."""
    if player.row.state not in {"active", "timed_out"}:
        raise HandError("This works only for people who are under way or timed out.", "action")
    seats.end(db, player.id, "technical", BY_HAND, now)


def set_void(
    db: Connection, player: players.Player, episode_id: int | None, value: datetime | None
) -> int:
    """Set or clear the mark that an episode is not counted."""
    own = {row.id for row in player.episodes}
    if episode_id not in own or episode_id is None:
        raise HandError("Choose one of this participant's episodes.", "episode")
    episodes.close(db, episode_id, {"voided_at": value})
    return episode_id


def void(
    db: Connection, player: players.Player, _reason: str, episode_id: int | None, now: datetime
) -> int:
    """Mark an episode as not counted; its rows stay."""
    return set_void(db, player, episode_id, now)


def unvoid(
    db: Connection, player: players.Player, _reason: str, episode_id: int | None, _now: datetime
) -> int:
    """Clear that mark."""
    return set_void(db, player, episode_id, None)


def exclude(
    db: Connection, player: players.Player, reason: str, _episode: int | None, _now: datetime
) -> None:
    """Flag a person as excluded from the analysis; nothing is deleted."""
    participants.change(db, player.id, {"excluded": reason})


def include(
    db: Connection, player: players.Player, _reason: str, _episode: int | None, _now: datetime
) -> None:
    """Clear that flag."""
    participants.change(db, player.id, {"excluded": ""})


def note(
    _db: Connection, _player: players.Player, _reason: str, _episode: int | None, _now: datetime
) -> None:
    """Only log a note."""


ManualAction = Callable[[Connection, players.Player, str, int | None, datetime], int | None]
DOERS: dict[str, ManualAction] = {
    "extend": extend,
    "unstick": unstick,
    "void": void,
    "unvoid": unvoid,
    "exclude": exclude,
    "include": include,
    "end": end,
    "note": note,
    payments.SENT: note,
    payments.DUE: note,
}


def find_people(db: Connection, text: str) -> list[AnyRow]:
    """Return participants with exactly this platform id, code or export id, newest first."""
    return list(manual_actions.find_people(db, text))
