"""Two adjudicators decide apart; where they differ, the round's owner has the last word."""

import csv
import io
from types import SimpleNamespace

import pytest

from app.study.export import files
from app.study.rating import adjudication
from app.study.rating.adjudication import OwnerDecidesError
from app.study.rating.rounds import find
from app.study.tickets import new_ticket
from tests.rating_desk import NOW

OWN = "/admin/studies/demo/rating/rounds/1"


@pytest.fixture
def disputed(desk):
    """A closed round with two items on which ann and bob disagree, owned by `boss`."""
    desk.models(2)
    ids = desk.annotators("ann", "bob")
    boss = desk.browser("boss", "researcher")
    ticks = {f"rater_{one}": "1" for one in ids}
    new = boss.get("/admin/studies/demo/rating/rounds/new")
    new.send("rubric", title="First", adjudicators="2", **ticks)
    boss.send("revision")
    for name, value in (("ann", "0"), ("bob", "2")):
        rater = desk.browser(name)
        for place in desk.places(name):
            rater.get(f"/rate/item/{place.token}").send("revision", value=value)
    desk.close(1)
    return boss


def decided(desk):
    with desk.store.read() as db:
        return [case.decided for case in adjudication.cases(db, find(db, desk.study.id, 1))]


def give(browser, case, value, **typed):
    return browser.get(f"{OWN}/adjudicate/{case}").send("revision", value=value, **typed)


def test_equal_opinions_are_the_decision_and_no_one_sees_another_before(desk, disputed):
    eve, fay = (desk.browser(name, "researcher") for name in ("eve", "fay"))
    give(eve, 1, "1", comment="because of eve")
    assert decided(desk) == ["", ""]
    assert "1 of 2 opinions" in fay.get(f"{OWN}/adjudicate").answer.text
    for browser in (fay, disputed):  # not even the owner
        page = browser.get(f"{OWN}/adjudicate/1").answer.text
        assert "because of eve" not in page
        assert "eve" not in browser.page.form("revision").fields.values()
        assert "value" not in browser.page.form("revision").fields
    assert eve.get(f"{OWN}/adjudicate/1").page.form("revision").fields["value"] == "1"
    give(fay, 1, "1")
    assert decided(desk) == ["1", ""]


def test_different_opinions_wait_for_the_owner_who_sees_both(desk, disputed):
    eve, fay = (desk.browser(name, "researcher") for name in ("eve", "fay"))
    give(eve, 2, "1", comment="because of eve")
    give(eve, 2, "0", comment="a second thought")  # changed while no one else has answered
    give(fay, 2, "2")
    assert decided(desk) == ["", ""]
    page = eve.get(f"{OWN}/adjudicate/2").answer.text
    assert "boss decides" in page
    assert "Save decision" not in page
    assert "opinions differ" in disputed.get(f"{OWN}/adjudicate").answer.text
    page = disputed.get(f"{OWN}/adjudicate/2").answer.text
    assert "a second thought" in page
    assert "because of eve" not in page
    assert page.count("Adjudicator ") == 2
    form = {"value": "1", "revision": "0", "comment": ""}
    for by in ("eve", "gus"):  # neither an adjudicator nor a third person
        typed = {**form, "ticket": new_ticket()}
        item = desk_case(desk, 2)
        with pytest.raises(OwnerDecidesError):
            adjudication.decide(desk.store, desk.study.id, 1, item, typed, by, NOW)
    give(disputed, 2, "1", comment="final")
    assert decided(desk) == ["", "1"]
    data = b"".join(files.stream_csv(desk.store, "demo", "adjudication", "csv")).decode()
    (row,) = csv.DictReader(io.StringIO(data, newline=""))
    assert (row["value"], row["opinions"]) == ("1", "0; 2")


def desk_case(desk, number):
    with desk.store.read() as db:
        found = adjudication.cases(db, find(db, desk.study.id, 1))
    return next(case.round_item_id for case in found if case.number == number)


def test_an_opinion_that_comes_third_is_not_taken(desk, disputed):
    eve, fay, gus = (desk.browser(name, "researcher") for name in ("eve", "fay", "gus"))
    late = dict(gus.get(f"{OWN}/adjudicate/1").page.form("revision").fields)
    give(eve, 1, "1")
    give(fay, 1, "1")
    answer = gus.client.post(f"{OWN}/adjudicate/1", data={**late, "value": "0"})
    assert answer.status_code == 409
    assert decided(desk) == ["1", ""]


def test_two_opinions_sent_at_once_make_one_decision(desk, disputed):
    from concurrent.futures import ThreadPoolExecutor

    item = desk_case(desk, 1)

    def send(by):
        typed = {"value": "2", "revision": "0", "ticket": new_ticket()}
        adjudication.decide(desk.store, desk.study.id, 1, item, typed, by, NOW)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(send, ("eve", "fay")))
    assert decided(desk) == ["2", ""]


def numbered(seed):
    """The numbers of 60 items, whose ids follow their source as imports make them."""
    rows = [SimpleNamespace(round_item_id=n, kind="main", repeat=False) for n in range(60)]
    found = adjudication.case_numbers(rows, seed)
    return [found[n] for n in range(60)]


def test_case_numbers_are_drawn_by_the_seed_and_mix_the_sources():
    drawn = numbered(3)
    positions = list(range(1, 61))
    assert sorted(drawn) == positions
    assert sum(a == b for a, b in zip(drawn, positions, strict=True)) < 10
    assert numbered(4) != drawn == numbered(3)
    for part in (range(20), range(20, 40), range(40, 60)):  # each source, early and late
        early = sum(drawn[n] <= 30 for n in part)
        assert 3 <= early <= 17
