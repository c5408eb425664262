"""The agreement report of one round: one document for page, JSON, CSV and parity archive."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from app.scoring import bylevel, confusion, influence, judging
from app.scoring.agreement import LEVELS, PAIR
from app.scoring.alphareport import interval_fields
from app.scoring.bootstrap import REPLICATES
from app.scoring.confusion import Pairing
from app.scoring.judging import Coefficients, Figure
from app.scoring.manyvalues import Level
from app.scoring.panel import Panel
from app.study.agreement import blinding, data, groups, judge_pairs, methods, other_raters, raters
from app.study.agreement.data import Facts
from app.study.agreement.estimates import estimate_fields, too_few

FORMAT = "hjstudy-agreement/1"
LEVEL: Level = "ordinal"
SEED = 1
MOST_INFLUENCE = 20
NO_SAMPLE = (
    "This round does not rate a validation sample, so its items stand for themselves: every item "
    "counts once, and no larger set of items (a pool) is estimated."
)
INSIDE_LEVEL = (
    "Human-judge alpha within one judge level is not shown: the judge is constant there, so alpha "
    "is about 0 by construction."
)


def build(
    facts: Facts, dimension: str, *, replicates: int = REPLICATES, seed: int = SEED
) -> dict[str, Any]:
    """Return the report as one JSON document.

    Raises: DimensionError, PanelError.
    """
    edited = data.panel_of(facts, dimension, data.as_edited)
    first = data.panel_of(facts, dimension, data.first_given)
    final = data.final_panel(facts, dimension)
    kinds = ("balanced",) if facts.sample is None else ("balanced", "pool")
    how = partial(rows, replicates=replicates, seed=seed, kinds=kinds)
    measured = {kind: at_levels(edited, kind, LEVELS, replicates, seed) for kind in kinds}
    document: dict[str, Any] = {
        "format": FORMAT,
        "study": facts.study,
        "round": round_facts(facts),
        "form": blinding.form(facts),
        "dimension": dimension,
        "dimensions": list(facts.dimensions),
        "level": LEVEL,
        "scale": list(edited.scale),
        "bootstrap": {"replicates": replicates, "seed": seed},
        "sample": sample_facts(facts),
        "judges": [
            {name: getattr(judge.run, name) for name in ("model", "prompt_version", "kind")}
            | {"judge": judge.label, "ok": judge.run.ok, "malformed": judge.run.malformed}
            for judge in facts.judges
        ],
        "items": len(edited.items),
        "items_rated": int((edited.human >= 0).any(1).sum()),
        "clusters": len({item.cluster for item in edited.items}),
        "rows": how(edited, measured),
        "other_levels": {
            level: {kind: coefficients_fields(found[level]) for kind, found in measured.items()}
            for level in LEVELS
            if level != LEVEL
        },
        "no_pool_reason": None if facts.sample else NO_SAMPLE,
        "first_given": how(first),
        "final": how(final) | {"adjudicated": adjudicated(facts, dimension)},
        "by_task": groups.groups(edited, "task", sampled=facts.sample is not None),
        "by_source": groups.groups(edited, "source", sampled=facts.sample is not None),
        "levels": levels(edited, replicates, seed),
        "levels_note": INSIDE_LEVEL,
        "corrected": corrected(facts, edited, dimension, replicates, seed) if facts.sample else [],
        "influence": influences(edited, sampled=facts.sample is not None),
        **raters.sections(facts, dimension),
        "over_raters": other_raters.section(edited, kinds, LEVEL, replicates=replicates, seed=seed),
        "between_judges": judge_pairs.section(edited, kinds, LEVEL),
        "blinding": blinding.section(facts, replicates=replicates, seed=seed),
    }
    document["confusion"] = [
        table for one in (edited, final) for table in confusions(one, replicates, seed)
    ]
    document["methods"] = methods.paragraphs(document)
    return document


def rows(
    panel: Panel,
    measured: dict[str, dict[Level, Coefficients]] | None = None,
    *,
    replicates: int,
    seed: int,
    kinds: Sequence[str],
) -> dict[str, dict[str, Any] | None]:
    """Return both rows: `balanced` and, if there is a sample, `pool`.

    `measured`: the coefficients per row and level of measurement, if already computed.
    """
    found: dict[str, dict[str, Any] | None] = {"balanced": None, "pool": None}
    for name in kinds:
        made = (measured or {}).get(name) or at_levels(panel, name, (LEVEL,), replicates, seed)
        found[name] = coefficients_fields(made[LEVEL]) | {
            "strata": panel.drawn((panel.human >= 0).sum(1) >= PAIR),
            "pairs": pairs(panel, name == "pool", replicates, seed),
        }
    return found


def at_levels(
    panel: Panel, kind: str, levels: Sequence[Level], replicates: int, seed: int
) -> dict[Level, Coefficients]:
    """Return one row's coefficients at some levels of measurement."""
    return judging.coefficients_at(
        panel, levels, pool=kind == "pool", replicates=replicates, seed=seed
    )


def coefficients_fields(found: Coefficients) -> dict[str, Any]:
    """Return coefficients as JSON."""
    return {
        "human_human": found.human_human.to_dict(),
        "human_judge": [
            {
                "judge": one.judge,
                "each": {human: result.to_dict() for human, result in one.each.items()},
                "mean": figure_fields(one.mean),
                "difference": figure_fields(one.difference),
            }
            for one in found.judges
        ],
        "unheard_strata": list(found.unheard),
    }


