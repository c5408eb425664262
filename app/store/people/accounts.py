"""Researchers' and annotators' accounts, one-time links, logins and login attempts."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlmodel import Field, SQLModel

from app.store.base import AnyRow, Moment, one_of, table_of, text_field

ROLES = ("researcher", "annotator")


class Account(SQLModel, table=True):
    """A person who logs in. There is no default password: a one-time link sets the first."""

    __table_args__ = (one_of("role", ROLES, "role"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=64, unique=True)
    role: str = Field(max_length=16)
    password_hash: str | None = Field(default=None, max_length=256, description="argon2id")
    active: bool = Field(default=True)
    is_admin: bool = Field(
        default=False,
        sa_column_kwargs={"server_default": sa.false()},
        description="may do everything in every study",
    )
    totp_secret: str | None = Field(default=None, max_length=32, description="second factor")
    totp_step: int = Field(
        default=0,
        sa_column_kwargs={"server_default": "0"},
        description="time step of the last code that was used",
    )
    oidc_subject: str | None = text_field(
        "issuer and subject of single sign-on", default=None, unique=True, nullable=True
    )
    created_at: Moment = Field(description="server clock, UTC")


class LoginLink(SQLModel, table=True):
    """A one-time link that sets a password; only its hash is stored."""

    __tablename__ = "login_link"

    token_hash: str = Field(primary_key=True, max_length=64, description="sha256 of the token")
    account_id: int = Field(foreign_key="account.id", index=True)
    expires_at: Moment
    used_at: Moment | None = Field(default=None)


class Login(SQLModel, table=True):
    """A server-side login session; the cookie holds the token, we keep its hash."""

    token_hash: str = Field(primary_key=True, max_length=64, description="sha256 of the token")
    account_id: int = Field(foreign_key="account.id", index=True)
    created_at: Moment
    expires_at: Moment
    seen_at: Moment | None = Field(default=None, description="last use, to a minute")
    browser: str = Field(
        default="",
        max_length=64,
        sa_column_kwargs={"server_default": ""},
        description="browser and system in words",
    )


class LoginAttempt(SQLModel, table=True):
    """A failed or pending login attempt, to slow guessing; deleted when it no longer counts."""

    __tablename__ = "login_attempt"

    id: int | None = Field(default=None, primary_key=True)
    name: str = text_field("account name as entered, folded", index=True)
    at: Moment = Field(index=True)
    source: str = Field(
        default="",
        max_length=32,
        index=True,
        sa_column_kwargs={"server_default": ""},
        description="keyed hash of the client's address or of a known browser; the key is daily",
    )


account = table_of(Account)
login_link = table_of(LoginLink)
login = table_of(Login)
login_attempt = table_of(LoginAttempt)


def by_name(db: Connection, name: str, *, lock: bool = False) -> AnyRow | None:
    """Return an account by folded name, or None."""
    query = sa.select(account).where(account.c.name == name)
    return db.execute(query.with_for_update() if lock else query).first()


def names(db: Connection) -> set[str]:
    """Return the folded name of every account."""
    return set(db.execute(sa.select(account.c.name)).scalars())


def by_subject(db: Connection, subject: str) -> AnyRow | None:
    """Return the account connected with a subject of single sign-on, or None."""
    return db.execute(sa.select(account).where(account.c.oidc_subject == subject)).first()


def set_subject(db: Connection, account_id: int, subject: str | None) -> None:
    """Connect an account with a subject of single sign-on; None = with none."""
    query = sa.update(account).where(account.c.id == account_id)
    db.execute(query.values(oidc_subject=subject))


def insert(db: Connection, name: str, role: str, now: Moment) -> int:
    """Add an account; returns its id."""
    values = {"name": name, "role": role, "active": True, "created_at": now}
    return int(db.execute(sa.insert(account).values(values).returning(account.c.id)).scalar_one())


def set_admin(db: Connection, account_id: int, *, is_admin: bool) -> None:
    """Make an account an administrator, or an ordinary one again."""
    query = sa.update(account).where(account.c.id == account_id)
    db.execute(query.values(is_admin=is_admin))


def admins(db: Connection) -> list[int]:
    """Return the ids of active administrators."""
    query = sa.select(account.c.id).where(account.c.is_admin, account.c.active)
    return list(db.execute(query.order_by(account.c.id)).scalars())


def set_password(db: Connection, account_id: int, password_hash: str) -> None:
    """Store a new password hash."""
    query = sa.update(account).where(account.c.id == account_id)
    db.execute(query.values(password_hash=password_hash))


def add_link(db: Connection, token_hash: str, account_id: int, expires_at: Moment) -> None:
    """Add a one-time link."""
    values = {"token_hash": token_hash, "account_id": account_id, "expires_at": expires_at}
    db.execute(sa.insert(login_link).values(values))


def drop_links(db: Connection, account_id: int) -> None:
    """Remove an account's unused links: only the newest one works."""
    unused = login_link.c.used_at.is_(None)
    db.execute(sa.delete(login_link).where(login_link.c.account_id == account_id, unused))


