"""The calls of /api/v1 as methods. While the server is busy, a call is safely sent again."""

import time
from collections.abc import Sequence
from typing import Any, Protocol

from app.errors import HjstudyError

TRIES = 6
LONGEST_WAIT_S = 60.0
LATER = frozenset({429, 502, 503, 504})
Json = dict[str, Any]


class Response(Protocol):
    """What is needed of an HTTP response."""

    status_code: int
    headers: Any

    def json(self) -> Any:
        """Return the body."""


class Http(Protocol):
    """What is needed of an HTTP client, such as `httpx.Client`."""

    def request(
        self, method: str, url: str, *, headers: dict[str, str], json: Json | None
    ) -> Response:
        """Send a request."""


class ApiError(HjstudyError):
    """A problem that the API reported. `problem`: its members, with `code` and `detail`."""

    code = "api/error"

    def __init__(self, problem: Json) -> None:
        super().__init__(str(problem.get("detail", "The server gave no readable answer.")))
        self.problem = problem
        self.code = str(problem.get("code", self.code))


class Api:
    """The API of one server with one key."""

    def __init__(self, url: str, key: str, http: Http) -> None:
        self._base = f"{url.rstrip('/')}/api/v1"
        self._headers, self._http = {"Authorization": f"Bearer {key}"}, http

    def call(self, method: str, path: str, body: Json | None = None) -> Any:
        """Send a request; wait and send it again while the server is busy. Raises ApiError."""
        for left in reversed(range(TRIES)):
            answer = self._http.request(method, self._base + path, headers=self._headers, json=body)
            if answer.status_code not in LATER or not left:
                break
            wait = str(answer.headers.get("retry-after", "1"))
            time.sleep(min(float(wait) if wait.isdecimal() else 1.0, LONGEST_WAIT_S))
        try:
            found = answer.json()
        except ValueError:
            found = {"code": f"http/{answer.status_code}"}
        if answer.status_code >= 400:  # noqa: PLR2004 - HTTP status
            raise ApiError(found if isinstance(found, dict) else {})
        return found

    def open_run(
        self, agent: str, tasks: Sequence[str] = (), seeds: Sequence[int] = (), label: str = ""
    ) -> Json:
        """Open a run; returns it with its episodes."""
        body = {"agent": agent, "tasks": list(tasks), "seeds": list(seeds), "label": label}
        return dict(self.call("POST", "/runs", body))

    def list_runs(self) -> list[Json]:
        """Return the runs that this key opened."""
        return list(self.call("GET", "/runs"))

    def show_run(self, run: int) -> Json:
        """Return a run with its episodes."""
        return dict(self.call("GET", f"/runs/{run}"))

    def show_episode(self, run: int, episode: int) -> Json:
        """Return an episode's words, log and state."""
        return dict(self.call("GET", f"/runs/{run}/episodes/{episode}"))

    def play_command(self, run: int, episode: int, seq: int, raw: str) -> Json:
        """Play a command; the same again returns what is stored."""
        body = {"seq": seq, "raw": raw}
        return dict(self.call("POST", f"/runs/{run}/episodes/{episode}/commands", body))

    def send_answer(self, run: int, episode: int, answer: Json) -> Json:
        """Say what defeats a guardian of the direct format."""
        return dict(self.call("POST", f"/runs/{run}/episodes/{episode}/answer", answer))

    def send_explanation(self, run: int, variant: int, explanation: Json) -> Json:
        """Explain the rule of a variant whose episodes are over."""
        return dict(self.call("POST", f"/runs/{run}/variants/{variant}/explanation", explanation))

    def show_result(self, run: int) -> Json:
        """Return the result of a finished run."""
        return dict(self.call("GET", f"/runs/{run}/result"))
