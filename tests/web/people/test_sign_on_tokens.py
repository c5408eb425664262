"""Single sign-on with a provider that answers what a test tells it to: codes and ID tokens."""

import base64
import json
import time
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from app.web import oidc

ASKED = oidc.Asked("state", "nonce-of-mine", "v" * 43)
BACK = "http://127.0.0.1:8000/admin/oidc/callback"
ADDRESSES = ("authorization_endpoint", "token_endpoint", "jwks_uri")
HOUR_S = 3600


class Answering(BaseHTTPRequestHandler):
    """Serves the provider's addresses and its key, and gives its token for any code."""

    server: "OwnProvider"

    def do_GET(self):
        key = self.server.key.as_dict(private=False)
        addresses = {name: f"{self.server.issuer}/{name}" for name in ADDRESSES}
        self.answer({"issuer": self.server.issuer, "keys": [key], **addresses})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.forms.append({name: one[0] for name, one in parse_qs(body).items()})
        token = {"access_token": "x", "token_type": "Bearer", "id_token": self.server.token}
        self.answer(token)

    def answer(self, facts):
        body = json.dumps(facts).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


class OwnProvider(ThreadingHTTPServer):
    """A provider with a key of its own. `token`: what it gives; `forms`: what it was sent."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answering)
        self.issuer = f"http://localhost:{self.server_port}"
        self.key, self.forms, self.token = RSAKey.generate_key(2048), [], ""

    def claims(self):
        """Return the claims of a token that is right."""
        facts = {"iss": self.issuer, "aud": "hjstudy", "sub": "ada", "nonce": ASKED.nonce}
        return {**facts, "exp": int(time.time()) + HOUR_S}


@pytest.fixture(scope="module")
def own():
    with OwnProvider() as made:
        Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def ours(own, settings):
    known = {"oidc_issuer": own.issuer, "oidc_client_id": "hjstudy", "oidc_client_secret": "s"}
    return oidc.Provider(settings.model_copy(update=known))


def signed(claims, key):
    return jwt.encode({"alg": "RS256"}, claims, key)


def unsigned(claims):
    """Return a token that says of itself that nobody signed it."""
    parts = ({"alg": "none"}, claims)
    packed = (base64.urlsafe_b64encode(json.dumps(one).encode()).decode() for one in parts)
    return ".".join([*(one.rstrip("=") for one in packed), ""])


def test_code_is_bound_to_what_the_browser_keeps(own, ours):
    """PKCE: whoever reads the code on its way cannot exchange it without the verifier."""
    sent = parse_qs(urlsplit(ours.leave(ASKED, BACK)).query)
    challenge = base64.urlsafe_b64encode(sha256(ASKED.verifier.encode()).digest()).decode()
    assert sent["code_challenge_method"] == ["S256"]
    assert sent["code_challenge"] == [challenge.rstrip("=")]
    assert (sent["state"], sent["nonce"]) == ([ASKED.state], [ASKED.nonce])
    own.token = signed(own.claims(), own.key)
    assert ours.subject(ASKED, "code", BACK) == f"{own.issuer} ada"
    assert own.forms[-1]["code_verifier"] == ASKED.verifier


WRONG = {
    "of another issuer": {"iss": "https://login.example.org"},
    "for another program": {"aud": "other"},
    "given to another program": {"azp": "other"},
    "of another login": {"nonce": "nonce-of-another"},
    "of the past": {"exp": 1_000_000_000},
    "of nobody": {"sub": None},
}


@pytest.mark.parametrize("case", [*WRONG, "signed by another", "unsigned"])
def test_token_of_anyone_else_or_of_the_past_is_refused(own, ours, case):
    claims = {**own.claims(), **WRONG.get(case, {})}
    claims = {name: value for name, value in claims.items() if value is not None}
    if case == "unsigned":
        own.token = unsigned(claims)
    else:
        other = case == "signed by another"
        own.token = signed(claims, RSAKey.generate_key(2048) if other else own.key)
    with pytest.raises(oidc.SingleSignOnError, match="did not confirm"):
        ours.subject(ASKED, "code", BACK)
