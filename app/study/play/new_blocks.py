"""What a new participant will play: blocks, episodes and the practice, created at consent."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app import __version__
from app.game.practice import practice_variant
from app.game.say import engine_name
from app.game.variant import content_hash
from app.store.design import variants
from app.store.play import episodes
from app.study.design.library import Library
from app.study.design.spec import CellSpec
from app.study.design.studies import StudyView, stored_row
from app.study.play.assignment import guardian_order

PRACTICE_POSITION = -1


def add_blocks(
    db: Connection,
    library: Library,
    study: StudyView,
    person: int,
    chosen: Sequence[CellSpec],
    counts: Mapping[str, int],
    now: datetime,
) -> None:
    """Create a person's blocks, episodes and practice.

    Args:
        db: the transaction of the consent.
        library: the cache of variants.
        study: the study with its current design.
        person: row id.
        chosen: the person's cells in playing order.
        counts: cell key -> earlier people, so that each guardian comes first equally often.
        now: the current time.
    """
    spec = study.spec
    hashes = study.hashes
    rows = []
    if spec.has_practice:
        practice = practice_variant()
        variants.add_missing(db, [stored_row(practice, "{}", now)])
        common = episode_common(practice, content_hash(practice), 0)
        rows.append(
            {
                **common,
                "kind": episodes.PRACTICE,
                "block_id": None,
                "block_position": PRACTICE_POSITION,
            }
        )
        rows[-1]["position"] = 0
    for position, cell in enumerate(chosen):
        variant = library.variant(db, hashes[cell.key])
        block_id = episodes.insert_block(db, block_values(person, position, cell, hashes[cell.key]))
        first = counts.get(cell.key, 0)
        order = guardian_order(len(variant.episodes), first, spec.options.episodes_per_block)
        for place, index in enumerate(order):
            common = episode_common(variant, hashes[cell.key], index)
            rows.append({**common, "kind": episodes.MAIN, "block_id": block_id, "position": place})
            rows[-1]["block_position"] = position
    episodes.insert_episodes(db, [{**one, "participant_id": person} for one in rows])


def block_values(person: int, position: int, cell: CellSpec, variant_hash: str) -> dict[str, Any]:
    """Return a block's row."""
    return {
        "participant_id": person,
        "position": position,
        "cell": cell.key,
        "task": cell.task,
        "seed": cell.seed,
        "lexicon": cell.lexicon,
        "coverage": cell.coverage,
        "format": cell.format,
        "variant_hash": variant_hash,
    }


def episode_common(variant: Any, variant_hash: str, index: int) -> dict[str, Any]:
    """Return the fields of an episode's row about its variant, engine and code."""
    one = variant.episodes[index]
    return {
        "variant_hash": variant_hash,
        "variant_episode": index,
        "entity": one.entity,
        "engine_name": engine_name(variant),
        "engine_version": variant.engine_version,
        "code_version": __version__,
        "ref_length": one.ref_length,
        "n_tries": one.n_tries,
        "budget": one.budget,
        "state": "open",
    }
