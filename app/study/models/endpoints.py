"""Endpoints that the server may ask: set by its operator, so that no page can name others.

`NAME=URL` or `NAME=URL KEY`, separated by commas. KEY is the name of the environment variable with
the key; the key itself is never stored, shown or logged.
"""

import os
import re
from importlib.util import find_spec
from typing import NamedTuple

from app.errors import StudyError

ENTRY = re.compile(r"([A-Za-z0-9._-]{1,32})=(https?://\S+)(?:\s+([A-Z][A-Z0-9_]{0,63}))?")


class EndpointError(StudyError):
    """The setting cannot be read, or the server cannot ask models."""

    code = "models/endpoint"


class Endpoint(NamedTuple):
    """An endpoint. `key_name`: of an environment variable; '' = no key."""

    name: str
    url: str
    key_name: str

    @property
    def key(self) -> str:
        """Return the key, or '' if there is none."""
        return os.environ.get(self.key_name, "").strip() if self.key_name else ""


def read(text: str) -> tuple[Endpoint, ...]:
    """Return the endpoints of the setting. Raises EndpointError."""
    found = []
    for part in (one.strip() for one in text.split(",")):
        if not part:
            continue
        match = ENTRY.fullmatch(part)
        if match is None:
            raise EndpointError(
                "HJSTUDY_MODEL_ENDPOINTS: write NAME=URL or NAME=URL KEY_VARIABLE, separated by "
                "commas, such as local=http://127.0.0.1:8080/v1, openai=https://api.openai.com/v1 "
                "OPENAI_API_KEY."
            )
        found.append(Endpoint(match[1], match[2].rstrip("/"), match[3] or ""))
    return tuple(found)


def named(endpoints: tuple[Endpoint, ...], name: str) -> Endpoint:
    """Return an endpoint by its name. Raises EndpointError."""
    found = next((one for one in endpoints if one.name == name), None)
    if found is None:
        known = ", ".join(one.name for one in endpoints) or "none"
        raise EndpointError(f"endpoint: '{name[:32]}' is not one of this server's: {known}.")
    return found


def at(endpoints: tuple[Endpoint, ...], url: str) -> Endpoint:
    """Return the endpoint with an address, to continue its run. Raises EndpointError."""
    found = next((one for one in endpoints if one.url == url), None)
    if found is None:
        raise EndpointError(
            "This run used an endpoint that this server does not have. Continue it with "
            "`hjstudy model resume`."
        )
    return found


def can_ask() -> bool:
    """Return whether the package that talks to models is installed."""
    return find_spec("openai") is not None
