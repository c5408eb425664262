"""The log of one unit's calls: a question with a stored answer is never asked again."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy.exc import IntegrityError

from app.agents.asking import Ask, ContextTooLongError, hash_of
from app.agents.replies import CONTEXT, Asker, Reply, StoppedError
from app.errors import StudyError
from app.store.base import AnyRow
from app.store.db import Store
from app.store.models import calls

Clock = Callable[[], datetime]


class ChangedPromptError(StudyError):
    """A stored answer belongs to another prompt, so the run cannot go on with it."""

    code = "models/changed_prompt"

    def __init__(self, unit: str, number: int) -> None:
        super().__init__(
            f"Call {number} of {unit} was made with another prompt. The program or its prompts "
            "changed since the run began: start a new run."
        )


class CallLog:
    """Answers the questions of one unit, from the log or else from the model.

    `acted`: (when the answer came, its ms) for each question for an action, in order.
    """

    def __init__(self, store: Store, run_id: int, unit: str, asker: Asker, clock: Clock) -> None:
        self._store, self._run_id, self._unit = store, run_id, unit
        self._asker, self._clock, self._at = asker, clock, clock()
        with store.read() as db:
            rows = calls.of_unit(db, run_id, unit)
        self._known = {row.n: row for row in rows if row.status in calls.ANSWERED}
        self._attempts = {row.n: row.attempt for row in rows}
        self.acted: list[tuple[datetime, int]] = []

    def answer(self, ask: Ask, number: int) -> str:
        """Return the answer to question `number`.

        Raises: ContextTooLongError; what `Asker.ask` raises; ChangedPromptError.
        """
        known = self._known.get(number)
        if known is not None:
            return self._again(known, ask, number)

        def write(reply: Reply) -> None:
            self._write(ask, number, reply)

        reply = self._asker.ask(ask, write)
        self._count(ask, self._at, reply.ms)
        return text_of(reply.status, reply.text)

    def _again(self, known: AnyRow, ask: Ask, number: int) -> str:
        if known.prompt_hash != hash_of(ask.prompt):
            raise ChangedPromptError(self._unit, number)
        self._count(ask, known.created_at, known.ms)
        return text_of(known.status, known.text)

    def _count(self, ask: Ask, at: datetime, ms: int) -> None:
        if ask.purpose == "action":
            self.acted.append((at, ms))

    def _write(self, ask: Ask, number: int, reply: Reply) -> None:
        attempt = self._attempts[number] = self._attempts.get(number, 0) + 1
        self._at = self._clock()
        row = {
            "run_id": self._run_id,
            "unit": self._unit,
            "n": number,
            "attempt": attempt,
            "purpose": ask.purpose,
            "prompt_hash": hash_of(ask.prompt),
            "request": reply.request,
            "status": reply.status,
            "text": reply.text,
            "raw": reply.raw,
            "problem": reply.problem,
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
            "ms": reply.ms,
            "created_at": self._at,
        }
        try:
            with self._store.write() as db:
                calls.insert(db, row)
        except IntegrityError:
            self._asker.stop()
            raise StoppedError(
                "Another process is working on this run. Let it finish, or stop it first."
            ) from None


def text_of(status: str, text: str) -> str:
    """Return what a method receives. Raises: ContextTooLongError."""
    if status == CONTEXT:
        raise ContextTooLongError
    return text
