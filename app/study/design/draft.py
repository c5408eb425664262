"""Drafts: a study's design while researchers edit it, stored as typed, checked part by part.

A draft is a document like a study file, but may be incomplete or invalid. Every save increases its
revision, and a form with an older revision is refused, so two researchers cannot overwrite each
other's changes unnoticed. `publishing.publish` turns a draft into a design version.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import designs, members, studies
from app.study.design import slugs
from app.study.design.change_log import log
from app.study.design.default_texts import with_default_texts
from app.study.design.defaults import filled
from app.study.design.faults import Fault
from app.study.design.freeze import differences
from app.study.design.spec import StudyFileError, StudySpec, check_study
from app.study.design.studies import NoStudyError, StudyExistsError, StudyView, view_of
from app.study.rights import Role
from app.study.tickets import TicketError, once

# Parts of a file that share rules are checked together, but separately from other parts, so that a
# fault in one section does not hide faults in another.
TIED = (("blocks", "per_player", "order", "between", "tasks", "lexica"),)
BASE: dict[str, Any] = {
    "slug": "a-study",
    "title": "A study",
    "blocks": [{"task": "A-Add", "seeds": [0]}],
}


class StaleDesignError(StudyError):
    """Someone else has saved this design since the form was opened."""

    code = "study/stale_design"

    def __init__(self, made_by: str) -> None:
        who = f" ({made_by})" if made_by else ""
        super().__init__(
            f"This design was saved by someone else{who} or in another tab since you opened this "
            "page. Your changes are not saved; what you typed is below. Check the newest design, "
            "then save again to overwrite it."
        )
        self.made_by = made_by


@dataclass(frozen=True, slots=True)
class Draft:
    """A study's design as on its pages. `published` is None before the study is first opened."""

    study_id: int
    slug: str
    title: str
    kind: str
    state: str
    document: dict[str, Any]
    revision: int
    made_by: str
    changed_at: datetime | None
    published: StudyView | None
    is_archived: bool = False

    @property
    def spec(self) -> StudySpec | None:
        """Return the checked design, or None if it is invalid."""
        try:
            return check_study(self.document)
        except StudyFileError:
            return None

    @property
    def cells_spec(self) -> StudySpec | None:
        """Return a checked design with the draft's cells, even if other parts are invalid."""
        spoilt = {fault.path.partition(".")[0] for fault in faults(self.document)}
        if spoilt & {*TIED[0], "slug", "title", ""}:
            return None
        return check_study({k: v for k, v in self.document.items() if k not in spoilt})

    @property
    def is_changed(self) -> bool:
        """Tell whether it differs from the published design."""
        spec = self.spec
        return (
            self.published is None or spec is None or bool(differences(self.published.spec, spec))
        )


def load(db: Connection, slug: str) -> Draft:
    """Return a study's draft, or its published design if unedited. Raises NoStudyError."""
    row = studies.by_slug(db, slug)
    if row is None:
        raise NoStudyError(f"There is no study '{slug}' here.")
    return of_row(db, row)


def of_row(db: Connection, row: AnyRow) -> Draft:
    """Return the draft in a study's row."""
    published = None if row.design_id is None else view_of(row)
    stored = designs.draft_of(db, row.id)
    text = row.spec if stored is None else stored.document
    document = filled(StudySpec, json.loads(text))
    if stored is not None or published is None:  # a published design keeps its texts
        document = with_default_texts(document)
    return Draft(
        study_id=row.id,
        slug=row.slug,
        title=row.title,
        kind=row.kind,
        state=row.state,
        document=document,
        revision=row.revision if stored is None else stored.revision,
        made_by="" if stored is None else stored.made_by,
        changed_at=None if stored is None else stored.changed_at,
        published=published,
        is_archived=row.archived_at is not None,
    )


def lock(db: Connection, slug: str, revision: int | None = None) -> Draft:
    """Lock a study and return its draft, which must have the given revision, if any.

    Raises NoStudyError, StaleDesignError.
    """
    row = studies.by_slug(db, slug)
    if row is None:
        raise NoStudyError(f"There is no study '{slug}' here.")
    studies.lock(db, row.id)
    found = load(db, slug)
    if revision is not None and found.revision != revision:
        raise StaleDesignError(found.made_by)
    return found


