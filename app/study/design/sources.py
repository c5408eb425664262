"""Where a block's variants come from: hjstudy itself, or the authors' package (`reference`)."""

from collections.abc import Sequence
from typing import Literal, Protocol

from app.game.tasks import TASKS
from app.study.design import reference

Source = Literal["hjstudy", "reference"]
OWN: Source = "hjstudy"
REFERENCE: Source = "reference"
LEXICA = ("semantic", "nonce")


class Block(Protocol):
    """The fields of a block on which its source depends."""

    @property
    def source(self) -> str: ...
    @property
    def task(self) -> str: ...
    @property
    def lexicon(self) -> str: ...
    @property
    def coverage(self) -> str: ...
    @property
    def format(self) -> str: ...


def problem_of(block: Block) -> str:
    """Return what is wrong with a block whose variants come from the package, or ''."""
    if block.source != REFERENCE:
        return ""
    if not reference.installed():
        return f"source: {reference.NoReferenceError().message}"
    wanted = {
        "task": (block.task, tuple(TASKS)),
        "lexicon": (block.lexicon, LEXICA),
        "coverage": (block.coverage, ("1",)),
        "format": (block.format, ("episodic",)),
    }
    for name, (value, known) in wanted.items():
        if value not in known:
            return f"{name}: with source reference, use {' or '.join(known)}"
    return ""


def faults(blocks: Sequence[Block], *, practice: bool) -> list[str]:
    """Return what is wrong with blocks of these sources in one study."""
    if all(block.source == OWN for block in blocks):
        return []
    found = []
    for number, block in enumerate(blocks):
        if block.source != blocks[0].source:
            found.append(
                f"blocks.{number}.source: all blocks must have the same source, because the "
                "instructions describe one set of rules. Make a study for each source"
            )
    if practice:
        found.append(
            "options.practice: must be false with source reference, because the practice follows "
            "other rules than the package"
        )
    return found


def source_of(engine_name: str) -> Source:
    """Return where a variant that this engine plays comes from."""
    return REFERENCE if engine_name == reference.REFERENCE_NAME else OWN
