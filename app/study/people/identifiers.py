"""Deletion of platform ids when their date has come."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.moments import to_ms
from app.progress import Track, untracked
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.store.models import api_requests
from app.store.people import accounts as account_rows
from app.store.people import id_hashes, manual_actions, platforms
from app.store.play import paces
from app.study import id_key, second_look, uploads
from app.study.design.library import Library
from app.study.design.spec import parse_spec
from app.study.id_marks import hashed, listed, pieces_of
from app.study.keys import drop_old_daily
from app.study.people.guesses import GUESS_WINDOW


def sweep(store: Store, library: Library, now: datetime, track: Track = untracked) -> int:
    """Delete platform ids whose date has come; return how many people were affected.

    The date is `people.identifiers_days` of the study after a person's part ends. People under way
    keep theirs, because their link must lead back to them (`seats.sweep` ends those whose time is
    over). Entries of a platform's list about people unknown here are deleted as many days after
    the import. Uploaded files are deleted after a few days, and what limits entries and logins by
    address as soon as it no longer counts. Nothing is deleted by a clock that has to be confirmed.
    """
    if not second_look.passed(store):
        return 0
    forgotten, key = 0, id_key.make(store)
    uploads.sweep(store, now)
    with store.write() as db:
        forget_sources(db, now)
        for person in track(manual_actions.ended_people(db), "Checking deletion dates"):
            days = library.spec(db, person.design_id).people.identifiers_days
            since = person.finished_at or person.ended_at or person.created_at
            if since + timedelta(days=days) <= now:
                keep_hashes(db, person, key)
                manual_actions.forget(db, person)
                forgotten += 1
        for slug in studies.all_slugs(db):
            row = studies.by_slug(db, slug)
            if row is not None and row.spec is not None:
                days = parse_spec(row.spec).people.identifiers_days
                gone = manual_actions.take_strangers(db, row.id, now - timedelta(days=days))
                keep(db, row.id, None, {one for each in gone for one in listed(*each)}, key)
                forgotten += len(gone)
    return forgotten


def keep_hashes(db: Connection, person: AnyRow, key: bytes) -> None:
    """Keep keyed hashes of a person's IDs, to find the IDs in texts; none if texts were erased."""
    if person.erased_at is not None:
        return
    ids = {one for one in (person.external_id, person.external_session) if one}
    for record in platforms.records(db, person.study_id, [person.external_id]):
        ids |= listed(*(getattr(record, name) for name in platforms.LISTED))
    keep(db, person.study_id, person.id, ids, key)


def keep(
    db: Connection, study_id: int, participant_id: int | None, ids: Collection[str], key: bytes
) -> None:
    """Store the keyed hashes of IDs. `participant_id`: None = of people who never arrived."""
    pieces = {hashed(key, piece) for one in ids for piece in pieces_of(one)}
    whose = {
        "study_id": study_id,
        "participant_id": participant_id,
        "key_name": id_key.name_of(key),
    }
    id_hashes.insert(db, [{**whose, **piece._asdict()} for piece in sorted(pieces)])


def forget_sources(db: Connection, now: datetime) -> None:
    """Delete hashed addresses that no longer limit anyone, and yesterday's key to them."""
    paces.drop_free(db, to_ms(now))
    api_requests.drop_old(db, to_ms(now))
    account_rows.drop_old_guesses(db, now - GUESS_WINDOW)
    drop_old_daily(db, now)
