"""Signed manifests: digests of a study's rows, to keep outside the database.

Someone who can change the database can also compute new digests and chains. A manifest that was
signed before, and is kept elsewhere, still shows the rows as they were.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection

from app import __version__
from app.progress import Track, untracked
from app.store import anchor_rows
from app.store.db import Store
from app.store.design import studies as study_rows
from app.study.design import studies
from app.study.design.studies import StudyView
from app.study.export import logged_deletions, signing
from app.study.export.records import Wrong
from app.study.people import audit

FORMAT = "hjstudy-manifest/2"
EARLIER = "hjstudy-manifest/1"  # models' episodes and turns had tables of their own
MOVED = ("model_episode", "model_turn")


def make(
    store: Store, slug: str, key: Ed25519PrivateKey, now: datetime, track: Track = untracked
) -> dict[str, Any]:
    """Return the signed manifest of a study. Raises NoStudyError."""
    with store.read() as db:
        return document(db, studies.find(db, slug), key, now, track)


def document(
    db: Connection,
    study: StudyView,
    key: Ed25519PrivateKey,
    now: datetime,
    track: Track = untracked,
) -> dict[str, Any]:
    """Return the signed manifest of a study, from one snapshot."""
    facts = {
        "format": FORMAT,
        "study": study.slug,
        "made_at": now.isoformat(timespec="seconds"),
        "code_version": __version__,
        **digests(db, study.id, track),
    }
    return signing.signed(facts, key)


def as_text(manifest: dict[str, Any]) -> str:
    """Return a signed manifest as the text of its file."""
    return json.dumps(manifest, indent=1) + "\n"


def digests(db: Connection, study_id: int, track: Track) -> dict[str, Any]:
    """Return the digests of a study: the audit log, chains of people and turns, single rows."""
    rows, tables = {}, list(anchor_rows.tables())
    for table in track(tables, "Computing digests", len(tables)):
        found = anchor_rows.digests(db, table, study_id)
        rows[table.name] = {
            key: [digest] if owner is None else [digest, owner]
            for key, (digest, owner) in found.items()
        }
    return {
        "audit": list(audit.tip(db)),
        "events": {str(one): tip for one, tip in anchor_rows.chains(db, study_id).items()},
        "turns": {str(one): tip for one, tip in anchor_rows.tips(db, study_id).items()},
        "rows": rows,
    }


def read(path: Path, public: str) -> dict[str, Any]:
    """Return a manifest after checking its signature. Raises SigningError."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise signing.SigningError(f"Cannot read {path}: {error.strerror}.") from error
    except ValueError as error:
        raise signing.SigningError(f"{path} is not a manifest: it is not JSON.") from error
    if not isinstance(document, dict) or document.get("format") not in {FORMAT, EARLIER}:
        raise signing.SigningError(f"{path} is not a manifest of this program ({FORMAT}).")
    signing.check(document, public)
    return document


def compare(db: Connection, document: dict[str, Any]) -> tuple[int, list[Wrong]]:
    """Compare a study with its manifest; return the number of digests and what differs.

    Rows that came later are not in the manifest. Rows that a logged deletion names are passed over,
    and so are rows of people whose data were erased since, except their chained log.
    """
    if logged_deletions.of_study(db, document) is not None:
        return 0, []
    study = study_rows.by_slug(db, document["study"])
    if study is None:
        return 0, [Wrong("", "manifest", "study", None, document["study"])]
    study_id = study.id
    rows = comparable(document)
    number = sum(map(len, (document["events"], document["turns"], *rows.values())))
    entry, digest = document.get("audit", (0, ""))  # earlier manifests do not have it
    gone = anchor_rows.erased(db, study_id)
    deleted = logged_deletions.keys(db, study_id, rows)
    wrong = [
        *event_problems(db, study_id, document["events"]),
        *turn_problems(db, document["turns"], gone),
        *row_problems(db, study_id, rows, gone, deleted),
        *audit_problems(db, entry, digest),
    ]
    return number + bool(entry), wrong


def is_earlier(document: dict[str, Any]) -> bool:
    """Tell whether a manifest lists rows of models' plays that have been moved since."""
    return document["format"] == EARLIER and any(document["rows"].get(one) for one in MOVED)


def comparable(document: dict[str, Any]) -> dict[str, Any]:
    """Return the listed rows without those that have other numbers and columns now."""
    gone = MOVED if document["format"] == EARLIER else ()
    return {name: rows for name, rows in document["rows"].items() if name not in gone}


def audit_problems(db: Connection, entry: int, digest: str) -> Iterator[Wrong]:
    """Yield what is wrong with the audit log up to the entry that the manifest names."""
    if not entry:
        return
    found = audit.verify(db, last=entry)
    if found.broken:
        yield Wrong("", f"audit log, entry {found.broken}", "chain", "broken", "whole")
    elif found.tip != digest:
        yield Wrong("", f"manifest, audit log, entry {entry}", "digest", found.tip or None, digest)


def event_problems(db: Connection, study_id: int, listed: dict[str, Any]) -> Iterator[Wrong]:
    """Yield the chains of people that were rewritten."""
    stored = anchor_rows.event_digests(db, study_id)
    for one, (seq, digest) in listed.items():
        own = stored.get((int(one), seq))
        if own != digest:
            yield Wrong("", f"manifest, participant row {one}, event {seq}", "event", own, digest)


def turn_problems(db: Connection, listed: dict[str, Any], gone: set[int]) -> Iterator[Wrong]:
    """Yield the chains of turns that were rewritten."""
    for one, tips in listed.items():
        for episode, (seq, digest) in tips.items():
            own = anchor_rows.turn_digest(db, int(episode), seq)
            if own != digest and int(one) not in gone:
                yield Wrong("", f"manifest, episode row {episode}, turn {seq}", "turn", own, digest)


def row_problems(
    db: Connection,
    study_id: int,
    listed: dict[str, Any],
    gone: set[int],
    deleted: dict[str, set[str]],
) -> Iterator[Wrong]:
    """Yield the rows that were changed, or deleted without a line in a log.

    SQLite may give the key of a deleted row to a later one, which is not in the manifest.
    """
    for table in anchor_rows.tables():
        rows = listed.get(table.name, {})
        stored = anchor_rows.digests(db, table, study_id) if rows else {}
        logged = deleted.get(table.name, set())
        for key, (digest, *owner) in rows.items():
            own = stored[key][0] if key in stored else None
            if own != digest and key not in logged and not gone & set(owner):
                yield Wrong("", f"manifest, {table.name} row {key}", table.name, own, digest)
