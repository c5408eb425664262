"""Start jobs: each in a process of its own, one after the other."""

import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import structlog

from app.settings import Settings
from app.study import jobs
from app.study.database import Store
from app.study.jobs import FAILED, INTERRUPTED, STOPPED, UNEXPECTED, archive_path

log = structlog.get_logger()
LOOK_S = 2.0  # how often a waiting job gives a sign of life and checks whether to stop


class Runner:
    """The jobs of one server process. `stop()` ends them."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.folder = Path(settings.data_dir) / jobs.FOLDER
        self._store = store
        self._stopped = threading.Event()
        # Work of this machine takes turns; what waits for models has a turn of its own.
        self._turns = {apart: threading.Semaphore(1) for apart in (False, True)}
        self._running: dict[str, subprocess.Popen[str]] = {}
        self._threads: list[threading.Thread] = []
        self._started, self._lock = set[str](), threading.Lock()

    def start(self, job_id: str, *, apart: bool = False) -> None:
        """Let a job start when it is its turn; returns at once. `apart`: it mostly waits.

        A job that was started here before, because its form was sent twice, is left alone.
        """
        with self._lock:
            if job_id in self._started:
                return
            self._started.add(job_id)
        turn = self._turns[apart]
        thread = threading.Thread(target=self._wait_and_run, args=(job_id, turn), daemon=True)
        self._threads = [*(one for one in self._threads if one.is_alive()), thread]
        thread.start()

    def stop(self) -> None:
        """End all jobs, which are stored as interrupted."""
        self._stopped.set()
        for process in list(self._running.values()):
            process.terminate()
        for thread in self._threads:
            thread.join()

    def file_of(self, job_id: str) -> Path:
        """Return where a job's file is, if this server has it."""
        return self.folder / f"{job_id}.zip"

    def archive_of(self, job_id: str, *, raw: bool) -> Path:
        """Return where the parity archive of a job is, if this server has it."""
        return archive_path(self.folder, job_id, raw=raw)

    def remove_files(self, job_ids: Iterable[str]) -> None:
        """Remove the files of jobs, if this server has them."""
        for job_id in job_ids:
            for path in self.folder.glob(f"{job_id}.*"):
                path.unlink(missing_ok=True)

    def _wait_and_run(self, job_id: str, turn: threading.Semaphore) -> None:
        while not turn.acquire(timeout=LOOK_S):
            if self._stopped.is_set() or not jobs.beat_if_free(self._store, job_id):
                break
        else:
            try:
                self._run(job_id)
            finally:
                turn.release()
        if self._stopped.is_set():
            jobs.end(self._store, job_id, INTERRUPTED, error=STOPPED)

    def _run(self, job_id: str) -> None:
        if self._stopped.is_set():
            return
        command = [sys.executable, "-m", "app.work"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as process:  # noqa: S603
            self._running[job_id] = process
            self._see_to_its_end(job_id, process)
        self._running.pop(job_id, None)
        if process.returncode and not self._stopped.is_set():
            jobs.end(self._store, job_id, FAILED, error=UNEXPECTED)
            log.error("job.failed", job=job_id, code=process.returncode)

    def _see_to_its_end(self, job_id: str, process: subprocess.Popen[str]) -> None:
        """Give a process its order and wait for it, with signs of life in its place.

        It sends none of its own until it has started, which takes long on a busy machine.
        """
        order: str | None = jobs.order_of(self._store, job_id, self.folder)
        while True:
            try:
                process.communicate(order, timeout=jobs.BEAT_S)
            except subprocess.TimeoutExpired:
                order = None  # sent already
                jobs.beat_if_free(self._store, job_id)
            else:
                return
