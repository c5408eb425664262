"""The columns for the block and episode that a row belongs to."""

import re
from typing import Any

from app.store.base import AnyRow
from app.store.play.episodes import MAIN
from app.store.rating.items import PLAYER
from app.study.export import verify
from app.study.play.steps import GAME, PRACTICE, Step

EXPLANATION = re.compile(r"(.+-w[1-9][0-9]*)-r([0-9]+)")  # the pattern of its ID in exports
PAGE = re.compile(r"world/([1-9][0-9]*)(?:/guardian/([1-9][0-9]*))?(?:/rule|/answer)?")
NOWHERE = {"block_id": None, "episode_index": None}


def place(row: AnyRow) -> dict[str, Any]:
    """Return the columns of the variant and the block; both are empty for practice."""
    if row.block_position < 0:
        return dict.fromkeys(
            ("block_id", "block_index", "task", "seed", "lexicon", "coverage", "format")
        ) | {"variant_hash": row.variant_hash}
    return {
        "block_id": f"{row.public_id}-w{row.block_position + 1}",
        "block_index": row.block_position + 1,
        "task": row.task,
        "seed": row.seed,
        "lexicon": row.lexicon,
        "coverage": row.coverage,
        "format": row.format,
        "variant_hash": row.variant_hash,
    }


def spot(row: AnyRow) -> dict[str, Any]:
    """Return the columns that identify the episode."""
    return {
        **place(row),
        "kind": row.kind,
        "episode_id": verify.episode_name(
            row.public_id, row.kind, row.block_position, row.position
        ),
        "episode_index": row.position + 1 if row.kind == MAIN else None,
    }


def of_episode(row: AnyRow) -> dict[str, Any]:
    """Return block and episode of a main episode; practice has neither."""
    if row.kind != MAIN:
        return NOWHERE
    return {
        "block_id": f"{row.public_id}-w{row.block_position + 1}",
        "episode_index": row.position + 1,
    }


def page_of_play(row: AnyRow) -> str:
    """Return the path of an episode's page, as in the process data."""
    if row.kind != MAIN:
        return Step(PRACTICE, done=False).path
    return Step(GAME, done=False, block=row.block_position, episode=row.position).path


def of_item(row: AnyRow) -> dict[str, Any]:
    """Return block and episode of a rated item, taken from its ID; a model's item has none.

    The ID is kept when an author's data are erased. `-r0`: asked after the block, so no episode.
    """
    found = EXPLANATION.fullmatch(row.item_id) if row.item_kind == PLAYER else None
    if found is None:
        return NOWHERE
    return {"block_id": found[1], "episode_index": int(found[2]) or None}


def of_page(row: AnyRow) -> dict[str, Any]:
    """Return block and episode of a participant's page, if it belongs to any."""
    found = PAGE.fullmatch(row.page)
    if found is None:
        return NOWHERE
    block, episode = found.groups()
    return {
        "block_id": f"{row.public_id}-w{block}",
        "episode_index": None if episode is None else int(episode),
    }
