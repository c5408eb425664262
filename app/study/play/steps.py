"""A player's steps, as a pure function of what is stored: which there are and which is next."""

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final, Literal

from app.languages.text import Text, joined, phrase
from app.store.play import explanations

Kind = Literal[
    "instructions", "before", "practice", "check", "game", "direct", "rule", "after", "debrief"
]
INSTRUCTIONS: Final = "instructions"
BEFORE: Final = "before"  # questions before
PRACTICE: Final = "practice"
CHECK: Final = "check"
GAME: Final = "game"
DIRECT: Final = "direct"  # an episode answered once in a form, not played
RULE: Final = "rule"
AFTER: Final = "after"  # questions after
DEBRIEF: Final = "debrief"
AFTER_BLOCK = explanations.AFTER_BLOCK
PATHS: dict[Kind, str] = {
    INSTRUCTIONS: "instructions",
    BEFORE: "questions/before",
    PRACTICE: "practice",
    CHECK: "check",
    AFTER: "questions/after",
    DEBRIEF: "end",
}

LABELS: dict[Kind, Text] = {
    INSTRUCTIONS: phrase("Instructions"),
    BEFORE: phrase("About you"),
    PRACTICE: phrase("Practice"),
    CHECK: phrase("Check"),
    AFTER: phrase("Last questions"),
    DEBRIEF: phrase("The end"),
}


@dataclass(frozen=True, slots=True)
class EpisodeFacts:
    """What the steps depend on in one episode."""

    id: int
    position: int
    done: bool
    success: bool


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """A block: its episodes in order, and after which of them a rule form was sent.

    `direct`: its episodes are answered in a form, not played.
    """

    id: int
    position: int
    episodes: tuple[EpisodeFacts, ...]
    explained: frozenset[int]
    direct: bool = False


@dataclass(frozen=True)
class Progress:
    """Everything that determines where a participant is.

    `before_done`, `check_done`, `after_done`: None if the design has no such page.
    """

    state: str
    instructions_done: bool
    practice: EpisodeFacts | None
    practice_done: bool
    blocks: tuple[BlockFacts, ...]
    rule_after_episode: bool
    before_done: bool | None = None
    check_done: bool | None = None
    after_done: bool | None = None

    @cached_property
    def steps(self) -> tuple["Step", ...]:
        """Return every step in order; pages ask for them many times."""
        return tuple(all_steps(self))


@dataclass(frozen=True, slots=True)
class Step:
    """One page of the study. `block` and `episode` are positions, -1 if there is none."""

    kind: Kind
    done: bool
    block: int = -1
    episode: int = -1

    @property
    def path(self) -> str:
        """Return the address relative to the participant's own."""
        if self.block < 0:
            return PATHS[self.kind]
        if self.episode == AFTER_BLOCK:
            return f"world/{self.block + 1}/rule"
        tail = {GAME: "", DIRECT: "/answer", RULE: "/rule"}[self.kind]
        return f"world/{self.block + 1}/guardian/{self.episode + 1}{tail}"


def block_steps(block: BlockFacts, *, rule_after_episode: bool) -> list[Step]:
    """Return a block's steps: each guardian, and the rule forms."""
    steps = []
    kind: Kind = DIRECT if block.direct else GAME
    for episode in block.episodes:
        steps.append(Step(kind, episode.done, block.position, episode.position))
        if rule_after_episode:
            written = episode.position in block.explained
            steps.append(Step(RULE, written, block.position, episode.position))
    if not rule_after_episode:
        written = AFTER_BLOCK in block.explained
        steps.append(Step(RULE, written, block.position, AFTER_BLOCK))
    return steps


def all_steps(progress: Progress) -> list[Step]:
    """Return every step in order. The debrief is last and never done."""
    practice_done = None if progress.practice is None else progress.practice_done
    steps = [
        Step(INSTRUCTIONS, progress.instructions_done),
        *optional(BEFORE, progress.before_done),
        *optional(PRACTICE, practice_done),
        *optional(CHECK, progress.check_done),
    ]
    for block in progress.blocks:
        steps += block_steps(block, rule_after_episode=progress.rule_after_episode)
    return [*steps, *optional(AFTER, progress.after_done), Step(DEBRIEF, done=False)]


def optional(kind: Kind, done: bool | None) -> list[Step]:
    """Return a step that only some designs have, as a list of one or none."""
    return [] if done is None else [Step(kind, done)]


def present(progress: Progress) -> Step:
    """Return the first step not done, or the debrief if all are or the person has finished."""
    if progress.state == "finished":
        return Step(DEBRIEF, done=False)
    return next(step for step in progress.steps if not step.done)


def is_complete(progress: Progress) -> bool:
    """Tell whether only the debrief is left."""
    return present(progress).kind == DEBRIEF


def enters_world(progress: Progress, left: int) -> bool:
    """Tell whether the current step is the first of a later world than `left` (from 0)."""
    here = present(progress)
    firsts = [next(s for s in progress.steps if s.block == b.position) for b in progress.blocks]
    return here.block > left and here in firsts


def where(progress: Progress, step: Step) -> str:
    """Return a step in words, such as `World 2 of 4 · guardian 1 of 3`."""
    if step.block < 0:
        return ""
    worlds = len(progress.blocks)
    parts = [phrase("World {number} of {total}", number=step.block + 1, total=worlds)]
    if step.episode != AFTER_BLOCK:
        total = len(progress.blocks[step.block].episodes)
        number = step.episode + 1
        parts.append(phrase("guardian {number} of {total}", number=number, total=total))
    if step.episode == AFTER_BLOCK or step.kind == RULE:
        parts.append(phrase("rule"))
    return joined(parts, " · ")


def chapters(progress: Progress) -> list[tuple[str, str]]:
    """Return the parts of the progress bar as (label, state): done, now or todo."""
    here = present(progress)
    found: list[tuple[str, str]] = []
    for _, group in groupby(progress.steps, lambda step: (step.block, step.block < 0 and step)):
        steps = list(group)
        first = steps[0]
        label = LABELS[first.kind] if first.block < 0 else phrase("World {n}", n=first.block + 1)
        done = all(step.done for step in steps) or (
            first.kind == DEBRIEF and progress.state == "finished"
        )
        now = here in steps
        found.append((label, "now" if now else "done" if done else "todo"))
    return found
