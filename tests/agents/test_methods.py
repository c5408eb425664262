"""What each method asks, how often, and what the questions show."""

import hashlib
import re
from dataclasses import replace

import pytest

from app.agents import answering, asking, hypotheses, playbooks, wording
from app.agents.playing import METHODS, play, read_command, setting_of
from app.agents.presets import PACKAGE, PAPER, PRESETS
from app.game.tasks import TASKS
from app.game.view import player_view
from tests.agents.driving import acting, drive, made, named, purposes, wrong_first

GOAL = "YOUR GOAL"
# Actions of a failed attempt and of the win after it, counted by hand: to the shop, buy, to the
# guardian, defeat; with one activity in the procedural tasks, but in P-Add's win it is done twice.
LENGTHS = {
    **dict.fromkeys(("A-Add", "A-Comp", "A-Cond", "A-Over"), (4, 4)),
    **dict.fromkeys(("P-Comp", "P-Cond", "P-Over"), (5, 5)),
    "P-Add": (5, 6),
}


def run(method, preset, variant, lines, **answers):
    setting = setting_of(variant, 0, PRESETS[preset])
    return drive(play(method, setting), acting(lines, **answers))


CALLS = {
    # (method, preset): calls before the first action, calls after the failed attempt
    ("plain", "paper"): ([], []),
    ("plain", "package"): ([], []),
    ("react", "paper"): ([], []),
    ("react", "package"): ([], []),
    ("hr", "paper"): (["hypothesis", "revision"], []),  # the first check answers KEEP
    ("hr", "package"): (["hypothesis"], []),
    ("idea", "paper"): (["hypothesis"], ["revision"]),
    ("idea", "package"): (["hypothesis"], ["revision"]),
    ("ace", "paper"): ([], []),
    ("ace", "package"): ([], []),
}


@pytest.mark.parametrize(("method", "preset"), CALLS)
def test_calls_of_each_method_are_those_counted_by_hand_in_every_task(method, preset):
    before, after = CALLS[method, preset]
    for task, (failed, won) in LENGTHS.items():
        variant = made(task)
        asks, played = run(method, preset, variant, wrong_first(variant), other="KEEP")
        assert purposes(asks) == [*before, *["action"] * failed, *after, *["action"] * won], task
        assert (played.end, len(played.turns)) == ("won", failed + won)


def test_methods_and_tasks_of_the_tables_are_all_there_are():
    assert {method for method, _ in CALLS} == set(METHODS)
    assert set(LENGTHS) == set(TASKS)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("method", METHODS)
def test_every_action_shows_goal_accounts_and_all_that_happened(method, preset):
    for variant in map(made, LENGTHS):
        asks, played = run(method, preset, variant, wrong_first(variant), other="KEEP")
        acts = [ask for ask in asks if ask.purpose == "action"]
        for number, ask in enumerate(acts):
            assert variant.episodes[0].goal in ask.prompt
            assert all(one.entity in ask.prompt for one in variant.demonstrations)
            assert ask.prompt.count("\n> ") == number  # accounts are indented
            assert all(f"> {turn.raw}\n" in ask.prompt for turn in played.turns[:number])
            assert ask.max_tokens == 512


WORLD, ACCOUNTS, COMMANDS, DID = "THE WORLD", "ACCOUNTS OF", "COMMANDS", "WHAT YOU DID"
ONCE = {  # question that is asked once -> (purpose, what it shows of these five)
    "direct": ("answer", {WORLD, ACCOUNTS, GOAL}),
    "verbalize": ("explanation", {WORLD, ACCOUNTS}),
    "verbalize after playing": ("explanation", {WORLD, ACCOUNTS, DID}),
    "judge": ("judgement", set()),
}


def asked_once(name, variant, preset):
    view = player_view(variant, 0, budget_shown=preset.budget_shown)
    if name == "direct":
        return answering.direct(view, ("item",), preset)
    if name == "judge":
        return answering.judge("The truth.", "I say so.", "overall", preset.answer_tokens)
    return answering.verbalize(view, ("> look",) if name.endswith("playing") else (), preset)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ONCE)
