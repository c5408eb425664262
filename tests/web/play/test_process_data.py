"""Process data: small batches that can fail harmlessly."""

import json

import pytest

from app.store.play import participants
from app.store.play.process_data import process_event
from app.study.play import process_data
from app.study.play.process_data import browser_family, device_class
from tests.walker import Walker

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def stored(server):
    def read():
        with server.store.read() as db:
            return db.execute(process_event.select().order_by(process_event.c.id)).all()

    return read


def post(player, events, page="world/1/guardian/1"):
    url = f"/p/{player.token}/process?page={page}"
    text = events if isinstance(events, str) else json.dumps(events)
    headers = {"User-Agent": FIREFOX}
    return player.client.post(url, data={"events": text}, headers=headers)


def test_batch_is_stored_with_its_page_and_the_family_of_the_browser(player, stored):
    answer = post(player, [["open", 120, "360x640", 1700000000000], ["paste", 55, "text", None]])
    assert answer.status_code == 204
    rows = stored()
    assert [(row.kind, row.value, row.detail) for row in rows] == [
        ("open", 120, "360x640"),
        ("paste", 55, "text"),
        ("client", 0, "firefox desktop"),
    ]
    assert {row.page for row in rows} == {"world/1/guardian/1"}


@pytest.mark.parametrize(
    "events",
    [
        "",
        "{",
        "null",
        "[" * 5000,
        [1, 2],
        [["open"]],
        [["unknown", 1, "", None]],
        [["open", -1, "", None]],
        [["open", 10**30, "", None]],
        [["open", 1.5, "", None]],
        [["open", True, "", None]],
        [["open", 1, "x" * 65, None]],
        [["open", 1, "a\u0000b", None]],
    ],
)
def test_nonsense_is_left_out_without_an_error(player, stored, events):
    assert post(player, events).status_code == 204
    assert stored() == []


def test_page_that_is_none_of_ones_own_is_not_stored(player, stored):
    post(player, [["focus", 0, "", None]], page="admin' OR 1=1")
    assert [row.page for row in stored()] == [""]


def test_last_page_is_observed_although_its_events_arrive_after_the_finish(
    client, make_study, look, server, stored
):
    """The browser sends them when it leaves the page, and the rule form can be the last one."""
    make_study(per_player=1, options={"episodes_per_block": 1})
    player = Walker(client).enter().leave_practice()
    player.type(*look.solution(player.token)).to_rule().explain("Both.")
    assert look.person(player.token).state == "finished"
    page = "world/1/guardian/1/rule"
    post(player, [["keys", 5, "", None]], page)
    assert [(row.page, row.value) for row in stored()] == [(page, 5)]
    then = look.person(player.token).finished_at - process_data.LATE
    with server.store.write() as db:
        participants.change(db, look.person(player.token).id, {"finished_at": then})
    post(player, [["keys", 6, "", None]], page)
    assert len(stored()) == 1


def test_study_without_process_data_stores_none_and_loads_no_script(client, make_study, stored):
    make_study(slug="quiet", people={"process_data": False})
    walker = Walker(client).enter("/s/quiet")
    assert "process.js" not in walker.answer.text
    post(walker, [["focus", 0, "", None]])
    assert stored() == []


def test_consent_names_the_process_data_only_where_it_is_asked(client, make_study, study):
    make_study(slug="quiet", people={"process_data": False})
    assert "keystrokes" in client.get("/s/demo").text
    quiet = client.get("/s/quiet").text
    assert "keystrokes" not in quiet
    assert "drives the browser" not in quiet
    for kept in ("tempo of your commands", "texts and those of other people", "signs that a"):
        assert kept in quiet  # worked out from commands and texts, without a script


@pytest.mark.parametrize(
    "words",
    [
        "out of focus",  # focus and blur
        "how long the page is hidden",
        "characters you paste",
        "keystrokes",
        "size of the window",  # viewport
        "kind of device",
        "browser",
        "a program drives the browser",
        "how long answers take to arrive",  # latency
        "the tempo of your commands",
        "how alike your texts and those of other people are",
        "signs that a program may have played or written",
    ],
)
def test_consent_names_everything_that_the_script_observes(client, study, words):
    assert words in client.get("/s/demo").text


@pytest.mark.parametrize(
    ("agent", "family", "device"),
    [(FIREFOX, "firefox", "desktop"), (IPHONE, "safari", "phone"), ("", "other", "desktop")],
)
def test_only_families_are_read_from_the_browsers_name(agent, family, device):
    assert (browser_family(agent), device_class(agent)) == (family, device)
