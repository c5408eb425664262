"""Stored episodes as what scoring works on."""

from app.scoring.plays import Play
from app.store.base import AnyRow


def play_of(row: AnyRow) -> Play:
    """Return what scoring needs of an episode's row.

    The row has `turns`, `mistyped` and `is_right` beside the episode's own columns. Without a
    `person_state` the player is taken for gone: an open episode is then not in play.
    """
    is_open = row.state == "open"
    return Play(
        state=row.state,
        index=row.position + 1,
        actions=row.turns,
        mistyped=row.mistyped,
        attempts=row.attempts or 0,
        ref_length=row.ref_length,
        n_tries=row.n_tries,
        right=row.is_right,
        voided=row.voided_at is not None,
        in_play=is_open and getattr(row, "person_state", "") == "active",
    )
