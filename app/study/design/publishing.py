"""Turn a draft into a published version, a preview or an open study; its history."""

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.progress import Track, untracked
from app.store.db import Store
from app.store.design import designs, studies
from app.study.design import free_part, gone_rows, testlink
from app.study.design.bursts import carry_over
from app.study.design.change_log import log
from app.study.design.checklist import require_ready
from app.study.design.draft import Draft, StaleDesignError, load, lock
from app.study.design.freeze import differences, frozen_hash, with_free
from app.study.design.spec import StudySpec, check_study, parse_spec
from app.study.design.studies import (
    ArchivedError,
    KindError,
    NoStudyError,
    NotPublishedError,
    StudyView,
    check_excluded,
    find_version,
    put_design,
    variant_rows,
)

Rows = dict[str, dict[str, object]]  # cell key -> row of its variant
NOTHING, FREE_PART, VERSION = "nothing", "free", "version"


@dataclass(frozen=True, slots=True)
class Published:
    """What publishing did: nothing, a change of the free part, or a new version."""

    what: str
    version: int


@dataclass(frozen=True, slots=True)
class Event:
    """An entry in a study's history."""

    at: datetime
    event: str
    version: int
    revision: int
    made_by: str
    changes: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Version:
    """A version that people could start with, in its latest revision."""

    version: int
    revision: int
    published_at: datetime
    frozen_at: datetime | None
    hashes: dict[str, str]


def publish(
    store: Store,
    slug: str,
    *,
    revision: int,
    by: str,
    now: datetime,
    open_it: bool = False,
    track: Track = untracked,
) -> Published:
    """Publish the draft; `open_it` also opens the study, in the same transaction.

    If only free fields differ, they change for everyone. If the frozen part differs, a version is
    created, with a new number if a real participant has consented to the last one.
    Raises StudyFileError, NotIdentifiableError, UnknownStudyError, StaleDesignError, KindError,
    and NotReadyError if the study is open and the checklist blocks; nothing is stored then.
    """
    with store.read() as db:
        draft = load(db, slug)
    if draft.revision != revision:
        raise StaleDesignError(draft.made_by)
    spec = check_study(draft.document)
    # before the write, so that no one waits for it
    rows = {} if keeps_frozen(draft, spec) else variant_rows(spec, now, track)
    with store.write() as db:
        draft = lock(db, slug, revision)
        check_excluded(db, spec)
        done = put_in_force(db, draft, spec, rows, by, now)
        if open_it and draft.state != "open":
            studies.set_state(db, slug, "open")
            log(db, draft.study_id, "opened", done.version, revision, [], by, now)
    return done


def put_in_force(
    db: Connection, draft: Draft, spec: StudySpec, rows: Rows, by: str, now: datetime
) -> Published:
    """Store a checked draft as the published design. Raises NotReadyError, KindError."""
    old = draft.published
    changes = [] if old is None else differences(old.spec, spec)
    if old is not None and not changes:
        return Published(NOTHING, old.version)
    if old is not None:
        carry_over(db, draft.study_id, old.spec, spec, now)
    if draft.state == "open":
        require_ready(spec)
    check_kind(db, draft, spec)
    version = version_of(draft, spec)
    done = Published(VERSION, version)
    if keeps_frozen(draft, spec):
        done = Published(FREE_PART, version)
    else:
        known = studies.with_version(db, draft.slug, version, draft.revision)
        if known is None:
            put_design(db, draft.study_id, version, draft.revision, spec, rows, now, published=True)
        else:
            designs.publish(db, known.design_id, now)  # already stored by a preview
    for row in designs.of_study(db, draft.study_id):
        designs.rewrite(db, row.id, with_free(parse_spec(row.spec), spec).canonical())
    designs.retitle(db, draft.study_id, spec.title, spec.kind)
    event = "changed" if done.what == FREE_PART else "published"
    lines = [*changes, free_part.line(db, draft.study_id)]
    log(db, draft.study_id, event, version, draft.revision, lines, by, now)
    return done


def check_kind(db: Connection, draft: Draft, spec: StudySpec) -> None:
    """Keep bots and people apart. Raises KindError."""
    old = draft.published
    if old is None or old.spec.is_of_bots == spec.is_of_bots:
        return
    if any(row.frozen_at for row in designs.of_study(db, draft.study_id)):
        raise KindError(spec.kind)


def keeps_frozen(draft: Draft, spec: StudySpec) -> bool:
    """Tell whether a checked draft changes only free fields."""
    return draft.published is not None and same_frozen(draft.published.spec, spec)


def same_frozen(one: StudySpec, other: StudySpec) -> bool:
    """Tell whether players get the same study under both designs."""
    return frozen_hash(one) == frozen_hash(other)


