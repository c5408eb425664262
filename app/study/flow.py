"""A player's way as a pure function of what is stored: which steps there are, which is next."""

from dataclasses import dataclass

INSTRUCTIONS, PRACTICE, GAME, RULE, DEBRIEF = "instructions", "practice", "game", "rule", "debrief"
AFTER_BLOCK = -1  # `after` of a rule form that follows the whole block


@dataclass(frozen=True, slots=True)
class EpisodeFacts:
    """What the flow needs to know of one episode."""

    id: int
    position: int
    done: bool
    success: bool


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """One block: its episodes in order, and after which episodes a rule was handed in."""

    id: int
    position: int
    episodes: tuple[EpisodeFacts, ...]
    explained: frozenset[int]


@dataclass(frozen=True, slots=True)
class Progress:
    """Everything that decides where a participant is."""

    state: str
    instructions_done: bool
    practice: EpisodeFacts | None
    practice_done: bool
    blocks: tuple[BlockFacts, ...]
    rule_after_episode: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One page of the way. `block` and `episode` are positions, -1 where there is none."""

    kind: str
    done: bool
    block: int = -1
    episode: int = -1

    @property
    def path(self) -> str:
        """Return the address below the participant's own, without the token."""
        if self.kind == GAME:
            return f"world/{self.block + 1}/guardian/{self.episode + 1}"
        if self.kind == RULE and self.episode == AFTER_BLOCK:
            return f"world/{self.block + 1}/rule"
        if self.kind == RULE:
            return f"world/{self.block + 1}/guardian/{self.episode + 1}/rule"
        return {INSTRUCTIONS: "instructions", PRACTICE: "practice", DEBRIEF: "end"}[self.kind]


def block_steps(block: BlockFacts, *, rule_after_episode: bool) -> list[Step]:
    """Return a block's steps: each guardian, and the rule form where it is asked."""
    steps = []
    for episode in block.episodes:
        steps.append(Step(GAME, episode.done, block.position, episode.position))
        if rule_after_episode:
            written = episode.position in block.explained
            steps.append(Step(RULE, written, block.position, episode.position))
    if not rule_after_episode:
        written = AFTER_BLOCK in block.explained
        steps.append(Step(RULE, written, block.position, AFTER_BLOCK))
    return steps


def all_steps(progress: Progress) -> list[Step]:
    """Return every step in order, the debrief last (never done: it is shown for ever)."""
    steps = [Step(INSTRUCTIONS, progress.instructions_done)]
    if progress.practice is not None:
        steps.append(Step(PRACTICE, progress.practice_done))
    for block in progress.blocks:
        steps += block_steps(block, rule_after_episode=progress.rule_after_episode)
    return [*steps, Step(DEBRIEF, done=False)]


def present(progress: Progress) -> Step:
    """Return the first step that is not done; the debrief when all are."""
    return next(step for step in all_steps(progress) if not step.done)


def is_complete(progress: Progress) -> bool:
    """Tell whether only the debrief is left."""
    return present(progress).kind == DEBRIEF


def where(progress: Progress, step: Step) -> str:
    """Return the place in words, such as `World 2 of 4 · guardian 1 of 3`."""
    if step.block < 0:
        return ""
    world = f"World {step.block + 1} of {len(progress.blocks)}"
    if step.episode == AFTER_BLOCK:
        return f"{world} · its rule"
    number = len(progress.blocks[step.block].episodes)
    tail = " · its rule" if step.kind == RULE else ""
    return f"{world} · guardian {step.episode + 1} of {number}{tail}"


def chapters(progress: Progress) -> list[tuple[str, str]]:
    """Return the bar's parts as (label, state): done, now or todo."""
    here = present(progress)
    parts: list[tuple[str, bool, bool]] = [
        ("Instructions", progress.instructions_done, here.kind == INSTRUCTIONS)
    ]
    if progress.practice is not None:
        parts.append(("Practice", progress.practice_done, here.kind == PRACTICE))
    for block in progress.blocks:
        steps = block_steps(block, rule_after_episode=progress.rule_after_episode)
        done = all(step.done for step in steps)
        parts.append((f"World {block.position + 1}", done, here.block == block.position))
    parts.append(("The end", progress.state == "finished", here.kind == DEBRIEF))
    return [(label, "now" if now else "done" if done else "todo") for label, done, now in parts]
