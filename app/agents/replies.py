"""What comes back from a model: the classes of answers and faults, and how a body is read."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from app.agents.asking import Ask
from app.errors import StudyError

# Classes that a method receives. `context` ends the episode; in the others the text counts.
OK, LENGTH, EMPTY, REASONING, FILTERED, CONTEXT = ANSWERED = (
    *("ok", "length", "empty", "reasoning_only", "filtered", "context"),
)
# Faults of the transport: asked again, never seen by a method.
RATE, SERVER, TIMEOUT, CONNECTION, NOT_JSON, NO_CHOICES = RETRIED = (
    *("rate_limited", "server_error", "timeout", "connection", "not_json", "no_choices"),
)
REFUSED = "refused"  # the request itself is wrong (key, model, parameters): the run stops
STATUSES = (*ANSWERED, *RETRIED, REFUSED)

CONTEXT_SIGNS = ("context_length", "context length", "maximum context", "context size", "too long")
CHARACTERS_PER_TOKEN = 4  # of English, roughly
UNCOUNTED = "the answer has no usage, so its tokens are estimated"
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
FINISHED: Mapping[str, str] = {"length": LENGTH, "content_filter": FILTERED}


@dataclass(frozen=True, slots=True)
class Reply:
    """One attempt at one question. `text`: what the method receives; `raw`: the body as it came."""

    status: str
    request: str
    text: str = ""
    raw: str = ""
    problem: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    ms: int = 0

    @property
    def answered(self) -> bool:
        """Tell whether a method receives this."""
        return self.status in ANSWERED


class Asker(Protocol):
    """Something that answers questions, such as `app.models.asker.Asker`."""

    def ask(self, question: Ask, log: Callable[[Reply], None]) -> Reply:
        """Return the answer; `log` is called with every attempt, the answered one included.

        Raises: StoppedError: nothing more may be asked; UnansweredError: transport faults only.
        """

    def stop(self) -> None:
        """Begin no more requests; those under way are finished and logged."""


class StoppedError(StudyError):
    """The run must stop: a limit is reached, it was interrupted, or the endpoint refuses it."""

    code = "models/stopped"


class UnansweredError(StudyError):
    """A question got no answer in all its attempts. The run goes on with other episodes."""

    code = "models/unanswered"


def read_body(body: str) -> tuple[str, str, str, int, int]:
    """Read the body of a successful chat completion.

    Returns (status, text, problem, prompt tokens, completion tokens).
    """
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        return NOT_JSON, "", f"the body is not a JSON object: {body.strip()[:80]!r}", 0, 0
    used = found.get("usage")
    used = used if isinstance(used, dict) else {}
    counts = number(used.get("prompt_tokens")), number(used.get("completion_tokens"))
    choices = found.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return NO_CHOICES, "", "the answer has no choices", *counts
    return *read_choice(choices[0]), *counts


def read_choice(choice: dict[str, Any]) -> tuple[str, str, str]:
    """Return (status, text, problem) of a choice."""
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    content = message.get("content")
    text = storable(content) if isinstance(content, str) else ""
    status = FINISHED.get(str(choice.get("finish_reason")), OK)
    if text.strip() or status != OK:
        problem = "" if status == OK else f"finish_reason is {choice.get('finish_reason')}"
        return status, text, problem
    if message.get("reasoning_content") or message.get("reasoning"):
        return REASONING, "", "the answer has reasoning but no content"
    return EMPTY, "", "the answer is empty"


def estimated(prompt: str, body: str, read: int, written: int) -> tuple[int, int]:
    """Return the tokens of an answer (read, written); what the endpoint did not count, roughly.

    Reasoning counts as written, where the body of the answer has it.
    """
    message = json.loads(body)["choices"][0].get("message")
    message = message if isinstance(message, dict) else {}
    texts = (message.get(name) for name in ("content", "reasoning_content", "reasoning"))
    said = sum(len(text) for text in texts if isinstance(text, str))
    return read or tokens_of(len(prompt)), written or tokens_of(said)


def tokens_of(characters: int) -> int:
    """Return how many tokens a text has, roughly; rounded up."""
    return -(-characters // CHARACTERS_PER_TOKEN)


def storable(text: str) -> str:
    """Return a text without the characters that no database stores: NUL, half a surrogate pair."""
    return UNSTORABLE.sub("\ufffd", text)


def number(value: object) -> int:
    """Return a count of tokens; 0 for anything that is not one."""
    return value if isinstance(value, int) and 0 <= value < 2**31 else 0


def fault_of(code: int, body: str) -> str:
    """Return the class of an HTTP error."""
    if code == 429:  # noqa: PLR2004 - Too Many Requests
        return RATE
    if code == 408:  # noqa: PLR2004 - Request Timeout
        return TIMEOUT
    if code >= 500:  # noqa: PLR2004 - the server's own faults
        return SERVER
    text = body.lower()
    return CONTEXT if any(sign in text for sign in CONTEXT_SIGNS) else REFUSED
