"""Downloads of the agreement report: coefficients and ratings as CSV, and the parity archive.

The archive contains the raw ratings, the results on the page, and two small programs (Python, R)
that recompute them without any code of hjstudy.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.scoring.agreement import PAIR
from app.scoring.panel import MISSING, Panel
from app.store.rating.guesses import MODEL, PERSON
from app.store.rating.items import PLAYER
from app.study.agreement import data
from app.study.agreement.data import Facts
from app.study.csv_text import csv_table

SCRIPTS = Path(__file__).parents[2] / "parity"
PLAIN_TIME = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same data give the same bytes
SETS = ("as_edited", "first_given", "final")
COEFFICIENTS = (
    *("set", "row", "kind", "judge", "human", "value", "status", "flags", "reason"),
    *("interval_low", "interval_high", "interval_reason"),
    *("cluster_low", "cluster_high", "cluster_reason"),
    *("replicates", "seed", "undefined_replicates", "n_units", "n_pairable", "n_single"),
    *("n_values", "n_pairable_values", "Do", "De", "effective_units", "data_hash"),
    *("level", "domain", "raters", "counts"),
)
RATINGS = ("item", "rater", "value", "weight", "stratum", "cluster")
SCORES = ("set", "item", "rater", "value", "stratum", "cluster", "task", "source")
STRATA = ("stratum", "level", "population", "drawn")
GUESSES = ("item", "rater", "source", "guess")
BLINDING = ("rater", "index", "source", "value")
README = """Agreement of study {study}, rating round {round}, {dimension}