def test_what_is_asked_once_shows_what_the_table_says_in_every_task(name, preset):
    purpose, shows = ONCE[name]
    for variant in map(made, LENGTHS):
        asks, _ = drive(asked_once(name, variant, PRESETS[preset]), lambda *_: "{}")
        (ask,) = asks
        assert (ask.purpose, ask.max_tokens) == (purpose, 512 if preset == "paper" else 1024)
        assert {one for one in (WORLD, ACCOUNTS, COMMANDS, DID, GOAL) if one in ask.prompt} == shows
        if name == "judge":
            assert "The truth." in ask.prompt
            assert "I say so." in ask.prompt


@pytest.mark.parametrize("method", ["hr", "idea"])
def test_calls_for_a_hypothesis_see_the_goal_in_the_paper_and_not_in_the_package(method):
    variant = made("A-Over")
    for preset, sees in (("paper", True), ("package", False)):
        asks, _ = run(method, preset, variant, wrong_first(variant))
        thoughts = [ask for ask in asks if ask.purpose != "action"]
        assert thoughts
        assert [GOAL in ask.prompt for ask in thoughts] == [sees] * len(thoughts)
        assert {ask.max_tokens for ask in thoughts} == {512 if sees else 2048}


def test_hypothesis_is_part_of_each_action_and_a_revision_replaces_it():
    variant, count = made("A-Comp"), iter(range(9))
    setting = setting_of(variant, 0, PACKAGE)
    lines = iter(wrong_first(variant))

    def answer(ask, _number):
        if ask.purpose == "action":
            return named(next(lines))
        return f"Hypothesis: number {next(count)}\nPlan: act"

    asks, _ = drive(play("idea", setting), answer)
    acts = [ask.prompt for ask in asks if ask.purpose == "action"]
    assert ["number 0" in prompt for prompt in acts] == [True] * 4 + [False] * 4
    assert ["number 1" in prompt for prompt in acts] == [False] * 4 + [True] * 4
    (revision,) = [ask.prompt for ask in asks if ask.purpose == "revision"]
    assert "number 0" in revision
    assert "holds firm" in revision


def test_hr_of_the_paper_corrects_its_rule_at_most_three_times():
    asks, rule = drive(hypotheses.refined("shown", PAPER), lambda _ask, n: f"rule {n}")
    assert purposes(asks) == ["hypothesis", *["revision"] * 3]
    assert rule == "rule 4"
    assert ["rule 1" in ask.prompt for ask in asks] == [False, True, False, False]


def test_react_writes_its_thought_in_the_paper_and_keeps_it_in_the_package():
    variant = made("A-Comp")
    for preset, writes in (("paper", True), ("package", False)):
        asks, _ = run("react", preset, variant, wrong_first(variant))
        assert ('"reasoning"' in asks[0].prompt) is writes


def test_playbook_learns_from_failed_episodes_only_and_is_deduplicated_once():
    variants = [made("A-Comp", seed) for seed in (1, 2)]
    settings = [setting_of(one, 0, PAPER) for one in variants]
    solution = list(variants[0].episodes[0].solutions[0])
    reflection = '{"new": ["compare traits", "count"], "helpful": ["b001"], "harmful": ["b9"]}'

    def answer(ask, _number):
        if ask.purpose == "action":
            return named(solution.pop(0)) if solution else named("dance wildly")
        return reflection if ask.purpose == "reflection" else '{"remove": ["b002"]}'

    asks, text = drive(playbooks.gather(settings, PAPER), answer)
    kinds = purposes(asks)
    assert kinds == ["action"] * 14 + ["reflection", "duplicates"]  # 4 to win, then 10 refusals
    assert "dance wildly" in asks[14].prompt
    assert "[b001] compare traits" in text
    assert "count" not in text


def test_playbook_reflects_on_ten_failed_episodes_chosen_by_the_seed():
    settings = [setting_of(made("A-Comp", seed), 0, PAPER) for seed in range(12)]

    def reflected(preset):
        asks, _ = drive(
            playbooks.gather(settings, preset),
            lambda ask, _n: named("dance") if ask.purpose == "action" else '{"new": []}',
        )
        assert purposes(asks)[:120] == ["action"] * 120  # ten refusals end each of the twelve
        goals = [one.view.goal.text for one in settings]
        return [next(n for n, goal in enumerate(goals) if goal in ask.prompt) for ask in asks[120:]]

    chosen = reflected(PAPER)
    assert len(set(chosen)) == len(chosen) == 10
    assert chosen == reflected(PAPER) != reflected(replace(PAPER, playbook_seed=7))


