"""The data of the researcher's rating pages: items, judges, samples, rounds and progress."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.store.base import AnyRow
from app.store.people import accounts
from app.store.rating import handovers, items, judges, pauses, ratings, rounds, samples
from app.study.design.library import Library
from app.study.ground_truth import truth_of
from app.study.rating import pauses as pause_cases
from app.study.rating import presentation, sample_draws

ITEM_COLUMNS = (
    *("item", "source", "task", "seed", "lexicon", "coverage", "text"),
    *("rule", "rule_version", "text_shown"),
)


def overview(db: Connection, study_id: int) -> dict[str, Any]:
    """Return a study's rating data: counts of items, and lists of judges, samples and rounds."""
    runs = judges.runs(db, study_id)
    labels = judges.labels(runs)
    return {
        "items": items.counts(db, study_id),
        "waiting": len(items.new_explanations(db, study_id)),
        "runs": [{"label": labels[run.id], **run._asdict()} for run in runs],
        "samples": [
            {**one._asdict(), "judge": labels[one.run_id]} for one in samples.of_study(db, study_id)
        ],
        "rounds": [one._asdict() for one in rounds.of_study(db, study_id)],
    }


def item_rows(db: Connection, study_id: int, library: Library) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of ITEM_COLUMNS: every item with its ground truth in words.

    `text_shown` is the text as raters see it, which judges should read too.
    """
    for row in items.of_study(db, study_id):
        truth = truth_of(library.variant(db, row.variant_hash))
        names = (row.external_id, row.source, row.task, row.seed, row.lexicon, row.coverage)
        rule = " ".join(truth.sentences)
        yield (*names, row.text, rule, truth.version, presentation.neutral(row.text))


def item(db: Connection, item_id: int) -> AnyRow:
    """Return one item."""
    return items.by_ids(db, [item_id])[item_id]


def sample(db: Connection, study_id: int, number: int) -> dict[str, Any]:
    """Return a sample with its judge's label and drawn items in order. Raises NoSampleError."""
    row = sample_draws.find(db, study_id, number)
    drawn = [one for one in samples.items_of(db, row.id) if one.place is not None]
    return {
        **row._asdict(),
        "judge": judges.labels(judges.runs(db, study_id))[row.run_id],
        "strata": json.loads(row.strata),
        "shortfalls": json.loads(row.shortfalls),
        "merged": json.loads(row.merged),
        "items": sorted(drawn, key=lambda one: one.place),
    }


def raters_to_choose(db: Connection) -> list[AnyRow]:
    """Return the annotators who can be assigned to a round."""
    return [one for one in accounts.of_role(db, "annotator") if one.active]


def samples_to_rate(db: Connection, study_id: int) -> list[tuple[AnyRow, str]]:
    """Return a study's samples, each with its judge's label."""
    labels = judges.labels(judges.runs(db, study_id))
    return [(one, labels[one.run_id]) for one in samples.of_study(db, study_id)]


class RoundPeople(NamedTuple):
    """A round's annotators, their progress by kind of item, and the number of its sample."""

    raters: list[AnyRow]
    progress: Mapping[tuple[int, str], AnyRow]  # (account, kind of item) -> its row
    sample: int | None
    log: list[AnyRow]  # items handed over
    others: list[str]  # active annotators by name
    pauses: list[dict[str, Any]]  # log of pauses: name, right, rated, made_by, is_paused


def round_people(db: Connection, row: AnyRow) -> RoundPeople:
    """Return a round's annotators and their progress."""
    progress = {(one.account_id, one.kind): one for one in ratings.progress(db, row.id)}
    others = [one.name for one in raters_to_choose(db)]
    log = list(handovers.log(db, row.id))
    raters = list(rounds.raters(db, row.id))
    log_of_pauses = pause_log(db, row, {one.account_id: one.name for one in raters})
    return RoundPeople(raters, progress, sample_number(db, row), log, others, log_of_pauses)


def pause_log(db: Connection, row: AnyRow, names: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return the log of pauses, oldest first; `is_paused` at the newest row of a paused one."""
    now = {one.id for one in pause_cases.paused(db, row.id).values()}
    return [
        {**one._asdict(), "name": names.get(one.account_id, ""), "is_paused": one.id in now}
        for one in pauses.of_round(db, row.id)
    ]


def round_items(db: Connection, row: AnyRow) -> list[AnyRow]:
    """Return the items of a round."""
    return list(rounds.items(db, row.id))


def sample_number(db: Connection, row: AnyRow) -> int | None:
    """Return the number of the round's sample, if it has one."""
    if row.sample_id is None:
        return None
    return int(samples.by_id(db, row.sample_id).number)