scores.csv        all compared ratings, one per row; `set` is as_edited (the raters' current
                  scores), first_given, final (adjudicated, or the score on which all raters of
                  the item agree) or judge (scores of judges; `rater` is the judge's name)
strata.csv        the sample's strata: `population` items in the frozen frame, `drawn` of them
coefficients.csv  the report's coefficients; in row `balanced`, every item counts once; in row
                  `pool`, its weight is population / usable items of its stratum; an empty value
                  is undefined, for the reason in `status`
guesses.csv       who raters think wrote each text (person, model, unknown); `source` is who did.
                  Empty if the round did not ask
blinding.csv      James's index, and Bang's of each source: for all raters (`rater` empty) and each
report.json       the whole report
recompute.py      recomputes coefficients.csv and blinding.csv from the others: python3 recompute.py
recompute.R       the same in R: Rscript recompute.R

Both programs exit with status 1 if a value differs by more than 1e-9. The coefficient is
Krippendorff's alpha at the level of measurement in `level`; see docs/agreement.md of hjstudy.
"""


def panels(facts: Facts, dimension: str) -> dict[str, Panel]:
    """Return the panel of each set of scores."""
    return {
        "as_edited": data.panel_of(facts, dimension, data.as_edited),
        "first_given": data.panel_of(facts, dimension, data.first_given),
        "final": data.final_panel(facts, dimension),
    }


def coefficient_rows(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield one row per coefficient of the report; None becomes an empty cell.

    All sets of scores at the report's level of measurement come first, then the other levels.
    """
    whole = {"as_edited": "rows", "first_given": "first_given", "final": "final"}
    parts = [(name, report["level"], report[whole[name]]) for name in SETS]
    parts += [(SETS[0], level, rows) for level, rows in report["other_levels"].items()]
    for name, level, rows in parts:
        for row in ("balanced", "pool"):
            if rows.get(row) is not None:
                for cells in row_cells(rows[row]):
                    yield {"set": name, "row": row, "level": level, **cells}


def row_cells(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the coefficients of one row of the report as cells."""
    yield {"kind": "human_human"} | result_cells(found["human_human"])
    for one in found["human_judge"]:
        base = {"judge": one["judge"]}
        for human, result in one["each"].items():
            yield base | {"kind": "human_judge", "human": human} | result_cells(result)
        for kind in ("mean", "difference"):
            names = {"mean": "mean_human_judge", "difference": "difference"}
            cells = {"value": one[kind]["value"], "reason": one[kind]["reason"]}
            yield base | {"kind": names[kind]} | cells | interval_cells(one[kind])


def result_cells(found: dict[str, Any]) -> dict[str, Any]:
    """Return a result object as cells."""
    names = ("status", "n_units", "n_pairable", "n_single", "n_values", "n_pairable_values")
    return {
        **{name: found[name] for name in (*names, "Do", "De", "data_hash")},
        "value": found["alpha"],
        "flags": " ".join(found["flags"]),
        "domain": " ".join(map(str, found["domain"])),
        "raters": "; ".join(found["raters"]),
        "counts": " ".join(f"{one['value']}:{one['count']}" for one in found["counts"]),
        "effective_units": found["weights"]["effective_units"] if found["weights"] else None,
        **interval_cells(found),
    }


def interval_cells(found: dict[str, Any]) -> dict[str, Any]:
    """Return both intervals, or the reasons for none, as cells."""
    cells: dict[str, Any] = {}
    for name, short in (("interval", "interval"), ("cluster_interval", "cluster")):
        one, reason = found[name], found[f"{name}_reason"]
        cells[f"{short}_low"] = one["low"] if one else None
        cells[f"{short}_high"] = one["high"] if one else None
        cells[f"{short}_reason"] = None if one else reason["reason"]
    one = found["interval"]
    if one:
        cells |= {"replicates": one["replicates"], "seed": one["seed"]}
        cells["undefined_replicates"] = one["undefined"]
    return cells


def rating_rows(facts: Facts, dimension: str) -> Iterator[dict[str, Any]]:
    """Yield the humans' current scores and pool weights in the format of `hjstudy alpha`."""
    found = data.panel_of(facts, dimension, data.as_edited)
    pairable = (found.human != MISSING).sum(1) >= PAIR
    weights = found.weights(pairable, pool=True)
    for number, item in enumerate(found.items):
        weight = (
            float(weights[number]) if pairable[number] else 1.0
        )  # a single value is not compared
        for rater, value in sorted(item.humans.items()):
            yield {
                "item": item.id,
                "rater": rater,
                "value": value,
                "weight": weight,
                "stratum": item.stratum,
                "cluster": item.cluster,
            }


def score_rows(facts: Facts, dimension: str) -> Iterator[dict[str, Any]]:
    """Yield every compared score, including judges' scores."""
    for name, found in panels(facts, dimension).items():
        for item in found.items:
            sets = [(name, item.humans)]
            sets += [("judge", item.judges)] if name == SETS[0] else []
            for kind, scores in sets:
                for rater, value in sorted(scores.items()):
                    yield {
                        "set": kind,
                        "item": item.id,
                        "rater": rater,
                        "value": value,
                        "stratum": item.stratum,
                        "cluster": item.cluster,
                        "task": item.task,
                        "source": item.source,
                    }


def guess_rows(facts: Facts) -> Iterator[dict[str, Any]]:
    """Yield every guess of who wrote a text."""
    for row in facts.main:
        if row.guess:
            source = PERSON if row.item_kind == PLAYER else MODEL
            yield {"item": row.item, "rater": row.rater, "source": source, "guess": row.guess}


def blinding_rows(report: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the blinding indices of the report, without their intervals."""
    for one in report["blinding"]["rows"] if report["blinding"] else []:
        yield {"rater": one["rater"], "index": "james", "value": one["james"]["value"]}
        for source, found in one["bang"].items():
            cells = {"index": "bang", "source": source, "value": found["value"]}
            yield {"rater": one["rater"], **cells}


def archive(facts: Facts, report: dict[str, Any], *, raw: bool = False) -> bytes:
    """Return the parity archive (ZIP); the same data give the same bytes."""
    dimension = report["dimension"]
    strata = [
        {name: getattr(one, name) for name in STRATA[1:]} | {"stratum": one.name}
        for one in data.strata(facts)
    ]
    readme = README.format(study=facts.study, round=facts.round.number, dimension=dimension)
    files = {
        "README.txt": readme,
        "scores.csv": csv_table(SCORES, score_rows(facts, dimension), raw=raw),
        "strata.csv": csv_table(STRATA, strata, raw=raw),
        "coefficients.csv": csv_table(COEFFICIENTS, coefficient_rows(report), raw=raw),
        "guesses.csv": csv_table(GUESSES, guess_rows(facts), raw=raw),
        "blinding.csv": csv_table(BLINDING, blinding_rows(report), raw=raw),
        "report.json": json.dumps(report, ensure_ascii=False, indent=2, allow_nan=False),
        **{path.name: path.read_text("utf-8") for path in sorted(SCRIPTS.glob("recompute.*"))},
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(zipfile.ZipInfo(name, PLAIN_TIME), text, zipfile.ZIP_DEFLATED)
    return target.getvalue()
