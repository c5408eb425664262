"""What a run may use: calls, tokens and money; and what it has used."""

import threading
from dataclasses import dataclass

from app.agents.replies import Reply
from app.study.models.prices import Price


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use at most; None = no limit."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None


class Meter:
    """Counts what a run uses. It starts at what the run used before. Thread-safe."""

    def __init__(
        self, limits: Limits, price: Price | None, calls: int = 0, read: int = 0, written: int = 0
    ) -> None:
        self._limits, self._price, self._lock = limits, price, threading.Lock()
        self.calls, self.read, self.written = calls, read, written
        self._open = 0  # calls under way

    @property
    def cost(self) -> float | None:
        """Return the cost so far; None: the price is not known."""
        return None if self._price is None else self._price.of(self.read, self.written)

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
        if most.cost is not None and (self.cost is None or self.cost >= most.cost):
            return f"The limit of {most.cost} for the cost is reached."
        return ""
