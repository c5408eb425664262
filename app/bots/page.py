"""What a page offers a player: its hooks, forms, links and the lines of the game.

Only what the HTML shows can be sent: a form's fields with their present values.
"""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

UNTYPED = frozenset({"hidden", "submit", "button", "reset", "image", "file"})
MARKED = frozenset({"after", "main"})  # ids of elements whose links and forms lead on
FOR_EYES = re.compile(r'<section id="(?:accounts|world|mine)".*?</section>', re.DOTALL)  # long
Attributes = dict[str, str]


@dataclass(slots=True)
class Choice:
    """Radio buttons or a drop-down list with one name. `chosen`: the value sent, '' = nothing."""

    options: list[str] = field(default_factory=list)
    chosen: str = ""

    def add(self, option: str, *, chosen: bool) -> None:
        """Add one option."""
        self.options.append(option)
        self.chosen = option if chosen else self.chosen


@dataclass(slots=True)
class Form:
    """A form. `fields`: name -> value sent if left alone; `typed`: names of text fields.

    `ticks`: checkboxes, name -> value when ticked. `must`: names of required fields.
    `hx`: where htmx posts it, '' = an ordinary form. `place`: the marked element it is in.
    """

    action: str
    method: str
    hx: str = ""
    place: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    typed: dict[str, Attributes] = field(default_factory=dict)
    choices: dict[str, Choice] = field(default_factory=dict)
    ticks: dict[str, str] = field(default_factory=dict)
    must: set[str] = field(default_factory=set)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def add_input(self, name: str, value: str, found: Attributes) -> None:
        """Add one <input> by its type."""
        kind = found.get("type", "text")
        if kind == "radio":
            self.choices.setdefault(name, Choice()).add(value, chosen="checked" in found)
        elif kind == "checkbox":
            self.ticks[name] = value or "on"
            if "checked" in found:
                self.fields[name] = self.ticks[name]
        else:
            self.fields[name] = value
            if kind not in UNTYPED:
                self.typed[name] = found

    def names(self) -> set[str]:
        """Return every name that this form can send."""
        named = {name for name, _ in self.buttons}
        return {*self.fields, *self.choices, *self.ticks, *named}


@dataclass(slots=True)
class Link:
    """A link. `button`: it looks like one, so it leads on."""

    href: str
    button: bool
    place: str


@dataclass(slots=True)
class Page:
    """A page, or a fragment of one that a script would insert.

    `name`: the hook `data-page`, '' for a fragment. `state`: the attributes of #state. `seq`: the
    text of #seq. `lines`: number of the action -> (what was typed, what was answered).
    `heading` and `alert` are for error messages; `code` is #code. `outcome`: how the player's part
    ended without finishing, '' = it goes on.
    """

    name: str = ""
    forms: list[Form] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    state: Attributes = field(default_factory=dict)
    seq: str = ""
    lines: dict[int, tuple[str, str]] = field(default_factory=dict)
    heading: str = ""
    alert: str = ""
    code: str = ""
    outcome: str = ""

    @property
    def done(self) -> bool:
        """Tell whether the adventure on this page is over."""
        return self.state.get("data-done") == "true"

    def form(self, name: str) -> Form | None:
        """Return the first form that can send a field of that name."""
        return next((form for form in self.forms if name in form.names()), None)

    def swap(self, piece: "Page") -> None:
        """Insert a fragment, as the script does: state, number, lines, what follows."""
        self.state = piece.state or self.state
        self.lines.update(piece.lines)
        self.alert = piece.alert
        command = self.form("raw")
        if piece.seq and command is not None:
            command.fields["seq"] = piece.seq
        self.forms = [form for form in self.forms if form.place != "after"] + piece.forms
        self.links = [link for link in self.links if link.place != "after"] + piece.links


def read_page(html: str) -> Page:
    """Return what a page or a fragment offers."""
    reader = Reader()
    reader.feed(FOR_EYES.sub("", html))
    reader.close()
    return reader.page


