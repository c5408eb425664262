"""Numbers that a browser sends hold no ID in a shareable bundle, and no sum reveals one."""

import json
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from app.store.tables import metadata
from app.study.design.library import Library
from app.study.id_marks import LEAST_NUMBER, Finder, hashed, pieces_of
from app.study.people import identifiers
from app.study.play import process_data
from app.study.play.commands import Extras
from tests.study.export.test_shared import bundle, table
from tests.study.story import Story

ID, ZEROS = 40817093, "0040817093"
GAME, RULE = "world/1/guardian/1", "world/1/guardian/1/rule"
OTHER = 123_456  # a number that is no one's ID
# Stored column -> what a browser sends: events (page, kind, value, clock), or extras.
SENT: dict[str, Any] = {
    "process_event.value, while playing": [(GAME, "hidden", ID, None), (GAME, "hidden", 7, None)],
    "process_event.value, while writing": [(RULE, "open", 1, None), (RULE, "hidden", ID, None)],
    "process_event.value, keys": [(RULE, "open", 1, None), (RULE, "keys", ID, None)],
    "process_event.value, pasted": [(RULE, "open", 1, None), (RULE, "paste", ID, None)],
    "process_event.client_ms": [(GAME, "focus", 0, ID)],
    "turn.client_ms": Extras(ID, 5, 1),
    "turn.think_ms": Extras(None, ID, 1),
    "turn.think_ms, longer than the ID": Extras(None, int(f"9{ID}1"), 1),
}
TOO_SMALL = {  # whole-number columns that browsers fill, but with numbers too small for an ID
    "turn.taps": 10_000,
    "explanation.confidence": 100,
    "direct_answer.times": 10_000,
}


@pytest.fixture
def story(store):
    """One person for each place in which a browser could send an ID instead of a number."""
    story = Story(store, per_player=1, people={"process_data": True, "identifiers_days": 1})
    for at, sent in enumerate(SENT.values()):
        external = ZEROS if at % 2 else str(ID)
        token = story.enter(platform=f"link-{at}", external_id=external)
        extras = [sent, Extras(None, OTHER, 0)] if isinstance(sent, Extras) else []
        for seq, one in enumerate(extras, start=1):
            story.table.act(token, 0, 0, seq, "check_location", story.now(), one)
        story.type(token, 0, 0, *story.solution(token, 0, 0), first=1 + len(extras))
        for page, *event in () if extras else sent:
            kind, value, clock = event
            batch = json.dumps([[kind, value, "", clock], ["latency", OTHER, "", None]])
            process_data.store_batch(store, token, page, batch, "Firefox/1", story.now())
        story.explain(token, 0, 0)
    return story


@pytest.fixture(params=["stored", "deleted"])
def files(request, story, tmp_path):
    """Return the files of a shareable bundle, before and after the IDs were deleted."""
    if request.param == "deleted":
        later = story.now() + timedelta(days=2)
        with story.store.write() as db:
            db.execute(sa.text("UPDATE participant SET state = 'finished', ended_at = created_at"))
        assert identifiers.sweep(story.store, Library(), later) == len(SENT)
    return bundle(story.store, tmp_path / "a", shareable=True)


def test_no_number_of_a_shareable_bundle_holds_an_id_and_others_stay(story, files, tmp_path):
    assert {name for name, text in files.items() if str(ID) in text} == set()
    assert {int(one["value"]) for one in table(files, "process") if one["value"]} >= {7, OTHER}
    assert str(OTHER) in {one["think_ms"] for one in table(files, "turn")}
    plain = bundle(story.store, tmp_path / "b")
    holding = {name for name, text in plain.items() if str(ID) in text}
    assert holding == {f"study-story_level-{one}_data.csv" for one in TABLES}


TABLES = ("process", "timing", "turn", "sign")