def test_revision_rereads_the_last_five_actions():
    variant = made("A-Comp")
    lines = [*["check_location"] * 4, *wrong_first(variant)]
    asks, played = run("idea", "paper", variant, lines)
    (revision,) = [ask.prompt for ask in asks if ask.purpose == "revision"]
    shown = revision[revision.index("YOUR LATEST ACTIONS") :]
    assert re.findall(r"^> (.+)$", shown, re.MULTILINE) == [one.raw for one in played.turns[3:8]]


def test_ten_refusals_in_a_row_end_an_episode_and_a_success_resets_the_count():
    variant = made("A-Comp")
    lines = [*["dance"] * 9, "check_location", *["dance"] * 10, "never sent"]
    _, played = run("plain", "package", variant, lines)
    assert played.end == "patience"
    assert len(played.turns) == 20


@pytest.mark.parametrize(
    ("preset", "asked", "end"), [("paper", 10, "patience"), ("package", 10, "patience")]
)
def test_unreadable_and_empty_answers_cost_patience(preset, asked, end):
    setting = setting_of(made("A-Comp"), 0, PRESETS[preset])
    answers = ["", "go to the market", "{}", '{"action": ""}', '{"action": ["go"]}']
    asks, played = drive(play("plain", setting), lambda _ask, n: answers[n % 5])
    assert (len(asks), played.end, played.unreadable) == (asked, end, asked)
    assert played.turns == []
    assert len({ask.prompt for ask in asks}) == 1


def test_unreadable_answers_use_up_the_budget_of_the_package_only():
    variant = made("A-Over")  # budget: 16, and 32 in the package

    def answer(_ask, number):
        return named("check_location") if number % 2 else "?"

    for preset, asked, acted in (("paper", 31, 16), ("package", 32, 16)):
        asks, played = drive(play("plain", setting_of(variant, 0, PRESETS[preset])), answer)
        assert (len(asks), len(played.turns), played.end) == (asked, acted, "lost")


def test_budget_is_the_papers_or_twice_that_and_a_cond_has_more_tries_in_the_package():
    budgets = {
        (task, name): setting_of(made(task), 0, preset).world.budget
        for task in ("A-Over", "A-Cond")
        for name, preset in PRESETS.items()
    }
    assert budgets == {
        ("A-Over", "paper"): 16,
        ("A-Over", "package"): 32,
        ("A-Cond", "paper"): 24,
        ("A-Cond", "package"): 96,
    }


def test_prompt_that_no_longer_fits_ends_the_episode_with_what_was_played():
    setting = setting_of(made("A-Comp"), 0, PAPER)

    def answer(_ask, number):
        return asking.ContextTooLongError() if number == 3 else named("check_location")

    _, played = drive(play("plain", setting), answer)
    assert (played.end, len(played.turns)) == ("context", 2)


READ = {
    '{"action": "go", "argument": "market"}': "go market",
    'Sure:\n```json\n{"action": "buy", "argument": "bow", "reasoning": "x"}\n```': "buy bow",
    '{"thought": 1} {"action": "check_location"}': "check_location",
    '{"action": "check_inventory", "argument": null}': "check_inventory",
    '{"action": "go market", "argument": ""}': "go market",
    '{"a": {"action": "go", "argument": "x"}': "go x",
    '[{"action": "go", "argument": "a"}, {"action": "go", "argument": "b"}]': "go a",
    '{"action": true}': None,
    "go market": None,
    '{"action": "go", "argument": "market"': None,
    "{" * 50_000: None,
    "": None,
}


def test_command_is_read_from_the_first_object_that_names_an_action():
    assert {text: read_command(text) for text in READ} == READ


def test_wording_of_a_version_never_changes():
    """A changed prompt needs a new folder, since the hashes are part of every run."""
    found = "".join(wording.hashes()[name] for name in sorted(wording.hashes()))
    pinned = {"1": "955e646f739fc1b8"}
    assert hashlib.sha256(found.encode()).hexdigest()[:16] == pinned[wording.VERSION]
