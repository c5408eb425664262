"""The job that asks a model: a run of a player or of a judge, in a process of its own."""

import os
from typing import Any

from app.models.asker import Asker, Endpoint
from app.models.limits import Limits, Meter
from app.progress import Track
from app.store.db import Store
from app.study.jobs import JobView, clock
from app.study.models import runs
from app.study.models.bounds import Bounds
from app.study.models.judging import JudgeRunner
from app.study.models.prices import Price
from app.study.models.running import Runner
from app.study.report.imports import study_of

AT_ONCE = 8  # requests


def ask(store: Store, job: JobView, track: Track) -> dict[str, Any]:
    """Do what a run has left to do: {run, problems}. The key comes from the environment."""
    study = study_of(store, job.study_id)
    with store.read() as db:
        run = runs.find(db, study, job.params["run"])
    name = job.params["key_name"]
    within = Bounds(**{one: job.params[one] for one in Bounds._fields if one in job.params})
    meter = Meter(
        Limits(within.max_calls, within.max_tokens, within.max_cost),
        Price(*run.price) if run.price else None,
        calls=run.totals["calls"],
        read=run.totals["prompt_tokens"],
        written=run.totals["completion_tokens"],
    )
    endpoint = Endpoint(
        base_url=run.base_url,
        model=run.model,
        key=os.environ.get(name, "").strip() if name else "",
        parameters=run.parameters,
        tokens_name=run.tokens_name,
        timeout_s=within.timeout_s,
    )
    asker = Asker(endpoint, meter, AT_ONCE)
    made = JudgeRunner if run.is_judge else Runner
    outcome = made(store, run, asker, clock).drive(AT_ONCE, track)
    asker.close()
    runs.end(store, run, outcome.problems, clock())
    return {"run": run.number, "problems": outcome.problems}
