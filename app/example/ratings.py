"""Models' explanations, a judge, a sample and a rated round: all through the use cases."""

import json
from collections.abc import Iterator
from itertools import product
from random import Random

from app.example.design import ANNOTATORS, MODELS, SLIP, SLUG
from app.example.people import now
from app.example.writing import Writer, slipped
from app.store.db import Store
from app.store.people import accounts as account_table
from app.store.rating import items, ratings
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.studies import StudyView
from app.study.people import accounts
from app.study.rating import judge_file, model_items, player_items, rounds, sample_draws, saving
from app.study.rating.rubric import DEFAULT_RUBRIC, DEFAULT_VERSION
from app.study.tickets import new_ticket

BY = "researcher"
COPIES = 3  # explanations by each model of each variant
PER_LEVEL = 14
FORM = {
    "title": "First round",
    "mode": "overall",
    "rubric": DEFAULT_RUBRIC,
    "rubric_version": DEFAULT_VERSION,
    "k": "2",
    "seed": "3",
    "repeat_percent": "10",
    "items": "sample:1",
}


def rate(store: Store, seed: int, writer: Writer) -> int:
    """Have all explanations judged and a sample of them rated; return the round's number."""
    with store.read() as db:
        study = studies.find(db, SLUG)
    text = "\n".join(json.dumps(line) for line in explained(study, writer))
    model_items.store_all(store, study, Library(), text, BY, new_ticket(), now())
    player_items.take_in(store, study.id, now())
    judge(store, study.id, seed, writer)
    sample_draws.draw_sample(
        store,
        study.id,
        run_number=1,
        wanted="score",
        which="all",
        per_level=PER_LEVEL,
        allocation="proportional",
        seed=seed,
        by=BY,
        ticket=new_ticket(),
        now=now(),
    )
    raters = {name: annotator(store, name) for name in ANNOTATORS}
    chosen = {f"rater_{one}": "1" for one in raters.values()}
    number = rounds.create(store, study.id, {**FORM, **chosen}, BY, new_ticket(), now())
    rounds.open_round(store, study.id, number, 1, now())
    for name, account_id in raters.items():
        rate_all(store, study.id, number, name, account_id, writer)
    rounds.close_round(store, study.id, number, now())
    return number


def explained(study: StudyView, writer: Writer) -> Iterator[dict[str, object]]:
    """Yield the lines of a file of models' explanations."""
    for model, cell, copy in product(MODELS, study.spec.cells(), range(COPIES)):
        text = writer.write(model, copy, studies.make_variant(study.spec, cell))
        name = f"{model.split()[0]}-{cell.task}-{cell.seed}-{copy}"
        line = {"id": name, "source": model, "task": cell.task, "seed": cell.seed, "text": text}
        yield line


def judge(store: Store, study_id: int, seed: int, writer: Writer) -> None:
    """Import the scores of a simulated judge, which is sometimes off by one."""
    rng = Random(f"example|{seed}|judge")
    with store.read() as db:
        texts = {one.external_id: one.text for one in items.of_study(db, study_id)}
    lines = [
        {"item": name, "score": slipped(level_of(text, writer), SLIP["judge"], rng)}
        for name, text in sorted(texts.items())
    ]
    text = "\n".join(json.dumps({**line, "model": "simulated judge"}) for line in lines)
    judge_file.store_all(store, study_id, text, "", BY, new_ticket(), now())


def level_of(text: str, writer: Writer) -> int:
    """Return how good an item's text is; what the writer did not write is wrong."""
    return writer.levels.get(text, 0)


def annotator(store: Store, name: str) -> int:
    """Create an annotator; return their id."""
    accounts.add(store, name, "annotator", now())
    with store.read() as db:
        return next(
            int(one.id) for one in account_table.of_role(db, "annotator") if one.name == name
        )


def rate_all(
    store: Store, study_id: int, number: int, name: str, account_id: int, writer: Writer
) -> None:
    """Rate everything that one annotator got, as their pages would save it."""
    rng = Random(f"example|{name}")
    with store.read() as db:
        here = rounds.find(db, study_id, number)
        rows = ratings.list_of_rater(db, here.id, account_id)
        found = [ratings.assignment_of(db, row.token, account_id) for row in rows]
    for row in filter(None, found):
        seen = slipped(level_of(row.text, writer), SLIP[name], rng)
        times = {"active_ms": str(8000 + int(rng.random() * 20000))}
        typed = {"value": str(seen), "revision": "0", "ticket": new_ticket(), **times}
        saving.save(store, account_id, row.token, typed, now())
