"""Create, open, close and find studies; generate the variants that their designs need."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.errors import GameError, StudyError
from app.game.certify import certify
from app.game.lexicon import Lexicon, parse_lexicon
from app.game.model import Variant
from app.game.practice import practice_variant
from app.game.tasks import TASKS
from app.game.variant import canonical_json, content_hash, generate
from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import members, studies, variants
from app.study.design import free_part, library, reference_build, slugs
from app.study.design.certificate import certificate_json
from app.study.design.checklist import blocking
from app.study.design.freeze import frozen_hash
from app.study.design.sources import REFERENCE
from app.study.design.spec import CellSpec, StudySpec, parse_spec
from app.study.rights import Role

BY_FILE = "command line"
TRY = "Try another seed, or check the task's split."


class StudyExistsError(StudyError):
    """The slug is taken."""

    code = "study/exists"


class NoStudyError(StudyError):
    """There is no study with this name."""

    code = "study/none"


class DraftOnlyError(NoStudyError):
    """The study has never been opened. Players read that it does not exist; researchers, why."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"There is no study '{slug}' here. Please check its name or the link.")
        self.for_commands = f"This study is still a draft. Open it first: hjstudy study open {slug}"


class UnknownStudyError(StudyError):
    """A design excludes people of studies that do not exist, probably because of a typo."""

    code = "study/unknown_excluded"

    def __init__(self, slugs: Sequence[str]) -> None:
        named = ", ".join(f"'{slug}'" for slug in slugs)
        super().__init__(
            f"The design turns away people from {named}, but there is no such study. Use the "
            "addresses of studies (people.exclude_studies). If you are about to create it, add its "
            "address here afterwards, before you give anyone the link."
        )


class NotIdentifiableError(StudyError):
    """Some variants cannot be generated, or their demonstrations do not determine the rule."""

    code = "study/not_identifiable"


class NotPublishedError(StudyError):
    """The action needs a published study, but this is a draft."""

    code = "study/not_published"

    def __init__(self) -> None:
        super().__init__("This study is a draft. Open it on its design page first.")


class ArchivedError(StudyError):
    """The action is not possible while the study is archived."""

    code = "study/archived"

    def __init__(self) -> None:
        super().__init__("This study is archived. Restore it first.")


@dataclass(frozen=True, slots=True)
class StudyView:
    """A study with one of its designs, by default the newest published one.

    `hashes`: cell key -> variant hash. `is_frozen`: a real participant has consented to it.
    """

    id: int
    slug: str
    title: str
    kind: str
    state: str
    design_id: int
    version: int
    spec: StudySpec
    revision: int
    hashes: dict[str, str]
    is_frozen: bool
    is_archived: bool = False


class KindError(StudyError):
    """A study whose participants are bots would become one of people, or the other way round."""

    code = "study/kind"

    def __init__(self, kind: str) -> None:
        super().__init__(
            f"This study has participants, so its kind cannot become '{kind}': bots would be "
            "counted as people, or people as bots. Make a new study."
        )


def hides_outcomes(spec: StudySpec, state: str) -> bool:
    """Tell whether scores are hidden from researchers, as a study may ask until it is closed."""
    return spec.options.hide_outcomes and state != "closed"


def lexicon_of(spec: StudySpec, name: str) -> Lexicon:
    """Return a study's own lexicon with this name, or a built-in one."""
    if name in spec.lexica:
        return parse_lexicon(json.dumps({**spec.lexica[name], "name": name}))
    return library.lexicon(name)


def make_variant(spec: StudySpec, cell: CellSpec) -> Variant:
    """Generate the variant of one cell, or build it with the package. Raises NoReferenceError."""
    if cell.source == REFERENCE:
        return reference_build.build(cell.task, cell.seed, cell.lexicon, cell.distractors)
    task = {**TASKS, **spec.own_tasks()}[cell.task]
    shape = (cell.seed, lexicon_of(spec, cell.lexicon), cell.coverage, cell.distractors)
    own = spec.options
    return generate(task, *shape, permute_outputs=own.permute_outputs, salt=own.salt)


def stored_row(variant: Variant, certificate: str, now: datetime) -> dict[str, object]:
    """Return the row that stores a variant."""
    return {
        "hash": content_hash(variant),
        "content": canonical_json(variant),
        "certificate": certificate,
        "created_at": now,
    }


