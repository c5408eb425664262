"""`Ask`, the only thing that a method yields, and how answers in JSON are read."""

import hashlib
import json
from collections.abc import Callable, Generator, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar

from app.errors import GameError

T = TypeVar("T")


class Ask(NamedTuple):
    """One question to a model: `prompt` is the only message; at most `max_tokens` in the answer.

    `purpose`: action, hypothesis, revision, reflection, duplicates, answer, explanation or
    judgement.
    """

    purpose: str
    prompt: str
    max_tokens: int


Asking: TypeAlias = Generator[Ask, str, T]  # yields questions, receives answers, returns a T


class ContextTooLongError(GameError):
    """The prompt does not fit into the model's context. Thrown into a method, which then ends."""

    code = "agents/context"

    def __init__(self) -> None:
        super().__init__("The prompt is longer than the model's context.")


def request_of(
    model: str, ask: Ask, tokens_name: str, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the body of a request for a chat completion."""
    return {
        "model": model,
        "messages": [{"role": "user", "content": ask.prompt}],
        tokens_name: ask.max_tokens,
        **parameters,
    }


def drive(method: Asking[T], answer: Callable[[Ask, int], str]) -> T:
    """Run a method to its end; `answer` gets each question and its number, from 1.

    A ContextTooLongError of `answer` goes to the method; other errors end the run.
    """
    try:
        ask, number = next(method), 1
        while True:
            try:
                text = answer(ask, number)
            except ContextTooLongError as error:
                ask = method.throw(error)
            else:
                ask = method.send(text)
            number += 1
    except StopIteration as ended:
        result: T = ended.value
        return result


def hash_of(prompt: str) -> str:
    """Return the SHA-256 (hex) of a prompt."""
    return hashlib.sha256(prompt.encode()).hexdigest()


def read_object(text: str, *needed: str) -> dict[str, Any] | None:
    """Return the first JSON object in a text that has all the needed keys, or None.

    Text around it, such as a code fence or a thought, is ignored. Nothing is repaired.
    """
    decoder, start = json.JSONDecoder(), text.find("{")
    while start >= 0:
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict) and all(key in found for key in needed):
            return found
        start = text.find("{", start + 1)
    return None


def as_text(value: object) -> str:
    """Return a JSON value as plain text; '' for null, lists and objects."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()
