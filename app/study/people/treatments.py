"""The treatment that people were given, in the words that researchers read everywhere."""

from collections.abc import Mapping

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.play import progress
from app.study.design import arms
from app.study.design.spec import StudySpec
from app.study.design.words import treatment_name
from app.study.play import players


def given(db: Connection, study_id: int, specs: Mapping[int, StudySpec]) -> dict[int, str]:
    """Return participant id -> treatment, of those who have one. `specs`: by design's row."""
    if all(spec.between == arms.NONE for spec in specs.values()):
        return {}
    rows = progress.first_blocks(db, study_id)
    known = (row for row in rows if row.design_id in specs)
    return {row.participant_id: of_block(specs[row.design_id], row) for row in known}


def of_player(player: players.Player) -> str:
    """Return a participant's treatment; '' if the study has none, or before they have worlds."""
    return of_block(player.spec, player.blocks[0]) if player.blocks else ""


def of_block(spec: StudySpec, block: AnyRow) -> str:
    """Return the treatment that a person's world shows; '' if their design has none."""
    between = spec.between
    return "" if between == arms.NONE else treatment_name(between, str(getattr(block, between)))


def as_fact(player: players.Player) -> list[tuple[str, str]]:
    """Return a participant's treatment as a fact about them; [] if they have none."""
    found = of_player(player)
    return [("Treatment", f"{player.spec.between}: {found}")] if found else []
