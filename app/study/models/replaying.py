"""The log of one unit of a run, read again: each stored answer beside what is asked now."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.agents.asking import Ask, hash_of, request_of
from app.agents.playing import AGENT
from app.agents.replies import read_body
from app.errors import StudyError
from app.store.base import AnyRow
from app.store.models import calls
from app.study.models.agent_steps import received
from app.study.models.call_log import text_of
from app.study.models.runs import Run
from app.study.play.digests import TURN_FIELDS


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference of a unit. `call`: the question's number, None for a result."""

    unit: str
    call: int | None
    field: str
    stored: str
    expected: str


class DifferentError(StudyError):
    """A stored value is not what the methods give; carries the Difference."""

    code = "models/different"

    def __init__(self, found: Difference) -> None:
        super().__init__(f"{found.unit}: {found.field} differs.")
        self.found = found


class MissingAnswerError(StudyError):
    """A unit's log ends before its method does: the unit is not finished."""

    code = "models/missing_answer"


def completed(body: str) -> tuple[str, str]:
    """Return (status, text) of a chat completion."""
    status, text, *_ = read_body(body)
    return status, text


class Replay:
    """Answers of one unit's log, each compared with the prompt that the method asks now."""

    def __init__(self, unit: str, rows: list[AnyRow], run: Run) -> None:
        self._unit, self._run = unit, run
        self._read = received if run.method == AGENT else completed
        self._rows = {row.n: row for row in rows if row.status in calls.ANSWERED}
        self.used, self.acted = 0, list[tuple[Any, int]]()

    def answer(self, ask: Ask, number: int) -> str:
        """Return the stored answer. Raises: DifferentError, MissingAnswerError."""
        row = self._rows.get(number)
        if row is None:
            raise MissingAnswerError(f"{self._unit} has no answer {number}.")
        self.used = number
        if ask.purpose == "action":
            self.acted.append((row.created_at, row.ms))
        for field, stored, expected in self.compared(row, ask):
            if stored != expected:
                raise DifferentError(
                    Difference(self._unit, number, field, *first_apart(stored, expected))
                )
        return text_of(row.status, row.text)

    def compared(self, row: AnyRow, ask: Ask) -> Iterator[tuple[str, str, str]]:
        """Yield (field, stored, expected) of everything that a call's row must hold."""
        wanted = self.request(ask)
        try:
            request = json.loads(row.request)
            prompt = request["messages"][0]["content"]
        except (ValueError, KeyError, IndexError, TypeError):
            request, prompt = None, row.request
        yield "prompt", prompt, ask.prompt
        yield "prompt_hash", row.prompt_hash, hash_of(ask.prompt)
        yield "purpose", row.purpose, ask.purpose
        if request != wanted:
            yield "request", row.request, json.dumps(wanted, ensure_ascii=False)
        if row.status != "context":
            status, text = self._read(row.raw)
            yield "status", row.status, status
            yield "text", row.text, text
        else:
            yield "text", row.text, ""

    def request(self, ask: Ask) -> dict[str, Any]:
        """Return the request that asked this. Agents get no limit and no parameters."""
        run = self._run
        found = request_of(run.model, ask, run.tokens_name, run.parameters)
        if run.method == AGENT:
            del found[run.tokens_name]
        return found

    def check_end(self) -> None:
        """Refuse answers that the method did not ask for. Raises: DifferentError."""
        if len(self._rows) != self.used:
            counts = str(len(self._rows)), str(self.used)
            raise DifferentError(Difference(self._unit, None, "calls", *counts))


def compare(unit: str, row: AnyRow, expected: dict[str, Any], names: tuple[str, ...]) -> None:
    """Compare a row with what it should hold. Raises: DifferentError."""
    for name in names:
        stored = getattr(row, name)
        if stored != expected[name]:
            texts = first_apart(str(stored), str(expected[name]))
            raise DifferentError(Difference(unit, None, name, *texts))


def compare_turns(unit: str, stored: Any, expected: list[dict[str, Any]]) -> None:
    """Compare an episode's turns. Raises: DifferentError."""
    if len(stored) != len(expected):
        counts = str(len(stored)), str(len(expected))
        raise DifferentError(Difference(unit, None, "turns", *counts))
    for row, values in zip(stored, expected, strict=True):
        compare(f"{unit}, action {row.seq}", row, values, (*TURN_FIELDS, "digest"))


def first_apart(stored: str, expected: str) -> tuple[str, str]:
    """Return both texts around the first character in which they differ."""
    pairs = zip(stored, expected, strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(stored), len(expected)))
    start = max(0, at - 20)
    return stored[start : at + 60], expected[start : at + 60]
