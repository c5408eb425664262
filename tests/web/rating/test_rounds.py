"""The researcher's pages: set-up, assignment, progress, samples, disagreements, annotators."""

import csv
import io
import re

import pytest

from app.store.rating import rounds, samples
from app.study.export import files
from app.study.rating import adjudication, long_rows, round_plan, sample_draws
from app.study.rating import rounds as cases
from app.study.rating.rounds import RoundStateError, StaleRoundError
from app.study.tickets import new_ticket
from tests.rating_desk import NOW

OWN = "/admin/studies/demo/rating"


@pytest.fixture
def boss(desk):
    return desk.browser("boss", "researcher")


def stored(desk, number=1):
    with desk.store.read() as db:
        return rounds.find(db, desk.study.id, number)


def fill(boss, ids, **typed):
    """Send the form of a new round."""
    ticks = {f"rater_{one}": "1" for one in ids}
    return boss.get(f"{OWN}/rounds/new").send("rubric", title="First", **{**ticks, **typed})


def test_a_round_is_made_looked_at_and_opened(desk, boss):
    desk.models(5)
    ids = desk.annotators("ann", "bob", "cy")
    fill(boss, ids)
    assert boss.url == f"{OWN}/rounds/1"
    assert "Who rates what" in boss.answer.text
    assert boss.answer.text.count("rates it") == 10
    assert desk.places("ann") == []
    boss.send("revision")
    assert stored(desk).state == "open"
    assert sum(len(desk.places(name)) for name in ("ann", "bob", "cy")) == 10
    assert {len(desk.places(name)) for name in ("ann", "bob", "cy")} <= {3, 4}


def test_a_wrong_form_keeps_what_was_typed_and_says_what_is_wrong(desk, boss):
    desk.models(2)
    fill(boss, desk.annotators("ann"), k="2", training="nobody | 2", rubric_version="")
    assert boss.answer.status_code == 422
    for sentence in (
        "Choose at most 1, the number of annotators selected.",
        "&#39;nobody&#39; is not an item of this study",
        "Fill this in.",
    ):
        assert sentence in boss.answer.text
    assert boss.page.form("rubric").fields["title"] == "First"
    assert boss.page.form("rubric").fields["training"] == "nobody | 2"


def test_a_draft_is_changed_and_an_older_form_of_it_is_refused(desk, boss):
    desk.models(3)
    ids = desk.annotators("ann", "bob")
    fill(boss, ids, gold="m0 | 2")
    boss.get(f"{OWN}/rounds/1/edit")
    old = dict(boss.page.form("rubric").fields)
    assert old["gold"] == "m0 | 2"
    assert old["ids"].split() == ["m1", "m2"]
    boss.send("rubric", title="Renamed")
    assert (stored(desk).title, stored(desk).revision) == ("Renamed", 2)
    stale = {**old, "title": "Old tab", "ticket": new_ticket()}
    answer = boss.client.post(f"{OWN}/rounds/1/edit", data=stale)
    assert answer.status_code == 409
    assert "Old tab" in answer.text
    assert stored(desk).title == "Renamed"


def test_one_form_sent_twice_makes_one_round(desk, boss):
    desk.models(2)
    ids = desk.annotators("ann", "bob")
    boss.get(f"{OWN}/rounds/new")
    form = dict(boss.page.form("rubric").fields) | {"title": "x"}
    form |= {f"rater_{one}": "1" for one in ids}
    answers = [boss.client.post(f"{OWN}/rounds/new", data=form) for _ in range(2)]
    assert {one.url.path for one in answers} == {f"{OWN}/rounds/1"}
    assert stored(desk, 2) is None


def test_what_was_looked_at_is_what_opens(desk):
    desk.models(4)
    number = desk.draft(("ann", "bob"))
    with desk.store.read() as db:
        before = round_plan.plan(db, rounds.find(db, desk.study.id, number))
    with pytest.raises(StaleRoundError):
        cases.open_round(desk.store, desk.study.id, number, 0, NOW)
    cases.open_round(desk.store, desk.study.id, number, 1, NOW)
    cases.open_round(desk.store, desk.study.id, number, 1, NOW)  # a repeat does nothing
    assert {one.total for one in before.raters} == {len(desk.places("ann"))} == {4}


def test_hidden_repeats_and_gold_look_like_any_item(desk):
    desk.models(12)
    desk.open(("ann", "bob"), gold="m0 | 1\nm1 | 2", repeat_percent="25")
    mine = desk.places("ann")
    assert len(mine) == 12 + 3
    assert {one.kind for one in desk.long_rows() if one.item in {"m0", "m1"}} == {"gold"}
    view = desk.view("ann")
    assert {type(place) for place in view.places} == {type(view.places[0])}
    assert not any(place.training for place in view.places)
    again = [one for one in desk.long_rows() if one.repeat]
    assert len(again) == 6
    assert all(one.position > 6 for one in again)


