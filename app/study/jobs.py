"""Long work as jobs: each is stored, runs in another process, and shows a progress bar.

A job that waits or runs sends heartbeats. One whose heartbeats have stopped (its server was
stopped, its process was killed) counts as interrupted on every server.
"""

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection

from app.errors import BusyError, HjstudyError, StudyError, UnavailableError
from app.progress import Track
from app.store import jobs
from app.store.base import AnyRow
from app.store.db import Store
from app.store.design import studies
from app.study import second_look
from app.study.tickets import once

T = TypeVar("T")
DONE, FAILED, INTERRUPTED = jobs.DONE, jobs.FAILED, jobs.INTERRUPTED
BEAT_S, STORE_S = 5.0, 1.0  # between two heartbeats; between two stored steps of the bar
SILENT = timedelta(seconds=30)  # after which a job counts as interrupted
LISTED = 10
UNEXPECTED = "The work stopped because of an error on our side. Try again."
ERASED = (
    "A participant withdrew and their data were erased after this was started, so it was deleted. "
    "Start it again."
)
FOLDER = "jobs"  # in the data folder
# kinds whose results may hold a person's data
HOLDING = ("report", "bundle", "verify", "agreement", "deidentify")
STOPPED = "The server was stopped, or the process was ended, before the work was done."
ALIVE = (jobs.WAITING, jobs.RUNNING)

Work = Callable[[Store, "JobView", Track], dict[str, Any]]


class NoJobError(StudyError):
    """There is no job with this id."""

    code = "job/none"

    def __init__(self) -> None:
        super().__init__("There is no such job here.")


class CancelledError(StudyError):
    """The job was ended while it worked."""

    code = "job/cancelled"

    def __init__(self) -> None:
        super().__init__(ERASED)


@dataclass(frozen=True, slots=True)
class JobView:
    """A job as it is now. `result` is empty until it is done."""

    id: str
    study_id: int
    kind: str
    params: dict[str, Any]
    state: str
    what: str
    done: int
    total: int | None
    error: str
    result: dict[str, Any]
    made_by: str
    made_at: datetime
    ended_at: datetime | None

    @property
    def is_alive(self) -> bool:
        """Return whether it waits or runs."""
        return self.state in ALIVE


def add(
    store: Store, study_id: int, kind: str, params: Mapping[str, Any], by: str, now: datetime
) -> str:
    """Store a new job, which waits; return its id."""
    with store.write() as db:
        return insert(db, study_id, kind, params, by, now)


def add_once(
    store: Store,
    study_id: int,
    kind: str,
    params: Mapping[str, Any],
    by: str,
    ticket: str,
    now: datetime,
) -> str:
    """Store the new job of a form; return its id, also if the form is sent twice.

    Raises TicketError.
    """
    with store.write() as db:
        studies.lock(db, study_id)

        def do() -> dict[str, Any]:
            return {"job": insert(db, study_id, kind, params, by, now)}

        return str(once(db, ticket, f"account/{by}", now, do)["job"])


def insert(
    db: Connection, study_id: int, kind: str, params: Mapping[str, Any], by: str, now: datetime
) -> str:
    """Store a new job in a transaction; return its id."""
    job_id = secrets.token_hex(12)
    values = {"id": job_id, "study_id": study_id, "kind": kind, "params": canonical(params)}
    when = {"made_by": by, "made_at": now, "beat_at": now}
    jobs.insert(db, {**values, "state": jobs.WAITING, "what": "Waiting", "done": 0, **when})
    return job_id


def canonical(params: Mapping[str, Any]) -> str:
    """Return settings as text that is the same for equal settings."""
    return json.dumps(params, sort_keys=True)


def view(row: AnyRow, now: datetime) -> JobView:
    """Return a job's row as it is now."""
    silent = row.state in ALIVE and now - row.beat_at > SILENT
    return JobView(
        id=row.id,
        study_id=row.study_id,
        kind=row.kind,
        params=json.loads(row.params),
        state=jobs.INTERRUPTED if silent else row.state,
        what=row.what,
        done=row.done,
        total=row.total,
        error=STOPPED if silent else row.error,
        result=json.loads(row.result or "{}"),
        made_by=row.made_by,
        made_at=row.made_at,
        ended_at=row.beat_at if silent else row.ended_at,
    )


def find(db: Connection, study_id: int, job_id: str, now: datetime) -> JobView:
    """Return a study's job. Raises NoJobError."""
    row = jobs.find(db, job_id)
    if row is None or row.study_id != study_id:
        raise NoJobError
    return view(row, now)


def listed(db: Connection, study_id: int, now: datetime) -> list[JobView]:
    """Return a study's newest jobs."""
    return [view(row, now) for row in jobs.of_study(db, study_id, LISTED)]


