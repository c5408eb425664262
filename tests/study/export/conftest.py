"""A played study for the tests of exports; a file may make one of its own."""

import pytest

from tests.study.story import ODD, Story


@pytest.fixture
def story(store):
    return Story(store)


@pytest.fixture
def token(story):
    """Someone who has won the first guardian after some odd commands, and begun the second."""
    token = story.enter()
    story.win(token, 0, 0)
    story.explain(token, 0, 0)
    story.type(token, 0, 1, *ODD)
    return token
