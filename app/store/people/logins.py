"""An account's logins, its second factor, and the recovery codes."""

from collections.abc import Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, table_of
from app.store.people.accounts import account, login


class RecoveryCode(SQLModel, table=True):
    """A code that replaces the second factor once; only its hash is stored."""

    __tablename__ = "recovery_code"

    code_hash: str = Field(primary_key=True, max_length=64, description="sha256 of the code")
    account_id: int = Field(foreign_key="account.id", index=True)


recovery_code = table_of(RecoveryCode)


def of_account(db: Connection, account_id: int, now: Moment) -> Sequence[AnyRow]:
    """Return an account's logins that have not expired, newest first."""
    query = sa.select(login).where(login.c.account_id == account_id, login.c.expires_at > now)
    return db.execute(query.order_by(login.c.created_at.desc(), login.c.token_hash)).all()


def touch(db: Connection, token_hash: str, now: Moment) -> None:
    """Note that a login was used."""
    db.execute(sa.update(login).where(login.c.token_hash == token_hash).values(seen_at=now))


def end_by_mark(db: Connection, account_id: int, mark: str) -> None:
    """Remove the login of an account whose hash begins with a mark."""
    mine = sa.and_(login.c.account_id == account_id, login.c.token_hash.startswith(mark))
    db.execute(sa.delete(login).where(mine))


def end_others(db: Connection, account_id: int, token_hash: str) -> None:
    """Remove every login of an account except one."""
    mine = sa.and_(login.c.account_id == account_id, login.c.token_hash != token_hash)
    db.execute(sa.delete(login).where(mine))


def set_totp(db: Connection, account_id: int, secret: str | None, step: int) -> None:
    """Store the secret of the second factor (None = none), and the step of its last code."""
    query = sa.update(account).where(account.c.id == account_id)
    db.execute(query.values(totp_secret=secret, totp_step=step))


def use_step(db: Connection, account_id: int, step: int) -> bool:
    """Use up a code's time step; False if it, or a later one, has been used."""
    query = sa.update(account).where(account.c.id == account_id, account.c.totp_step < step)
    return db.execute(query.values(totp_step=step)).rowcount == 1


def put_codes(db: Connection, account_id: int, hashes: Iterable[str]) -> None:
    """Replace an account's recovery codes."""
    db.execute(sa.delete(recovery_code).where(recovery_code.c.account_id == account_id))
    rows = [{"code_hash": one, "account_id": account_id} for one in hashes]
    if rows:
        db.execute(sa.insert(recovery_code), rows)


def use_code(db: Connection, account_id: int, code_hash: str) -> bool:
    """Use up a recovery code; False if there is none like it."""
    mine = sa.and_(recovery_code.c.account_id == account_id, recovery_code.c.code_hash == code_hash)
    return db.execute(sa.delete(recovery_code).where(mine)).rowcount == 1


def codes_left(db: Connection, account_id: int) -> int:
    """Return the number of recovery codes that are left."""
    query = sa.select(sa.func.count()).where(recovery_code.c.account_id == account_id)
    return int(db.execute(query).scalar_one())
