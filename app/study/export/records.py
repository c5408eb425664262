"""Compare designs, blocks and people with each other for `verify`.

A design's study file has the stored hash. A block is a cell of its person's design, with the
variant that the design has for it. A person who finished has every block, explanation and answer
that the design asks for.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.errors import HjstudyError
from app.store.base import AnyRow
from app.store.export import proof_records
from app.study.design import arms, free_part
from app.study.design.freeze import frozen_hash
from app.study.design.spec import CellSpec, StudySpec, parse_spec
from app.study.play import comprehension, questions, steps

BATCH = 200
SHAPE = ("task", "seed", "lexicon", "coverage", "format")


class Wrong(NamedTuple):
    """A value that contradicts others. `owner`: public id, or '' for a design's own row."""

    owner: str
    place: str
    field: str
    stored: str | int | None
    expected: str | int | None


class Known(NamedTuple):
    """A sound design: its cells by key, and its variants by cell."""

    spec: StudySpec
    cells: Mapping[str, CellSpec]
    hashes: Mapping[str, str]


def compare(db: Connection, study_id: int | None) -> tuple[int, list[Wrong]]:
    """Compare all designs and people; return the number of rows and what is wrong."""
    known, wrong, number = dict[int, Known](), list[Wrong](), 0
    rows_of_designs = proof_records.designs(db, study_id)
    for row in rows_of_designs:
        number += 1
        found = read_design(row)
        if isinstance(found, Known):
            known[row.id] = found
        else:
            wrong.append(found)
    for one in sorted({row.study_id for row in rows_of_designs} if not wrong else ()):
        wrong += free_problems(db, one)
    for one in sorted({row.study_id for row in rows_of_designs}):
        wrong += kind_problems(db, one, [row for row in rows_of_designs if row.study_id == one])
    people = proof_records.people(db, study_id)
    while some := list(islice(people, BATCH)):
        rows = proof_records.batch(db, [one.id for one in some])
        for person in some:
            design = known.get(person.design_id)
            mine = {name: by_person[person.id] for name, by_person in rows.items()}
            number += 1 + len(mine["block"])
            wrong += [] if design is None else person_problems(person, design, mine)
    return number, wrong


def read_design(row: AnyRow) -> Known | Wrong:
    """Return a design, or what is wrong with it."""
    place = f"design {row.version}.{row.revision}"
    try:
        spec = parse_spec(row.spec)
        own = frozen_hash(spec, json.loads(row.spec))
    except (HjstudyError, ValueError, TypeError, KeyError, AttributeError):
        return Wrong("", place, "spec", "(no study file)", row.spec_hash)
    if own != row.spec_hash:
        return Wrong("", place, "spec", f"a file with hash {own}", row.spec_hash)
    try:
        hashes = dict(json.loads(row.variants))
    except ValueError:
        hashes = {}
    cells = {cell.key: cell for cell in spec.cells()}
    if set(hashes) != set(cells):
        return Wrong("", place, "variants", ", ".join(sorted(hashes)), ", ".join(sorted(cells)))
    return Known(spec, cells, hashes)


def free_problems(db: Connection, study_id: int) -> Iterator[Wrong]:
    """Yield it if the free part of a study's designs is not what its log of changes says."""
    own, logged = free_part.free_digest(db, study_id), free_part.logged(db, study_id)
    if logged and own != logged:
        yield Wrong("", f"study row {study_id}", "free part", own, logged)


def kind_problems(db: Connection, study_id: int, rows: Sequence[AnyRow]) -> Iterator[Wrong]:
    """Yield it if a study's kind (people or bots) is not that of its newest published design."""
    published = [row for row in rows if row.published_at is not None]
    newest = max(published, key=lambda row: (row.version, row.revision), default=None)
    if newest is None:
        return
    kind, found = proof_records.kind_of(db, study_id), read_design(newest)
    if isinstance(found, Known) and found.spec.kind != kind:
        yield Wrong("", f"study row {study_id}", "kind", kind, found.spec.kind)


def person_problems(
    person: AnyRow, design: Known, rows: Mapping[str, Sequence[AnyRow]]
) -> Iterator[Wrong]:
    """Yield what contradicts the design in one person's rows."""
    who = person.public_id
    consent = design.spec.consent_hash()
    if person.consent_hash != consent:
        yield Wrong(who, who, "consent_hash", person.consent_hash, consent)
    for block in rows["block"]:
        yield from block_problems(who, block, design)
    found = sorted(arms.arms(rows["block"], design.spec.between))
    if len(found) > 1:
        yield Wrong(who, who, design.spec.between, ", ".join(found), "the same in all blocks")
    if person.state == "finished":
        yield from missing(person, design.spec, rows)


def block_problems(who: str, block: AnyRow, design: Known) -> Iterator[Wrong]:
    """Yield what contradicts the design in one block.

    If several columns contradict the cell, it is not the block's cell.
    """
    place, cell = f"{who}-w{block.position + 1}", design.cells.get(block.cell)
    if cell is None:
        yield Wrong(who, place, "cell", block.cell, "a cell of the design")
        return
    wanted: dict[str, Any] = {name: getattr(cell, name) for name in SHAPE}
    wanted["variant_hash"] = design.hashes[cell.key]
    wrong = [name for name, value in wanted.items() if getattr(block, name) != value]
    if len(wrong) > 1:
        yield Wrong(who, place, "cell", block.cell, "the cell that was played")
        return
    for name in wrong:
        yield Wrong(who, place, name, getattr(block, name), wanted[name])


def missing(
    person: AnyRow, spec: StudySpec, rows: Mapping[str, Sequence[AnyRow]]
) -> Iterator[Wrong]:
    """Yield what a person who finished lacks."""
    who = person.public_id
    number = len(rows["block"])
    if number != spec.per_player:
        yield Wrong(who, who, "blocks", number, spec.per_player)
    for block in rows["block"]:
        plays = [one.position for one in rows["episode"] if one.block_id == block.id]
        asked = plays if spec.rule_form.when == "episode" else [steps.AFTER_BLOCK]
        written = {one.after for one in rows["explanation"] if one.block_id == block.id}
        for after in sorted(set(asked) ^ written):
            stored, wanted = ("missing", "there") if after in asked else ("there", "not asked for")
            place = f"{who}-w{block.position + 1}-r{after + 1}"
            yield Wrong(who, place, "explanation", stored, wanted)
    given = {(one.phase, one.question) for one in rows["answer"]}
    for phase, key in sorted(answers_asked(spec) ^ given):
        has = (phase, key) in given
        stored, wanted = ("there", "not asked for") if has else ("missing", "there")
        yield Wrong(who, f"{who}, {phase}/{key}", "answer", stored, wanted)


def answers_asked(spec: StudySpec) -> set[tuple[str, str]]:
    """Return (phase, key) of every question that a person who finished has answered."""
    pages = {(phase, one.key) for phase in questions.PHASES for one in questions.asked(spec, phase)}
    return pages | {(comprehension.PHASE, one.key) for one in spec.questions.comprehension}
