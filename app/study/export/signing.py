"""The server's Ed25519 key and signed documents."""

import base64
import json
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from app.errors import StudyError
from app.study import key_file

SIGNATURE, PUBLIC = "signature", "public_key"


class SigningError(StudyError):
    """A key or a signed file cannot be used; the message says why."""

    code = "manifest/signature"


def own_key(path: Path) -> Ed25519PrivateKey:
    """Return the server's key; the first call makes it, readable by its owner only."""
    if not path.exists():
        key = Ed25519PrivateKey.generate()
        pem = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
        key_file.make_once(path, pem)
    return read_key(path)


def read_key(path: Path) -> Ed25519PrivateKey:
    """Return the private key in a PEM file. Raises SigningError."""
    try:
        key = form.load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise SigningError(
            f"{path} is not a readable Ed25519 private key without a password, in PEM format. "
            "Make one with: openssl genpkey -algorithm ed25519 -out FILE"
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningError(f"{path} holds a key of another kind. Use an Ed25519 key.")
    return key


def public_text(key: Ed25519PrivateKey) -> str:
    """Return the public half of a key as text."""
    raw = key.public_key().public_bytes(form.Encoding.Raw, form.PublicFormat.Raw)
    return base64.b64encode(raw).decode()


def signed(document: dict[str, Any], key: Ed25519PrivateKey) -> dict[str, Any]:
    """Return a document with the public key and a signature over everything else."""
    content = {**document, PUBLIC: public_text(key)}
    return {**content, SIGNATURE: base64.b64encode(key.sign(as_bytes(content))).decode()}


def check(document: dict[str, Any], public: str) -> None:
    """Check that this key signed a document. Raises SigningError."""
    if document.get(PUBLIC) != public:
        raise SigningError(
            "The manifest was not signed with this server's key. If the other key is yours, name "
            f"it with --key or --public-key. Its public key is {document.get(PUBLIC)}."
        )
    content = {name: value for name, value in document.items() if name != SIGNATURE}
    try:
        verifier = Ed25519PublicKey.from_public_bytes(base64.b64decode(public))
        verifier.verify(base64.b64decode(str(document.get(SIGNATURE))), as_bytes(content))
    except (InvalidSignature, ValueError) as error:
        raise SigningError("The manifest's signature is wrong: the file was changed.") from error


def as_bytes(document: dict[str, Any]) -> bytes:
    """Return the bytes that are signed: JSON with sorted keys, without spaces."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.encode()