def variant_rows(
    spec: StudySpec, now: datetime, track: Track = untracked
) -> dict[str, dict[str, object]]:
    """Generate and certify every variant of a design; cell key -> row.

    Raises NotIdentifiableError, with one line per cell that cannot be generated, or whose rule is
    not determined at full coverage.
    """
    rows, wrong, cells = {}, [], spec.cells()
    for cell in track(cells, "Certifying variants", len(cells)):
        try:
            variant = make_variant(spec, cell)
        except GameError as error:
            wrong.append(f"{cell.key}: {error.message}")
            continue
        certificate = certify(variant)
        if cell.coverage in ("1", "2") and not certificate.unique:
            wrong.append(f"{cell.key}: more than one rule fits the demonstrations. {TRY}")
        rows[cell.key] = stored_row(variant, certificate_json(variant, certificate), now)
    if wrong:
        raise NotIdentifiableError("\n".join(wrong))
    return rows


def create(
    store: Store,
    spec: StudySpec,
    now: datetime,
    *,
    state: str = "open",
    owner_id: int | None = None,
    track: Track = untracked,
) -> StudyView:
    """Store a study with its first design, already published, and all its variants.

    `state`: a study that the checklist blocks is closed instead of open.
    `owner_id`: the account that owns it; without one, only administrators see it.

    Raises NotIdentifiableError, StudyExistsError, UnknownStudyError; nothing is stored then.
    """
    rows = variant_rows(spec, now, track)
    if blocking(spec):
        state = "closed"
    with store.write() as db:
        study_id = studies.insert_study(db, spec.slug, spec.title, spec.kind, state, now)
        if study_id is None:
            said = slugs.taken_words(db, spec.slug)
            raise StudyExistsError(f"{said} To change that study: hjstudy study update.")
        check_excluded(db, spec)
        put_design(db, study_id, 1, 1, spec, rows, now, published=True)
        free_part.log_first(db, study_id, BY_FILE, now)
        if owner_id is not None:
            members.put(db, study_id, owner_id, Role.OWNER, BY_FILE, now)
    with store.read() as db:
        return find(db, spec.slug)


def check_excluded(db: Connection, spec: StudySpec) -> None:
    """Check that the studies whose people are turned away exist. Raises UnknownStudyError."""
    known = set(studies.all_slugs(db))
    missing = [slug for slug in spec.people.exclude_studies if slug not in known]
    if missing:
        raise UnknownStudyError(missing)


def put_design(
    db: Connection,
    study_id: int,
    version: int,
    revision: int,
    spec: StudySpec,
    rows: dict[str, dict[str, object]],
    now: datetime,
    *,
    published: bool,
) -> None:
    """Store a design version with its variants (`rows` of `variant_rows`) and the practice."""
    variants.add_missing(db, rows.values())
    variants.add_missing(db, [stored_row(practice_variant(), "{}", now)])
    values = {
        "study_id": study_id,
        "version": version,
        "revision": revision,
        "spec": spec.canonical(),
        "spec_hash": frozen_hash(spec),
        "variants": json.dumps({key: row["hash"] for key, row in rows.items()}),
        "published_at": now if published else None,
        "created_at": now,
    }
    studies.insert_design(db, values)


def find(db: Connection, slug: str) -> StudyView:
    """Return a study with its newest published design.

    Raises NoStudyError: no study has this name, or it is a draft, which only researchers may see.
    """
    row = studies.by_slug(db, slug)
    if row is None:
        raise NoStudyError(f"There is no study '{slug}' here. Please check its name or the link.")
    if row.design_id is None:
        raise DraftOnlyError(slug)
    return view_of(row)


def find_version(db: Connection, slug: str, version: int, revision: int) -> StudyView:
    """Return a study with one of its designs, published or not. Raises NoStudyError."""
    row = studies.with_version(db, slug, version, revision)
    if row is None:
        raise NoStudyError(f"There is no version {version} of study '{slug}' here.")
    return view_of(row)


def view_of(row: AnyRow) -> StudyView:
    """Return the view of a study's row joined with a design."""
    return StudyView(
        id=row.id,
        slug=row.slug,
        title=row.title,
        kind=row.kind,
        state=row.state,
        design_id=row.design_id,
        version=row.version,
        spec=parse_spec(row.spec),
        revision=row.revision,
        hashes=json.loads(row.variants),
        is_frozen=row.frozen_at is not None,
        is_archived=row.archived_at is not None,
    )


def set_state(store: Store, slug: str, state: str) -> None:
    """Open or close a study. Closing stops new consents, but not people who have consented.

    Raises NoStudyError; NotPublishedError: a draft is opened by publishing it.
    """
    with store.write() as db:
        row = studies.by_slug(db, slug)
        if row is None:
            raise NoStudyError(f"There is no study '{slug}' here.")
        if row.design_id is None:
            raise NotPublishedError
        studies.set_state(db, slug, state)
