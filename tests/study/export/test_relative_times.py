"""With relative times, no browser's clock reveals when a person took part."""

import json
from datetime import UTC, datetime

import pytest

from app.store.play.participants import participant
from app.study.play import process_data
from app.study.play.commands import Extras
from tests.study.export.test_shared import bundle, table
from tests.study.story import Story

WRONG = 5_550_199  # what a browser's clock says that was never set: an hour and a half after 1970
PAGE = "world/1/guardian/1"
START = datetime(2000, 1, 1, tzinfo=UTC)


@pytest.fixture
def story(store):
    """One person whose clock is wrong, one who sends the time as a duration, one like others."""
    story = Story(store, per_player=1, people={"process_data": True})
    wrong, long, right = (story.enter() for _ in range(3))
    act(story, wrong, Extras(WRONG, 5, 0), value=WRONG, clock=WRONG)
    now = int(story.now().timestamp() * 1000)
    act(story, long, Extras(now, now, 0), value=now, clock=now)
    act(story, right, Extras(now, 950, 0), value=7, clock=now)
    return story


@pytest.fixture
def people(story):
    """Return their rows: wrong, long, right."""
    with story.store.read() as db:
        rows = db.execute(participant.select().order_by(participant.c.id)).all()
    return dict(zip(("wrong", "long", "right"), rows, strict=True))


def act(story, token, extras, value, clock):
    story.table.act(token, 0, 0, 1, "check_location", story.now(), extras)
    batch = json.dumps([["hidden", value, "", clock], ["focus", 0, "", None]])
    process_data.store_batch(story.store, token, PAGE, batch, "Firefox/1", story.now())


def numbers(files, who):
    """Yield every number of a person's rows."""
    for name in ("turn", "process", "timing", "sign"):
        for row in table(files, name):
            if row["participant_id"] == who:
                yield from (int(one) for one in row.values() if one.lstrip("-").isdigit())


@pytest.mark.parametrize("who", ["wrong", "long", "right"])
def test_no_two_numbers_of_a_person_differ_by_when_they_began(story, people, tmp_path, who):
    person = people[who]
    files = bundle(story.store, tmp_path / "a", shareable=True, times="relative")
    shift = (person.created_at - START).total_seconds() * 1000
    found = sorted(set(numbers(files, person.public_id)))
    near = [(a, b) for a in found for b in found if abs(b - a - shift) < 86_400_000]
    assert near == []
    assert all(abs(one) < 86_400_000 or one // 86_400_000 == 10_957 for one in found)


def test_what_is_left_out_is_counted_and_other_clocks_stay(story, people, tmp_path):
    files = bundle(story.store, tmp_path / "a", shareable=True, times="relative")
    kept = {one["participant_id"] for one in table(files, "turn") if one["client_ms"]}
    wrong = people["wrong"].public_id
    assert kept == {people[one].public_id for one in ("long", "right")}
    assert all(not one["client_ms"] for one in table(files, "process")
               if one["participant_id"] == wrong)  # fmt: skip
    emptied = {(one["table"], one["column"], one["reason"]): one["rows"]
               for one in json.loads(files["deidentification.json"])["emptied"]}  # fmt: skip
    assert emptied["turn", "client_ms", "clock_differs"] == 1
    assert emptied["process", "client_ms", "clock_differs"] == 1
    assert emptied["turn", "think_ms", "a_day_or_longer"] == 1
    assert emptied["process", "value", "a_day_or_longer"] == 1
    assert "clocks of browsers that were a day or more off" in files["README.md"]
    plain = bundle(story.store, tmp_path / "b", shareable=True)
    assert str(WRONG) in {one["client_ms"] for one in table(plain, "turn")}
