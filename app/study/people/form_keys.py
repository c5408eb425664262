"""The key that the forms of a logged-in account carry, so that only its own pages send them."""

import hmac
from hashlib import sha256


def form_key_of(password_hash: str | None) -> str:
    """Return the key that an account's forms carry.

    It stays the same from login to login, so a page that outlived its login can still be sent
    after the next one. It changes with the password, whose salted hash no one outside can know.
    Without a password it is empty, and no form is accepted.
    """
    if password_hash is None:
        return ""
    secret = password_hash.encode("utf-8", "surrogatepass")
    return hmac.new(secret, b"forms", sha256).hexdigest()
