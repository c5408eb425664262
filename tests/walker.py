"""A person whose browser has no script: opens pages, fills in their forms, follows links."""

import re
from html.parser import HTMLParser

from app.game.practice import practice_variant

VOID = {"input", "br", "meta", "link", "img", "hr"}


def one_line(html):
    """Return HTML without the spaces beside rows, cells and paragraphs, which browsers drop."""
    return re.sub(r"\s*(</?(?:d[dlt]|t[dhr]|li|p)\b[^>]*>)\s*", r"\1", html)


class Form:
    def __init__(self, action, method):
        self.action, self.method, self.fields, self.buttons = action, method, {}, []


class PageReader(HTMLParser):
    """What a page offers: its hook, its forms with their fields, its links, its text."""

    def __init__(self, html):
        super().__init__()
        self.name, self.forms, self.links, self.state, self.headings = "", [], [], {}, []
        self.text, self._area, self._form, self._select = [], None, None, None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        found = {name: value or "" for name, value in attrs}
        if tag == "body":
            self.name = found.get("data-page", "")
        if found.get("id") == "state":
            self.state = found
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "form":
            self._form = Form(found.get("action", ""), found.get("method", "get"))
            self.forms.append(self._form)
        if self._form is not None:
            self.read_field(tag, found)

    def read_field(self, tag, found):
        """Read what a form would post: ticked boxes and chosen options only, never files."""
        fields, name = self._form.fields, found.get("name")
        if tag == "option" and self._select:
            if "selected" in found or self._select not in fields:
                fields[self._select] = found.get("value", "")
        elif name is None or found.get("type") == "file":
            return
        elif tag == "input":
            if found.get("type") not in {"checkbox", "radio"} or "checked" in found:
                fields[name] = found.get("value", "")
        elif tag == "select":
            self._select = name
        elif tag == "textarea":
            self._area, fields[name] = name, ""
        elif tag == "button":
            self._form.buttons.append((name, found.get("value", "")))

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        if tag == "select":
            self._select = None
        if tag == "textarea" and self._area and self._form is not None:
            text = self._form.fields[self._area]  # HTML drops a newline right after the tag
            self._form.fields[self._area] = text.removeprefix("\n")
            self._area = None

    def handle_data(self, data):
        if self._area and self._form is not None:
            self._form.fields[self._area] += data
        self.text.append(data)

    def form(self, field):
        """Return the first form that has a field or button of that name."""
        for form in self.forms:
            if field in form.fields or any(name == field for name, _ in form.buttons):
                return form
        raise AssertionError(f"no form with '{field}' on page '{self.name}'")


class Walker:
    """One person at one browser; `page` is what they see, `answer` the last response."""

    def __init__(self, client):
        self.client, self.answer = client, None
        self._page, self._page_of = None, None

    @property
    def page(self):
        """The last response, read when a test asks for it."""
        if self._page_of is not self.answer:
            self.page = PageReader(self.answer.text)
        return self._page

    @page.setter
    def page(self, page):
        """Put a page in place of the last response's."""
        self._page, self._page_of = page, self.answer

    def get(self, url):
        self.answer = self.client.get(url)
        return self

    def send(self, field, **typed):
        """Fill in and send the form that has `field`."""
        form = self.page.form(field)
        self.answer = self.client.post(form.action, data={**form.fields, **typed})
        return self

    @property
    def url(self):
        return self.answer.url.path

    @property
    def token(self):
        return self.url.split("/")[2]

    @property
    def seq(self):
        return int(self.page.state["data-seq"])

    def enter(self, link="/s/demo"):
        """Consent and read the instructions."""
        self.get(link).send("answer", answer="yes")
        assert self.page.name == "instructions"
        return self.send("ticket")

    def type(self, *commands):
        """Type commands into the command line."""
        for command in commands:
            self.send("raw", raw=command)
        return self

    def leave_practice(self):
        """Win the practice and go on."""
        assert self.page.name == "practice"
        self.type(*practice_variant().episodes[0].solutions[0])
        return self.send("ticket") if self.page.name == "practice" else self

    def to_rule(self):
        """Go on from an ended episode to what comes next."""
        after = next(
            link for link in self.page.links if link.endswith("/rule") or "/world/" in link
        )
        return self.get(after)

    def explain(self, text="Both traits matter."):
        """Write a rule and send it."""
        form = self.page.form("confidence")
        named = "text" if "text" in form.fields else "inputs"
        self.send("confidence", **{named: text})
        return self.enter_world() if self.page.name == "world" else self

    def enter_world(self):
        """Follow the page between two worlds."""
        onward = (link for link in self.page.links if "/guardian/" in link.partition("?")[0])
        return self.get(next(onward))
