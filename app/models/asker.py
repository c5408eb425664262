"""The asker: one endpoint that speaks the chat-completions protocol, asked through the SDK.

The SDK retries nothing here, so that every attempt is seen, classed and logged.
"""

import json
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import openai

from app.agents.asking import Ask
from app.agents.replies import (
    CONNECTION,
    CONTEXT,
    REFUSED,
    TIMEOUT,
    Reply,
    StoppedError,
    UnansweredError,
    fault_of,
    read_body,
)
from app.models.limits import Meter

NO_KEY = "none"  # own servers need no key, but the SDK does
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
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
        self._to, self._meter = endpoint, meter
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
        end = time.monotonic() + min(pause_s, LONGEST_PAUSE_S)
        while (left := end - time.monotonic()) > 0:
            self._check(self._meter.spent)
            time.sleep(min(left, SLICE_S))

    def _send(self, question: Ask) -> tuple[Reply, float | None]:
        """Send one request; return the reply and the pause that the server asks for, seconds."""
        request = self.request(question)
        sent, began = json.dumps(request, ensure_ascii=False), time.monotonic()

        def reply(status: str, problem: str, **more: Any) -> Reply:
            ms = int((time.monotonic() - began) * 1000)
            return Reply(status, sent, problem=problem[:2000], ms=ms, **more)

        try:
            answer = self._client.chat.completions.with_raw_response.create(**request)
            status, text, problem, read, written = read_body(answer.text)
        except openai.APITimeoutError as error:
            return reply(TIMEOUT, str(error)), None
        except openai.APIStatusError as error:
            body = error.response.text
            status = fault_of(error.status_code, body)
            text = f"{error.status_code} {body}".strip()
            return reply(status, text, raw=body), pause_of(error.response.headers)
        except openai.APIConnectionError as error:
            return reply(CONNECTION, f"{error} {error.__cause__ or ''}".strip()), None
        counts = {"prompt_tokens": read, "completion_tokens": written}
        return reply(status, problem, text=text, raw=answer.text, **counts), None

    def request(self, question: Ask) -> dict[str, Any]:
        """Return the body of a request."""
        return {
            "model": self._to.model,
            "messages": [{"role": "user", "content": question.prompt}],
            self._to.tokens_name: question.max_tokens,
            **self._to.parameters,
        }


def backoff(attempt: int) -> float:
    """Return a growing, partly random pause, so that askers do not all come back at once."""
    return float(FIRST_PAUSE_S * 2 ** (attempt - 1) * (0.5 + random.random() / 2))


def pause_of(headers: Mapping[str, str]) -> float | None:
    """Return `Retry-After` in seconds, or None if it is missing or a date."""
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


__all__ = ["CONTEXT", "Asker", "Endpoint"]