class Reader(HTMLParser):
    """Reads a page from start to end."""

    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._form: Form | None = None
        self._area = ""  # name of the text area we are in
        self._select: Choice | None = None
        self._line: tuple[int, bool] | None = None  # number, and whether it is what was typed
        self._skipped = 0  # spans within a line that are for screen readers only
        self._text = ""  # name of the page's attribute that text goes to
        self._marks: list[tuple[str, str, int]] = []  # id, tag, how many of that tag are open

    @property
    def _place(self) -> str:
        return self._marks[-1][0] if self._marks else ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record what an element offers."""
        found = {name: value or "" for name, value in attrs}
        self._mark(tag, found.get("id", ""))
        if tag == "body":
            self.page.name = found.get("data-page", "")
        elif tag == "article":
            self.page.outcome = found.get("data-outcome", "")
        elif tag == "form":
            self._begin_form(found)
        elif tag == "a":
            button = "button" in found.get("class", "").split()
            self.page.links.append(Link(found.get("href", ""), button, self._place))
        elif tag in {"p", "h1"} or found.get("id") in {"state", "seq", "code", "alert"}:
            self._note(tag, found)
        elif self._line is not None and tag == "span":
            self._skipped += 1
        if self._form is not None and "disabled" not in found:
            self._field(self._form, tag, found)

    def _mark(self, tag: str, name: str) -> None:
        if name in MARKED:
            self._marks.append((name, tag, 1))
        elif self._marks and self._marks[-1][1] == tag:
            mark, _, depth = self._marks[-1]
            self._marks[-1] = (mark, tag, depth + 1)

    def _begin_form(self, found: Attributes) -> None:
        method = found.get("method", "get").lower()
        form = Form(found.get("action", ""), method, found.get("hx-post", ""), self._place)
        self.page.forms.append(form)
        self._form = form

    def _note(self, tag: str, found: Attributes) -> None:
        """Record hooks, and where the text that follows belongs."""
        name = found.get("id", "")
        if tag == "p" and found.get("data-line", "").isdecimal():
            number = int(found["data-line"])
            self._line = number, "you" in found.get("class", "").split()
            self.page.lines.setdefault(number, ("", ""))
        elif name == "state":
            self.page.state = found
        elif name == "seq":
            self.page.seq = found.get("value", "")
        elif name in {"code", "alert"}:
            self._text = name
        elif tag == "h1":
            self._text = "heading"

    def _field(self, form: Form, tag: str, found: Attributes) -> None:
        """Record a field of the current form."""
        name, value = found.get("name", ""), found.get("value", "")
        if tag == "option" and self._select is not None:
            self._select.add(value, chosen="selected" in found)
        if not name:
            return
        if "required" in found:
            form.must.add(name)
        if tag == "select":
            self._select = form.choices.setdefault(name, Choice())
        elif tag == "button":
            form.buttons.append((name, value))
        elif tag == "textarea":
            self._area = name
            form.fields[name], form.typed[name] = "", found
        elif tag == "input":
            form.add_input(name, value, found)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if self._marks and self._marks[-1][1] == tag:
            mark, _, depth = self._marks.pop()
            if depth > 1:
                self._marks.append((mark, tag, depth - 1))
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            if self._area and self._form is not None:  # HTML drops a newline right after the tag
                text = self._form.fields[self._area]
                self._form.fields[self._area] = text.removeprefix("\n")
            self._area = ""
        elif tag == "select":
            self._select = None
        elif tag == "span" and self._skipped:
            self._skipped -= 1
        elif tag == "p":
            self._line, self._skipped = None, 0
        if tag in {"h1", "code", "div"}:
            self._text = ""

    def handle_data(self, data: str) -> None:
        """Keep text that a person would read or send."""
        if self._area and self._form is not None:
            self._form.fields[self._area] += data
        elif self._line is not None:
            if not self._skipped:
                number, is_message = self._line
                raw, message = self.page.lines[number]
                spoken = (raw + data, message) if is_message else (raw, message + data)
                self.page.lines[number] = spoken
        elif self._text:
            text = getattr(self.page, self._text) + data
            setattr(self.page, self._text, text)