def version_of(draft: Draft, spec: StudySpec) -> int:
    """Return the version number of a draft, or the one it would get when published."""
    old = draft.published
    if old is None:
        return 1
    return old.version + (1 if old.is_frozen and not same_frozen(old.spec, spec) else 0)


def preview(store: Store, slug: str, *, now: datetime) -> str:
    """Return a signed test link to the current draft, which is stored as a design for previews.

    Raises NoStudyError, StudyFileError, NotIdentifiableError.
    """
    with store.read() as db:
        draft = load(db, slug)
    if not draft.is_changed and draft.published is not None:
        return link_to(store, slug, draft.published.version, draft.published.revision, now)
    spec = check_study(draft.document)
    rows = variant_rows(spec, now)
    with store.write() as db:
        draft = lock(db, slug, draft.revision)
        version = version_of(draft, spec)
        if studies.with_version(db, slug, version, draft.revision) is None:
            put_design(
                db, draft.study_id, version, draft.revision, spec, rows, now, published=False
            )
        return testlink.make(db, slug, version, draft.revision, now)


def planned(db: Connection, slug: str) -> StudyView:
    """Return a study with its newest published design, or else with its draft.

    No variants of a draft are stored (`hashes` is empty). Raises NoStudyError; StudyFileError: the
    draft is not valid yet.
    """
    found = load(db, slug)
    if found.published is not None:
        return found.published
    return StudyView(
        id=found.study_id,
        slug=slug,
        title=found.title,
        kind=found.kind,
        state=found.state,
        design_id=0,
        version=0,
        spec=check_study(found.document),
        revision=found.revision,
        hashes={},
        is_frozen=False,
        is_archived=found.is_archived,
    )


def test_link(store: Store, slug: str, *, now: datetime) -> str:
    """Return a signed test link to the published design, or to the draft if there is none."""
    with store.read() as db:
        found = load(db, slug).published
    if found is None:
        return preview(store, slug, now=now)
    return link_to(store, slug, found.version, found.revision, now)


def link_to(store: Store, slug: str, version: int, revision: int, now: datetime) -> str:
    """Return a signed test link to a stored design."""
    with store.write() as db:
        return testlink.make(db, slug, version, revision, now)


def change_state(store: Store, slug: str, state: str, *, by: str, now: datetime) -> None:
    """Open or close a study and record it; opening a draft publishes it.

    Closing stops new consents, but not people who have consented. Idempotent.
    Raises NoStudyError, NotPublishedError, ArchivedError, NotReadyError (the checklist says why),
    and what `publish` raises.
    """
    with store.read() as db:
        draft = load(db, slug)
    if state == "open" and draft.is_archived:
        raise ArchivedError
    if state == "open" and draft.state != "open":
        require_ready(check_study(draft.document) if not draft.published else draft.published.spec)
    if draft.published is None and state == "open":
        publish(store, slug, revision=draft.revision, by=by, now=now, open_it=True)
        return
    with store.write() as db:
        draft = lock(db, slug)
        if draft.published is None:
            raise NotPublishedError
        if draft.state != state:
            studies.set_state(db, slug, state)
            event = "opened" if state == "open" else "closed"
            found = draft.published
            log(db, draft.study_id, event, found.version, found.revision, [], by, now)


def history(db: Connection, study_id: int) -> list[Event]:
    """Return a study's history, newest first."""
    return [
        Event(
            at=row.at,
            event=row.event,
            version=row.version,
            revision=row.revision,
            made_by=row.made_by,
            changes=tuple(
                (name, before, after)
                for name, before, after in json.loads(row.changes)
                if name != free_part.DIGEST and not gone_rows.is_line(name)
            ),
        )
        for row in designs.changes_of(db, study_id)
    ]


def versions(db: Connection, study_id: int) -> list[Version]:
    """Return the versions that people could start with, in their latest revision, newest first."""
    found = dict[int, Version]()
    for row in designs.of_study(db, study_id):
        if row.published_at is not None and row.version not in found:
            found[row.version] = Version(
                version=row.version,
                revision=row.revision,
                published_at=row.published_at,
                frozen_at=row.frozen_at,
                hashes=json.loads(row.variants),
            )
    return list(found.values())


def spec_of(db: Connection, slug: str, version: int) -> StudySpec:
    """Return the latest revision of a published version. Raises NoStudyError."""
    found = load(db, slug)
    for one in versions(db, found.study_id):
        if one.version == version:
            return find_version(db, slug, version, one.revision).spec
    raise NoStudyError(f"There is no version {version} of study '{slug}' here.")
