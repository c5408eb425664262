"""The report document: settings, counts and every table, as reproducible JSON data."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from app import __version__
from app.game.model import Variant
from app.game.variant import from_json
from app.progress import Track, untracked
from app.scoring.permutation import DRAWS
from app.scoring.players import sharing
from app.scoring.plays import WHICH
from app.store.play.episodes import MAIN
from app.study.design.spec import BOTS
from app.study.export.parity import metric_code
from app.study.people import analysed
from app.study.report.baseline import baseline, ratings
from app.study.report.behaviour import dropouts, learning, points, relation, times
from app.study.report.contrasts import coverage, format_gap, lexicon
from app.study.report.floors import floors
from app.study.report.marks import Find
from app.study.report.model_tables import (
    methods,
    models_cost,
    models_coverage,
    models_points,
    models_relation,
    parity,
)
from app.study.report.models import beside_models, models_format_gap
from app.study.report.options import MAIN_RV, Options
from app.study.report.published import against_paper, paper
from app.study.report.ratings import longest_gaps, rv_of
from app.study.report.sensitivity import sensitivity
from app.study.report.shape import Table
from app.study.report.units import People, Tables, read_people
from app.study.report.wording import table_worded

REPORT_VERSION = "1.5"


def document(
    tables: Tables, facts: Mapping[str, Any], options: Options, track: Track = untracked
) -> dict[str, Any]:
    """Build the report of a study from its export's tables.

    Args:
        tables: name -> rows (column -> typed value, None = missing); a table may be missing.
        facts: `study, title, kind, main_rv` (of the study file) and other facts to print.
        options: the settings; an empty `main_rv` is taken from the facts.
        track: progress, called with each table.

    Returns: JSON data: `settings`, `study`, `counts`, `tables`; no NaN, numbers to 10 decimals.
    Raises: ReportError: the options are out of bounds.
    """
    wanted = options.main_rv or facts.get("main_rv") or MAIN_RV[0]
    options = replace(options, main_rv=str(wanted)).checked()
    people = read_people(tables, rv_of(tables), options)
    find = finder(tables)
    points_table = points(people, options.main_rv)
    shown = models_points(tables, options.main_rv)
    makers: list[Callable[[], Table]] = [
        *(partial(baseline, people, which, options.main_rv, find, options) for which in WHICH),
        *(partial(floors, people, which, find, options) for which in WHICH),
        partial(ratings, people, options),
        partial(relation, points_table, options),
        lambda: points_table,
        partial(times, people, longest_gaps(tables), options),
        partial(learning, people, options.main_rv, find, options),
        partial(dropouts, people.people, tables),
        partial(format_gap, people, find, options),
        partial(lexicon, people, options.main_rv, find, options),
        partial(coverage, people, find, options.main_rv, options),
        partial(against_paper, people, options.main_rv, find, options),
        partial(beside_models, people, tables, options.main_rv, find, options),
        partial(models_format_gap, tables, options),
        partial(models_relation, shown),
        lambda: shown,
        partial(models_coverage, tables, options.main_rv, find),
        partial(methods, tables, options),
        partial(models_cost, tables, options.main_rv),
        partial(parity, tables),
        partial(sensitivity, people, tables, options.main_rv, options),
        paper,
    ]
    with sharing():
        made = [make() for make in track(makers, "Making tables", len(makers))]
    return {
        "report_version": REPORT_VERSION,
        "code_version": __version__,
        "study": {key: facts.get(key) for key in ("study", "kind")},
        "settings": {
            **options.as_dict(),
            "interval": "expanded percentile bootstrap over players, 95 %; means of shares with "
            "made-up episodes",
            "permutations": DRAWS,
            "metric_code": metric_code(),
            "exclusions": "test participants"
            if options.keep_excluded
            else "test participants and participants excluded by a researcher",
            "unfinished": "failure in the main result",
        },
        "counts": counts(people, tables),
        "tables": [table_worded(table.as_dict(), bots=facts.get("kind") == BOTS) for table in made],
    }


def finder(tables: Tables) -> Find:
    """Return a function that finds a variant by its hash; each is parsed once."""
    texts = {row["variant_hash"]: row["content"] for row in tables.get("variant", ())}
    known: dict[str, Variant | None] = {}

    def find(content_hash: str) -> Variant | None:
        if content_hash not in known:
            text = texts.get(content_hash)
            known[content_hash] = from_json(text) if text else None
        return known[content_hash]

    return find


def counts(people: People, tables: Tables) -> dict[str, Any]:
    """Return who and what is in the report, and what is not.

    `people` and those left out, by reason, are all who arrived. Worlds, episodes and explanations
    are those of the people who count; so are voided episodes, and those of people without another.
    """
    plays = [play for unit in people.units for play in unit.plays]
    worlds = {unit.block_id for unit in people.units}
    states = Counter(str(person["state"]) for person in people.counting)
    voided_of = {
        name for name, reason in people.reasons.items() if reason in ("", analysed.NO_EPISODE)
    }
    return {
        "people": len(people.counting),
        "people_by_state": dict(sorted(states.items())),
        "people_left_out": dict(sorted(people.left_out.items())),
        "worlds": len(people.units),
        "episodes": len(plays),
        "episodes_voided": sum(
            bool(row["voided"]) and row["participant_id"] in voided_of
            for row in tables.get("episode", ())
            if row["kind"] == MAIN
        ),
        "episodes_untouched": sum(not play.is_touched and not play.is_over for play in plays),
        "episodes_in_play": sum(play.in_play for play in plays),
        "episodes_unfinished": sum(
            play.counts and not play.is_over and not play.in_play for play in plays
        ),
        "explanations": sum(row["block_id"] in worlds for row in tables.get("explanation", ())),
    }


def canonical(data: Any) -> str:
    """Return reproducible JSON text: sorted keys, no NaN."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def fingerprint(data: Any) -> str:
    """Return the sha256 of the canonical JSON."""
    return hashlib.sha256(canonical(data).encode()).hexdigest()
