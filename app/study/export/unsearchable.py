"""People of whom a shareable bundle cannot be searched for an ID, or only in part, and why."""

from collections import Counter
from collections.abc import Mapping

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.export import releases
from app.study.id_marks import PIECE, pieces_of

ERASED, NO_ID, TOO_SHORT, OLDER = "erased", "no_id", "too_short", "older_hash"
REASONS = {  # reason -> why, in words
    ERASED: (
        "whose data were erased: their ID was deleted on its date, and no hash of it was kept. "
        "Their own texts are gone, but someone else may have typed their ID"
    ),
    NO_ID: (
        "of whom neither an ID nor a hash of one is stored: they came without an ID, or it was "
        "deleted by a version that kept no hashes, or it was too short to look for"
    ),
    TOO_SHORT: "whose ID has fewer than four letters and digits, so it is not looked for",
    OLDER: (
        "whose ID an older version deleted: it is found by sixteen characters in a row, but not "
        "by fewer and not backwards. That version kept nothing of codes and people on lists"
    ),
}


def people_of(db: Connection, study_id: int) -> dict[str, str]:
    """Return public ID -> one of REASONS, without test participants."""
    found = {row.public_id: reason_of(row) for row in releases.searchable(db, study_id)}
    return {who: reason for who, reason in found.items() if reason}


def reason_of(row: AnyRow) -> str:
    """Return why an ID cannot be found, or ''."""
    ids = [one for one in (row.external_id, row.external_session) if one]
    if ids:
        return "" if pieces_of(ids[0]) else TOO_SHORT
    if row.longest is None:
        return NO_ID if row.erased_at is None else ERASED
    return OLDER if row.longest > PIECE else ""


def counted(people: Mapping[str, str]) -> dict[str, int]:
    """Return reason -> number of people, in the order of REASONS."""
    found = Counter(people.values())
    return {reason: found[reason] for reason in REASONS if found[reason]}
