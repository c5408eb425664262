"""Commands that were not understood are free text: a shareable bundle has only released ones."""

import pytest

from app.store.play.participants import participant
from app.study.export import text_review
from app.study.tickets import new_ticket
from tests.study.export.test_shared import bundle, table
from tests.study.story import Story, rows

NAME = "my name is erika mustermann"
PLAIN = "look around"
TYPED = ("check_location", PLAIN, NAME, "buy", "check_inventory")


@pytest.fixture
def story(store):
    """A name is typed after a valid command and a harmless one; then comes another episode."""
    story = Story(store)
    token = story.enter()
    story.type(token, 0, 0, *TYPED, *story.solution(token, 0, 0))
    story.explain(token, 0, 0)
    story.type(token, 0, 1, "check_location")
    return story


def texts(story):
    with story.store.read() as db:
        found = list(text_review.all_texts(text_review.of_study(db, "story")))
    return [one for one in found if one.kind == "turn"]


def decide(story, by_text):
    """Decide on commands: {text: state}."""
    wanted = {one.name: (by_text[one.parts[0][1]], one.hash) for one in texts(story)}
    who, at = (1, "x"), story.now()
    done = text_review.decide(story.store, "story", wanted, "", who, new_ticket(), at)
    assert done == {"decided": len(by_text), "changed": 0}


def shared(story, folder):
    return table(bundle(story.store, folder, shareable=True), "turn")


def test_commands_that_were_not_understood_wait_for_review(story, tmp_path):
    found = [one.parts for one in texts(story)]
    assert found == [(("raw", PLAIN),), (("raw", NAME),)]  # `buy` has nothing but a known word
    turns = shared(story, tmp_path / "a")[: len(TYPED)]
    assert [one["raw"] for one in turns] == ["check_location", "", "", "buy", "check_inventory"]
    for column in ("release", "text_reason"):
        assert [one[column] for one in turns] == ["", "unreviewed", "unreviewed", "", ""]


def test_a_plain_bundle_has_every_command_and_digest(story):
    turns = rows(story.store, "turn")
    assert [one["raw"] for one in turns[: len(TYPED)]] == list(TYPED)
    assert [one["release"] for one in turns[1:3]] == ["unreviewed"] * 2
    assert all(one["digest"] for one in turns)


def test_a_released_command_is_shared_and_no_digest_confirms_a_guess_at_another(story, tmp_path):
    decide(story, {PLAIN: "released", NAME: "withheld"})
    turns = shared(story, tmp_path / "a")
    assert [one["raw"] for one in turns[1:3]] == [PLAIN, ""]
    assert [one["text_reason"] for one in turns[1:3]] == ["", "withheld"]
    with story.store.read() as db:
        token = db.execute(participant.select()).one().token
    first, second = (story.turns(token, 0, number) for number in (0, 1))
    kept = [one.digest for one in first[:2]]
    hidden = [""] * (len(first) - 2)
    assert [one["digest"] for one in turns] == [*kept, *hidden, second[0].digest]
