"""Gold items with feedback, and a threshold below which an annotator is paused."""

import csv
import io
import json

import pytest

from app.store.people import accounts
from app.store.rating import ratings
from app.study.export import files
from app.study.rating import pauses
from app.study.tickets import new_ticket
from tests.web.rating.test_rating import form_of

OWN = "/admin/studies/demo/rating/rounds/1"
GOLD = "m0 | 2 | Both traits count.\nm1 | 0\nm2 | 1"


@pytest.fixture
def watched(desk):
    desk.models(9)
    desk.open(("ann",), gold=GOLD, gold_feedback="1", gold_least="60", gold_after="2")
    return desk


def left(desk, name="ann", kind=None):
    """Return the tokens of unrated items, of one kind."""
    places = [one for one in desk.places(name) if not one.revision]
    return [one.token for one in places if kind in {None, one.kind}]


def rate(browser, token, value):
    browser.get(f"/rate/item/{token}")
    form = dict(browser.page.form("revision").fields)
    browser.send("revision", value=value)
    return form


def known(desk, token):
    """Return the right answer to a gold item."""
    with desk.store.read() as db:
        row = ratings.assignment_of(db, token, accounts.by_name(db, "ann").id)
        return json.loads(row.known)["value"]


def wrong(desk, token):
    return str((known(desk, token) + 1) % 3)


def test_feedback_follows_a_gold_item_once_and_nothing_gives_it_away_before(watched):
    ann = watched.browser("ann")
    token = left(watched, kind="gold")[0]
    page = ann.get(f"/rate/item/{token}").answer.text
    assert "gold" not in page.lower()
    assert "Both traits" not in page
    old = rate(ann, token, wrong(watched, token))
    assert ann.url == f"/rate/item/{token}"
    assert "We rate this item differently" in ann.answer.text
    assert f"Our rating: <b>{known(watched, token)}</b>" in ann.answer.text
    assert 'id="rate-form"' not in ann.answer.text
    again = {**old, "revision": "1", "ticket": new_ticket(), "value": "0"}
    assert ann.client.post(f"/rate/item/{token}", data=again).status_code == 409
    assert len(watched.history(token, "ann")) == 1
    rate(ann, left(watched, kind="main")[0], "1")
    assert "Our rating" not in ann.answer.text


def test_too_many_wrong_gold_items_pause_until_a_researcher_lets_them_go_on(watched):
    ann, boss = watched.browser("ann"), watched.browser("boss", "researcher")
    one, two, three = left(watched, kind="gold")
    main, other = left(watched, kind="main")[:2]
    late = {**form_of(ann, main), "value": "1"}
    rate(ann, one, str(known(watched, one)))
    rate(ann, two, wrong(watched, two))  # 1 of 2, less than 60 %
    assert "We rate this item differently" in ann.answer.text  # feedback first
    round_url = f"/rate/round/{watched.view('ann').token}"
    ann.get(f"/rate/item/{main}")
    assert ann.url == round_url
    assert "paused" in ann.answer.text
    assert "Your ratings so far are kept" in ann.answer.text
    assert 'id="go-on"' not in ann.answer.text
    assert "Paused" in ann.get("/rate").answer.text
    ann.client.post(f"/rate/item/{main}", data=late)
    assert watched.history(main, "ann") == []
    page = boss.get(OWN).answer.text
    assert "1 of 2 gold items right" in page
    boss.send("who", who="ann")
    assert "allowed to continue by boss" in boss.answer.text
    rate(ann, main, "1")
    assert len(watched.history(main, "ann")) == 1
    rate(ann, three, wrong(watched, three))  # the count begins anew: 0 of 1
    ann.get(f"/rate/item/{other}")
    assert ann.url == f"/rate/item/{other}"


def test_skipped_gold_items_pause_an_annotator_like_wrong_ones(watched):
    ann = watched.browser("ann")
    for token in left(watched, kind="gold")[:2]:
        ann.get(f"/rate/item/{token}")
        ann.send("revision", value="skip", skip_reason="unreadable")
        assert watched.history(token, "ann")[0].skip_reason == "unreadable"
    ann.get(f"/rate/item/{left(watched, kind='main')[0]}")
    assert ann.url == f"/rate/round/{watched.view('ann').token}"
    assert "paused" in ann.answer.text
    boss = watched.browser("boss", "researcher").get(OWN)
    boss.send("who", who="ann")
    text = b"".join(files.stream_csv(watched.store, "demo", "pause", "csv")).decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    logged = [(row["action"], row["right"], row["rated"], row["by_threshold"]) for row in rows]
    assert logged == [("pause", "0", "2", "true"), ("go_on", "0", "0", "false")]
    assert "boss" not in text
    assert {row["rater"] for row in rows} == {"rater_1"}


def test_enough_right_ones_or_no_threshold_pause_no_one(desk):
    desk.models(6)
    desk.open(("ann",), gold="m0 | 2\nm1 | 2", gold_after="1")  # no threshold, no feedback
    ann = desk.browser("ann")
    for token in left(desk, kind="gold"):
        rate(ann, token, "0")
        assert "Our rating" not in ann.answer.text
    with desk.store.read() as db:
        assert pauses.paused(db, 1) == {}


def test_the_threshold_needs_gold_items(desk):
    desk.models(3)
    ids = desk.annotators("ann")
    boss = desk.browser("boss", "researcher").get("/admin/studies/demo/rating/rounds/new")
    ticks = {f"rater_{one}": "1" for one in ids}
    typed = {"title": "T", "k": "1", "gold": "m0 | 1", "gold_least": "80", "gold_after": "2"}
    boss.send("rubric", **typed, **ticks, gold_feedback="1")
    assert boss.answer.status_code == 422
    assert "needs at least 2 gold items" in boss.answer.text
    boss.send("rubric", gold_after="1")
    assert "paused below 80 %" in boss.answer.text
    fields = boss.get(f"{OWN}/edit").page.form("rubric").fields
    assert (fields["gold_least"], fields["gold_after"], fields["gold_feedback"]) == ("80", "1", "1")


def test_the_methods_say_what_raters_learned_and_who_was_paused(watched):
    ann, boss = watched.browser("ann"), watched.browser("boss", "researcher")
    rate(ann, left(watched, kind="main")[0], "1")
    page = boss.get(f"{OWN}/agreement").answer.text
    assert "Raters saw the answer after each gold item." in page
    assert (
        "After at least 2 gold items, raters with less than 60% of them right were paused" in page
    )
