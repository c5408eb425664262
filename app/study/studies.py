"""Create, open, close and find studies; make the variants that their designs need."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.errors import StudyError
from app.game.certify import certify
from app.game.lexicon import Lexicon, parse_lexicon
from app.game.model import Variant
from app.game.practice import practice_variant
from app.game.tasks import TASKS
from app.game.variant import canonical_json, content_hash, generate
from app.store import studies, variants
from app.store.db import Store
from app.study import library
from app.study.certificate import certificate_json
from app.study.spec import CellSpec, StudySpec, parse_spec


class StudyExistsError(StudyError):
    """The slug is taken."""

    code = "study/exists"


class NoStudyError(StudyError):
    """There is no study of that name."""

    code = "study/none"


class NotIdentifiableError(StudyError):
    """A variant's demonstrations do not settle its rule."""

    code = "study/not_identifiable"


@dataclass(frozen=True, slots=True)
class StudyView:
    """A study with its newest design."""

    id: int
    slug: str
    title: str
    kind: str
    state: str
    design_id: int
    version: int
    spec: StudySpec


def lexicon_of(spec: StudySpec, name: str) -> Lexicon:
    """Return a study's own lexicon of that name, or one of ours."""
    if name in spec.lexica:
        return parse_lexicon(json.dumps({**spec.lexica[name], "name": name}))
    return library.lexicon(name)


def make_variant(spec: StudySpec, cell: CellSpec) -> Variant:
    """Generate the variant of one cell of a design."""
    task = {**TASKS, **spec.own_tasks()}[cell.task]
    return generate(
        task,
        cell.seed,
        lexicon_of(spec, cell.lexicon),
        cell.coverage,
        cell.distractors,
        permute_outputs=spec.options.permute_outputs,
        salt=spec.options.salt,
    )


def stored_row(variant: Variant, certificate: str, now: datetime) -> dict[str, object]:
    """Return the row under which a variant is stored."""
    return {
        "hash": content_hash(variant),
        "content": canonical_json(variant),
        "certificate": certificate,
        "created_at": now,
    }


def variant_rows(spec: StudySpec, now: datetime) -> dict[str, dict[str, object]]:
    """Generate and certify every variant of a design; cell key -> row.

    Raises NotIdentifiableError: full coverage, and yet the rule is not settled.
    """
    rows = {}
    for cell in spec.cells():
        variant = make_variant(spec, cell)
        certificate = certify(variant)
        if cell.coverage in ("1", "2") and not certificate.unique:
            raise NotIdentifiableError(
                f"{cell.key}: the demonstrations leave more than one rule. Check the task's split."
            )
        rows[cell.key] = stored_row(variant, certificate_json(variant, certificate), now)
    return rows


def create(store: Store, spec: StudySpec, now: datetime, *, state: str = "open") -> StudyView:
    """Store a study with its first design and all its variants."""
    rows = variant_rows(spec, now)
    text = json.dumps({**json.loads(spec.canonical())}, sort_keys=True, ensure_ascii=False)
    with store.write() as db:
        if studies.by_slug(db, spec.slug) is not None:
            raise StudyExistsError(
                f"A study '{spec.slug}' exists already. Choose another slug in the file."
            )
        variants.add_missing(db, rows.values())
        variants.add_missing(db, [stored_row(practice_variant(), "{}", now)])
        study_id = studies.insert_study(db, spec.slug, spec.title, spec.kind, state, now)
        hashes = {key: str(row["hash"]) for key, row in rows.items()}
        studies.insert_design(db, study_id, 1, text, sha256(text), json.dumps(hashes), now)
    with store.read() as db:
        return find(db, spec.slug)


def sha256(text: str) -> str:
    """Return the sha256 of a text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def find(db: Connection, slug: str) -> StudyView:
    """Return a study with its newest design. Raises NoStudyError."""
    row = studies.by_slug(db, slug)
    if row is None:
        raise NoStudyError(f"There is no study '{slug}' here. Please check the link.")
    return StudyView(
        row.id,
        row.slug,
        row.title,
        row.kind,
        row.state,
        row.design_id,
        row.version,
        parse_spec(row.spec),
    )


def set_state(store: Store, slug: str, state: str) -> None:
    """Open or close a study. Closing stops new consents, never people who have consented."""
    with store.write() as db:
        if studies.by_slug(db, slug) is None:
            raise NoStudyError(f"There is no study '{slug}' here.")
        studies.set_state(db, slug, state)


def touch(db: Connection) -> None:
    """Prove that the database answers inside a write, without changing anything."""
    studies.all_slugs(db)
