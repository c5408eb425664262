"""Files encrypted with age (https://age-encryption.org), which its own program can read too."""

from collections.abc import Sequence
from pathlib import Path

import pyrage

from app.errors import StoreError

SUFFIX = ".age"


class AgeError(StoreError):
    """A key is not one of age's, or does not open a file."""

    code = "store/age"


def recipients(texts: Sequence[str]) -> list[pyrage.x25519.Recipient | pyrage.ssh.Recipient]:
    """Return public keys: `age1...` or an SSH public key. Raises AgeError."""
    found: list[pyrage.x25519.Recipient | pyrage.ssh.Recipient] = []
    for text in texts:
        kind = pyrage.ssh if text.startswith("ssh-") else pyrage.x25519
        try:
            found.append(kind.Recipient.from_str(text.strip()))
        except pyrage.RecipientError as error:
            raise AgeError(
                f"'{text[:80]}' is not a public key. Use the one that `age-keygen` prints, which "
                "begins with age1, or an SSH public key."
            ) from error
    return found


def identities(file: Path) -> list[pyrage.x25519.Identity | pyrage.ssh.Identity]:
    """Return the secret keys of a file: lines AGE-SECRET-KEY-..., or an SSH key.

    Raises AgeError.
    """
    try:
        content = file.read_bytes()
        lines = content.decode().splitlines()
        if any(line.startswith("-----BEGIN") for line in lines):
            return [pyrage.ssh.Identity.from_buffer(content)]
        keys = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        found = [pyrage.x25519.Identity.from_str(key) for key in keys]
    except (OSError, UnicodeDecodeError, pyrage.IdentityError) as error:
        raise AgeError(f"{file} holds no secret key that age can read: {error}.") from error
    if not found:
        raise AgeError(f"{file} has no secret key. It needs a line with AGE-SECRET-KEY-....")
    return [*found]


def encrypt(plain: Path, target: Path, keys: Sequence[str]) -> None:
    """Write a file that the owner of any of the public keys can read. Raises AgeError."""
    try:
        pyrage.encrypt_file(str(plain), str(target), recipients(keys))
    except pyrage.EncryptError as error:
        raise AgeError(f"{plain} cannot be encrypted: {error}.") from error


def decrypt(file: Path, target: Path, key: Path) -> None:
    """Write the content of an encrypted file. Raises AgeError."""
    try:
        pyrage.decrypt_file(str(file), str(target), identities(key))
    except pyrage.DecryptError as error:
        raise AgeError(f"{file} cannot be decrypted with the key in {key}: {error}.") from error
