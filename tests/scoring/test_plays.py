"""Scores of plays, worked out by hand: A-Over's figures (ref_length 4, n_tries 4)."""

from fractions import Fraction

import pytest

from app.scoring import plays
from app.scoring.plays import FIRST, EpisodeScores, PayScores, Play

F = Fraction


def play(state="won", actions=4, **facts):
    facts = {"index": 1, "mistyped": 0, "attempts": int(state == "won"), **facts}
    return Play(state=state, actions=actions, ref_length=4, n_tries=4, **facts)


def stated(right, **facts):
    state = "open" if right is None else "won" if right else "lost"
    return play(state, 0, right=right, **facts)


def near(fraction):
    return pytest.approx(float(fraction), abs=1e-12)


def test_a_success_is_worth_its_actions_and_a_failure_nothing():
    assert plays.episode_scores(play(actions=8, attempts=2)) == EpisodeScores(
        success=True, t=2.0, norm_eff=near(F(1, 3)), attempt_norm_eff=near(F(1, 3))
    )
    assert plays.episode_scores(play("lost", 16)) == EpisodeScores(success=False, t=4.0)
    assert plays.episode_scores(play("open", 3)) == EpisodeScores()


def test_mistyped_commands_are_free_for_successes_only():
    both = [play(actions=8, mistyped=4), play("lost", 16, mistyped=4)]
    assert plays.metrics(both).ecsr == near(F(1, 6))
    assert plays.metrics(both, clean=True).ecsr == near(F(1, 2))
    assert [one.result().actions_used for one in both] == [8, 16]
    assert [one.result(clean=True).actions_used for one in both] == [4, 16]


def test_a_voided_episode_changes_no_score():
    mixed = plays.metrics([play(), play("lost", 16, voided=True)])
    assert (mixed.episodes, mixed.voided, mixed.success_rate, mixed.ecsr) == (1, 1, 1, 1)
    assert plays.metrics([play(voided=True)]) is None


def test_what_is_in_play_is_neither_won_nor_failed_but_what_was_left_is_a_failure():
    left, under_way = play("open", 3, index=2), play("open", 3, index=2, in_play=True)
    assert plays.metrics(plays.settled([play(), left])).success_rate == 0.5
    assert plays.metrics([play(), left], unfinished="missing").success_rate == 1
    assert plays.metrics(plays.settled([play(), under_way])).success_rate == 1
    assert plays.metrics(plays.settled([under_way])) is None


def test_the_first_episode_is_that_of_index_one():
    own = [play("lost", 16, index=2), play(index=1)]
    assert plays.settled(own, FIRST) == [own[1]]


def test_an_answer_that_was_never_stated_or_is_voided_is_not_counted():
    skipped = play("lost", 0, index=2)  # a researcher carried them over it
    own = [stated(right=True), skipped, stated(right=False, voided=True)]
    assert plays.accuracy(own) == 1
    assert plays.accuracy([skipped]) is None
    assert [one.counts for one in own] == [True, False, False]


def test_pay_counts_what_is_over_and_stated_answers_as_right_or_wrong_alone():
    played = [
        play(actions=8),
        play("lost", 16),
        play("open", 3),
        play(voided=True),
        play("lost", 0),  # carried over before the first command, and not voided any more
    ]
    answers = [stated(right=True), stated(right=False), stated(right=None)]
    assert plays.pay_scores(played, answers) == PayScores(4, 2, 0.5, near(F(1, 6)), near(F(1, 3)))
    assert plays.pay_scores([], []) == PayScores(0, 0, 0, 0, 0)
    assert plays.pay_scores([play("lost", 16)], []) == PayScores(1, 0, 0, 0, 0)
    assert plays.pay_scores([], answers) == PayScores(2, 1, 0.5, 0, 0)


def test_efficiency_is_of_episodes_that_were_won_by_playing():
    assert plays.efficiency(4, 4, 3, won=True) == 1.0
    assert plays.efficiency(4, 4, 3, won=False) is None
    assert plays.efficiency(4, 4, 3, won=True, scored=False) is None