def save(
    store: Store,
    slug: str,
    part: dict[str, Any],
    *,
    revision: int,
    ticket: str,
    by: str,
    now: datetime,
) -> int:
    """Store a part of the draft, valid or not, so that nothing typed is lost.

    `part`: dotted path -> value, such as {"texts.consent": "..."}; paths of one or two names.
    `revision`, `ticket`: those of the form. `by`: name of the account.

    Returns the new revision (unchanged if nothing has changed). Raises NoStudyError, TicketError;
    StaleDesignError: someone else saved in the meantime, or the form was sent with other content.
    """
    checksum = digest(part)

    def write(db: Connection) -> dict[str, Any]:
        draft = lock(db, slug, revision)
        document = merged(draft.document, part)
        if document != draft.document:
            put(db, draft.study_id, document, revision + 1, by, now)
            if draft.published is None:  # no one has seen another title yet
                name_as_typed(db, draft, document)
            return {"revision": revision + 1, "said": checksum}
        return {"revision": revision, "said": checksum}

    with store.write() as db:
        lock(db, slug)  # a second post of the form waits here, then finds its ticket used
        done = once(db, ticket, f"design/{slug}", now, lambda: write(db))
        if done["said"] != checksum:
            raise StaleDesignError("")
        return int(done["revision"])


def digest(part: object) -> str:
    """Return a digest of a form's content, to tell a repeated post from a changed one."""
    return sha256(json.dumps(part, sort_keys=True).encode()).hexdigest()[:16]


def name_as_typed(db: Connection, draft: Draft, document: dict[str, Any]) -> None:
    """Copy a draft's title and kind to the study, for the list of studies."""
    title, kind = str(document.get("title", "")).replace("\0", ""), document.get("kind")
    designs.retitle(db, draft.study_id, title, kind if kind in studies.KINDS else draft.kind)


def replace(
    store: Store, slug: str, spec: StudySpec, *, revision: int, ticket: str, by: str, now: datetime
) -> int:
    """Store a whole design (from a file, or the published one) as the draft, as `save` does."""
    part = spec.model_dump(mode="json")
    return save(store, slug, part, revision=revision, ticket=ticket, by=by, now=now)


def merged(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of the document with the values of `part` (by dotted path)."""
    found = json.loads(json.dumps(document))
    for path, value in part.items():
        outer, _, inner = path.partition(".")
        if inner:
            found[outer] = {**found.get(outer, {}), inner: value}
        else:
            found[outer] = value
    return dict(found)


def put(
    db: Connection, study_id: int, document: dict[str, Any], revision: int, by: str, now: datetime
) -> None:
    """Store a draft's document."""
    text = json.dumps(document, ensure_ascii=True)
    values = {"revision": revision, "document": text, "made_by": by, "changed_at": now}
    designs.put_draft(db, {"study_id": study_id, **values})


def make(
    store: Store,
    document: dict[str, Any],
    *,
    ticket: str,
    by: str,
    now: datetime,
    owner_id: int | None = None,
    sent: object = None,
) -> str:
    """Create a study as a draft from a document with valid slug, title and kind; return the slug.

    `by`: the account's name; `owner_id`: its row, which owns the study; `sent`: what the form said.
    Raises StudyExistsError, TicketError (also: the form has created another study).
    """
    checksum = digest(document if sent is None else sent)
    slug, title, kind = (str(document[name]) for name in ("slug", "title", "kind"))

    def write(db: Connection) -> dict[str, Any]:
        study_id = studies.insert_study(db, slug, title, kind, "draft", now)
        if study_id is None:
            raise StudyExistsError(slugs.taken_words(db, slug))
        put(db, study_id, document, 1, by, now)
        log(db, study_id, "created", 0, 1, [], by, now)
        if owner_id is not None:
            members.put(db, study_id, owner_id, Role.OWNER, by, now)
        return {"slug": slug, "said": checksum}

    def make_once() -> str:
        with store.write() as db:
            done = once(db, ticket, "design/new", now, lambda: write(db))
            if done["said"] != checksum:
                raise TicketError
            return str(done["slug"])

    try:
        return make_once()
    except StudyExistsError:
        return make_once()  # the same form was sent twice at once: its ticket is known by now


def faults(document: dict[str, Any]) -> list[Fault]:
    """Return all faults of a document, in the order of its parts."""
    loose = [(name,) for name in document if not any(name in group for group in TIED)]
    groups = [("slug", "title"), *TIED, *(g for g in loose if g[0] not in ("slug", "title"))]
    return [one for group in groups for one in faults_of_part(document, group)] or wrong(document)


def faults_of_part(document: dict[str, Any], names: tuple[str, ...]) -> list[Fault]:
    """Return the faults of some top-level parts of a document, regardless of the others."""
    tied = {one for group in TIED for one in group if set(group) & set(names)}
    wanted = {*names, *tied}
    base = {key: value for key, value in BASE.items() if key not in wanted}
    return wrong({**base, **{key: document[key] for key in document if key in wanted}})


def wrong(document: dict[str, Any]) -> list[Fault]:
    """Return the faults of a whole document."""
    try:
        check_study(document)
    except StudyFileError as error:
        return list(error.faults)
    return []
