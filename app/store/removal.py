"""Delete a study with everything that refers to it, table by table."""

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.store.design.studies import design, study
from app.store.design.variants import variant
from app.store.models import plays
from app.store.play.episodes import block, episode
from app.store.play.participants import participant
from app.store.play.turns import turn
from app.store.rating.items import item
from app.store.rating.rounds import assignment
from app.store.tables import metadata
from app.store.tickets import ticket

DESIGN = {
    "study",
    "design",
    "study_draft",
    "study_change",
    "study_member",
}  # tables of the design itself
OWN = "study_id"
NEW_STUDY = "design/new"  # owner of tickets of forms that create a study


def links(table: sa.Table) -> list[tuple[sa.Column[Any], sa.Column[Any]]]:
    """Return (own column, column of the parent) by which a table's rows belong to a study.

    A column that is never empty is enough; otherwise every one counts. `study_id` counts even
    without a foreign key.
    """
    if OWN in table.columns:
        return [(table.columns[OWN], study.c.id)]
    columns = sorted(table.foreign_keys, key=lambda one: one.parent.name)
    found = [(one.parent, one.column) for one in columns if belongs(one.column.table)]
    firm = [link for link in found if not link[0].nullable]
    return firm[:1] or found


def belongs(table: sa.Table) -> bool:
    """Tell whether a table's rows belong to studies."""
    return table is study or bool(links(table))


def rows_of(table: sa.Table, study_id: int) -> sa.ColumnElement[bool]:
    """Return the condition that a row belongs to a study."""
    if table is study:
        return study.c.id == study_id
    return sa.or_(*(linked(own, there, study_id) for own, there in links(table)))


def linked(own: sa.Column[Any], there: sa.Column[Any], study_id: int) -> sa.ColumnElement[bool]:
    """Return the condition on a column; the study's own row may be gone already."""
    if there.table is study:
        return own == study_id
    return own.in_(sa.select(there).where(rows_of(there.table, study_id)))


def counts(db: Connection, study_id: int) -> dict[str, int]:
    """Return the number of rows by table that people, models and judges left in a study.

    `episode` and `turn` are people's; those of runs count as `model_episode` and `model_turn`.
    """
    found = {
        table.name: db.execute(
            sa.select(sa.func.count()).select_from(table).where(rows_of(table, study_id))
        ).scalar_one()
        for table in metadata.sorted_tables
        if belongs(table) and table.name not in DESIGN
    }
    for table in (episode, turn):
        mine = sa.select(sa.func.count()).select_from(table).where(plays.belongs(table, study_id))
        of_runs = db.execute(mine).scalar_one()
        found[table.name] -= of_runs
        found[f"model_{table.name}"] = of_runs
    return {name: int(number) for name, number in found.items() if number}


def remove(db: Connection, study_id: int) -> dict[str, int]:
    """Delete a study from every table; return the number of rows by table. Lock the study first.

    Accounts stay, and so do variants that other studies use.
    """
    hashes = own_variants(db, study_id)
    gone = {"ticket": remove_tickets(db, study_id)}
    for table in reversed(metadata.sorted_tables):
        if belongs(table):
            gone[table.name] = db.execute(sa.delete(table).where(rows_of(table, study_id))).rowcount
    gone["variant"] = remove_unused(db, hashes)
    return {name: number for name, number in sorted(gone.items()) if number}


def own_variants(db: Connection, study_id: int) -> set[str]:
    """Return the hashes of the variants in a study's designs and rated items."""
    texts = db.execute(sa.select(design.c.variants).where(design.c.study_id == study_id)).scalars()
    rated = sa.select(item.c.variant_hash).where(item.c.study_id == study_id)
    return {one for text in texts for one in hashes_in(text)} | set(db.execute(rated).scalars())


def hashes_in(text: str) -> set[str]:
    """Return the hashes in a design's stored variants."""
    found: Mapping[str, str] = json.loads(text)
    return set(found.values())


def remove_unused(db: Connection, hashes: set[str]) -> int:
    """Delete those variants that no study uses any longer; without any study, all of them."""
    texts = list(db.execute(sa.select(design.c.variants)).scalars())
    if not texts:
        return db.execute(sa.delete(variant)).rowcount
    left = hashes - {one for text in texts for one in hashes_in(text)}
    number = 0
    for one in sorted(left):
        used = any(
            db.execute(sa.select(table.c.id).where(table.c.variant_hash == one).limit(1)).first()
            for table in (block, episode, item)
        )
        if not used:
            number += db.execute(sa.delete(variant).where(variant.c.hash == one)).rowcount
    return number


def remove_tickets(db: Connection, study_id: int) -> int:
    """Delete the tickets of a study's forms: its designs, participants and ratings."""
    slug = db.execute(sa.select(study.c.slug).where(study.c.id == study_id)).scalar_one()
    people = db.execute(sa.select(participant.c.id).where(participant.c.study_id == study_id))
    rated = db.execute(sa.select(assignment.c.token).where(rows_of(assignment, study_id)))
    made = db.execute(sa.select(ticket).where(ticket.c.owner == NEW_STUDY)).all()
    owners = [f"study/{study_id}", f"design/{slug}"]
    owners += [f"participant/{one}" for one in people.scalars()]
    owners += [f"rating/{one}" for one in rated.scalars()]
    number = 0
    for at in range(0, len(owners), 500):
        few = ticket.c.owner.in_(owners[at : at + 500])
        number += db.execute(sa.delete(ticket).where(few)).rowcount
    for row in made:
        if json.loads(row.result)["slug"] == slug:
            number += db.execute(sa.delete(ticket).where(ticket.c.ticket == row.ticket)).rowcount
    return number
