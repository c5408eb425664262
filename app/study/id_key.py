"""The key of the hashes of deleted IDs: a file outside the database, made when first needed."""

import secrets
from hashlib import blake2b

from app.errors import StudyError
from app.store.db import Store
from app.study import key_file

KEY_BYTES = 32


class IdKeyError(StudyError):
    """The key file cannot be made or read."""

    code = "id_key/file"


def read(store: Store) -> bytes:
    """Return the key, or b'' if there is none. Raises IdKeyError."""
    try:
        return bytes.fromhex(store.id_key_path.read_text("ascii").strip())
    except FileNotFoundError:
        return b""
    except (OSError, ValueError) as error:
        raise IdKeyError(
            f"Cannot read the key of deleted IDs in {store.id_key_path}. Restore it from a backup, "
            "or set HJSTUDY_ID_KEY_PATH to the right file."
        ) from error


def make(store: Store) -> bytes:
    """Return the key; the first call ever makes it, readable only by the owner."""
    path = store.id_key_path
    try:
        key_file.make_once(path, f"{secrets.token_hex(KEY_BYTES)}\n".encode())
    except OSError as error:
        raise IdKeyError(f"Cannot write the key of deleted IDs to {path}.") from error
    return read(store)


def name_of(key: bytes) -> str:
    """Return a key's fingerprint, which says nothing about it."""
    return blake2b(b"name", key=key, digest_size=8).hexdigest() if key else ""
