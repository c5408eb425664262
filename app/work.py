"""`python -m app.work`: do one job in this process, with low priority, and end.

The server starts it and writes one line of JSON to its standard input: the database, the job and
the folder for files. So players' pages share no interpreter with long work, and the database's
password is in no process list.
"""

import json
import os
import sys
from pathlib import Path

from app.store.db import Store
from app.study.jobs import perform
from app.study.report.work import works

NICE = 10
THREADS = 4


def main() -> None:
    """Read what to do and do it."""
    told = json.loads(sys.stdin.readline())
    os.nice(NICE)
    store = Store(
        told["url"],
        threads=THREADS,
        id_key_path=Path(told["id_key"]),
        signing_key_path=Path(told["signing_key"]),
    )
    try:
        perform(store, told["job"], works(Path(told["folder"])))
    finally:
        store.dispose()


if __name__ == "__main__":
    main()
