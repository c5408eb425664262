"""Firefox, driven over WebDriver BiDi: JSON messages on a web socket that Firefox itself opens."""

import json
import shutil

from websockets.sync.client import connect

from tests.e2e.engines.engine import DEAD_PORT, Engine, EngineError, until

ANSWER_S = 60
ENTER = "\n"
KEYS = {ENTER: "\ue007"}
PREFERENCES = {
    "browser.startup.page": 0,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": DEAD_PORT,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": DEAD_PORT,
}


class Firefox(Engine):
    """A Firefox with a new profile in `folder`."""

    name = "firefox"
    program = "firefox-esr"
    package = "firefox-esr"

    def open_browser(self, folder):
        self.calls, self.faults = 0, []
        profile = folder / "profile"
        profile.mkdir()
        chosen = {**PREFERENCES, "javascript.enabled": self.script}
        lines = [f'user_pref("{name}", {json.dumps(chosen[name])});\n' for name in chosen]
        (profile / "user.js").write_text("".join(lines))
        log = self.opened.enter_context((folder / "firefox.log").open("wb"))
        command = [shutil.which(self.program), "--headless", "--no-remote"]
        command += ["--profile", str(profile), "--remote-debugging-port", "0"]
        self.start(command, folder, log)
        port_file = profile / "WebDriverBiDiServer.json"
        until(
            lambda: port_file.is_file() and port_file.read_text().endswith("}"),
            "Firefox does not start",
        )
        where = json.loads(port_file.read_text())
        address = f"ws://{where['ws_host']}:{where['ws_port']}/session"
        self.socket = self.opened.enter_context(connect(address, max_size=None, proxy=None))
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self.tab = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **params):
        """Send a command and return its result; collect what the pages' scripts complain of."""
        self.calls += 1
        self.socket.send(json.dumps({"id": self.calls, "method": method, "params": params}))
        while True:
            reply = json.loads(self.socket.recv(timeout=ANSWER_S))
            if reply.get("method") == "log.entryAdded":
                self.hear(reply["params"])
            if reply.get("id") == self.calls:
                break
        if reply["type"] == "error":
            raise EngineError(f"{reply['error']}: {reply['message']}")
        return reply["result"]

    def hear(self, entry):
        if entry["type"] == "javascript" and entry["level"] == "error":
            self.faults.append(entry["text"])

    def open(self, url):
        self.call("browsingContext.navigate", context=self.tab, url=url, wait="complete")

    @property
    def url(self):
        return self.call("browsingContext.getTree", root=self.tab)["contexts"][0]["url"]

    def find(self, path):
        locator = {"type": "xpath", "value": path}
        found = self.call("browsingContext.locateNodes", context=self.tab, locator=locator)
        return [{"sharedId": node["sharedId"]} for node in found["nodes"]]

    def ask(self, function, element):
        """Call a function with an element, apart from the page's own scripts."""
        reply = self.call(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[element],
            target={"context": self.tab, "sandbox": "tests"},
            awaitPromise=False,
        )
        return reply["result"].get("value")

    def click(self, element):
        self.ask("e => e.scrollIntoView({block: 'center', behavior: 'instant'})", element)
        origin = {"type": "element", "element": element}
        move = {"type": "pointerMove", "x": 0, "y": 0, "origin": origin}
        press = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self.act({"type": "pointer", "id": "mouse", "actions": [move, *press]})

    def type(self, element, text):
        self.click(element)
        kinds = ("keyDown", "keyUp")
        keys = [{"type": kind, "value": KEYS.get(one, one)} for one in text for kind in kinds]
        self.act({"type": "key", "id": "keys", "actions": keys})

    def act(self, source):
        self.call("input.performActions", context=self.tab, actions=[source])

    def text(self, element):
        return self.ask("e => e.innerText", element)

    def evaluate(self, expression):
        reply = self.call(
            "script.evaluate",
            expression=expression,
            target={"context": self.tab},
            awaitPromise=False,
        )
        return reply["result"].get("value")