def by_link(db: Connection, token_hash: str, *, lock: bool = False) -> AnyRow | None:
    """Return a link with its account, or None."""
    query = (
        sa.select(
            account.c.id,
            account.c.name,
            account.c.role,
            account.c.active,
            login_link.c.expires_at,
            login_link.c.used_at,
        )
        .join(account, account.c.id == login_link.c.account_id)
        .where(login_link.c.token_hash == token_hash)
    )
    return db.execute(query.with_for_update(of=login_link) if lock else query).first()


def spend_link(db: Connection, token_hash: str, now: Moment) -> None:
    """Mark a link as used."""
    query = sa.update(login_link).where(login_link.c.token_hash == token_hash)
    db.execute(query.values(used_at=now))


def add_login(
    db: Connection, token_hash: str, account_id: int, now: Moment, expires_at: Moment, browser: str
) -> None:
    """Add a login session."""
    values = {
        "token_hash": token_hash,
        "account_id": account_id,
        "created_at": now,
        "expires_at": expires_at,
        "seen_at": now,
        "browser": browser,
    }
    db.execute(sa.insert(login).values(values))


def by_login(db: Connection, token_hash: str) -> AnyRow | None:
    """Return a login with its account, or None."""
    query = (
        sa.select(
            account.c.id,
            account.c.name,
            account.c.role,
            account.c.active,
            account.c.is_admin,
            account.c.password_hash,
            login.c.created_at,
            login.c.seen_at,
            login.c.expires_at,
        )
        .join(account, account.c.id == login.c.account_id)
        .where(login.c.token_hash == token_hash)
    )
    return db.execute(query).first()


def end_login(db: Connection, token_hash: str) -> None:
    """Remove one login."""
    db.execute(sa.delete(login).where(login.c.token_hash == token_hash))


def end_logins(db: Connection, account_id: int) -> None:
    """Remove all logins of an account."""
    db.execute(sa.delete(login).where(login.c.account_id == account_id))


def drop_old_logins(db: Connection, now: Moment) -> None:
    """Remove expired logins."""
    db.execute(sa.delete(login).where(login.c.expires_at <= now))


def guesses(db: Connection, source: str, name: str | None, since: Moment) -> int:
    """Return a source's number of attempts since then, for a name; None = for all names."""
    query = sa.select(sa.func.count()).where(
        login_attempt.c.at > since, login_attempt.c.source == source
    )
    if name is not None:
        query = query.where(login_attempt.c.name == name)
    return int(db.execute(query).scalar_one())


def drop_old_guesses(db: Connection, since: Moment) -> None:
    """Delete the attempts until `since`, which no longer count."""
    db.execute(sa.delete(login_attempt).where(login_attempt.c.at <= since))


def add_guess(db: Connection, name: str, source: str, now: Moment) -> None:
    """Record a login attempt."""
    db.execute(sa.insert(login_attempt).values(name=name, source=source, at=now))


def forget_guesses(db: Connection, name: str, source: str) -> None:
    """Delete a source's attempts for a name after the right password."""
    mine = (login_attempt.c.name == name, login_attempt.c.source == source)
    db.execute(sa.delete(login_attempt).where(*mine))


def has_password(db: Connection, role: str) -> bool:
    """Tell whether an account of that role has a password."""
    query = sa.select(account.c.id).where(
        account.c.role == role, account.c.password_hash.is_not(None)
    )
    return db.execute(query.limit(1)).first() is not None


def of_role(db: Connection, role: str) -> Sequence[AnyRow]:
    """Return all accounts of a role by name, including deactivated ones."""
    query = sa.select(account).where(account.c.role == role)
    return db.execute(query.order_by(account.c.name)).all()


def set_active(db: Connection, account_id: int, *, active: bool) -> None:
    """Activate or deactivate an account; its rows elsewhere stay as they are."""
    db.execute(sa.update(account).where(account.c.id == account_id).values(active=active))
