"""Worked examples of the rules and the metrics are what the code makes of them."""

import pytest

from app.game.tasks import TASK_NAMES
from tests import explained
from tests.pages import ROOT, blocks


def written(page):
    """Return the page's blocks by what stands after their language."""
    return {one.note: one.text.splitlines() for one in blocks(ROOT / "docs" / page)}


@pytest.mark.parametrize("task", TASK_NAMES)
def test_example_of_a_rule_is_what_the_game_uses(task):
    assert written("rules.md")[f"rule {task}"] == explained.rule(task)


@pytest.mark.parametrize("name", explained.BLOCKS)
def test_example_of_the_metrics_is_what_the_code_computes(name):
    assert written("metrics.md")[name] == list(explained.BLOCKS[name]())


def test_pages_hold_an_example_of_everything_and_nothing_else():
    assert list(written("rules.md")) == [f"rule {task}" for task in TASK_NAMES]
    assert set(written("metrics.md")) == set(explained.BLOCKS)
