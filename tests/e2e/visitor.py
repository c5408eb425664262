"""A person at a browser: the tests' view of Playwright's pages."""

from urllib.parse import urlsplit

from tests.e2e.serving import LAN_ADDRESS, LAN_HOST

CDN = "cdn.jsdelivr.net"
HOSTS = ("127.0.0.1", LAN_HOST, LAN_ADDRESS)
OURS = (*(f"http://{host}:" for host in HOSTS), "data:", "blob:")


class Faults:
    """Everything a browser complained about; a test can expect some of it, by part of its text."""

    def __init__(self):
        self.found, self.expected = [], []

    def watch(self, context):
        context.on("console", self.heard)
        context.on("weberror", lambda error: self.found.append(f"error: {error.error}"))
        context.on("request", self.asked)

    def heard(self, message):
        if message.type in {"error", "warning"}:
            where = message.location["url"]
            self.found.append(f"{message.type}: {message.text} ({where})")

    def asked(self, request):
        if not request.url.startswith(OURS):
            self.found.append(f"request to the network: {request.url}")

    def expect(self, *pieces):
        self.expected += pieces

    @property
    def unexpected(self):
        return [text for text in self.found if not any(piece in text for piece in self.expected)]


class Visitor:
    """One browser tab."""

    def __init__(self, page, base):
        self.page, self.base = page, base

    def go(self, path):
        self.page.goto(self.base + path)
        return self

    def another_tab(self, path=""):
        """Open another tab of the same browser, at this page or another."""
        tab = Visitor(self.page.context.new_page(), self.base)
        return tab.go(path or self.page.url.removeprefix(self.base))

    @property
    def name(self):
        return self.page.locator("body").get_attribute("data-page")

    def see(self, name):
        """Wait until a page of that name is shown."""
        self.page.locator(f"body[data-page={name}]").wait_for(state="attached")
        self.page.wait_for_load_state()
        return self

    @property
    def token(self):
        return urlsplit(self.page.url).path.split("/")[2]

    @property
    def raw(self):
        return self.page.locator("#raw")

    @property
    def state(self):
        return self.page.locator("#state")

    @property
    def seq(self):
        return int(self.state.get_attribute("data-seq"))

    @property
    def lines(self):
        """Return the commands in the log."""
        found = self.page.locator("#log-lines .you").all_inner_texts()
        return [text.removeprefix("You typed:").strip() for text in found]

    def wait_for_seq(self, seq):
        self.page.locator(f"#state[data-seq='{seq}']").wait_for(state="attached")
        self.page.wait_for_load_state()

    def type(self, *commands):
        """Type commands, each with Enter, and wait for each answer."""
        for command in commands:
            after = self.seq + 1
            self.raw.fill(command)
            self.raw.press("Enter")
            self.wait_for_seq(after)
        return self

    def press(self, button):
        self.page.get_by_role("button", name=button, exact=True).click()
        return self

    def follow(self, link):
        self.page.get_by_role("link", name=link, exact=True).click()
        return self

    def explain(self, **typed):
        """Write a rule in three parts and send it."""
        for name, text in typed.items():
            self.page.locator(f"#{name}").fill(text)
        return self.press("Send my answer")

    def enter_world(self, number):
        """Leave the page between two worlds."""
        return self.see("world").press(f"Enter world {number}")

    def remembers(self):
        """Tell whether the document is still the one that `mark` was called on."""
        return self.page.evaluate("() => window.marked === true")

    def mark(self):
        self.page.evaluate("() => { window.marked = true; }")
        return self
