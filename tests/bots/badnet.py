"""An unreliable network: a proxy between players and the server that loses messages.

The first answer to every form is lost, so that each is sent at least twice.
"""

import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from urllib.parse import urlsplit

KEPT = ("content-type", "hx-request", "sec-fetch-site")
LOST_BEFORE, LOST_AFTER, BAD_GATEWAY = 0.05, 0.10, 0.15  # shares of the rest, cumulative


class BadNet(ThreadingHTTPServer):
    """Passes requests on; cuts some before they arrive, and some answers on the way back."""

    daemon_threads = True

    def __init__(self, backend):
        super().__init__(("127.0.0.1", 0), Passing)
        self.backend = urlsplit(backend).netloc
        self.rng, self.lock = Random(1), threading.Lock()
        self.lost = {"before": 0, "after": 0, "gateway": 0}
        self.forms = set()

    def fate(self, path, body):
        """Return what happens to a request."""
        with self.lock:
            if body and (path, body) not in self.forms:
                self.forms.add((path, body))
                self.lost["after"] += 1
                return "after"
            drawn = self.rng.random()
            for bound, name in (
                (LOST_BEFORE, "before"),
                (LOST_AFTER, "after"),
                (BAD_GATEWAY, "gateway"),
            ):
                if drawn < bound:
                    self.lost[name] += 1
                    return name
            return "passes"

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Passing(BaseHTTPRequestHandler):
    """One request."""

    server: BadNet
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Say nothing."""

    def do_GET(self):
        self.pass_on()

    def do_POST(self):
        self.pass_on()

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        fate = self.server.fate(self.path, body)
        if fate == "before":
            self.close_connection = True
            return
        answer = self.ask(body)
        if fate == "after":
            self.close_connection = True
            return
        status, headers, text = (502, {}, b"Bad gateway") if fate == "gateway" else answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def ask(self, body):
        """Return the backend's status, the headers that players need, and the text."""
        backend = HTTPConnection(self.server.backend, timeout=20)
        headers = {name: self.headers[name] for name in KEPT if name in self.headers}
        backend.request(self.command, self.path, body or None, headers)
        got = backend.getresponse()
        text = got.read()
        backend.close()
        wanted = ("Location", "HX-Redirect", "X-Seq", "Content-Type")
        return got.status, {name: got.headers[name] for name in wanted if got.headers[name]}, text
