"""Move a test participant forward to a step, as a player who knows every answer would get there."""

from datetime import datetime

from app.errors import StudyError
from app.store.base import AnyRow
from app.store.play import turns
from app.study.play import comprehension, direct, players, questions, rule_form, steps
from app.study.play.commands import Table
from app.study.play.players import Player
from app.study.play.steps import Step
from app.study.tickets import new_ticket

WORLD = "world/{}"  # the first guardian of a world, whatever its address is
FIRST = WORLD.format(1)
MOST_STEPS = 10_000
MOST_ATTEMPTS = 5
WORDS = "Skipped in a test."


class NotTestError(StudyError):
    """Only test participants can be moved."""

    code = "player/not_test"

    def __init__(self) -> None:
        super().__init__("Only test players can be moved to another step.")


class NoStepError(StudyError):
    """The study has no such step, or it cannot be reached."""

    code = "player/no_step"

    def __init__(self) -> None:
        super().__init__("This study has no such step. Choose one from the list.")


def find_step(player: Player, target: str) -> Step | None:
    """Return the step with an address, or the first of a `WORLD`; None if there is none."""
    for step in player.progress.steps:
        if step.path == target or (step.block >= 0 and WORLD.format(step.block + 1) == target):
            return step
    return None


def move(table: Table, token: str, target: str, now: datetime) -> bool:
    """Do every step before the target; tell whether the participant is there now.

    A step that is already behind cannot be reached. Raises NoPlayerError, NotTestError.
    """
    for _ in range(MOST_STEPS):
        with table.store.read() as db:
            player = players.load(db, token)
        if not player.row.is_test:
            raise NotTestError
        step, wanted = player.present, find_step(player, target)
        if player.row.state != "active" or wanted is None or not player.is_future(wanted):
            return wanted is not None and step.path == wanted.path
        do(table, player, step, now)
    return False


def do(table: Table, player: Player, step: Step, now: datetime) -> None:
    """Do the present step of a participant."""
    store, token, ticket = table.store, player.token, new_ticket()
    hints = questions.stated(player.spec)
    if step.kind == steps.INSTRUCTIONS:
        rule_form.leave(store, token, step.kind, ticket, now)
    elif step.kind in (steps.BEFORE, steps.AFTER):
        questions.submit(store, token, step.kind, hints, ticket, now)
    elif step.kind == steps.CHECK:
        with store.read() as db:
            used = comprehension.tries_of(db, player).used
        comprehension.submit(store, token, used + 1, hints, ticket, now)
    elif step.kind == steps.RULE:
        skipped = dict.fromkeys(("text", "inputs", "output", "how"), WORDS)
        rule_form.submit(store, token, step.block, step.episode, skipped, ticket, now)
    elif step.kind == steps.DIRECT:
        place = (step.block, step.episode)
        answer = answer_of(table, player.episode(*place))
        direct.submit(store, table.library, token, place, answer, ticket, now)
    else:
        win(table, player, step, now)


def answer_of(table: Table, row: AnyRow) -> dict[str, str]:
    """Return the right statement for an episode of the direct format."""
    with table.store.read() as db:
        variant = table.library.variant(db, row.variant_hash)
    process = variant.episodes[row.variant_episode].process
    return {
        "item": process.item,
        "activity": process.activity.verb if process.activity else "",
        "placed": process.order or "",
        "times": str(process.count),
    }


def win(table: Table, player: Player, step: Step, now: datetime) -> None:
    """Win the practice or a guardian, going on from what was played."""
    is_practice = step.kind == steps.PRACTICE
    place = (-1, 0) if is_practice else (step.block, step.episode)
    row = player.episode(*place)
    if row.state == "open":
        with table.store.read() as db:
            variant = table.library.variant(db, row.variant_hash)
            seq = len(turns.raws(db, row.id))
        # an attempt under way may fail, after which the next one starts afresh
        for line in variant.episodes[row.variant_episode].solutions[0] * MOST_ATTEMPTS:
            seq += 1
            if table.act(player.token, *place, seq, line, now).state.done:
                break
    if is_practice:
        rule_form.leave(table.store, player.token, steps.PRACTICE, new_ticket(), now)
