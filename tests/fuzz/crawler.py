"""A person who opens every page that they find, and the forms of those pages."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from tests.one_hop import QuickClient
from tests.walker import Form, PageReader

HEAVY = re.compile(r"\.(zip|png|pdf|svg|dta)(\?|$)|/report/(figures|tables)/")

BEHIND = re.compile(r"^/rate/(round|item|guess)/|/adjudicate/\d+$|/participants/p_\w+(/replay)?$")
ROUND = re.compile(r"/rating/rounds/\d+$")


class FullForm(Form):
    """A form with its fields for files, and the choices of its other fields."""

    files: list[str]
    choices: dict[str, list[str]]


class FormsReader(PageReader):
    """Notes of each form the files and the choices that it offers too."""

    def handle_starttag(self, tag, attrs):
        found = {name: value or "" for name, value in attrs}
        if tag == "body" and found.get("data-process"):  # where a script sends what happens
            self.forms.append(script_form(found["data-process"]))
        if tag == "form":
            super().handle_starttag(tag, attrs)
            self._form.files, self._form.choices = [], {}
            return
        super().handle_starttag(tag, attrs)
        if self._form is None:
            return
        name = found.get("name")
        if tag == "option" and self._select:
            self._form.choices.setdefault(self._select, []).append(found.get("value", ""))
        elif tag == "input" and name:
            if found.get("type") == "file":
                self._form.files.append(name)
            elif found.get("type") in {"radio", "checkbox"}:
                self._form.choices.setdefault(name, []).append(found.get("value", "on"))
                self._form.fields.setdefault(name, "")
        if tag == "button" and "formaction" in found:
            other = FullForm(found["formaction"], "post")
            other.fields, other.files, other.choices = self._form.fields, [], self._form.choices
            self.forms.append(other)


def script_form(action):
    """Return what the script of process data sends, as a form."""
    form = FullForm(action, "post")
    form.fields, form.files, form.choices = {"events": '[["focus", 1, "", null]]'}, [], {}
    return form


class Person:
    """Someone at a browser: `starts` are the pages that they know."""

    def __init__(self, name, app, base_url, starts, cookie=""):
        self.name, self.starts, self.first, self.form_key = name, starts, starts, ""
        self.role = ""  # of their account, if they have one
        site = {"Sec-Fetch-Site": "same-origin"}
        self.client = QuickClient(
            app,
            base_url=base_url,
            headers=site,
            raise_server_exceptions=False,
            follow_redirects=False,
        )
        if cookie:
            self.use(cookie)

    def use(self, cookie):
        """Be logged in with a cookie."""
        self.client.cookies.set("hjstudy_login", cookie)

    def look(self):
        """Yield (address, answer) of the pages of a short run, and of one of each kind behind."""
        waiting, met = list(self.first), set()
        while waiting:
            url = waiting.pop(0)
            answer = self.client.get(url)
            while 300 <= answer.status_code < 400:
                url = local(answer.headers["location"])
                answer = self.client.get(url)
            yield url, answer
            if "html" in answer.headers.get("content-type", ""):
                for link in FormsReader(answer.text).links:
                    if BEHIND.search(link) and shape(link) not in met:
                        met.add(shape(link))
                        waiting.append(link)

    def crawl(self, most=400, but=None) -> Iterator[tuple[str, object]]:
        """Yield (address, answer) of every page that can be reached, one of each shape.

        `but`: addresses to leave out.
        """
        waiting, seen = list(self.starts), set()
        while waiting and len(seen) < most:
            url = waiting.pop(0)
            if shape(url) in seen or HEAVY.search(url) or (but and but.search(url)):
                continue
            seen.add(shape(url))
            answer = self.client.get(url)
            yield url, answer
            if 300 <= answer.status_code < 400:
                waiting.insert(0, local(answer.headers["location"]))
            elif "html" in answer.headers.get("content-type", ""):
                waiting += [local(one) for one in FormsReader(answer.text).links if is_ours(one)]


def is_ours(link):
    return link.startswith("/") and not link.startswith("//")


def local(link):
    parts = urlsplit(link)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def shape(url):
    """Return an address without what differs from row to row, but with the names of its query."""
    parts = urlsplit(url)
    names = sorted(part.partition("=")[0] for part in parts.query.split("&"))
    if ROUND.search(parts.path):  # each is at another step
        return parts.path
    path = re.sub(r"/(\d+|p_\w+|[A-Za-z0-9_-]{16,}|[0-9a-f]{8,})(?=/|$)", "/*", parts.path)
    return f"{path}?{names}" if not parts.path.startswith("/p/") else url


def forms_of(url, answer):
    """Return the forms of a page; a form without an action goes to its own page."""
    if "html" not in answer.headers.get("content-type", ""):
        return []
    forms = FormsReader(answer.text).forms
    for form in forms:
        form.action = local(form.action or url)
    return [form for form in forms if is_ours(form.action)]
