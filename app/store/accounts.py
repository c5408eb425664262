"""Researchers' and annotators' accounts, one-time links, logins and login attempts."""

from sqlmodel import Field, SQLModel

from app.store.base import Moment, one_of, table_of, text_field

ROLES = ("researcher", "annotator")


class Account(SQLModel, table=True):
    """Somebody who logs in. There is no default password: a one-time link sets the first."""

    __table_args__ = (one_of("role", ROLES, "role"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(max_length=64, unique=True)
    role: str = Field(max_length=16)
    password_hash: str | None = Field(default=None, max_length=256, description="argon2id")
    active: bool = Field(default=True)
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


class LoginAttempt(SQLModel, table=True):
    """A failed login, kept to slow down guessing. No address is stored."""

    __tablename__ = "login_attempt"

    id: int | None = Field(default=None, primary_key=True)
    name: str = text_field("account name as typed, folded", index=True)
    at: Moment = Field(index=True)


account = table_of(Account)
login_link = table_of(LoginLink)
login = table_of(Login)
login_attempt = table_of(LoginAttempt)
