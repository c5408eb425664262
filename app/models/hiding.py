"""Keys that endpoints send back are replaced before anything is stored, printed or logged."""

import base64
import json
from collections.abc import Iterable
from urllib.parse import quote, unquote, urlsplit

from app.errors import StudyError

HIDDEN = "***"
SHORTEST = 8  # characters; shorter ones, such as `none`, may be ordinary words of an answer


class BadKeyError(StudyError):
    """The key has characters that no header can carry; the message never shows it."""

    code = "models/key"

    def __init__(self) -> None:
        super().__init__(
            "The key has spaces or characters that cannot be sent. Check the file or variable."
        )


class Secrets:
    """What must not be kept: a key, and the user and password of an address."""

    def __init__(self, key: str, url: str) -> None:
        """Raises BadKeyError."""
        if not all("!" <= one <= "~" for one in key):
            raise BadKeyError
        parts = urlsplit(url)
        password = unquote(parts.password or "")
        named = f"{unquote(parts.username or '')}:{password}" if password else ""
        self._found = [one for one in (key, password, named) if one]
        self._forms = sorted(
            {form for one in self._found for form in forms_of(one)}, key=len, reverse=True
        )

    def hide(self, text: str, *, words: bool = True) -> str:
        """Return a text with `***` for every secret. Without `words`, short secrets stay."""
        for form in self._forms:
            if words or len(form) >= SHORTEST:
                text = text.replace(form, HIDDEN)
        return text

    def hide_in_body(self, body: str, *, words: bool) -> str:
        """Return a body without secrets, also where its JSON spells them with escapes."""
        if not self._forms:
            return body
        found = self.hide(body, words=words)
        if "\\" not in found:
            return found
        try:
            plain = json.dumps(json.loads(found))
        except (ValueError, RecursionError):
            return found
        hidden = self.hide(plain, words=words)
        return found if hidden == plain else hidden


def forms_of(secret: str) -> Iterable[str]:
    """Yield a secret as it is, in JSON, percent-encoded, and in base64 as `Basic` has it."""
    yield secret
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret)[1:-1].replace("/", "\\/")
    yield repr(secret)[1:-1]
    yield quote(secret, safe="")
    for text in (secret, f":{secret}", f"{secret}:"):
        yield base64.b64encode(text.encode()).decode()