def test_a_round_with_a_deactivated_rater_does_not_open(desk):
    desk.models(2)
    number = desk.draft(("ann", "bob"))
    desk.deactivate("bob")
    with pytest.raises(RoundStateError, match="Deactivated since: bob"):
        cases.open_round(desk.store, desk.study.id, number, 1, NOW)


def test_progress_and_times_stand_on_the_rounds_page(desk, boss):
    desk.models(3)
    desk.open(("ann", "bob"))
    ann = desk.browser("ann")
    first, second = desk.places("ann")[:2]
    ann.get(f"/rate/item/{first.token}").send("revision", value="1", active_ms="61000", flag="1")
    ann.get(f"/rate/item/{second.token}").send(
        "revision", value="skip", skip_reason="unreadable", active_ms="3000"
    )
    text = re.sub(r"<[^>]+>", " ", boss.get(f"{OWN}/rounds/1").answer.text)
    assert "rater_1 ann 3 1 1 1 1 min 04 s" in " ".join(text.split())


def test_known_answers_and_second_showings_are_compared(desk, boss):
    desk.models(6)
    desk.open(("ann",), training="m0 | 1", gold="m1 | 2", repeat_percent="40")
    ann = desk.browser("ann")
    for place in desk.places("ann"):
        ann.get(f"/rate/item/{place.token}").send("revision", value="1")
    text = re.sub(r"<[^>]+>", " ", boss.get(f"{OWN}/rounds/1").answer.text)
    assert "rater_1 1 of 1 0 of 1 2 of 2" in " ".join(text.split())


def test_a_sample_is_drawn_from_a_judge_and_becomes_a_round(desk, boss):
    desk.models(30)
    desk.judge({f"m{n}": 2 if n < 20 else n % 2 for n in range(30)})
    boss.get(OWN).send("per_level", per_level="8")
    assert boss.url == f"{OWN}/samples/1"
    assert "level 0: only 5 of the 8 items wanted" in boss.answer.text
    with desk.store.read() as db:
        row = samples.find(db, desk.study.id, 1)
        frame = samples.items_of(db, row.id)
    drawn = [one for one in frame if one.place is not None]
    assert (len(frame), len(drawn)) == (30, 8 + 5 + 5)
    assert {(one.level, one.weight) for one in drawn} == {(2, 2.5), (1, 1.0), (0, 1.0)}
    ids = desk.annotators("ann", "bob")
    fill(boss, ids, items="sample:1")
    boss.send("revision")
    assert len(desk.places("ann")) == 18
    assert stored(desk).sample_id == row.id


def test_malformed_answers_are_in_no_frame(desk):
    desk.models(4)
    desk.judge({"m0": 0, "m1": 1, "m2": 2, "m3": "what?"})
    with desk.store.read() as db:
        frame, _ = sample_draws.frame_of(db, desk.study.id, 1, "score", "last")
    assert sorted(item.id for item in frame) == ["m0", "m1", "m2"]


@pytest.mark.parametrize(
    ("field", "value"), [("per_level", "0"), ("seed", "x"), ("judge", "9"), ("level_of", "inputs")]
)
def test_a_sample_that_cannot_be_drawn_is_refused_in_words(desk, boss, field, value):
    desk.models(3)
    desk.judge({"m0": 0, "m1": 1})
    boss.get(OWN).send("per_level", **{field: value})
    assert boss.answer.status_code == 422
    assert 'role="alert"' in boss.answer.text


@pytest.fixture
def disagreed(desk):
    """A closed round of three items; annotators disagree on one of them."""
    desk.models(3)
    number = desk.open(("ann", "bob"))
    for name in ("ann", "bob"):
        browser = desk.browser(name)
        items = {row.position: row.item for row in desk.long_rows() if row.rater == "rater_1"}
        if name == "bob":
            items = {row.position: row.item for row in desk.long_rows() if row.rater == "rater_2"}
        for place in desk.places(name):
            value = "2" if name == "bob" and items[place.position] == "m1" else "0"
            browser.get(f"/rate/item/{place.token}").send("revision", value=value)
    desk.close(number)
    return number


