"""Prolific's signed study links: a JWT in the address, checked against Prolific's key set.

The key set (https://api.prolific.com/.well-known/study/jwks.json) is stored as a file, because
the server opens no connections. The file is read again when it changes.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from app.errors import StudyError
from app.languages.text import joined, phrase

FIELD = "prolific_token"
ALGORITHMS = ("RS256",)
CLAIM = "prolific"  # holds the parameters of the study's address, filled in
LEEWAY_S = 60
MAX_TOKEN = 8000  # characters


class TokenError(StudyError):
    """Prolific's token is not valid here."""

    code = "enrol/prolific_token"

    def __init__(self, fault: str) -> None:
        advice = phrase(
            "Please go back to the study on Prolific and choose “Open study link in a new window” "
            "again. If that does not help, tell the researchers through Prolific."
        )
        super().__init__(joined((fault, advice)))


class KeySetError(StudyError):
    """The file with Prolific's keys cannot be used."""

    code = "settings/prolific_keys"


class KeySet:
    """Prolific's public keys, from a file."""

    def __init__(self, path: Path, base_url: str) -> None:
        """Read the file. `base_url`: our own address, for which tokens must be made.

        Raises KeySetError.
        """
        self._path, self._audience = path, audience_of(base_url)
        self._changed, self._keys = 0.0, dict[str, Any]()
        self._load()

    def _load(self) -> dict[str, Any]:
        """Return id -> key; reads the file if it has changed. Raises KeySetError."""
        import jwt  # loaded by servers with a key set only

        try:
            changed = self._path.stat().st_mtime
            if changed != self._changed:
                found = jwt.PyJWKSet.from_dict(json.loads(self._path.read_text("utf-8")))
                self._keys = {str(one.key_id): one.key for one in found.keys}
                self._changed = changed
        except (OSError, ValueError, TypeError, AttributeError, jwt.PyJWTError) as error:
            raise KeySetError(
                f"{self._path} holds no key set: download "
                "https://api.prolific.com/.well-known/study/jwks.json again."
            ) from error
        return self._keys

    def read(self, token: str, now: datetime) -> dict[str, str]:
        """Return the parameters that Prolific signed. Raises TokenError, KeySetError."""
        import jwt

        try:
            key = self._load()[str(jwt.get_unverified_header(token[:MAX_TOKEN])["kid"])]
            claims = jwt.decode(
                token[:MAX_TOKEN],
                key,
                algorithms=list(ALGORITHMS),
                audience=self._audience,
                options={"verify_exp": False, "verify_iat": False, "verify_nbf": False},
            )
            expires = int(claims["exp"])
            given = {str(name): str(value) for name, value in dict(claims[CLAIM]).items()}
        except (jwt.PyJWTError, KeyError, TypeError, ValueError) as error:
            raise TokenError(
                phrase("Prolific's signed link is not valid for this study.")
            ) from error
        if expires + LEEWAY_S < now.timestamp():
            raise TokenError(phrase("Prolific's signed link has expired."))
        return given


def audience_of(base_url: str) -> Sequence[str]:
    """Return the forms in which Prolific may name our domain."""
    parts = urlsplit(base_url)
    origin = f"{parts.scheme}://{parts.netloc}"
    return [parts.hostname or "", parts.netloc, origin, f"{origin}/", base_url]
