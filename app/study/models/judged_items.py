"""Which explanations a judge rates: all, those of people or models, those drawn, or single ones."""

import csv
import re
from collections.abc import Sequence

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.rating import items, samples
from app.study.design.studies import StudyView
from app.study.models.cells import check_known
from app.study.models.runs import BadRunError, Run
from app.study.rating.player_items import new_id, text_of

ALL, PLAYERS, MODELS = "all", "players", "models"
KINDS = {PLAYERS: items.PLAYER, MODELS: items.MODEL}
IDS = "ids:"
SAMPLE = re.compile(r"sample:([1-9]\d{0,8})")
WORDS = {
    ALL: "all explanations",
    PLAYERS: "those of participants",
    MODELS: "those of models",
}


def choices(db: Connection, study_id: int) -> list[tuple[str, str]]:
    """Return (value, words) of every choice that a study has."""
    drawn = [row.number for row in reversed(samples.of_study(db, study_id))]
    return [*WORDS.items(), *((f"sample:{one}", f"those drawn for sample {one}") for one in drawn)]


def check(db: Connection, study: StudyView, choice: str, tasks: Sequence[str]) -> None:
    """Refuse a choice that the study does not have. Raises BadRunError, NothingToPlayError."""
    found = SAMPLE.fullmatch(choice)
    if choice.startswith(IDS):
        check_ids(db, study, ids_in(choice))
    elif found is None and choice not in WORDS:
        raise BadRunError("items: must be all, players, models, sample:N or ids:ID,ID.", "items")
    if found is not None and samples.find(db, study.id, int(found[1])) is None:
        raise BadRunError(f"items: '{study.slug}' has no sample {found[1]}.", "items")
    check_known(study.slug, study.spec.cells(), tasks, ())


def chosen(choice: str, ids: str) -> str:
    """Return what a form names: single explanations, one ID per line, or else the choice."""
    lines = [line.strip() for line in ids.splitlines() if line.strip()]
    quoted = [f'"{one}"' if "," in one and not one.startswith('"') else one for one in lines]
    return IDS + ",".join(quoted) if lines else choice or ALL


def ids_in(choice: str) -> list[str]:
    """Return the IDs of explanations in a choice; one with a comma is in quotation marks.

    Raises BadRunError.
    """
    try:
        cells = next(csv.reader([choice.removeprefix(IDS)], skipinitialspace=True), [])
    except csv.Error as error:  # a line break in it, or no comma for very long
        raise BadRunError("items: separate the IDs by commas, as in ids:ID,ID.", "items") from error
    return [cell.strip() for cell in cells if cell.strip()]


def check_ids(db: Connection, study: StudyView, ids: Sequence[str]) -> None:
    """Refuse IDs that no explanation has, also none that is not an item yet. Raises BadRunError."""
    known = {row.external_id for row in items.of_study(db, study.id)}
    known |= {new_id(row) for row in items.new_explanations(db, study.id)}
    if not ids:
        raise BadRunError("items: name at least one explanation, as in ids:ID,ID.", "items")
    if missing := [one for one in ids if one not in known]:
        raise BadRunError(f"items: '{study.slug}' has no explanation '{missing[0]}'.", "items")


def of_run(db: Connection, run: Run) -> list[AnyRow]:
    """Return the explanations that a run judges, as they are now, oldest first."""
    rows = items.of_study(db, run.study_id)
    if found := SAMPLE.fullmatch(run.items):
        sample = samples.find(db, run.study_id, int(found[1]))
        frame = samples.items_of(db, sample.id) if sample is not None else ()
        drawn = {one.item_id for one in frame if one.place is not None}
        rows = [row for row in rows if row.id in drawn]
    elif run.items.startswith(IDS):
        wanted = set(ids_in(run.items))
        rows = [row for row in rows if row.external_id in wanted]
    elif run.items in KINDS:
        rows = [row for row in rows if row.kind == KINDS[run.items]]
    return [row for row in rows if not run.tasks or row.task in run.tasks]


def with_new(db: Connection, run: Run) -> list[tuple[str, str]]:
    """Return (hash of the variant, text) of what a run would judge if it began now.

    Participants' newest explanations, which become items when it begins, are among them.
    """
    found = [(row.variant_hash, row.text) for row in of_run(db, run)]
    singles = set(ids_in(run.items)) if run.items.startswith(IDS) else None
    if run.items in (ALL, PLAYERS) or singles:
        rows = items.new_explanations(db, run.study_id)
        rows = [row for row in rows if singles is None or new_id(row) in singles]
        rows = [row for row in rows if not run.tasks or row.task in run.tasks]
        found += [(row.variant_hash, text_of(row)) for row in rows]
    return found
