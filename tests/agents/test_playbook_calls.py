"""The calls of ACE, counted by hand: one lost and one won episode, then one played with advice."""

import pytest

from app.agents import playbooks
from app.agents.playing import play, setting_of
from app.agents.presets import PRESETS
from app.agents.words import sections
from app.game.tasks import TASKS
from tests.agents.driving import drive, made, named

WORLD, ACCOUNTS, COMMANDS, GOAL, HAPPENED, TRACE, ADVICE, FROM_PLAYERS = MARKS = (
    *("THE WORLD\n", "\nACCOUNTS OF", "\nCOMMANDS\n", "\nYOUR GOAL\n", "\nWHAT HAS HAPPENED\n"),
    *("\nTHE EPISODE\n", "\nADVICE\n", "\nADVICE FROM EARLIER PLAYERS\n"),
)
EPISODE = {WORLD, ACCOUNTS, COMMANDS, GOAL, HAPPENED}
REFUSED = 10  # commands in a row that are no commands end an episode
TASK_OF = {"attribute": "A-Over", "procedural": "P-Over"}
LEARNS_FROM = {"paper": "other", "package": "same"}
# family -> (purpose, calls, what each of them sees). Actions of a win: to the shop, buy, to the
# guardian, defeat; in the procedural family with one activity. Only the lost episode is reflected
# on, without its world and accounts. Two pieces of advice come of it, so duplicates are looked for.
CALLS = {
    family: [
        ("action", REFUSED, EPISODE),
        ("action", won, EPISODE),
        ("reflection", 1, {TRACE, ADVICE}),
        ("duplicates", 1, {ADVICE}),
        ("action", won, EPISODE | {FROM_PLAYERS}),
    ]
    for family, won in (("attribute", 4), ("procedural", 5))
}
TOKENS = {  # purpose -> tokens of the paper and of the package
    "action": {"paper": 512, "package": 512},
    "reflection": {"paper": 512, "package": 1024},
    "duplicates": {"paper": 512, "package": 1024},
}


def ace(own, source, preset):
    """Return every question of a playbook from `source` and of an episode of `own` with it."""
    settings = [setting_of(source, index, preset) for index in (0, 1)]
    lines = [*["dance"] * REFUSED, *source.episodes[1].solutions[0], *own.episodes[0].solutions[0]]

    def answer(ask, _number):
        if ask.purpose == "action":
            return named(lines.pop(0))
        return '{"new": ["compare", "count"], "remove": []}'

    asks, advice = drive(playbooks.gather(settings, preset), answer)
    more, played = drive(play("ace", setting_of(own, 0, preset), advice), answer)
    assert (played.end, lines) == ("won", [])
    return [*asks, *more]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("family", CALLS)
def test_calls_of_ace_are_those_counted_by_hand(family, preset):
    own, other = made(TASK_OF[family], 3), made(TASK_OF[family], 4)
    rules = PRESETS[preset]
    assert rules.playbook_from == LEARNS_FROM[preset]
    source = other if LEARNS_FROM[preset] == "other" else own
    asks = ace(own, source, rules)
    table = [(kind, seen) for kind, calls, seen in CALLS[family] for _ in range(calls)]
    assert [(ask.purpose, {one for one in MARKS if one in ask.prompt}) for ask in asks] == table
    assert all(ask.max_tokens == TOKENS[ask.purpose][preset] for ask in asks)
    gathering = len(asks) - CALLS[family][-1][1]
    for number, ask in enumerate(asks):
        if ask.purpose == "action":
            world = source if number < gathering else own
            assert sections(setting_of(world, 0, rules).view).accounts in ask.prompt
    (reflection,) = (ask.prompt for ask in asks if ask.purpose == "reflection")
    assert reflection.count("> dance") == REFUSED
    lost, won = (source.episodes[index].goal for index in (0, 1))
    assert (lost in reflection, won in reflection) == (True, False)
    assert "(empty)" in reflection


def test_families_of_the_table_are_all_there_are():
    assert {TASKS[task].family for task in TASK_OF.values()} == set(CALLS)
    assert {task.family for task in TASKS.values()} == set(CALLS)
