"""What tests of single sign-on share: a server of ours that knows a real provider, and a browser.

A test file imports the fixtures and has one of its own, `provider`, with what we know of it.
"""

import time
from dataclasses import dataclass

import httpx
import pytest

from app.main import create_app
from tests.own_forms import OwnForms

PATIENCE_S = 300


@dataclass(frozen=True)
class Known:
    """What a server knows of its provider."""

    issuer: str
    client_id: str = "hjstudy"
    secret: str = "s"


@pytest.fixture
def settings(settings, provider):
    own = {"issuer": provider.issuer, "client_id": provider.client_id}
    own["client_secret"] = provider.secret
    return settings.model_copy(update={f"oidc_{name}": value for name, value in own.items()})


@pytest.fixture
def app(settings):
    made = create_app(settings)
    yield made
    made.state.server.store.dispose()


@pytest.fixture
def browser(app, settings):
    with OwnForms(app, base_url=settings.base_url) as made:
        yield made


def leave(browser, start):
    """Return the provider's address to which a page of ours sends a browser."""
    return browser.get(start, follow_redirects=False).headers["location"]


def come_back(browser, address):
    return browser.get(address, follow_redirects=False)


def log_out(browser):
    browser.get("/admin/account")  # whose form has the key
    assert browser.post("/admin/logout", follow_redirects=False).status_code == 303


def wait_for(issuer):
    """Wait until a provider answers."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            httpx.get(f"{issuer}/.well-known/openid-configuration").raise_for_status()
        except httpx.HTTPError:
            assert time.monotonic() < end
            time.sleep(0.1)
        else:
            return
