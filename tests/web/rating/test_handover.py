"""Open items of an annotator who left go to another one; no one rates one item twice."""

import csv
import io
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from app.store.rating.handovers import handover
from app.study.export import files
from app.study.rating import handover as cases
from app.study.rating.handover import HandoverError
from app.study.rating.rater_view import NotYoursError
from app.study.rating.rounds import RoundStateError
from app.study.tickets import new_ticket
from tests.rating_desk import NOW
from tests.web.rating.test_rating import form_of

OWN = "/admin/studies/demo/rating/rounds/1"


def give(desk, source, target, number=1, ticket=None):
    to = ticket or new_ticket()
    return cases.hand_over(desk.store, desk.study.id, number, source, target, "boss", to, NOW)


def rate(desk, name, number):
    browser = desk.browser(name)
    for place in [one for one in desk.places(name) if not one.revision][:number]:
        browser.get(f"/rate/item/{place.token}").send("revision", value="1")
    return browser


def exported(desk):
    data = b"".join(files.stream_csv(desk.store, desk.slug, "rating", "csv")).decode()
    return list(csv.DictReader(io.StringIO(data, newline="")))


def test_open_items_go_to_a_new_annotator_and_rated_ones_stay(desk):
    desk.models(6)
    desk.open(("ann", "bob"), training="m5 | 1 | Only one trait.", gold="m4 | 2")
    ann = rate(desk, "ann", 3)  # the training item and two others
    desk.annotators("cy")
    boss = desk.browser("boss", "researcher")
    old = [one.token for one in desk.places("ann") if not one.revision]
    main = [row.item for row in desk.long_rows() if row.kind == "main" and row.rater == "rater_1"]
    assert len(main) == 4
    boss.get(OWN).send("source", source="ann", target="cy")
    assert boss.url == OWN
    mine = {row.item for row in desk.long_rows() if row.rater == "rater_1" and row.kind == "main"}
    theirs = [row for row in desk.long_rows() if row.rater == "rater_3"]
    moved = {row.item for row in theirs if row.kind == "main"}
    assert mine | moved == set(main)
    assert not mine & moved
    assert {row.kind for row in theirs} == {"main", "gold", "training"}
    assert min(theirs, key=lambda row: row.position).kind == "training"
    assert f"{len(moved)} items from rater_1 to rater_3" in boss.answer.text
    cy = rate(desk, "cy", len(theirs))
    assert {one.revision for one in desk.places("cy")} == {1}
    assert ann.get(f"/rate/item/{old[-1]}").answer.status_code in {200, 404}
    gone = [one for one in old if ann.get(f"/rate/item/{one}").answer.status_code == 404]
    assert len(gone) == len(moved)
    assert cy.get("/rate").answer.status_code == 200
    rows = exported(desk)
    assert len(rows) == len({(row["item_id"], row["rater"], row["repeat"]) for row in rows})
    assert {row["handed_from"] for row in rows if row["item_id"] in moved} == {"", "rater_1"}
    again = give(desk, "ann", "bob")
    assert (again.moved, again.left) == (0, 0)
    page = boss.get(OWN).answer.text  # the matrix is the stored one
    assert page.count("rates it") == len(main) * 2


def test_no_one_gets_an_item_that_they_have(desk):
    desk.models(4)
    desk.open(("ann", "bob"))
    found = give(desk, "ann", "bob")
    assert (found.moved, found.left) == (0, 4)
    assert len(desk.places("ann")) == 4
    desk.annotators("cy", "dan")
    assert give(desk, "ann", "cy").moved == 4
    assert give(desk, "cy", "dan").moved == 4  # handed on
    assert give(desk, "dan", "cy").left == 4  # cy had them before
    items = [(row.item, row.rater) for row in desk.long_rows()]
    assert len(items) == len(set(items)) == 8
    assert {row["handed_from"] for row in exported(desk)} == {"", "rater_3"}


def test_an_open_repeat_is_dropped_with_its_first_showing(desk):
    desk.models(10)
    desk.open(("ann",), k="1", repeat_percent="50")
    desk.annotators("cy")
    found = give(desk, "ann", "cy")
    assert (found.moved, found.dropped) == (10, 5)
    assert desk.places("ann") == []
    assert len(desk.places("cy")) == 10


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("ann", "ann", "two different"),
        ("ann", "nobody", "no annotator"),
        ("ann", "gone", "deactivated"),
        ("cy", "bob", "does not rate"),
        ("ann", "boss", "no annotator"),
    ],
)
def test_wrong_names_are_refused_in_words(desk, source, target, message):
    desk.models(2)
    desk.open(("ann", "bob"))
    desk.annotators("cy", "gone")
    desk.deactivate("gone")
    desk.browser("boss", "researcher")
    with pytest.raises(HandoverError, match=message):
        give(desk, source, target)


def test_a_closed_round_and_a_form_sent_twice_move_nothing(desk):
    desk.models(2)
    desk.open(("ann",))
    desk.annotators("cy", "dan")
    once = new_ticket()
    assert give(desk, "ann", "cy", ticket=once) == give(desk, "ann", "cy", ticket=once)
    with desk.store.read() as db:
        assert db.execute(sa.select(sa.func.count()).select_from(handover)).scalar() == 2
    desk.close(1)
    with pytest.raises(RoundStateError):
        give(desk, "cy", "dan")


def test_page_offers_open_items_to_others_only_and_to_no_one_where_there_is_no_other(desk):
    desk.models(2)
    desk.open(("ann",))
    boss = desk.browser("boss", "researcher")
    assert "Give the open items" not in boss.get(OWN).answer.text
    assert not any("target" in form.fields for form in boss.page.forms)
    desk.annotators("cy")
    desk.open(("ann", "cy"))
    page = boss.get(OWN.replace("/1", "/2")).answer.text
    offers = re.findall(r"Give the open items of (\w+) to</label>(.*?)</select>", page, re.DOTALL)
    found = {name: re.findall("<option>(.*?)</option>", options) for name, options in offers}
    assert found == {"ann": ["cy"], "cy": ["ann"]}


def test_a_rating_saved_meanwhile_is_either_kept_or_refused_never_both(desk):
    """Ann saves while her items are given away: each item ends with exactly one owner."""
    desk.models(6)
    desk.open(("ann",))
    desk.annotators("cy")
    ann = desk.browser("ann")
    posts = [(one.token, {**form_of(ann, one.token), "value": "1"}) for one in desk.places("ann")]

    def save(post):
        url = f"/rate/item/{post[0]}"
        return ann.client.post(url, data=post[1], follow_redirects=False).status_code

    with ThreadPoolExecutor(4) as pool:
        saved = [pool.submit(save, post) for post in posts]
        moved = pool.submit(give, desk, "ann", "cy").result().moved
        codes = [one.result() for one in saved]
    assert codes.count(303) + codes.count(404) == 6
    assert moved == codes.count(404)
    rows = desk.long_rows()
    assert len(rows) == 6
    assert sum(row.rater == "rater_1" for row in rows) == codes.count(303)
    assert NotYoursError.code == "rate/none"
