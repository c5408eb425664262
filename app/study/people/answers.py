"""A player's answers, as a researcher reads them next to the transcript."""

from typing import Any

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.play import answers
from app.study.people.folding import folded
from app.study.play.comprehension import PHASE
from app.study.play.direct import sentence
from app.study.play.players import Player
from app.study.play.questions import given
from app.study.times import moment


def direct_facts(row: AnyRow, stated: AnyRow | None) -> dict[str, Any]:
    """Return one episode of the direct format; `right` is None until it is answered."""
    line = {"seq": 1, "understood": "answered, not played"}
    if stated is not None:
        line |= {
            "at": moment(stated.created_at),
            "raw": sentence(stated),
            "message": "right" if stated.is_right else "wrong",
            "kind": "win" if stated.is_right else "no",
        }
    return {
        "title": f"Guardian {row.position + 1}: {row.entity}",
        "state": row.state,
        "actions_used": 0,
        "norm_eff": None,
        "right": None if stated is None else stated.is_right,
        "lines": folded([] if stated is None else [line], ()),
    }


def asked_facts(db: Connection, player: Player) -> list[dict[str, Any]]:
    """Return the answers to all questions, with every try. `right`: None if none is expected."""
    rows = answers.of_participant(db, player.id)
    return [
        {
            "page": f"{row.phase}, try {row.attempt}" if row.phase == PHASE else row.phase,
            "question": label,
            "value": value,
            "right": row.is_right,
        }
        for row, (label, value) in zip(rows, given(player.spec, rows), strict=True)
    ]
