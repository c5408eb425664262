"""A stored rating round with everything that can happen in one, for tests of reports."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import sqlalchemy as sa

from app.scoring.sampling import draw
from app.store.design import variants
from app.store.people import accounts
from app.store.rating import adjudications, items, judges, ratings, rounds, samples
from app.study.rating import sample_draws
from bench import judged

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
VARIANT = "f" * 64


@dataclass
class Stored:
    study_id: int
    number: int
    round_id: int
    frame: list[Any]
    sample: object
    given: dict[Any, Any]  # (external id, rater) -> current score, None = skipped
    first: dict[Any, Any]
    decided: dict[Any, Any]  # external id -> adjudicated score
    repeated: dict[Any, Any]  # (external id, rater) -> (first showing, second)


def store_round(
    db,
    study_id,
    *,
    size=600,
    per_level=33,
    sampled=True,
    state="closed",
    mode="overall",
    seed=1,
    allocation="proportional",
):
    """Store items, two judges, a sample and a round with two raters; returns what was stored."""
    rng = np.random.default_rng(seed)
    frame = judged.make_frame(size, rng)
    ids = store_items(db, study_id, frame)
    runs = [
        store_judge(db, study_id, name, ids, frame, rng, off)
        for name, off in (("judge", 0.0), ("second judge", 0.3))
    ]
    sample = draw(frame, per_level, seed, allocation=allocation)
    sample_id = (
        store_sample(db, study_id, runs[0], frame, ids, sample, per_level) if sampled else None
    )
    chosen = [one.id for one in sample.chosen]
    extra = [item.id for item in frame if item.id not in set(chosen)][:3]
    people = [accounts.insert(db, f"annotator {n}", "annotator", NOW) for n in (1, 2)]
    number = rounds.next_number(db, study_id)
    round_id = rounds.insert(db, round_values(study_id, number, sample_id, state, mode))
    names = [
        {
            "round_id": round_id,
            "account_id": who,
            "pseudonym": f"rater_{n}",
            "token": f"t{round_id}-{n}",
        }
        for n, who in enumerate(people, 1)
    ]
    rounds.set_raters(db, round_id, names)
    known = (
        '{"value": 1}'
        if mode == "overall"
        else '{"inputs": 1, "output": 1, "structure": 1, "generality": 1}'
    )
    rounds.set_items(
        db,
        round_id,
        [
            {
                "round_id": round_id,
                "item_id": ids[name],
                "kind": kind,
                "known": answer,
                "feedback": "",
            }
            for kind, group, answer in (
                ("main", chosen, ""),
                ("gold", extra[:2], known),
                ("training", extra[2:], known),
            )
            for name in group
        ],
    )
    stored = Stored(study_id, number, round_id, frame, sample, {}, {}, {}, {})
    if state != "draft":
        rate_all(db, stored, people, mode, rng)
    return stored


def store_items(db, study_id, frame):
    row = {"hash": VARIANT, "content": "{}", "certificate": "{}", "created_at": NOW}
    variants.add_missing(db, [row])
    common = {
        "study_id": study_id,
        "kind": "model",
        "seed": 1,
        "lexicon": "nonce",
        "coverage": "1",
        "variant_hash": VARIANT,
        "text": "The first trait decides.",
        "created_at": NOW,
        "is_erased": False,
        "imported_by": "",
    }
    items.insert(
        db,
        [
            {
                **common,
                "external_id": one.id,
                "source": one.source,
                "cluster": one.cluster,
                "task": one.task,
            }
            for one in frame
        ],
    )
    return {name: row.id for name, row in items.known(db, study_id).items()}


def store_judge(db, study_id, name, ids, frame, rng, off):
    values = {
        "study_id": study_id,
        "kind": "file",
        "judge": name,
        "model": "model-7",
        "prompt_version": "3",
        "made_by": "researcher",
        "created_at": NOW,
    }
    run_id = judges.insert_run(db, values)
    levels = [int(rng.integers(0, 3)) if rng.random() < off else item.level for item in frame]
    judges.insert_scores(
        db,
        [
            {
                "run_id": run_id,
                "item_id": ids[one.id],
                "status": "ok",
                "score": level,
                **dict.fromkeys(("inputs", "output", "structure", "generality"), level),
                "created_at": NOW,
            }
            for one, level in zip(frame, levels, strict=True)
        ],
    )
    return run_id


def store_sample(db, study_id, run_id, frame, ids, sample, per_level):
    values = {
        "study_id": study_id,
        "run_id": run_id,
        "level_of": "score",
        "which": "all",
        "per_level": per_level,
        "allocation": sample.allocation,
        "seed": sample.seed,
        "frame_size": len(frame),
        "frame_hash": sample.frame_hash,
        "strata": sample_draws.strata_json(sample),
        "shortfalls": json.dumps(sample.shortfalls),
        "merged": json.dumps(sample.merged),
        "made_by": "researcher",
        "created_at": NOW,
    }
    rows = sample_draws.frame_rows(frame, ids, sample)
    number = samples.insert(db, values, rows)
    return samples.find(db, study_id, number).id


def round_values(study_id, number, sample_id, state, mode):
    return {
        "study_id": study_id,
        "number": number,
        "title": "First round",
        "state": state,
        "mode": mode,
        "rubric": "Rate what is said.",
        "rubric_version": "2",
        "rubric_hash": "a" * 64,
        "k": 2,
        "seed": 5,
        "repeat_percent": 10,
        "sample_id": sample_id,
        "made_by": "researcher",
        "created_at": NOW,
        "opened_at": NOW if state != "draft" else None,
        "closed_at": NOW if state == "closed" else None,
    }


def rate_all(db, stored, people, mode, rng):
    level_of = {item.id: item.level for item in stored.frame}
    listed = rounds.items(db, stored.round_id)
    rows = []
    for n, who in enumerate(people, 1):
        turns = [(one, 0) for one in listed] + [(one, 1) for one in listed if one.kind == "main"][
            :8
        ]
        rounds.insert_assignments(
            db,
            [
                {
                    "round_id": stored.round_id,
                    "round_item_id": one.round_item_id,
                    "account_id": who,
                    "repeat": repeat,
                    "position": place,
                    "token": f"r{stored.round_id}-{n}-{place}",
                }
                for place, (one, repeat) in enumerate(turns, 1)
            ],
        )
        mine = {row.position: row.id for row in assigned(db, stored.round_id, who)}
        for place, (one, repeat) in enumerate(turns, 1):
            true = rng.choice(3, p=judged.TRUE_GIVEN_JUDGE[level_of[one.external_id]])
            values = [int(rng.choice(3, p=judged.RATED_GIVEN_TRUE[true]))]
            if one.kind == "main" and not repeat and place % 17 == 0:
                values.append((values[0] + 1) % 3)  # changed later
            skips = one.kind == "main" and not repeat and place % 29 == n
            sent: list[int | None] = [None] if skips else [*values]
            rows += [rated(mine[place], n, value, mode) for n, value in enumerate(sent, 1)]
            note(stored, one, f"rater_{n}", repeat, sent)
    db.execute(ratings.rating.insert(), rows)
    differ = [
        one
        for one in listed
        if one.kind == "main"
        and len({stored.given[one.external_id, f"rater_{n}"] for n in (1, 2)} - {None}) == 2
    ]
    agreed = [
        one
        for one in listed
        if one.kind == "main"
        and {stored.given[one.external_id, f"rater_{n}"] for n in (1, 2)} == {0}
    ]
    for one in differ[::2] + agreed[:1]:  # a decision also overrides what raters agreed on
        adjudications.insert(
            db,
            {
                "round_item_id": one.round_item_id,
                "revision": 1,
                "made_by": "researcher",
                "created_at": NOW,
                "comment": "",
                **cells(2, mode),
            },
        )
        stored.decided[one.external_id] = 2


def note(stored, one, rater, repeat, values):
    if one.kind != "main":
        return
    key = (one.external_id, rater)
    if repeat:
        stored.repeated[key] = (stored.given[key], values[-1])
    else:
        stored.first[key], stored.given[key] = values[0], values[-1]


def assigned(db, round_id, who):
    table = rounds.assignment
    query = sa.select(table.c.id, table.c.position)
    return db.execute(query.where(table.c.round_id == round_id, table.c.account_id == who))


def cells(value, mode):
    names = ("value",) if mode == "overall" else ("inputs", "output", "structure", "generality")
    return dict.fromkeys(names, value)


def rated(assignment_id, revision, value, mode):
    return {
        "assignment_id": assignment_id,
        "revision": revision,
        "flag": False,
        "comment": "",
        "skip_reason": "unreadable" if value is None else "",
        "active_ms": 4000,
        "wall_ms": 9000,
        "ticket": f"{assignment_id}-{revision}",
        "created_at": NOW,
        **cells(value, mode),
    }