def figure_fields(found: Figure) -> dict[str, Any]:
    """Return a derived number with its intervals."""
    return {
        "value": found.value,
        "reason": found.reason,
        **interval_fields("interval", found.interval),
        **interval_fields("cluster_interval", found.cluster_interval),
    }


def pairs(panel: Panel, pool: bool, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return raw agreement, kappa and Spearman for all pairs of humans and of human and judge."""
    humans = [(name, panel.human[:, n]) for n, name in enumerate(panel.humans)]
    judges = [(name, panel.judge[:, n]) for n, name in enumerate(panel.judges)]
    both = [(a, b) for n, a in enumerate(humans) for b in humans[n + 1 :]]
    both += [(human, judge) for judge in judges for human in humans]
    found = []
    for (first, ours), (second, theirs) in both:
        pairing = Pairing(panel, ours, theirs, pool, replicates, seed)
        made = confusion.pair(pairing)
        few = too_few(int((pairing.weights > 0).sum()))
        found.append(
            {
                "first": first,
                "second": second,
                "raw": asdict(made.raw),
                "quadratic_kappa": estimate_fields(made.kappa, few),
                "spearman": estimate_fields(made.spearman, few),
            }
        )
    return found


def confusions(panel: Panel, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return a table per judge and human: rows human, columns judge."""
    found = []
    for k, judge in enumerate(panel.judges):
        for r, human in enumerate(panel.humans):
            of = Pairing(
                panel,
                panel.human[:, r],
                panel.judge[:, k],
                pool=True,
                replicates=replicates,
                seed=seed,
            )
            made = confusion.confusion(of)
            shares, recall = made.human_given_judge, made.judge_given_human
            found.append(
                {
                    "human": human,
                    "judge": judge,
                    "counts": [list(row) for row in made.counts],
                    "human_given_judge": [[asdict(one) for one in row] for row in shares],
                    "joint": [[estimate_fields(one) for one in row] for row in made.joint],
                    "judge_given_human": [[estimate_fields(one) for one in r] for r in recall],
                    "accuracy": estimate_fields(made.accuracy),
                }
            )
    return found


def levels(panel: Panel, replicates: int, seed: int) -> list[dict[str, Any]]:
    """Return agreement and bias within each level of each judge; never an alpha."""
    return [
        {
            "level": one.level,
            "human": one.human,
            "judge": one.judge,
            "raw": asdict(one.raw),
            "bias": estimate_fields(one.bias),
        }
        for number in range(len(panel.judges))
        for one in bylevel.levels(panel, number, replicates=replicates, seed=seed)
    ]


def corrected(
    facts: Facts, panel: Panel, dimension: str, replicates: int, seed: int
) -> list[dict[str, Any]]:
    """Return the corrected mean score of the pool, from all humans together and from each one."""
    which = [None, *range(len(panel.humans))]
    own = data.judge_mean(facts, dimension)
    made = partial(bylevel.corrected_mean, panel, replicates=replicates, seed=seed)
    return [asdict(made(human)) | {"judge": own} for human in which]


def influences(panel: Panel, *, sampled: bool) -> dict[str, list[dict[str, Any]]]:
    """Return, per row of the report, the items whose omission changes alpha most."""
    kinds = ("balanced", "pool") if sampled else ("balanced",)
    return {
        kind: [
            asdict(one)
            for one in influence.leave_one_out(panel, LEVEL, pool=kind == "pool")[:MOST_INFLUENCE]
        ]
        for kind in kinds
    }


def adjudicated(facts: Facts, dimension: str) -> dict[str, int]:
    """Return the numbers of items with disagreement and of decisions."""
    values: dict[int, set[int]] = {}
    ruled = set()
    for row in facts.main:
        value = data.as_edited(row, dimension)
        if value is not None:
            values.setdefault(row.item_id, set()).add(value)
        if data.adjudicated(row, dimension) is not None:
            ruled.add(row.item_id)
    differ = {item for item, found in values.items() if len(found) > 1}
    return {
        "disagreed": len(differ),
        "decided": len(ruled),
        "open": len(differ - ruled),
    }


def round_facts(facts: Facts) -> dict[str, Any]:
    """Return the report's part on the round itself."""
    row = facts.round
    names = ("number", "title", "state", "mode", "rubric_version", "rubric_hash", "k", "seed")
    gold = ("gold_feedback", "gold_least", "gold_after")
    shown = Counter(row.rule_version for row in facts.rows if row.revision)
    times = {
        name: None if getattr(row, name) is None else f"{getattr(row, name):%Y-%m-%dT%H:%M:%SZ}"
        for name in ("opened_at", "closed_at")
    }
    kinds = Counter(row.kind for row in facts.rows if not row.repeat)
    return {
        **{name: getattr(row, name) for name in (*names, *gold)},
        **times,
        "rule_version": row.rule_version or None,
        "presentation": row.presentation or None,
        "rule_versions_shown": [
            {"version": version or None, "ratings": shown[version]} for version in sorted(shown)
        ],
        "interim": row.state != "closed",
        "ratings_by_kind": dict(sorted(kinds.items())),
    }


def sample_facts(facts: Facts) -> dict[str, Any] | None:
    """Return the report's part on the sample."""
    row = facts.sample
    if row is None:
        return None
    names = ("number", "level_of", "which", "per_level", "allocation", "seed", "frame_size")
    return {
        **{name: getattr(row, name) for name in names},
        "frame_hash": row.frame_hash,
        "judge": next(j.label for j in facts.judges if j.run.id == row.run_id),
        "shortfalls": json.loads(row.shortfalls),
        "merged": json.loads(row.merged),
        "strata": [asdict(one) | {"weight": one.weight} for one in data.strata(facts)],
    }
