"""A replay of a person's play as they saw it; every state is rebuilt from the log."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.errors import StudyError
from app.game import world
from app.game.view import PlayerView
from app.game.world import State
from app.store.base import AnyRow
from app.store.play import answers, participants, progress, turns
from app.study.design.library import Library
from app.study.design.spec import StudySpec, parse_spec
from app.study.design.studies import hides_outcomes
from app.study.people.overview import NoParticipantError
from app.study.people.treatments import of_player
from app.study.play import players
from app.study.play.direct import sentence
from app.study.play.transcript import Line, lines_of
from app.study.times import moment_of_ms


class NothingPlayedError(StudyError):
    """There is no such guardian to replay."""

    code = "playback/none"

    def __init__(self) -> None:
        super().__init__("This participant has no such guardian, or has not reached it yet.")


class HiddenGuardianError(StudyError):
    """The guardian is over and its study hides outcomes, which the replay would reveal."""

    code = "playback/hidden"

    def __init__(self) -> None:
        super().__init__(
            "This study hides outcomes until it is closed (options.hide_outcomes). Until then you "
            "can replay only a guardian that is still open."
        )


@dataclass(frozen=True, slots=True)
class Playback:
    """One episode after a number of actions. `step` runs from 0 (the start) to `last`.

    `titles`: (number, name) of each episode that can be replayed now.
    """

    public_id: str
    study_id: int
    number: int
    titles: tuple[tuple[int, str], ...]
    is_hidden: bool
    step: int
    last: int
    at: str
    since: str
    stated: str
    view: PlayerView
    state: State
    lines: list[Line]
    spec: StudySpec
    kind: str
    treatment: str = ""


def load(
    db: Connection,
    library: Library,
    public_id: str,
    number: int | None,
    step: int | None,
    place: tuple[int, int] | None = None,
) -> Playback:
    """Return one episode as it was after `step` actions.

    Args:
        db: a read transaction.
        library: the process's cache.
        public_id: the participant.
        number: index of the episode, with the practice first; None = the newest that was played,
            or the open one if outcomes are hidden.
        place: instead of the number, the positions of a world and a guardian; -1 = its last.
        step: number of actions; None or a larger number than there are = all.

    Raises: NoParticipantError; NothingPlayedError: no episode with that number;
    HiddenGuardianError: the episode is over and outcomes are hidden.
    """
    bare = participants.by_public_id(db, public_id)
    row = None if bare is None else progress.by_token(db, bare.token)
    if row is None:
        raise NoParticipantError
    player = players.load_row(db, row, parse_spec(row.spec))
    episodes = player.episodes
    is_hidden = hides_outcomes(player.spec, row.study_state)
    shown = [at for at, one in enumerate(episodes) if one.state == "open" or not is_hidden]
    if place is not None:
        number = number_at(episodes, *place)
    if number is None:
        number = newest(db, episodes, shown)
    if not 0 <= number < len(episodes):
        raise NothingPlayedError
    if number not in shown:
        raise HiddenGuardianError
    one = episodes[number]
    stored = turns.of_episode(db, one.id)
    last = len(stored)
    step = last if step is None else max(0, min(step, last))
    return Playback(
        public_id=public_id,
        study_id=row.study_id,
        number=number,
        titles=tuple((at, title_of(episodes[at])) for at in shown),
        is_hidden=is_hidden,
        step=step,
        last=last,
        at=moment_of_ms(stored[step - 1].received_ms) if step else "",
        since=since(stored, step),
        stated=stated_text(db, player, one),
        view=library.view(db, one.variant_hash, one.variant_episode),
        state=state_after(library, db, one, [turn.raw for turn in stored[:step]]),
        lines=lines_of(stored[:step]),
        spec=player.spec,
        kind=one.kind,
        treatment=of_player(player),
    )


def newest(db: Connection, episodes: Any, shown: list[int]) -> int:
    """Return the number of the last shown episode with an action, else of the first, else 0."""
    played = [at for at in shown if turns.raws(db, episodes[at].id)]
    return played[-1] if played else next(iter(shown), 0)


def number_at(episodes: Any, block: int, position: int) -> int:
    """Return the number of an episode by its positions (-1 = the last of its world), or -1."""
    own = [at for at, one in enumerate(episodes) if is_at(one, block, position)]
    return own[-1] if own else -1


def is_at(one: AnyRow, block: int, position: int) -> bool:
    """Tell whether an episode is at these positions; position -1 = any of the world."""
    if players.is_practice(one) or one.block_position != block:
        return False
    return position < 0 or one.position == position


def title_of(one: AnyRow) -> str:
    """Return an episode's name for the list."""
    if players.is_practice(one):
        return "Practice"
    return f"World {one.block_position + 1}, guardian {one.position + 1}: {one.entity}"


def since(stored: Any, step: int) -> str:
    """Return how long the person took for the action at this step, or ''."""
    if step < 2:  # noqa: PLR2004 - nothing precedes the first action
        return ""
    took = stored[step - 1].received_ms - stored[step - 2].received_ms
    return f"{took / 1000:.1f} s after the previous one"


def stated_text(db: Connection, player: players.Player, one: AnyRow) -> str:
    """Return the answer in the direct format, or '' in other formats."""
    if players.is_practice(one) or not player.is_direct(one.block_position):
        return ""
    stated = answers.direct_of(db, player.id).get(one.id)
    return "No answer yet." if stated is None else f"Answer: {sentence(stated)}"


def state_after(library: Library, db: Connection, one: AnyRow, raws: list[str]) -> State:
    """Return the state after these commands."""
    here = library.world(db, one.variant_hash, one.variant_episode)
    done = world.replay(here, raws)
    return done[-1][1] if done else world.start(here)
