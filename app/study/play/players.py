"""Load participants with what `steps` needs, and finish those who have done everything."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.errors import StudyError
from app.languages.text import phrase
from app.store.base import AnyRow
from app.store.play import answers, episodes, explanations, participants, progress
from app.study.design.spec import StudySpec, parse_spec
from app.study.play import clocks, seats, steps

BASE32 = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # 32 characters, without I, O, 0 and 1


class NoPlayerError(StudyError):
    """There is no participant with this token."""

    code = "player/none"

    def __init__(self) -> None:
        super().__init__(
            phrase("We do not recognise this link. Please check that you copied the whole link.")
        )


class NotThereError(StudyError):
    """The address names a step that this participant does not have or has not reached."""

    code = "player/not_there"

    def __init__(self) -> None:
        super().__init__(
            phrase("You cannot open this page yet. Please continue where you left off.")
        )


class NotActiveError(StudyError):
    """The participant has finished or left, so nothing more will be stored."""

    code = "player/not_active"

    def __init__(self) -> None:
        super().__init__(phrase("Your part in this study is over, so nothing more will be stored."))


@dataclass(frozen=True, slots=True)
class Player:
    """A participant with everything the pages need to know about their progress."""

    row: AnyRow
    spec: StudySpec
    blocks: tuple[AnyRow, ...]
    episodes: tuple[AnyRow, ...]
    progress: steps.Progress

    @property
    def id(self) -> int:
        """Return the participant's row id."""
        return int(self.row.id)

    @property
    def token(self) -> str:
        """Return the secret token in the participant's address."""
        return str(self.row.token)

    @property
    def has_ended(self) -> bool:
        """Tell whether the participant's part ended without finishing."""
        return self.row.state not in {"active", "finished"}

    def state_at(self, now: datetime) -> str:
        """Return the state at a time: timed_out once a clock has run out, stored or not."""
        state = str(self.row.state)
        if state == "active" and clocks.run_out(seats.times_of(self.row), self.spec.clocks, now):
            return "timed_out"
        return state

    def warning(self, now: datetime) -> clocks.Warn | None:
        """Return the warning before a time-out, or None if there is none."""
        if self.state_at(now) != "active":
            return None
        return clocks.warning(seats.times_of(self.row), self.spec.clocks, now)

    @property
    def present(self) -> steps.Step:
        """Return the participant's current step."""
        return steps.present(self.progress)

    def episode(self, block: int, position: int) -> AnyRow:
        """Return the row of an episode (block -1 = practice). Raises NotThereError."""
        for row in self.episodes:
            if (row.block_position, row.position) == (block, position):
                return row
        raise NotThereError

    def block(self, position: int) -> AnyRow:
        """Return the row of a block. Raises NotThereError."""
        for row in self.blocks:
            if row.position == position:
                return row
        raise NotThereError

    def is_direct(self, block: int) -> bool:
        """Tell whether a block has the direct format: a form per guardian instead of play."""
        return any(one.direct for one in self.progress.blocks if one.position == block)

    def step(self, kind: steps.Kind, block: int = -1, episode: int = -1) -> steps.Step:
        """Return a step by kind and position. Raises NotThereError if there is none."""
        for step in self.progress.steps:
            if (step.kind, step.block, step.episode) == (kind, block, episode):
                return step
        raise NotThereError

    def is_future(self, step: steps.Step) -> bool:
        """Tell whether a step comes after the current one."""
        path = self.progress.steps
        return path.index(step) > path.index(self.present)


def check_present(player: Player, step: steps.Step) -> None:
    """Refuse a post to any but the current step. Raises NotActiveError, NotThereError."""
    if player.row.state != "active":
        raise NotActiveError
    if player.present != step:
        raise NotThereError


def load(db: Connection, token: str, *, lock: bool = False) -> Player:
    """Return a participant by token; `lock` locks the row until the transaction ends.

    Raises NoPlayerError.
    """
    row = progress.by_token(db, token, lock=lock)
    if row is None:
        raise NoPlayerError
    return load_row(db, row, parse_spec(row.spec))


def is_practice(row: AnyRow) -> bool:
    """Tell whether an episode is the practice."""
    return bool(row.kind == episodes.PRACTICE)


def load_row(db: Connection, row: AnyRow, spec: StudySpec) -> Player:
    """Return the player for a participant's row."""
    blocks = tuple(episodes.blocks_of(db, row.id))
    plays = tuple(episodes.episodes_of(db, row.id))
    written = explanations.of_participant(db, row.id)
    facts = steps.Progress(
        state=row.state,
        instructions_done=row.instructions_at is not None,
        practice=next((facts_of(one) for one in plays if is_practice(one)), None),
        practice_done=row.practice_at is not None,
        blocks=tuple(block_facts(block, plays, written) for block in blocks),
        rule_after_episode=spec.rule_form.when == "episode",
        **asked_facts(db, row.id, spec),
    )
    return Player(row, spec, blocks, plays, facts)


def block_facts(
    block: AnyRow, plays: Sequence[AnyRow], written: Sequence[AnyRow]
) -> steps.BlockFacts:
    """Return what `steps` needs to know about a block."""
    return steps.BlockFacts(
        id=block.id,
        position=block.position,
        episodes=tuple(facts_of(one) for one in plays if one.block_id == block.id),
        explained=frozenset(one.after for one in written if one.block_id == block.id),
        direct=block.format == "direct",
    )


def asked_facts(db: Connection, participant_id: int, spec: StudySpec) -> dict[str, bool | None]:
    """Return which pages of questions are done (None = the design has no such page)."""
    asked = spec.questions
    pages = {
        "before": bool(asked.before),
        "check": bool(asked.comprehension),
        "after": bool(asked.after) or asked.comment,
    }
    tries = answers.tries(db, participant_id) if any(pages.values()) else {}
    done = {
        "before": "before" in tries,
        "check": tries.get("comprehension", (0, False))[1],
        "after": "after" in tries,
    }
    return {f"{name}_done": done[name] if there else None for name, there in pages.items()}


def facts_of(row: AnyRow) -> steps.EpisodeFacts:
    """Return what `steps` needs to know about an episode."""
    return steps.EpisodeFacts(row.id, row.position, row.state != "open", row.state == "won")


def finish_if_complete(db: Connection, token: str, now: datetime) -> bool:
    """Finish a participant who has nothing left to do, in the transaction of their last action.

    The code is created here, so it cannot exist without the data. Returns whether they finished.
    """
    player = load(db, token, lock=True)
    if player.row.state != "active" or not steps.is_complete(player.progress):
        return False
    codes = player.spec.codes
    code = codes.finished if codes.kind == "static" else personal_code()
    seats.done(db, player.id, now)
    values = {"state": "finished", "finished_at": now, "ended_at": now, "code": code}
    participants.change(db, player.id, values)
    return True


def personal_code() -> str:
    """Return 8 random base32 characters (40 bits)."""
    return "".join(secrets.choice(BASE32) for _ in range(8))
