"""The asker: one endpoint that speaks the chat-completions protocol, asked through the SDK.

The SDK retries nothing here, so that every attempt is seen, classed and logged.
"""

import json
import math
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import openai

from app.agents.asking import Ask, request_of
from app.agents.replies import (
    ANSWERED,
    CONNECTION,
    CONTEXT,
    REFUSED,
    TIMEOUT,
    UNCOUNTED,
    Reply,
    StoppedError,
    UnansweredError,
    estimated,
    fault_of,
    read_body,
)
from app.models.hiding import BadKeyError, Secrets
from app.models.limits import Meter

NAMED = ("model", "messages")
NO_KEY = "none"  # own servers need no key, but the SDK does
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 600.0  # that an endpoint can ask for
SLICE_S = 0.2  # how soon a pause notices that the run was stopped


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where and how to ask. `parameters`: sent with every request, such as temperature."""

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    tokens_name: str = "max_tokens"
    timeout_s: float = 180
    attempts: int = 6


class Asker:
    """Asks one endpoint from many threads, with at most `concurrency` requests at a time."""

    def __init__(self, endpoint: Endpoint, meter: Meter, concurrency: int) -> None:
        """Raises BadKeyError."""
        self._to, self._meter = endpoint, meter
        self._secrets = Secrets(endpoint.key, endpoint.base_url)
        self._free = threading.Semaphore(concurrency)
        self._stop = threading.Event()
        self._client = openai.OpenAI(
            base_url=endpoint.base_url,
            api_key=endpoint.key or NO_KEY,
            timeout=endpoint.timeout_s,
            max_retries=0,
        )

    def stop(self) -> None:
        """Start no more requests; those under way are finished and stored."""
        self._stop.set()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask(self, question: Ask, log: Callable[[Reply], None]) -> Reply:
        """Ask until there is an answer; see `app.agents.replies.Asker`."""
        problem = ""
        for attempt in range(1, self._to.attempts + 1):
            with self._free:
                self._check(self._meter.begin)
                reply, pause = self._send(question)
                self._meter.add(reply)
                log(reply)
            if reply.answered:
                return reply
            problem = f"{reply.status}: {reply.problem}"
            if reply.status == REFUSED:
                self.stop()
                raise StoppedError(f"The endpoint refuses the request. {reply.problem}")
            if attempt < self._to.attempts:
                self._wait(pause if pause is not None else backoff(attempt))
        raise UnansweredError(f"No answer in {self._to.attempts} attempts. The last: {problem}")

    def _check(self, spent: Callable[[], str]) -> None:
        if self._stop.is_set():
            raise StoppedError("The run was interrupted.")
        problem = spent()
        if problem:
            raise StoppedError(problem)

    def _wait(self, pause_s: float) -> None:
        end = time.monotonic() + pause_s
        while (left := end - time.monotonic()) > 0:
            self._check(self._meter.spent)
            time.sleep(min(left, SLICE_S))

    def _send(self, question: Ask) -> tuple[Reply, float | None]:
        """Send one request; return the reply and the pause that the server asks for, seconds."""
        request = self.request(question)
        sent, began = json.dumps(request, ensure_ascii=False), time.monotonic()
        hide = self._secrets.hide

        def reply(status: str, problem: str, **more: Any) -> Reply:
            ms = int((time.monotonic() - began) * 1000)
            return Reply(status, sent, problem=hide(problem)[:2000], ms=ms, **more)

        try:
            raw = self._post(request)
            status, text, problem, read, written = read_body(raw)
        except openai.APITimeoutError as error:
            return reply(TIMEOUT, str(error)), None
        except openai.APIStatusError as error:
            body = self._secrets.hide_in_body(error.response.text, words=True)
            status = fault_of(error.status_code, body)
            text = f"{error.status_code} {body}".strip()
            return reply(status, text, raw=body), pause_of(error.response.headers)
        except openai.APIConnectionError as error:
            return reply(CONNECTION, f"{error} {error.__cause__ or ''}".strip()), None
        told = read, written
        if status in ANSWERED and 0 in told:
            read, written = estimated(question.prompt, raw, *told)
            problem = "; ".join(
                filter(None, (problem, UNCOUNTED if told != (read, written) else ""))
            )
        counts = {"prompt_tokens": read, "completion_tokens": written}
        return reply(status, problem, text=text, raw=raw, **counts), None

    def _post(self, request: dict[str, Any]) -> str:
        """Return the body of an answer. All but two fields are sent as they are, known or not."""
        more = {name: value for name, value in request.items() if name not in NAMED}
        answer = self._client.chat.completions.with_raw_response.create(
            model=request["model"], messages=request["messages"], extra_body=more
        )
        return self._secrets.hide_in_body(answer.text, words=False)

    def request(self, question: Ask) -> dict[str, Any]:
        """Return the body of a request."""
        to = self._to
        return request_of(to.model, question, to.tokens_name, to.parameters)


def backoff(attempt: int) -> float:
    """Return a growing, partly random pause, so that askers do not all come back at once."""
    return float(FIRST_PAUSE_S * 2 ** (attempt - 1) * (0.5 + random.random() / 2))


def pause_of(headers: Mapping[str, str]) -> float | None:
    """Return `Retry-After`, seconds or a date, as seconds up to the longest pause; None: unknown.

    A date counts from the answer's own, because the two machines' clocks may differ.
    """
    text = headers.get("retry-after", "")
    try:
        found = float(text)
    except ValueError:
        until, since = moment_of(text), moment_of(headers.get("date", "")) or datetime.now(UTC)
        found = math.nan if until is None else (until - since).total_seconds()
    return None if math.isnan(found) else min(max(0.0, found), LONGEST_PAUSE_S)


def moment_of(text: str) -> datetime | None:
    """Return the moment of an HTTP date, or None."""
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


__all__ = ["CONTEXT", "Asker", "BadKeyError", "Endpoint"]
