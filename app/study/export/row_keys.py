"""The columns that say which block and which episode a row is about."""

import re
from typing import Any

from app.store.base import AnyRow
from app.store.play.episodes import MAIN
from app.store.rating.items import PLAYER
from app.study.export import verify

EXPLANATION = re.compile(r"(.+-w[1-9][0-9]*)-r([0-9]+)")  # as its id in the exports is made
PAGE = re.compile(r"world/([1-9][0-9]*)(?:/guardian/([1-9][0-9]*))?(?:/rule|/answer)?")
NOWHERE = {"block_id": None, "episode_index": None}


def place(row: AnyRow) -> dict[str, Any]:
    """Return the columns of the variant and the block; empty for the practice, which has none."""
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
    """Return the columns that say which episode it is."""
    return {
        **place(row),
        "kind": row.kind,
        "episode_id": verify.episode_name(
            row.public_id, row.kind, row.block_position, row.position
        ),
        "episode_index": row.position + 1 if row.kind == MAIN else None,
    }


def of_episode(row: AnyRow) -> dict[str, Any]:
    """Return block and episode of a main episode; the practice has neither."""
    if row.kind != MAIN:
        return NOWHERE
    return {
        "block_id": f"{row.public_id}-w{row.block_position + 1}",
        "episode_index": row.position + 1,
    }


def of_item(row: AnyRow) -> dict[str, Any]:
    """Return block and episode that a rated item is about, from its name; a model's has none.

    The name stays when an author's data are erased. `-r0`: asked after the block, no one episode.
    """
    found = EXPLANATION.fullmatch(row.item_id) if row.item_kind == PLAYER else None
    if found is None:
        return NOWHERE
    return {"block_id": found[1], "episode_index": int(found[2]) or None}


def of_page(row: AnyRow) -> dict[str, Any]:
    """Return block and episode of a page of a person's way; none where it belongs to none."""
    found = PAGE.fullmatch(row.page)
    if found is None:
        return NOWHERE
    block, episode = found.groups()
    return {
        "block_id": f"{row.public_id}-w{block}",
        "episode_index": None if episode is None else int(episode),
    }
