"""A browser whose every form meets a broken database first, and is sent again afterwards."""

import re
from urllib.parse import urlsplit

from tests.walker import PageReader
from tests.web.test_access import TABLE

LOOKS = {  # forms that store nothing: they only show what would be stored, or make links
    "POST /admin/studies/{slug}/recruit/links",
    "POST /admin/studies/{slug}/recruit/links/given",
    "POST /admin/studies/{slug}/recruit/import",
    "POST /admin/studies/{slug}/try",
    "POST /admin/studies/{slug}/rating/models",
    "POST /admin/studies/{slug}/rating/judges",
    "POST /admin/studies/{slug}/report/models",
}
DELETES = {"POST /rate/account/logins"}  # only deletes rows: a full disk may have room for that


class Stubborn:
    """A browser whose every form meets a broken database first, and is sent again afterwards."""

    def __init__(self, client, database, met, faults):
        self.client, self.database, self.met, self.faults = client, database, met, faults

    def __getattr__(self, name):
        return getattr(self.client, name)

    def post(self, url, data=None, **options):
        data = dict(data or {})
        with self.database.broken():
            refused = self.client.post(url, data=data, **options)
        route = route_of(urlsplit(url).path)
        self.met.add(route)
        if route in LOOKS | DELETES and refused.status_code < 400:
            return refused
        fault = self.fault(refused, data)
        if fault:
            self.faults.append(f"{route}: {fault}")
            return refused
        [form] = PageReader(refused.text).forms
        secret = {"password": data["password"]} if "password" in data else {}
        return self.client.post(form.action, data={**form.fields, **secret}, **options)

    def fault(self, refused, data):
        """Return what is wrong with an answer while the database is broken, or ''."""
        headers = refused.headers
        if refused.status_code != 503 or headers.get("X-Error") != "store/unavailable":
            return f"status {refused.status_code}"
        page = PageReader(refused.text)
        if page.name != "away" or int(headers["Retry-After"]) < 1:
            return "another page"
        kept = dict(page.forms[0].fields)
        if "form_key" not in data:  # the client added it
            kept.pop("form_key", None)
        if "password" in data and data["password"] in refused.text:
            return "shows the password"
        kept |= {"password": data["password"]} if "password" in data else {}
        changed = {name for name in {*kept, *data} if flat(kept, name) != flat(data, name)}
        return f"lost {sorted(changed)}" if changed else ""


def flat(fields, name):
    return fields.get(name, "-").replace("\r\n", "\n")


POSTS = [row.removeprefix("POST ") for row in TABLE if row.startswith("POST ")]


def route_of(path):
    """Return the row of the table for an address."""
    found = [row for row in POSTS if re.fullmatch(re.sub(r"\{[a-z_]+\}", "[^/]+", row), path)]
    return f"POST {max(found, key=lambda row: row.count('/') * 100 - row.count('{'))}"
