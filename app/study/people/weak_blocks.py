"""Checklist: blocks whose worlds a bot that does not work out the rule nearly always wins."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby

from sqlalchemy import Connection

from app.counted import counted
from app.errors import GameError
from app.game.expectation import floors
from app.store.design import variants
from app.study.design.certificate_words import BOTS
from app.study.design.check_item import LOOK, RECRUITING, Check
from app.study.design.draft import Draft
from app.study.design.sources import OWN
from app.study.design.spec import CellSpec, StudySpec
from app.study.design.studies import make_variant
from app.study.design.words import cell_name

HIGH = 0.9  # expected ECSR of a bot that nearly always wins
KNOWING = ("oracle", "inducer")  # they know the rule, or what the accounts prove
ADVICE = (
    "Choose another task or other seeds, or accept it and rely on the explanations that people "
    "write. The floors are on the page of each cell."
)


def weak_blocks(db: Connection, found: Draft, spec: StudySpec) -> list[Check]:
    """Name blocks where a bot without the rule has a high ECSR in most worlds; [] if there is none.

    `spec`: what opening would use. Stated answers, and variants of the package, are left out.
    """
    if spec.kind not in RECRUITING:
        return []
    hashes = found.published.hashes if found.published and found.published.spec == spec else {}
    own = [one for one in spec.cells() if one.source == OWN and one.format != "direct"]
    lines = [
        line
        for name, cells in groupby(sorted(own, key=block_of), block_of)
        if (line := weakness(name, (floors_of(db, hashes, spec, one) for one in cells)))
    ]
    if not lines:
        return []
    words = f"{' '.join(lines)} There, winning does not show that people found the rule."
    return [Check("weak", LOOK, "Worlds that are won without the rule", words, ADVICE, "blocks")]


def block_of(cell: CellSpec) -> str:
    """Return the name of a cell's block in words: all but the seed."""
    return cell_name("/".join([cell.task, "", *cell.key.split("/")[2:]]))


def floors_of(
    db: Connection, hashes: Mapping[str, str], spec: StudySpec, cell: CellSpec
) -> dict[str, float]:
    """Return bot -> expected ECSR, as certified or, in a draft, as it would be; {} if it fails."""
    if cell.key in hashes:
        stored = json.loads(variants.certificate(db, hashes[cell.key]))
        return dict(stored.get("floors", {}))
    try:
        return {name: float(value) for name, value in floors(make_variant(spec, cell)).items()}
    except GameError:
        return {}


def weakness(name: str, worlds: Iterable[dict[str, float]]) -> str:
    """Return a sentence about the bot that nearly always wins in most worlds, or ''."""
    times, number = Counter[str](), 0
    for world in worlds:
        number += 1
        times.update(bot for bot, ecsr in world.items() if ecsr >= HIGH and bot not in KNOWING)
    [(bot, often)] = times.most_common(1) or [("", 0)]
    if 2 * often <= number:
        return ""
    return (
        f"{name}: in {often} of {counted(number, 'world')}, the bot {bot}, which {BOTS[bot]}, has "
        f"an expected ECSR of at least {HIGH}."
    )
