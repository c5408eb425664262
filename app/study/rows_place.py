"""The columns that say which block and which episode a row is about."""

from typing import Any

from app.store.base import AnyRow
from app.study import verify


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
        "episode_index": row.position + 1 if row.kind == "main" else None,
    }
