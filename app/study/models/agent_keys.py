"""Keys for other people's programs: shown once, stored as hashes, revoked at any time."""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import members
from app.store.design import studies as study_rows
from app.store.models import agent_keys
from app.store.people import accounts
from app.study import taken
from app.study.design import studies
from app.study.design.studies import StudyView
from app.study.people.accounts import hashed
from app.study.rights import Right, rights_of
from app.study.tickets import once

LONGEST_NAME = 48
NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9 ._-]{{0,{LONGEST_NAME - 1}}}")
SCOPES = agent_keys.SCOPES
PREFIX = "hjs_"
KEY_BYTES = 32
AGAIN = timedelta(seconds=30)  # in which a form sent twice gets the key that counts


class BadKeyError(StudyError):
    """The request has no key, or one that is unknown or revoked; the message never says which."""

    code = "api/key"

    def __init__(self) -> None:
        super().__init__(
            "Send a valid key in the header 'Authorization: Bearer KEY'. Researchers create keys "
            "on the study's page 'Keys for agents'."
        )


class ScopeError(StudyError):
    """The key may read results, but not play."""

    code = "api/scope"

    def __init__(self) -> None:
        super().__init__("This key can only read results. Ask for one with the scope 'play'.")


class KeyNameError(StudyError):
    """A key's name cannot be used."""

    code = "api/key_name"


@dataclass(frozen=True, slots=True)
class Key:
    """A valid key."""

    id: int
    study_id: int
    name: str
    scope: str

    @property
    def may_play(self) -> bool:
        """Tell whether the key may do more than read results."""
        return self.scope == agent_keys.PLAY


def make(
    store: Store,
    study: StudyView,
    name: str,
    scope: str,
    by: str,
    now: datetime,
    ticket: str | None = None,
) -> str:
    """Create a key and return it: it cannot be shown again.

    If its form (`ticket`) is sent twice, only the second answer may ever be seen. It gets a new key
    that replaces the first one, which no one has seen. Raises KeyNameError, TicketError.
    """
    name = name.strip()
    if not NAME.fullmatch(name):
        raise KeyNameError(
            "name: use 1 to 48 unaccented letters, digits, spaces or . _ -, starting with a letter "
            "or digit."
        )
    if scope not in SCOPES:
        raise KeyNameError(f"scope: must be one of {', '.join(SCOPES)}.")
    key = PREFIX + secrets.token_urlsafe(KEY_BYTES)
    values = {
        "study_id": study.id,
        "name": name,
        "digest": hashed(key),
        "scope": scope,
        "made_by": by[:64],
        "created_at": now,
    }
    with store.write() as db:
        study_rows.lock(db, study.id)

        def do() -> dict[str, Any]:
            if agent_keys.by_name(db, study.id, name) is not None:
                known, by_key = agent_keys.names(db, study.id), "another key of the study"
                said = taken.words("name", name, known, LONGEST_NAME, by_key)
                raise KeyNameError(f"name: {said}")
            key_id = agent_keys.insert(db, values)
            log(db, key_id, agent_keys.MADE, by, now)
            return {"key": key_id}

        made = do() if ticket is None else once(db, ticket, f"account/{by}", now, do)
        if not agent_keys.renew(db, made["key"], hashed(key), now - AGAIN):
            raise KeyNameError(
                f"name: the key '{name}' already exists. Revoke it before you create another."
            )
    return key


def revoke(store: Store, study: StudyView, name: str, by: str, now: datetime) -> None:
    """Revoke a key; a second time has no effect. Raises KeyNameError: no key has this name."""
    with store.write() as db:
        study_rows.lock(db, study.id)
        row = agent_keys.by_name(db, study.id, name)
        if row is None:
            raise KeyNameError(f"name: the study has no key '{name[:48]}'.")
        if agent_keys.revoke(db, row.id, now):
            log(db, row.id, agent_keys.REVOKED, by, now)


def log(
    db: Connection, key_id: int, kind: str, by: str, now: datetime, run_id: int | None = None
) -> None:
    """Record an event in a key's history."""
    values = {"key_id": key_id, "kind": kind, "run_id": run_id, "made_by": by[:64], "at": now}
    agent_keys.log(db, values)


def listed(db: Connection, study: StudyView) -> Sequence[AnyRow]:
    """Return a study's keys; none of them can be read from its row."""
    return agent_keys.of_study(db, study.id)


def events(db: Connection, study: StudyView) -> Sequence[AnyRow]:
    """Return the history of a study's keys, newest first."""
    return agent_keys.events(db, study.id)


def study_of(db: Connection, key: Key) -> StudyView:
    """Return the study of a key."""
    return studies.find(db, str(study_rows.slug_of(db, key.study_id)))


def is_backed(db: Connection, row: AnyRow) -> bool:
    """Tell whether the researcher who made a key may still make keys for its study.

    Those made by command count until they are revoked.
    """
    account = accounts.by_name(db, row.made_by)
    if account is None:
        return True
    role = members.role_in(db, account.id, row.study_id)
    rights = rights_of(role, is_admin=account.is_admin)
    return account.active and Right.EDIT in rights


def find(db: Connection, key: str) -> Key:
    """Return a valid key. Raises BadKeyError."""
    row = agent_keys.by_digest(db, hashed(key)) if key.startswith(PREFIX) else None
    if row is None or row.revoked_at is not None or not is_backed(db, row):
        raise BadKeyError
    return Key(row.id, row.study_id, row.name, row.scope)
