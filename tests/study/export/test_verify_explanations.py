"""`hjstudy verify` compares every explanation with its stored digest."""

import pytest

from app.store.play.explanations import explanation
from app.study.export import verify
from app.study.play import digests
from tests.study.story import NOON, Story

pytestmark = pytest.mark.one_database


@pytest.fixture
def story(store):
    """A study with one explanation by one participant."""
    story = Story(store)
    token = story.enter()
    story.win(token, 0, 0)
    story.explain(token, 0, 0)
    return story


ALTERED = {
    "form": "other",
    "do_not_know": True,
    "confidence": 51,
    "design_version": 9,
    "after": 5,
    "created_at": NOON.replace(year=2001),
}


@pytest.mark.parametrize("column", [*digests.EXPLANATION_FIELDS, "after", "created_at", "digest"])
def test_altered_explanation_is_found(story, column):
    sound = verify.verify(story.store)
    assert (sound.ok, sound.explanations) == (True, 1)
    changed = ALTERED.get(column, "0" * 32)
    story.change(explanation, explanation.c.id > 0, **{column: changed})
    found = verify.verify(story.store)
    assert (found.ok, found.explanations_wrong) == (False, 1)
    assert found.first_difference.field == "digest"


def test_explanation_from_before_there_were_digests_passes(story):
    story.change(explanation, explanation.c.id > 0, digest=None)
    story.begin_logs()
    assert verify.verify(story.store).ok
