"""WebKit, driven over WebDriver: requests to WebKitWebDriver, which opens WebKitGTK's browser."""

import os
import shutil

import httpx

from tests.e2e.engines.engine import DEAD_PORT, Engine, EngineError, until
from tests.e2e.serving import free_port

ANSWER_S = 120
STARTS, START_S = 3, 40  # its driver at times never answers the request for a browser
ENTER = "\n"
PROXY = {
    "proxyType": "manual",
    "httpProxy": f"127.0.0.1:{DEAD_PORT}",
    "sslProxy": f"127.0.0.1:{DEAD_PORT}",
    "noProxy": ["127.0.0.1"],
}


class WebKit(Engine):
    """WebKitGTK's own small browser on a screen that no one sees."""

    name = "webkit"
    program = "WebKitWebDriver"
    package = "webkit2gtk-driver xvfb"

    def open_browser(self, folder):
        self.faults = []  # WebDriver does not report them
        log = self.opened.enter_context((folder / "webkit.log").open("wb"))
        display = self.start_screen(folder, log)
        self.session, self.environment = "", {"DISPLAY": display}
        arguments = ["--automation", *([] if self.script else ["--enable-javascript=false"])]
        asked = {"webkitgtk:browserOptions": {"args": arguments}, "proxy": PROXY}
        found = self.start_browser(folder, log, {"alwaysMatch": asked})
        self.session = f"/session/{found['sessionId']}"
        self.opened.callback(self.call, "DELETE", "")

    def start_browser(self, folder, log, asked):
        """Start the driver and ask it for a browser; start it again if it does not answer."""
        for _ in range(STARTS):
            port = free_port()
            command = [shutil.which(self.program), f"--port={port}"]
            self.start(command, folder, log, environment=self.environment)
            self.client = self.opened.enter_context(
                httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=ANSWER_S, trust_env=False)
            )
            until(self.is_ready, "WebKitWebDriver does not start")
            self.client.timeout = START_S
            try:
                found = self.call("POST", "/session", capabilities=asked)
            except httpx.ReadTimeout:
                self.end_process(self.processes.pop())
            else:
                self.client.timeout = ANSWER_S
                return found
        raise EngineError(f"{self.program} opened no browser in {STARTS} starts")

    def start_screen(self, folder, log):
        """Start an X server at a number of its own choice, and return its name."""
        reader, tell = os.pipe()
        command = ["Xvfb", "-displayfd", str(tell), "-screen", "0", "1280x800x24"]
        self.start([*command, "-nolisten", "tcp"], folder, log, pass_fds=[tell])
        os.close(tell)
        with os.fdopen(reader) as pipe:
            return f":{pipe.readline().strip()}"

    def is_ready(self):
        try:
            return self.client.get("/status").is_success
        except httpx.TransportError:
            return False

    def call(self, method, path, **params):
        body = {"json": params} if method == "POST" else {}
        reply = self.client.request(method, f"{self.session}{path}", **body)
        value = reply.json()["value"]
        if reply.is_error:
            raise EngineError(f"{value['error']}: {value['message']}")
        return value

    def open(self, url):
        self.call("POST", "/url", url=url)

    @property
    def url(self):
        return self.call("GET", "/url")

    def find(self, path):
        found = self.call("POST", "/elements", using="xpath", value=path)
        return [f"/element/{name}" for element in found for name in element.values()]

    def click(self, element):
        self.call("POST", f"{element}/click")

    def type(self, element, text):
        self.call("POST", f"{element}/value", text=text.replace(ENTER, "\ue007"))

    def text(self, element):
        return self.call("GET", f"{element}/text")

    def evaluate(self, expression):
        return self.call("POST", "/execute/sync", script=f"return {expression}", args=[])