def test_every_number_left_out_is_counted_in_the_report_and_the_readme(files):
    report = json.loads(files["deidentification.json"])
    emptied = {f"{one['table']}.{one['column']}": one for one in report["emptied"]}
    assert {one["reason"] for one in emptied.values()} == {"holds_an_id"}
    counts = {name: one["rows"] for name, one in emptied.items()}
    assert {name: counts[name] for name in COUNTED} == COUNTED
    assert {"timing.think_ms", "timing.hidden_ms", "sign.keys", "sign.hidden_s"} <= set(counts)
    sentence = f"Also left out: {sum(counts.values())} numbers from browsers"
    assert sentence in files["README.md"]
    assert "| turn | think_ms | holds_an_id | 2 |" in files["deidentification.md"]


COUNTED = {
    "process.value": 4,
    "process.client_ms": 1,
    "turn.client_ms": 1,
    "turn.think_ms": 2,
}


def test_sums_and_digests_that_would_reveal_a_left_out_number_are_left_out_too(files):
    by_person = {one["participant_id"]: one for one in table(files, "participant")}
    order = sorted(by_person, key=lambda one: int(by_person[one]["arrival"]))
    place = dict(zip(SENT, order, strict=True))

    def row(name, place_name):
        own = [one for one in table(files, name) if one["participant_id"] == place[place_name]]
        return own[0]

    assert row("timing", "process_event.value, while playing")["hidden_ms"] == ""
    for name in ("first_think_ms", "think_ms", "clock_back_ms"):
        assert row("timing", "turn.think_ms")[name] == ""
        assert row("timing", "turn.client_ms")[name] != ""
    for name in ("keys", "pasted", "hidden_s"):
        assert row("sign", "process_event.value, keys")[name] == ""
    for name in ("turn.client_ms", "turn.think_ms"):
        own = [one for one in table(files, "turn") if one["participant_id"] == place[name]]
        assert {one["digest"] for one in own} == {""}
    assert row("turn", "process_event.client_ms")["digest"] != ""


def test_every_number_that_a_browser_can_fill_is_compared_or_too_small():
    sent = {name.partition(",")[0] for name in SENT}
    wide = {
        f"{one.name}.{column.name}"
        for one in metadata.sorted_tables
        for column in one.columns
        if one.name in {"turn", "process_event", "explanation", "answer", "direct_answer", "draft"}
        and isinstance(column.type, sa.Integer)
        and not column.primary_key
        and not column.foreign_keys
    }
    assert wide - sent - {*TOO_SMALL} == BY_THE_SERVER
    assert max(TOO_SMALL.values()) < LEAST_NUMBER


BY_THE_SERVER = {
    *("turn.seq", "turn.attempt", "turn.actions_used", "turn.coins", "turn.received_ms"),
    *("explanation.after", "explanation.design_version", "process_event.received_ms"),
    *("answer.attempt", "draft.revision"),
}


@pytest.mark.parametrize(
    ("number", "identifier", "found"),
    [
        (408170, "408170", True),
        (408170, "0408170", True),  # a number has no leading zeros
        (408170, "id-408170", True),
        (94081701, "408170", True),
        (40817, "40817", False),  # too short: it would occur by chance
        (1_234_567, "4567", False),
        (408171, "408170", False),
    ],
)
def test_number_is_compared_with_ids_of_six_digits_or_more(number, identifier, found):
    key = b"k" * 32
    hashes = [hashed(key, piece) for piece in pieces_of(identifier)]
    assert Finder([identifier]).finds_number(number) is found
    assert Finder((), key, hashes).finds_number(number) is found


def test_clock_near_ours_is_the_time_whatever_its_digits(story, tmp_path):
    now = int(story.now().timestamp() * 1000)
    token = story.enter(external_id=str(now)[2:10])
    story.table.act(token, 0, 0, 1, "check_location", story.now(), Extras(now, 5, 0))
    story.type(token, 0, 0, *story.solution(token, 0, 0), first=2)
    files = bundle(story.store, tmp_path / "c", shareable=True)
    assert str(now) in {one["client_ms"] for one in table(files, "turn")}
