"""A variant as researchers see it: rule, split, certificate, and what players see."""

import json
from dataclasses import replace
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection

from app.errors import GameError
from app.game.certify import describe_output
from app.game.model import Variant
from app.game.tasks import TASKS
from app.game.variant import content_hash, generate
from app.game.view import player_view
from app.store.design import variants
from app.study.design.certificate import certificate_dict
from app.study.design.certificate_words import BOTS, CONDITIONS, TERMS
from app.study.design.draft import Draft
from app.study.design.library import Library, lexicon
from app.study.design.studies import NoStudyError, make_variant
from app.study.design.words import TASK_WORDS


def stored(db: Connection, library: Library, variant_hash: str) -> dict[str, Any]:
    """Return the page of a stored variant. Raises NoStudyError if there is none."""
    try:
        variant = library.variant(db, variant_hash)
    except KeyError as error:
        raise NoStudyError("There is no variant with this name here.") from error
    return page_of(variant, json.loads(variants.certificate(db, variant_hash)))


def drawn(found: Draft, key: str) -> dict[str, Any]:
    """Return the page of the variant that a draft's cell would get; nothing is stored.

    Raises NoStudyError if the draft has no such cell or is invalid.
    """
    spec = found.cells_spec
    cell = next((one for one in (spec.cells() if spec else []) if one.key == key), None)
    if spec is None or cell is None:
        raise NoStudyError(f"This design has no cell '{key}', or is invalid.")
    try:
        variant = make_variant(spec, cell)
    except GameError as error:
        raise NoStudyError(f"{key} cannot be generated: {error.message}") from error
    return page_of(variant, certificate_dict(variant))


@lru_cache(maxsize=8)
def example(task: str) -> dict[str, Any]:
    """Return the page of a built-in task's variant with seed 0. Raises NoStudyError if unknown."""
    if task not in TASK_WORDS:
        raise NoStudyError(f"There is no built-in task '{task}'.")
    variant = generate(TASKS[task], 0, lexicon("semantic"), "1", 4)
    found = page_of(variant, certificate_dict(variant))
    return {**found, "title": f"{TASK_WORDS[task].name} ({task}): an example"}


def page_of(variant: Variant, certificate: dict[str, Any]) -> dict[str, Any]:
    """Return everything the page shows. `certificate` is empty for the practice."""
    return {
        "title": f"{variant.task.name}, seed {variant.seed}",
        "facts": facts(variant),
        "terms": TERMS,
        "grid": grid(variant),
        "goals": goals(variant),
        "certificate": certificate_lines(certificate) if certificate else None,
        "view": replace(player_view(variant, 0), budget_text=""),
    }


def facts(variant: Variant) -> list[tuple[str, str]]:
    """Return the facts that identify the variant."""
    return [
        ("Form", variant.task.form),
        ("Words", variant.lexicon),
        ("Coverage", variant.coverage),
        ("Distractors", str(variant.distractors)),
        ("Traits of the rule", " and ".join(variant.labels)),
        ("Held out", f"{len(variant.gen_cells)} of {cells(variant)} cells"),
        ("Hash", content_hash(variant)),
    ]


def cells(variant: Variant) -> int:
    """Return the number of cells in the grid."""
    return len(variant.classes) * len(variant.roles)


def goals(variant: Variant) -> list[dict[str, Any]]:
    """Return the guardians to play, with what defeats them."""
    return [
        {
            "goal": one.goal,
            "answer": describe_output(variant, one.output),
            "ref_length": one.ref_length,
            "n_tries": one.n_tries,
            "budget": "none" if one.budget is None else one.budget,
            "solution": one.solutions[0] if one.solutions else (),
        }
        for one in variant.episodes
    ]


def certificate_lines(found: dict[str, Any]) -> dict[str, Any]:
    """Return the certificate in words: what the accounts determine, twins, rivals, floors."""
    return {
        "unique": found["unique"],
        "rules": found["rules_consistent"],
        "bias": f"{found['contextual_bias']:.3f}",
        "share": f"{found['share_determined']:.3f}",
        "cells": found["cells"],
        "twins": [", ".join(one["predictions"]) for one in found["twins"]],
        "n_twins": found["n_twins"],
        "rivals": [
            {
                "form": one["form"] + (", class and role swapped" if one["swapped"] else ""),
                "says": ", ".join(one["predictions"]),
            }
            for one in found["rivals"]
        ],
        "n_rivals": found["n_rivals"],
        "conditions": [
            (CONDITIONS.get(name, name.replace("_", " ")), "yes" if holds else "no")
            for name, holds in sorted(found["conditions"].items())
        ],
        "floors": [
            (name, f"{value:.3f}", BOTS.get(name, "")) for name, value in ranked(found["floors"])
        ],
    }


def ranked(floors: dict[str, float]) -> list[tuple[str, float]]:
    """Return simple players with their scores, the best first."""
    return sorted(floors.items(), key=lambda pair: (-pair[1], pair[0]))


def grid(variant: Variant) -> dict[str, Any]:
    """Return the hidden rule as a table, in the variant's own words."""
    gen = set(variant.gen_cells)
    rows = [
        [
            {
                "text": describe_output(variant, output),
                "split": "gen" if (at, place) in gen else "source",
            }
            for place, output in enumerate(line)
        ]
        for at, line in enumerate(variant.grid)
    ]
    return {
        "labels": variant.labels,
        "classes": variant.classes,
        "roles": variant.roles,
        "rows": rows,
    }
