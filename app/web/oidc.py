"""The client side of OpenID Connect: ask a provider who someone is (code flow with PKCE)."""

import time
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

import httpx
import structlog
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from app.errors import StudyError
from app.settings import Settings

if TYPE_CHECKING:
    from authlib.integrations.httpx_client import OAuth2Client

log = structlog.get_logger()
TIMEOUT_S = 10
FRESH_S = 3600  # how long the provider's addresses and keys are kept
LEEWAY_S = 60
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]


class SingleSignOnError(StudyError):
    """Single sign-on failed; the message says what to do."""

    code = "account/single_sign_on"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a browser keeps between leaving for the provider and coming back."""

    state: str
    nonce: str
    verifier: str


class Provider:
    """The provider in the settings. Its addresses and keys are fetched when first needed."""

    def __init__(self, settings: Settings) -> None:
        self.issuer = settings.oidc_issuer.rstrip("/")
        self.client_id, self.secret = settings.oidc_client_id, settings.oidc_client_secret
        self._lock, self._known, self._until = Lock(), dict[str, Any](), 0.0

    def leave(self, asked: Asked, redirect_uri: str) -> str:
        """Return the provider's address to send a browser to. Raises SingleSignOnError."""
        with self.client(redirect_uri) as client:
            url, _ = client.create_authorization_url(
                self.metadata()["authorization_endpoint"],
                state=asked.state,
                nonce=asked.nonce,
                code_verifier=asked.verifier,
            )
        return str(url)

    def subject(self, asked: Asked, code: str, redirect_uri: str) -> str:
        """Exchange a code; return `issuer subject` of who logged in. Raises SingleSignOnError."""
        try:
            with self.client(redirect_uri) as client:
                answer = client.fetch_token(
                    self.metadata()["token_endpoint"], code=code, code_verifier=asked.verifier
                )
            return f"{self.issuer} {self.checked(str(answer['id_token']), asked.nonce)['sub']}"
        except SingleSignOnError:
            raise
        except Exception as error:  # whatever went wrong, it is not a login
            log.warning("single_sign_on.failed", reason=reason_of(error))
            raise SingleSignOnError(
                "The provider did not confirm who you are. Start again, or log in with your "
                "password."
            ) from error

    def checked(self, token: str, nonce: str) -> dict[str, Any]:
        """Return the claims of an ID token. Raises JoseError, ValueError: not for this login."""
        keys = KeySet.import_key_set(self.metadata()["keys"])
        claims = jwt.decode(token, keys, algorithms=ALGORITHMS).claims
        registry = jwt.JWTClaimsRegistry(
            leeway=LEEWAY_S,
            iss={"essential": True, "value": self.metadata()["issuer"]},
            aud={"essential": True, "value": self.client_id},
            exp={"essential": True},
            sub={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        registry.validate(claims)
        if claims.get("azp", self.client_id) != self.client_id:
            raise JoseError("azp")
        return dict(claims)

    def client(self, redirect_uri: str) -> "OAuth2Client":
        """Return an OAuth client for one exchange."""
        from authlib.integrations.httpx_client import OAuth2Client

        return OAuth2Client(
            self.client_id,
            self.secret,
            scope="openid",
            redirect_uri=redirect_uri,
            code_challenge_method="S256",
            timeout=TIMEOUT_S,
        )

    def metadata(self) -> dict[str, Any]:
        """Return the provider's addresses and keys. Raises SingleSignOnError."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._known = fetch_metadata(self.issuer)
                self._until = time.monotonic() + FRESH_S
            return self._known


def reason_of(error: Exception) -> str:
    """Return why a provider confirmed nobody, for the log; nothing of the login itself."""
    answer = getattr(error, "response", None)
    if answer is not None:
        return f"the provider answered {answer.status_code}"
    return str(getattr(error, "error", "")) or type(error).__name__  # the protocol's own code


def fetch_metadata(issuer: str) -> dict[str, Any]:
    """Fetch a provider's addresses and keys. Raises SingleSignOnError."""
    try:
        with httpx.Client(timeout=TIMEOUT_S) as client:
            found = client.get(f"{issuer}/.well-known/openid-configuration").raise_for_status()
            facts: dict[str, Any] = found.json()
            keys = client.get(facts["jwks_uri"]).raise_for_status().json()
    except (httpx.HTTPError, ValueError, KeyError) as error:
        raise SingleSignOnError(
            "The single sign-on provider cannot be reached. Try again later, or log in with your "
            "password."
        ) from error
    if str(facts.get("issuer", "")).rstrip("/") != issuer:
        raise SingleSignOnError("HJSTUDY_OIDC_ISSUER is not the name that the provider uses.")
    return {**facts, "keys": keys}
