"""Addresses and host names as people configure them, read into the form that browsers send."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

EXAMPLE = "https://study.example.org"
HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
TWO_FORMS = re.compile("[ßς\u200c\u200d]")  # letters that browsers and Python's codec encode apart
LIKE_BASE = f"must be an address such as {EXAMPLE}"
LIKE_HOST = (
    "'{text}' is not a host name such as study.example.org: give it without https://, port and "
    "path, and name every host, as there are no wildcards"
)


def read_host(text: str) -> str:
    """Return a host name in lower case and ASCII (`xn--...`), or an IP address, without brackets.

    Raises ValueError: it is neither.
    """
    name = text.strip().lower()
    try:
        return str(ip_address(name.removeprefix("[").removesuffix("]")))
    except ValueError:
        pass  # a name
    if TWO_FORMS.search(name):
        problem = f"'{text}' has a letter with two ASCII forms: give the name as xn--..."
        raise ValueError(problem)
    try:
        name = name.encode("idna").decode("ascii")
    except UnicodeError:
        name = ""
    if not HOST.fullmatch(name):
        raise ValueError(LIKE_HOST.format(text=text))
    return name


def read_base_url(text: str) -> str:
    """Return the address of a whole host: scheme, name and perhaps a port, without a slash.

    Raises ValueError: anything else.
    """
    text = text.strip()
    parts = urlsplit(text)  # a ValueError of its own for brackets that do not close
    if parts.scheme not in {"http", "https"} or not parts.hostname or set(text) & set("?#@"):
        raise ValueError(LIKE_BASE)
    if parts.path.strip("/"):
        problem = (
            "must have no path, because the server answers at the root of its host. Give it "
            f"a host name of its own, such as {EXAMPLE}"
        )
        raise ValueError(problem)
    host, port = read_host(parts.hostname), parts.port  # a ValueError of its own above 65535
    if port == 0:
        raise ValueError(LIKE_BASE)
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{f':{port}' if port else ''}"


def is_local(url: str) -> bool:
    """Tell whether only the machine itself can open an address: `localhost` or a loopback IP."""
    name = (urlsplit(url).hostname or "").rstrip(".")
    try:
        found = ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return found.is_loopback or found.is_unspecified
