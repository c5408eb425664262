"""Convert a variant to JSON, byte for byte the same everywhere, and back.

The hash identifies the variant in every stored row: sha256 of the canonical JSON without the hash
(sorted keys, no blanks, no floats, ASCII only).
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NoReturn

from app.errors import FieldError
from app.game.model import Demonstration, Entity, Episode, Process, Variant
from app.game.reading import read_variant
from app.game.taskdata import task_to_dict


def to_dict(variant: Variant) -> dict[str, Any]:
    """Return the variant as plain JSON values, without its hash."""
    return {
        "task": variant.task.name,
        "task_data": task_to_dict(variant.task),
        "seed": variant.seed,
        "lexicon": variant.lexicon,
        "coverage": variant.coverage,
        "distractors": variant.distractors,
        "permute_outputs": variant.permute_outputs,
        "engine_version": variant.engine_version,
        "labels": list(variant.labels),
        "classes": list(variant.classes),
        "roles": list(variant.roles),
        "grid": [[list(output) for output in row] for row in variant.grid],
        "gen_cells": [list(cell) for cell in variant.gen_cells],
        "outputs": [
            {"output": list(output), "process": _process_to_dict(process)}
            for output, process in variant.outputs
        ],
        "entities": [_entity_to_dict(variant, entity) for entity in variant.entities],
        "items": [{"name": i.name, "shop": i.shop, "price": i.price} for i in variant.items],
        "activities": [{"verb": a.verb, "name": a.name} for a in variant.activities],
        "places": list(variant.places),
        "start": variant.start,
        "coins": variant.coins,
        "demonstrations": [_demonstration_to_dict(d) for d in variant.demonstrations],
        "episodes": [_episode_to_dict(episode) for episode in variant.episodes],
        **({"built": variant.built} if variant.built else {}),
    }


def _process_to_dict(process: Process) -> dict[str, Any]:
    activity = process.activity
    return {
        "item": process.item,
        "activity": activity and {"verb": activity.verb, "name": activity.name},
        "order": process.order,
        "count": process.count,
    }


def _entity_to_dict(variant: Variant, entity: Entity) -> dict[str, Any]:
    """Return an entity; `class`, `role` and `attributes` are for readers, the rest rebuilds it."""
    cell = entity.cell
    return {
        "name": entity.name,
        "cell": cell and list(cell),
        "class": cell and variant.classes[cell[0]],
        "role": cell and variant.roles[cell[1]],
        "place": entity.place,
        "split": entity.split,
        "attributes": dict(entity.attributes),
        "shown": [label for label, _ in entity.attributes],
    }


def _demonstration_to_dict(demonstration: Demonstration) -> dict[str, Any]:
    return {
        "entity": demonstration.entity,
        "distractor": demonstration.distractor,
        "steps": [{"command": s.command, "message": s.message} for s in demonstration.steps],
    }


def _episode_to_dict(episode: Episode) -> dict[str, Any]:
    return {
        "entity": episode.entity,
        "goal": episode.goal,
        "output": list(episode.output),
        "process": _process_to_dict(episode.process),
        "ref_length": episode.ref_length,
        "n_tries": episode.n_tries,
        "budget": episode.budget,
        "solutions": [list(commands) for commands in episode.solutions],
    }


def _dump(data: Mapping[str, Any]) -> str:
    return json.dumps(
        data, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def _hash(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(_dump(data).encode("ascii")).hexdigest()


def content_hash(variant: Variant) -> str:
    """Return the hash that identifies the variant in stored rows: 64 hexadecimal digits."""
    return _hash(to_dict(variant))


def canonical_json(variant: Variant) -> str:
    """Return the variant as canonical JSON, with its `hash`."""
    data = to_dict(variant)
    return _dump({**data, "hash": _hash(data)})


def from_json(text: str) -> Variant:
    """Read what `canonical_json` wrote.

    Raises: FieldError: the JSON is not a variant, or its hash does not match.
    """
    try:
        data = json.loads(text, parse_float=_no_float, parse_constant=_no_float)
    except (ValueError, RecursionError) as error:
        raise FieldError("variant", f"is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise FieldError("variant", "must be an object with named fields")
    stored = data.pop("hash", None)
    if stored != _hash(data):
        raise FieldError("hash", "does not match: the variant was changed after it was written")
    return from_dict(data)


def _no_float(text: str) -> NoReturn:
    raise FieldError("variant", f"must contain whole numbers only, not {text}")


def from_dict(data: Mapping[str, Any]) -> Variant:
    """Return the variant that `to_dict` described.

    The task is not proved again: that was done when the variant was drawn.

    Raises: FieldError: names the first field that is missing or has the wrong shape.
    """
    return read_variant(data)
