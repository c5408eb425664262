"""A second factor for logging in: codes of an authenticator app (TOTP), and recovery codes."""

import hmac
import re
import secrets
from datetime import datetime

import pyotp
from sqlalchemy import Connection

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.people import accounts as table
from app.store.people import logins
from app.study.people import accounts
from app.study.people.accounts import AccountView
from app.study.people.guesses import limit_guesses

ISSUER = "hjstudy"
STEP_S = 30
SECRET = re.compile(r"[A-Z2-7]{32}")
CODES = 10


class SecondFactorError(StudyError):
    """The code or password to set up or turn off the second factor is wrong."""

    code = "account/second_factor"


def new_secret() -> str:
    """Return a new secret for an authenticator app."""
    return pyotp.random_base32()


def address(name: str, secret: str) -> str:
    """Return the address that an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


def step_of(secret: str, code: str, now: datetime) -> int | None:
    """Return the time step whose code this is, one step early or late at most; None = wrong."""
    typed, right = re.sub(r"\s", "", code), None
    for step in (-1, 0, 1):
        number = int(now.timestamp()) // STEP_S + step
        expected = pyotp.TOTP(secret).at(number * STEP_S)
        if hmac.compare_digest(expected.encode(), typed.encode("utf-8", "surrogatepass")):
            right = number
    return right


def passes(db: Connection, row: AnyRow, code: str, now: datetime) -> bool:
    """Tell whether a code is right for an account, and use it up. Without a factor, any is."""
    if row.totp_secret is None:
        return True
    step = step_of(row.totp_secret, code, now)
    if step is not None:
        return logins.use_step(db, row.id, step)
    return logins.use_code(db, row.id, hashed_code(code))


def hashed_code(code: str) -> str:
    """Return the hash under which a recovery code is stored, however it is spaced."""
    return accounts.hashed(re.sub(r"[\s-]", "", code).lower())


def turn_on(
    store: Store, account: AccountView, password: str, secret: str, code: str, now: datetime
) -> list[str]:
    """Turn the second factor on; return the recovery codes, to be shown once.

    Raises SecondFactorError, TooManyGuessesError.
    """
    if not SECRET.fullmatch(secret):
        raise SecondFactorError("Open this page again and scan the new QR code.")
    step = step_of(secret, code, now)
    if step is None:
        raise SecondFactorError(
            "Wrong code. Enter the newest code from the app, and check that your phone's clock is "
            "right.",
            "code",
        )
    check_password(store, account, password, now)
    codes = [f"{secrets.token_hex(4)}-{secrets.token_hex(4)}" for _ in range(CODES)]
    with store.write() as db:
        logins.set_totp(db, account.id, secret, step)
        logins.put_codes(db, account.id, map(hashed_code, codes))
    return codes


def state(db: Connection, name: str) -> tuple[bool, int]:
    """Tell whether an account has a second factor, and how many recovery codes are left."""
    row = table.by_name(db, name)
    if row is None or row.totp_secret is None:
        return False, 0
    return True, logins.codes_left(db, row.id)


def turn_off(store: Store, account: AccountView, password: str, now: datetime) -> None:
    """Turn the second factor off. Raises SecondFactorError, TooManyGuessesError."""
    check_password(store, account, password, now)
    with store.write() as db:
        clear(db, account.id)


def clear(db: Connection, account_id: int) -> None:
    """Remove the second factor and its recovery codes."""
    logins.set_totp(db, account_id, None, 0)
    logins.put_codes(db, account_id, [])


def check_password(store: Store, account: AccountView, password: str, now: datetime) -> None:
    """Check the password of someone who is logged in, with the same limit of tries as a login.

    Raises SecondFactorError, TooManyGuessesError.
    """
    source = f"own-{account.id}"
    limit_guesses(store, account.name, source, now)
    with store.read() as db:
        row = table.by_name(db, account.name)
    if row is None or not accounts.fits(row.password_hash, password):
        raise SecondFactorError("Wrong password.", "password")
    with store.write() as db:
        table.forget_guesses(db, account.name, source)


def reset(store: Store, name: str) -> None:
    """Turn an account's second factor off from the command line. Raises BadNameError."""
    with store.write() as db:
        row = table.by_name(db, accounts.fold_name(name))
        if row is None:
            raise accounts.BadNameError(f"There is no account '{accounts.fold_name(name)}'.")
        clear(db, row.id)
