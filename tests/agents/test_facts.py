"""Facts of the presets that the tables of calls do not show: limits, candidates, ACE's counts."""

import json
from dataclasses import replace

import pytest

from app.agents import playbooks
from app.agents.asking import ContextTooLongError
from app.agents.playing import play, setting_of
from app.agents.presets import PAPER, PRESETS
from tests.agents.driving import acting, drive, made, named, purposes


def test_tenth_failed_defeat_in_a_row_ends_an_episode():
    """A defeat that fails is understood and allowed, but it costs patience as a refusal does."""
    variant = made("A-Cond")
    episode = variant.episodes[0]
    lines = [f"go {variant.entity(episode.entity).place}", *[f"defeat {episode.entity}"] * 12]
    _, played = drive(play("plain", setting_of(variant, 0, PAPER)), acting(lines))
    seen = [turn.observation for turn in played.turns]
    assert [(one.code, one.ok) for one in seen] == [("moved", True), *[("failed", True)] * 10]
    assert played.end == "patience"


@pytest.mark.parametrize("preset", PRESETS)
def test_hr_asks_for_three_candidates(preset):
    asks, _ = drive(play("hr", setting_of(made("A-Over"), 0, PRESETS[preset])), acting(["x"] * 10))
    assert "Write down 3 candidate rules" in asks[0].prompt


def gathered(preset, episodes, reflections):
    """Let ACE lose episodes of as many variants; returns the questions that are no actions.

    A reflection that is an error is thrown.
    """
    settings = [setting_of(made("A-Over", seed), 0, preset) for seed in range(episodes)]
    left = list(reflections)

    def answer(ask, _number):
        if ask.purpose == "action":
            return named("dance")
        said = left.pop(0) if left else {}
        return said if isinstance(said, Exception) else json.dumps(said)

    asks, advice = drive(playbooks.gather(settings, preset), answer)
    return [ask for ask in asks if ask.purpose != "action"], advice


@pytest.mark.parametrize(("preset", "tokens"), [("paper", 512), ("package", 1024)])
def test_questions_about_the_playbook_have_the_limit_of_reflections(preset, tokens):
    asks, _ = gathered(PRESETS[preset], 1, [{"new": ["one", "two"]}])
    assert [(ask.purpose, ask.max_tokens) for ask in asks] == [
        ("reflection", tokens),
        ("duplicates", tokens),
    ]
    other = replace(PRESETS[preset], playbook_tokens=77)
    assert {ask.max_tokens for ask in gathered(other, 1, [{"new": ["one", "two"]}])[0]} == {77}


def test_counts_of_helpful_and_harmful_advice_are_shown_to_later_reflections_only():
    """Advice stays, however harmful, and players do not see the counts."""
    said = [
        {"new": ["compare", "guess"], "helpful": ["b001"]},  # b001 does not exist yet
        {"new": [], "helpful": ["b001"], "harmful": ["b002"]},
        {"new": ["count"], "helpful": ["b001", "b009"], "harmful": ["b002"]},
    ]
    asks, advice = gathered(PAPER, 3, said)
    assert purposes(asks) == [*["reflection"] * 3, "duplicates"]
    counted = [[line for line in ask.prompt.splitlines() if line.startswith("[b")] for ask in asks]
    assert counted == [
        [],
        ["[b001] (helpful 0, harmful 0) compare", "[b002] (helpful 0, harmful 0) guess"],
        ["[b001] (helpful 1, harmful 0) compare", "[b002] (helpful 0, harmful 1) guess"],
        [
            "[b001] (helpful 2, harmful 0) compare",
            "[b002] (helpful 0, harmful 2) guess",
            "[b003] (helpful 0, harmful 0) count",
        ],
    ]
    assert advice.splitlines()[1:] == ["[b001] compare", "[b002] guess", "[b003] count"]


def test_a_failed_episode_longer_than_the_context_is_the_only_one_that_ace_does_not_learn_from():
    said = [{"new": ["compare"]}, ContextTooLongError(), {"new": ["count"]}]
    asks, advice = gathered(PAPER, 3, said)
    assert purposes(asks) == [*["reflection"] * 3, "duplicates"]
    assert advice.splitlines()[1:] == ["[b001] compare", "[b002] count"]


def test_advice_stays_if_the_question_for_duplicates_is_longer_than_the_context():
    said = [{"new": ["compare", "count"]}, ContextTooLongError()]
    asks, advice = gathered(PAPER, 1, said)
    assert purposes(asks) == ["reflection", "duplicates"]
    assert advice.splitlines()[1:] == ["[b001] compare", "[b002] count"]
