"""A test client that sends the login's form key with every form, as the pages' own forms do."""

import re
from datetime import UTC, datetime, timedelta
from functools import cache

from app.store.people import accounts as account_table
from app.study.people import accounts
from app.study.people.form_keys import form_key_of
from tests.one_hop import QuickClient

FIELD = re.compile(r'name="form_key" value="([^"]+)"')


class OwnForms(QuickClient):
    """Takes the key from the last page that shows one; a key that a test sends comes first."""

    form_key = ""

    def request(self, method, url, **given):
        if method == "POST" and self.form_key and given.get("content") is None:
            given["data"] = {"form_key": self.form_key, **(given.get("data") or {})}
        answer = super().request(method, url, **given)
        if "html" in answer.headers.get("content-type", ""):
            found = FIELD.search(answer.text)
            self.form_key = found[1] if found else self.form_key
        return answer


PASSWORD = "a long password"
SITE = {"Sec-Fetch-Site": "same-origin"}


@cache
def password_hash(name):
    """Return a hash of PASSWORD; one for each name, computed once, because hashing is slow."""
    return accounts.hasher.hash(PASSWORD)


def logged_in(app, settings, name, role, *, is_admin=True):
    """Return the browser of someone who has just logged in; add the account if there is none.

    Researchers are administrators here unless a test is about members.
    """
    now = datetime.now(UTC)
    store = app.state.server.store
    accounts.add(store, name, role, now)
    with store.write() as db:
        account = account_table.by_name(db, name)
        account_table.set_password(db, account.id, password_hash(name))
        account_table.set_admin(db, account.id, is_admin=is_admin and role == "researcher")
        cookie = accounts.open_login(db, account.id, now, timedelta(hours=2))
    browser = OwnForms(app, base_url=settings.base_url, headers=SITE)
    browser.cookies.set("hjstudy_login", cookie)
    browser.form_key = form_key_of(password_hash(name))
    return browser