def newest(
    db: Connection, study_id: int, kind: str, params: Mapping[str, Any], now: datetime
) -> JobView | None:
    """Return the newest finished job with these settings, or None."""
    row = jobs.newest(db, study_id, kind, canonical(params))
    return None if row is None else view(row, now)


def beat(store: Store, job_id: str, states: Sequence[str] = ALIVE, **values: Any) -> bool:
    """Store a heartbeat, perhaps with progress; return whether the job is still alive."""
    with store.write() as db:
        return jobs.change(db, job_id, states, {"beat_at": clock(), **values})


def beat_if_free(store: Store, job_id: str, **values: Any) -> bool:
    """Store a heartbeat, unless the database is busy or away: then the next one will do.

    A long import holds the write lock for longer than a write waits, and must not end its own job.
    Returns whether the job is still alive, as far as is known.
    """
    try:
        return beat(store, job_id, **values)
    except (BusyError, UnavailableError):
        return True


def end(store: Store, job_id: str, state: str, **values: Any) -> bool:
    """End a job that is still alive."""
    return beat(store, job_id, state=state, ended_at=clock(), **values)


def cancel(db: Connection, study_id: int) -> list[str]:
    """Drop the results of jobs, which may hold a person's data; return the jobs' ids.

    The caller removes their files once the transaction is committed. A job that is under way
    finds that it has ended, and removes its own.
    """
    return jobs.cancel(db, study_id, HOLDING, ERASED)


def is_alive(store: Store, job_id: str) -> bool:
    """Return whether a job under way has not been ended in the meantime."""
    return beat(store, job_id)


def tidy(store: Store, folder: Path, now: datetime) -> int:
    """Delete files in the folder of jobs that belong to no job; return how many.

    They are left behind if a server was killed, or if another one cancelled the job or deleted the
    study. A clock that has to be confirmed deletes none: it may call a running job silent.
    """
    if not second_look.passed(store):
        return 0
    files = [path for path in folder.glob("*") if path.is_file()]
    with store.read() as db:
        known = jobs.with_file(db, now - SILENT)
    left = [path for path in files if path.name.partition(".")[0] not in known]
    for path in left:
        path.unlink(missing_ok=True)
    return len(left)


def archive_path(folder: Path, job_id: str, *, raw: bool) -> Path:
    """Return where a job writes a parity archive; `raw`: without apostrophes for spreadsheets."""
    return folder / f"{job_id}.{'raw.' if raw else ''}zip"


def order_of(store: Store, job_id: str, folder: Path) -> str:
    """Return the line with which a process (`app.work`) learns which job to run, and where."""
    order = {
        "url": store.url.render_as_string(hide_password=False),
        "job": job_id,
        "folder": str(folder.resolve()),
        "id_key": str(store.id_key_path),
        "signing_key": str(store.signing_key_path),
    }
    return json.dumps(order) + "\n"


def clock() -> datetime:
    """Return the time. Work outlasts the request that asked for it, so it reads the clock."""
    return datetime.now(UTC)


class Bar:
    """A `Track` that stores how far a job is, at most once a second."""

    def __init__(self, store: Store, job_id: str) -> None:
        self._store, self._job_id, self._stored = store, job_id, 0.0

    def __call__(self, things: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
        """Yield the things and store how many are done."""
        beat_if_free(self._store, self._job_id, what=what, done=0, total=total)
        self._stored = time.monotonic()
        for done, thing in enumerate(things):
            if time.monotonic() - self._stored >= STORE_S:
                beat_if_free(self._store, self._job_id, done=done)
                self._stored = time.monotonic()
            yield thing


def perform(store: Store, job_id: str, works: Mapping[str, Work]) -> None:
    """Run a waiting job here and now, and store its result."""
    with store.read() as db:
        row = jobs.find(db, job_id)
    if row is None or not beat(store, job_id, (jobs.WAITING,), state=jobs.RUNNING):
        return
    stop = threading.Event()
    heart = threading.Thread(target=keep_beating, args=(store, job_id, stop), daemon=True)
    heart.start()
    try:
        result = works[row.kind](store, view(row, clock()), Bar(store, job_id))
        end(store, job_id, DONE, result=json.dumps(result))
    except HjstudyError as error:
        end(store, job_id, jobs.FAILED, error=error.message)
    except Exception:
        end(store, job_id, jobs.FAILED, error=UNEXPECTED)
        raise
    finally:
        stop.set()
        heart.join()


def keep_beating(store: Store, job_id: str, stop: threading.Event) -> None:
    """Send heartbeats until `stop` is set."""
    while not stop.wait(BEAT_S):
        beat_if_free(store, job_id)
