"""What a run may use: calls, tokens and money; and what it has used."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.agents.replies import Reply
from app.errors import StudyError

MILLION = 1_000_000


class PriceFileError(StudyError):
    """The price file cannot be used."""

    code = "models/prices"


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of a model per million tokens, in one currency."""

    input: float = 0.0
    output: float = 0.0

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return what these tokens cost."""
        return (prompt_tokens * self.input + completion_tokens * self.output) / MILLION


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use at most; None = no limit."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None


class Meter:
    """Counts what a run uses. It starts at what the run used before. Thread-safe."""

    def __init__(
        self, limits: Limits, price: Price, calls: int = 0, read: int = 0, written: int = 0
    ) -> None:
        self._limits, self._price, self._lock = limits, price, threading.Lock()
        self.calls, self.read, self.written = calls, read, written
        self._open = 0  # calls under way

    @property
    def cost(self) -> float:
        """Return the cost so far."""
        return self._price.of(self.read, self.written)

    def begin(self) -> str:
        """Count a call as under way; or return which limit is reached, in a sentence."""
        with self._lock:
            problem = self._reached()
            if not problem:
                self._open += 1
        return problem

    def add(self, reply: Reply) -> None:
        """Count a call that was under way."""
        with self._lock:
            self._open -= 1
            self.calls += 1
            self.read += reply.prompt_tokens
            self.written += reply.completion_tokens

    def spent(self) -> str:
        """Return which limit is reached, in a sentence, or ''."""
        with self._lock:
            return self._reached()

    def _reached(self) -> str:
        most = self._limits
        if most.calls is not None and self.calls + self._open >= most.calls:
            return f"The limit of {most.calls} calls is reached."
        if most.tokens is not None and self.read + self.written >= most.tokens:
            return f"The limit of {most.tokens} tokens is reached."
        if most.cost is not None and self.cost >= most.cost:
            return f"The limit of {most.cost} for the cost is reached."
        return ""


def read_price(path: Path, model: str) -> Price:
    """Return a model's price from a file `{"<model>": {"input": 0.25, "output": 2}}`.

    Raises: PriceFileError: the file cannot be read or has no price for the model.
    """
    try:
        found = json.loads(path.read_text("utf-8"))
        entry: Mapping[str, float] = found[model]
        price = Price(float(entry["input"]), float(entry["output"]))
    except (OSError, ValueError, TypeError, KeyError) as error:
        shape = '{"MODEL": {"input": 0.25, "output": 2}}, per million tokens'
        raise PriceFileError(f"{path} has no price for '{model}'. Its form is {shape}.") from error
    return price
