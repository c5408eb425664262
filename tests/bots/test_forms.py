"""Bots also answer everything else that a study may ask for."""

import pytest

from app.store.play import answers, explanations
from app.study.play import players, questions
from tests.bots.conftest import EIGHT

STUDY = {
    "blocks": [
        {"task": "P-Add", "seeds": [1], "format": "direct"},
        {"task": "A-Comp", "seeds": [1], "format": "direct"},
        {"task": "P-Cond", "seeds": [1]},
    ],
    "per_player": 3,
    "order": "fixed",
    "rule_form": {"when": "block", "parts": "one", "confidence": False, "found_how": False},
    "options": {"practice": False, "show_attempt": False, "show_budget": False},
    "questions": {
        "before": [
            {"key": "sex", "label": "You?", "kind": "choice", "options": ["a", "b"]},
            {
                "key": "bot",
                "label": "Are you a bot?",
                "kind": "choice",
                "options": ["yes", "no"],
                "screen_out": ["yes"],
            },
            {"key": "age", "label": "Age?", "kind": "number", "least": 18, "most": 99},
        ],
        "comprehension": [
            {"key": "why", "label": "Why?", "options": ["x", "y", "z"], "answer": "z"},
            {"key": "how", "label": "How?", "options": ["p", "q"], "answer": "p"},
        ],
        "comprehension_tries": 1,
        "after": [{"key": "last", "label": "A word?"}],
    },
}


@pytest.fixture
def played(make_playground, sqlite_url):
    """Return the playground after an oracle, a copycat and an enumerator have played."""
    ground = make_playground(sqlite_url, **STUDY)
    hints = questions.stated(ground.study("bots").spec)
    ground.seat("oracle,copycat,enumerator,oracle", hints=hints)
    report = ground.play()
    assert report.problems == ()
    return ground, report


def test_bots_answer_questions_checks_and_direct_forms(played):
    ground, report = played
    assert (report.finished, report.mismatches) == (4, 0)
    for player in ground.players:
        with ground.store.read() as db:
            person = players.load(db, player.token)
            check = answers.last_of(db, person.id, "comprehension")
            written = explanations.of_participant(db, person.id)
        stated = [row.state for row in person.episodes if row.block_position < 2]
        assert [row.is_right for row in check] == [True, True]
        assert len(written) == 3
        assert "open" not in stated
        assert player.bot != "oracle" or set(stated) == {"won"}
    assert report.per_bot["oracle"]["ecsr"] == 1.0


def test_player_without_hints_tries_until_a_form_is_accepted(make_playground, sqlite_url):
    asked = {**STUDY["questions"], "before": [], "comprehension_tries": 6}
    ground = make_playground(sqlite_url, **STUDY | {"questions": asked})
    ground.seat("oracle:2")
    assert ground.play().finished == 2


def test_player_who_is_screened_out_is_an_error_that_names_the_outcome(make_playground, sqlite_url):
    ground = make_playground(sqlite_url, **STUDY)
    ground.seat("oracle", hints={"q_bot": "yes"})
    report = ground.play()
    assert (report.finished, report.errors) == (0, 1)
    assert "Thank you for your answers (screened_out)" in report.problems[0]


def test_players_who_find_the_study_full_are_counted_and_are_no_error(make_playground, sqlite_url):
    ground = make_playground(
        sqlite_url, people={"quota": 1}, blocks=[EIGHT["blocks"][0]], per_player=1
    )
    ground.seat("oracle:3")
    report = ground.play()
    assert (report.finished, report.full, report.errors, report.ok) == (1, 2, 0, True)
    ground.seat("oracle:2", seed=2)
    report = ground.play()
    assert (report.finished, report.full, report.errors, report.ok) == (0, 2, 0, False)
