"""World steps per second, including parsing the typed line and wording the response.

Ours parses a typed line, takes the step and words the response; the reference gets verb and name
already parsed. Both start each episode afresh. Tasks are measured one at a time, with the same
number of steps each; the result is the rate over all eight.
"""

from collections.abc import Iterator

from app.game import world
from app.game.say import say
from app.game.tasks import TASK_NAMES, TASKS
from app.game.variant import generate
from app.study.design import library
from bench import reference
from bench.measure import Result, alternate

TARGET = 6.0


def our_episode(task: str, steps: int) -> reference.Episode:
    """Return one of our episodes whose solution is as long as the reference's, if there is one."""
    lexicon = library.lexicon("semantic")
    drawn = (generate(TASKS[task], seed, lexicon) for seed in range(20))
    found = [(one, at) for one in drawn for at in range(len(one.episodes))]
    variant, index = next(
        (pair for pair in found if pair[0].episodes[pair[1]].ref_length == steps), found[0]
    )
    here = world.episode_world(variant, index)
    lines = variant.episodes[index].solutions[0]

    def play() -> int:
        state = world.start(here)
        for line in lines:
            _, state, observation = world.play(here, state, line)
            say(observation)
        assert state.success
        return len(lines)

    return reference.Episode(len(lines), play)


def run(*, tiny: bool, make: reference.Maker = reference.make_episode) -> Iterator[Result]:
    """Measure all eight tasks."""
    seconds, rounds = (0.005, 1) if tiny else (0.03, 31)
    ours_s = other_s = 0.0  # seconds for one step in each task
    for task in TASK_NAMES:
        theirs = make(task)
        own = our_episode(task, theirs.steps)
        pair = alternate(
            lambda play=own.play: reference.steps_per_second(play, seconds),  # type: ignore[misc]
            lambda play=theirs.play: reference.steps_per_second(play, seconds),  # type: ignore[misc]
            rounds,
        )
        ours_s, other_s = ours_s + 1 / (pair.ratio * pair.other), other_s + 1 / pair.other
        line = pair.line("steps/s", "ours", "reference")
        print(f"{line}  {task}: {own.steps} and {theirs.steps} steps, {pair.ratio:.1f} x")
    yield Result("world: steps/s, ours / reference", other_s / ours_s, TARGET)
