"""Where a block's variants come from: hjstudy itself, or the authors' package (`reference`)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from app.game.model import Variant
from app.game.say import REFERENCE_NAME, engine_name
from app.game.tasks import TASKS
from app.study.design import reference

Source = Literal["hjstudy", "reference"]
OWN: Source = "hjstudy"
REFERENCE: Source = "reference"
HAS: Mapping[str, tuple[str, ...]] = {  # what the package has
    "task": tuple(TASKS),
    "lexicon": ("semantic", "nonce"),
    "coverage": ("1",),
    "format": ("episodic",),
}


def problem_of(source: str, block: Mapping[str, str]) -> str:
    """Return what is wrong with a block of this source, or ''. `block`: its other fields."""
    if source != REFERENCE:
        return ""
    if not reference.installed():
        return f"source: {reference.NoReferenceError().message}"
    for name, known in HAS.items():
        if block[name] not in known:
            return f"{name}: with source reference, use {' or '.join(known)}"
    return ""


def faults(sources: Sequence[str]) -> list[str]:
    """Return what is wrong with blocks of these sources in one study."""
    if REFERENCE not in sources:
        return []
    mixed = "all blocks must have the same source, because the instructions describe one set of"
    return [
        f"blocks.{number}.source: {mixed} rules. Make a study for each source"
        for number, source in enumerate(sources)
        if source != sources[0]
    ]


def source_of(engine: str) -> Source:
    """Return where a variant that this engine plays comes from."""
    return REFERENCE if engine == REFERENCE_NAME else OWN


def of_variant(variant: Variant) -> Source:
    """Return where a variant comes from."""
    return source_of(engine_name(variant))
