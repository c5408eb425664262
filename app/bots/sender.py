"""HTTP as one person's browser speaks it: kept-alive connections, redirects and retries.

Whatever a player sends can safely be sent again (commands carry their number, forms a ticket). So
a broken connection, a missing answer and a server that is down or busy are all handled alike: wait
a little and send the same again, a limited number of times.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPSConnection
from random import Random
from urllib.parse import SplitResult, urlencode, urljoin, urlsplit

from app.errors import HjstudyError

AWAY = frozenset({502, 503, 504})  # busy, or a proxy without a server behind it
SEE = frozenset({301, 302, 303, 307, 308})
MOST_REDIRECTS = 10
FIRST_WAIT_S, LONGEST_WAIT_S = 0.05, 2.0
IDLE_S = 4.0  # servers close a connection after 5 idle seconds
FORM = "application/x-www-form-urlencoded"


class AddressError(HjstudyError):
    """The server's address is not valid."""

    code = "bots/address"


class NoAnswerError(HjstudyError):
    """The server gave no proper answer after all retries."""

    code = "bots/no_answer"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer after all redirects. `path`: of the last request, without the query."""

    status: int
    path: str
    text: str
    headers: HTTPMessage


class Sender:
    """The connections of one player. Not thread-safe."""

    def __init__(
        self,
        addresses: Sequence[str],
        rng: Random,
        *,
        tries: int = 40,
        timeout_s: float = 20,
        wait: Callable[[float], None] = time.sleep,
        source: str = "",
    ) -> None:
        """Take the addresses of servers on one database; each request goes to a random one.

        `source`: the address of this machine to send from; '' = any.
        Raises: AddressError.
        """
        self._addresses = [read_address(one) for one in addresses]
        self._rng, self._tries, self._timeout_s, self._wait = rng, tries, timeout_s, wait
        self._source = (source, 0) if source else None
        self._open: dict[str, HTTPConnection] = {}
        self._used: dict[str, float] = {}
        self._cookies: dict[str, str] = {}  # players get none, annotators their login
        self.resent = 0

    def get(self, path: str) -> Answer:
        """Open a page."""
        return self._follow("GET", path, "", {})

    def post(self, path: str, fields: dict[str, str], headers: dict[str, str]) -> Answer:
        """Send a form and follow redirects."""
        body = urlencode(fields, errors="surrogatepass")
        return self._follow("POST", path, body, {"Content-Type": FORM, **headers})

    def close(self) -> None:
        """Close all connections."""
        for connection in self._open.values():
            connection.close()
        self._open.clear()

    def _follow(self, method: str, path: str, body: str, headers: dict[str, str]) -> Answer:
        for _ in range(MOST_REDIRECTS):
            answer = self._patiently(method, path, body, headers)
            if answer.status not in SEE:
                return answer
            target = urlsplit(urljoin(path, answer.headers.get("Location", "")))
            path = target.path + (f"?{target.query}" if target.query else "")
            method, body = "GET", ""
            headers = {name: text for name, text in headers.items() if name != "Content-Type"}
        raise NoAnswerError(f"{path} redirects in a loop.")

    def _patiently(self, method: str, path: str, body: str, headers: dict[str, str]) -> Answer:
        wait_s, problem = FIRST_WAIT_S, ""
        for number in range(self._tries):
            if number:
                self.resent += 1
                self._wait(wait_s * (0.5 + self._rng.random()))
                wait_s = min(wait_s * 2, LONGEST_WAIT_S)
            try:
                answer = self._once(method, path, body, headers)
            except (OSError, HTTPException) as error:
                problem = f"{type(error).__name__}: {error}"
                continue
            if answer.status not in AWAY:
                return answer
            problem = f"status {answer.status}"
        shown = path.partition("?")[0]
        raise NoAnswerError(f"No answer to {method} {shown} in {self._tries} tries ({problem}).")

    def _once(self, method: str, path: str, body: str, headers: dict[str, str]) -> Answer:
        address = self._addresses[int(self._rng.random() * len(self._addresses))]
        connection = self._connection(address)
        sent = {"Sec-Fetch-Site": "same-origin", **headers}
        if self._cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        try:
            connection.request(method, path, body.encode() or None, sent)
            got = connection.getresponse()
            text = got.read().decode("utf-8", "replace")
        except BaseException:
            connection.close()  # part of an answer may still arrive
            raise
        for one in got.headers.get_all("Set-Cookie", []):
            name, _, value = one.partition(";")[0].partition("=")
            self._cookies[name.strip()] = value.strip()
        return Answer(got.status, path.partition("?")[0], text, got.headers)

    def _connection(self, address: SplitResult) -> HTTPConnection:
        found = self._open.get(address.netloc)
        if found is None:
            make = HTTPSConnection if address.scheme == "https" else HTTPConnection
            host, port = address.hostname or "", address.port
            found = self._open[address.netloc] = make(
                host, port, timeout=self._timeout_s, source_address=self._source
            )
        now = time.monotonic()
        if now - self._used.get(address.netloc, now) > IDLE_S:
            found.close()  # it reopens by itself
        self._used[address.netloc] = now
        return found


def read_address(text: str) -> SplitResult:
    """Parse the address of a server. Raises AddressError."""
    parts = urlsplit(text.rstrip("/"))
    try:
        fits = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is not a number
        fits = False
    if not fits or parts.path or parts.query:
        raise AddressError(f"'{text}' is not an address such as http://127.0.0.1:8000.")
    return parts