def test_disagreements_are_queued_and_decided_beside_the_ratings(desk, boss, disagreed):
    boss.get(f"{OWN}/rounds/1/adjudicate")
    (link,) = [one for one in boss.page.links if "/adjudicate/" in one]
    page = boss.get(link).answer.text
    assert "rater_1" in page
    assert "m1" not in re.sub(r"<[^>]+>", " ", page)  # an item's ID may name its source
    assert "ann" not in re.sub(r"<[^>]+>", " ", page).split()
    old = dict(boss.page.form("revision").fields)
    boss.send("revision", value="1", comment="Half of it")
    rows = [row for row in desk.long_rows() if row.item == "m1"]
    assert {(row.value, row.adjudicated_value) for row in rows} == {(0, 1), (2, 1)}
    again = boss.client.post(link, data={**old, "value": "2", "ticket": new_ticket()})
    assert again.status_code == 409
    assert "Check that decision" in again.text
    boss.get(link).send("revision", value="2")
    assert {row.adjudicated_value for row in desk.long_rows() if row.item == "m1"} == {2}


def test_nothing_is_adjudicated_in_an_open_round(desk):
    desk.models(2)
    desk.open(("ann", "bob"))
    typed = {"value": "1", "revision": "0", "ticket": new_ticket()}
    with pytest.raises(RoundStateError):
        adjudication.decide(desk.store, desk.study.id, 1, 1, typed, "boss", NOW)


def test_an_annotator_is_invited_sets_a_password_and_lands_at_the_rounds(desk, boss, client):
    from tests.walker import Walker

    boss.get("/admin/annotators").send("name", name="Dora")
    link = re.search(r'class="select">([^<]+)<', boss.answer.text)[1]
    dora = Walker(client).get(link).send("password", password="a long password")
    assert dora.url == "/rate"
    assert "You have nothing to rate yet" in dora.answer.text
    assert dora.client.get("/admin").status_code == 403
    form = boss.get("/admin/annotators").page.forms[-1]
    assert form.action == "/admin/annotators/dora/deactivate"
    boss.client.post(form.action, data=form.fields)
    assert dora.client.get("/rate", follow_redirects=False).status_code == 303


def test_a_researchers_name_is_no_annotators(desk, boss):
    boss.get("/admin/annotators").send("name", name="boss")
    assert boss.answer.status_code == 422
    assert (
        "is taken by an account with the role researcher. &#39;boss-2&#39; is free."
        in boss.answer.text
    )


def table(desk, name):
    """Return a table of the export as dicts."""
    text = b"".join(files.stream_csv(desk.store, "demo", name, "csv")).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_exports_hold_every_item_before_every_rater_and_decisions_apart(desk, disagreed):
    case = next(row.round_item_id for row in desk.long_rows() if row.item == "m1")
    typed = {"value": "1", "revision": "0", "ticket": new_ticket()}
    adjudication.decide(desk.store, desk.study.id, disagreed, case, typed, "boss", NOW)
    found = table(desk, "rating")
    assert [(one["item_id"], one["rater"], one["value"]) for one in found] == [
        *(("m0", "rater_1", "0"), ("m0", "rater_2", "0")),
        *(("m1", "rater_1", "0"), ("m1", "rater_2", "2")),
        *(("m2", "rater_1", "0"), ("m2", "rater_2", "0")),
    ]
    assert {one["first_value"] == one["value"] for one in found} == {True}
    assert [(one["item_id"], one["value"]) for one in table(desk, "adjudication")] == [("m1", "1")]


def test_long_rows_hold_weights_of_the_sample_known_answers_and_judges(desk):
    desk.models(8)
    desk.judge({**{f"m{n}": 2 for n in range(6)}, "m6": 0, "m7": "hm"}, raw="as it came")
    facts = {"wanted": "score", "which": "last", "per_level": 3, "allocation": "proportional"}
    ticket = new_ticket()
    sample_draws.draw_sample(
        desk.store, desk.study.id, run_number=1, seed=1, by="x", ticket=ticket, now=NOW, **facts
    )
    desk.open(("ann",), items="sample:1", gold="m7 | 1")
    with desk.store.read() as db:
        rows = list(long_rows.rows_of(db, rounds.find(db, desk.study.id, 1)))
    found = {one["item"]: one for one in rows}
    assert {one["weight"] for one in rows if one["level"] == 2} == {2.0}
    sampled, gold = found["m6"], found["m7"]
    assert (sampled["level"], sampled["weight"], sampled["sample"]) == (0, 1.0, 1)
    assert sampled["judges"]["judge"]["score"] == 0
    assert (gold["kind"], gold["known_value"], gold["weight"], gold["judges"]) == (
        *("gold", 1, None),
        {},
    )
    assert {one["revisions"] for one in rows} == {0}
    exported = {one["item_id"]: one for one in table(desk, "rating")}
    assert (exported["m7"]["role"], exported["m7"]["known_value"]) == ("gold", "1")
    assert exported["m6"]["known_value"] == ""
