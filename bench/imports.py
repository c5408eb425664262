"""Players while files of 50,000 explanations are imported, by jobs, against no job.

Each file goes to a study of its own, one after the other.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import count

from app.store import uploads as table
from app.store.db import Store
from app.study import jobs, uploads
from app.study.design import studies
from app.study.design.spec import check_study
from app.study.table_file import MAX_ROWS
from bench import stage
from bench.jobs import TARGET_P95, compare
from bench.measure import Result

TEXT = "The class decides which item the guardian wants, and the role decides how many. " * 4


def explanations(number: int) -> str:
    """Return a file of explanations."""
    about = {"source": "a-model", "task": "A-Over", "seed": 0, "text": TEXT}
    return "\n".join(json.dumps({"id": f"e{at}", **about}) for at in range(number))


def add_import(store: Store, text: str, numbers: Iterator[int]) -> str:
    """Store a study, a file for it, and the job that imports the file."""
    slug, now = f"rated-{next(numbers)}", datetime.now(UTC)
    studies.create(store, check_study({**stage.study_file(1, ("A-Over",)), "slug": slug}), now)
    with store.read() as db:
        study = studies.find(db, slug).id
    row = uploads.row_of(study, uploads.MODELS, {"text": text}, "bench", now)
    with store.write() as db:
        table.insert(db, row)
    params = {"upload": row["id"], "place": uploads.MODELS, "given": {}}
    return jobs.add(store, study, uploads.IMPORT, params, "bench", now)


def run(*, tiny: bool) -> Iterator[Result]:
    """Let people play beside imports and alone."""
    lines, seconds, rounds = (1_000, 0.2, 1) if tiny else (MAX_ROWS, 12.0, 5)
    with stage.folder() as folder, stage.database(folder / "imports.db", 1) as store:
        add = partial(add_import, store, explanations(lines), count())
        ratio = compare(store, folder, add, seconds, rounds)
        yield Result("imports: p95 of an action, beside / alone", ratio, TARGET_P95, at_least=False)
