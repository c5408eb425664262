"""A person at a browser of any engine: sees pages, presses buttons, types."""

from urllib.parse import urlsplit

from tests.e2e.engines.engine import until


class Visitor:
    """Elements are found by XPath, which both protocols know and which needs no script."""

    def __init__(self, engine, base):
        self.engine, self.base = engine, base

    def go(self, path):
        self.engine.open(self.base + path)
        return self

    def see(self, name):
        """Wait until a page of that name has been loaded."""
        self.wait(f"//body[@data-page='{name}']")
        if self.engine.script:
            until(self.is_loaded, f"page '{name}' is never loaded")
        return self

    def is_loaded(self):
        return self.engine.evaluate("document.readyState") == "complete"

    def wait(self, path):
        """Wait for an element and return it."""
        return until(lambda: self.engine.find(path), f"no {path} on {self.engine.url}")[0]

    def click(self, path):
        def clicked():
            found = self.engine.find(path)
            if found:
                self.engine.click(found[0])
            return found

        until(clicked, f"{path} cannot be clicked")
        return self

    def press(self, button):
        name = f"normalize-space()='{button}'"
        return self.click(f"//button[{name}] | //a[@role='button'][{name}]")

    def follow(self, link):
        return self.click(f"//a[normalize-space()='{link}']")

    def choose(self, label):
        return self.click(f"//label[normalize-space()='{label}']")

    def fill(self, **typed):
        """Type into fields, named by their ids."""
        for name, text in typed.items():
            self.engine.type(self.wait(f"//*[@id='{name}'][not(@readonly)]"), text)
        return self

    def text(self, path):
        return self.engine.text(self.wait(path))

    @property
    def token(self):
        return urlsplit(self.engine.url).path.split("/")[2]

    def type(self, *commands):
        """Type commands of the game, each with Enter, and wait for each answer."""
        for seq, command in enumerate(commands, 2):
            self.fill(raw=f"{command}\n").wait(f"//*[@id='state'][@data-seq='{seq}']")
        return self

    def mark(self):
        """Mark the document, to see later whether it is still the same."""
        self.engine.evaluate("(window.marked = true)")
        return self

    @property
    def is_marked(self):
        return self.engine.evaluate("window.marked === true")
