"""`python -m app.work`: run one job in this process at low priority, then exit.

The server starts it and writes one line of JSON to its standard input: the database, the job and
the folder for files. Long work therefore does not hold up players' pages, and the database's
password appears in no process list.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from app.progress import Track
from app.store.db import Store
from app.study.jobs import JobView, perform
from app.study.models.starting import MODEL
from app.study.report.work import works

NICE = 10
THREADS = 4


def ask(store: Store, job: JobView, track: Track) -> dict[str, Any]:
    """Ask a model. Only this kind of job needs the package that talks to models."""
    from app.models import work  # noqa: PLC0415 - see above

    return work.ask(store, job, track)


def main() -> None:
    """Read what to do and do it."""
    order = json.loads(sys.stdin.readline())
    os.nice(NICE)
    store = Store(
        order["url"],
        threads=THREADS,
        id_key_path=Path(order["id_key"]),
        signing_key_path=Path(order["signing_key"]),
    )
    try:
        perform(store, order["job"], {**works(Path(order["folder"])), MODEL: ask})
    finally:
        store.dispose()


if __name__ == "__main__":
    main()
