"""Canaille (PyPI: canaille), an OpenID Connect provider that organisations use, for a test.

It needs many packages that hjstudy does not, so it gets an environment of its own, which the first
run makes from PyPI in `build/`.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import httpx
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.e2e.serving import free_port
from tests.web.people.signing_on import PATIENCE_S, wait_for

VERSION = "0.3.6"
ENVIRONMENT = Path(__file__).resolve().parents[4] / "build" / f"canaille-{VERSION}"
PASSWORD = "a long password of the provider"
CALLBACK = "http://127.0.0.1:8000/admin/oidc/callback"
CONFIG = """\
SECRET_KEY = "signs the provider's own cookies"
SERVER_NAME = "{name}"
PREFERRED_URL_SCHEME = "http"
[CANAILLE]
[CANAILLE_SQL]
DATABASE_URI = "sqlite:///{folder}/canaille.db"
[CANAILLE_OIDC]
ACTIVE_JWKS = [{key}]
TRUSTED_DOMAINS = {trusted}
DYNAMIC_CLIENT_REGISTRATION_OPEN = true
"""
ITS_CLOCK_S = 1  # it counts whole seconds


def install() -> None:
    """Make the provider's environment, if it is not there."""
    if (ENVIRONMENT / "bin" / "canaille").exists():
        return
    uv, python = Path(sys.executable).parent / "uv", ENVIRONMENT / "bin" / "python"
    subprocess.run([uv, "venv", "-q", "--clear", "-p", sys.executable, ENVIRONMENT], check=True)
    wanted = f"canaille[front,oidc,server,sqlite]=={VERSION}"
    subprocess.run([uv, "pip", "install", "-q", "--python", python, wanted], check=True)


def signing_key() -> str:
    """Return a new RSA key as a PEM text."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()
    return key.private_bytes(*pem).decode()


class Canaille:
    """The provider in a folder of its own. `trusted`: it does not ask before it confirms.

    While it runs, `client_id` and `secret` are those that it gave us.
    """

    client_id = secret = ""

    def __init__(self, folder: Path, *, trusted: bool) -> None:
        self.port = free_port()
        name, domains = f"localhost:{self.port}", ["127.0.0.1"] if trusted else []
        self.issuer, self.path = f"http://{name}", folder / "canaille.toml"
        facts = {"key": json.dumps(signing_key()), "trusted": json.dumps(domains)}
        self.path.write_text(CONFIG.format(name=name, folder=folder, **facts))
        self.do("install")

    def command(self, *arguments: str) -> tuple[list[str], dict[str, str]]:
        """Return the command line and the environment of one of the provider's commands."""
        program = str(ENVIRONMENT / "bin" / "canaille")
        return [program, *arguments], {**os.environ, "CANAILLE_CONFIG": str(self.path)}

    def do(self, *arguments: str) -> None:
        """Run a command. Raises CalledProcessError."""
        command, own = self.command(*arguments)
        subprocess.run(command, env=own, cwd=self.path.parent, capture_output=True, check=True)

    def add_person(self, name: str) -> None:
        """Add someone who can log in."""
        facts = {"user-name": name, "password": PASSWORD, "family-name": name}
        facts["emails"] = f"{name}@example.org"
        self.do("create", "user", *(f"--{key}={value}" for key, value in facts.items()))

    @contextmanager
    def running(self) -> Iterator[None]:
        """Serve until the block ends."""
        command, own = self.command("run", f"--bind=127.0.0.1:{self.port}")
        folder = self.path.parent
        with (
            (folder / "canaille.log").open("ab") as log,
            subprocess.Popen(command, env=own, cwd=folder, stdout=log, stderr=log) as process,
        ):
            try:
                wait_for(self.issuer)
                self.register()
                yield
            finally:
                process.terminate()

    def register(self) -> None:
        """Become a client of the provider (RFC 7591)."""
        wanted = {
            "client_name": "hjstudy",
            "client_uri": "http://127.0.0.1:8000",
            "redirect_uris": [CALLBACK],
            "grant_types": ["authorization_code"],
            "response_types": ["code"],
            "scope": "openid",
            "token_endpoint_auth_method": "client_secret_basic",
        }
        given = httpx.post(f"{self.issuer}/oauth/register", json=wanted).raise_for_status().json()
        self.client_id, self.secret = given["client_id"], given["client_secret"]


class Form(HTMLParser):
    """The hidden fields of a page's forms."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a hidden field."""
        found = dict(attrs)
        if tag == "input" and found.get("type") == "hidden" and found.get("name"):
            self.fields[str(found["name"])] = found.get("value") or ""


class Browser:
    """Someone's browser at the provider. It stays logged in there."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cookies = httpx.Cookies()
        self.pages: list[str] = []

    def answer(self, address: str) -> str:
        """Log in and agree, as asked; return the address that the provider sends us back to.

        The provider's access token says who, to whom and when, in seconds, and it refuses a second
        one that is equal ("UNIQUE constraint failed: token.access_token", 500). So nobody logs in
        twice in one second.
        """
        time.sleep(ITS_CLOCK_S)
        answers = {
            "/login": {"login": self.name},
            "/auth/password": {"password": PASSWORD},
            "/oauth/authorize": {"answer": "accept"},
            "/consent": {"answer": "accept"},
        }
        with httpx.Client(timeout=PATIENCE_S, cookies=self.cookies) as client:
            got = client.get(address)
            while True:
                if got.is_redirect:
                    address = urljoin(str(got.url), got.headers["location"])
                    if address.startswith(CALLBACK):
                        self.cookies = client.cookies
                        return address
                    got = client.get(address)
                    continue
                path = got.url.path
                assert got.status_code == httpx.codes.OK, got.text
                assert path not in self.pages, f"{path} again: {got.text}"
                self.pages.append(path)
                got = client.post(got.url, data={**Form(got.text).fields, **answers[path]})
