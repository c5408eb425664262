"""Raters may be asked who wrote a text: beside the rating, or once they have rated everything."""

import csv
import io
import json
import re

import pytest
import sqlalchemy as sa

from app.store.rating.guesses import source_guess
from app.study.export import files
from app.study.tickets import new_ticket
from tests.web.rating.test_rating import first, form_of

ASKED = "Who do you think wrote it?"


@pytest.fixture
def asked_each(desk):
    desk.models(3)
    desk.open(("ann", "bob"), ask_source="item", training="m2 | 1 | Only one trait.")
    ann = desk.browser("ann")
    ann.get(f"/rate/item/{first(desk, 'ann')}")
    assert ASKED not in ann.answer.text  # not in training
    ann.send("revision", value="1")
    return ann


def guesses(desk):
    with desk.store.read() as db:
        query = sa.select(source_guess).order_by(source_guess.c.id)
        return [(one.assignment_id, one.revision, one.guess) for one in db.execute(query)]


def exported(desk):
    data = b"".join(files.stream_csv(desk.store, desk.slug, "rating", "csv")).decode()
    return list(csv.DictReader(io.StringIO(data, newline="")))


def test_a_guess_is_stored_beside_the_rating_and_each_change_is_kept(desk, asked_each):
    token = desk.places("ann")[1].token
    asked_each.get(f"/rate/item/{token}").send("revision", value="2", guess="model")
    asked_each.get(f"/rate/item/{token}")
    assert asked_each.page.form("revision").fields["guess"] == "model"
    asked_each.send("revision", value="2", guess="unknown")
    assert [one[1:] for one in guesses(desk)] == [(1, "model"), (2, "unknown")]
    page_text = asked_each.get(f"/rate/item/{token}").answer.text.lower()
    assert not re.search(
        r"\b(right|wrong|correct)\b[^<]*guess|guess[^<]*\b(wrong|correct)\b", page_text
    )
    row = next(row for row in exported(desk) if row["source_guess"])
    assert (row["first_source_guess"], row["source_guess"]) == ("model", "unknown")
    assert (row["ask_source"], row["value"], row["revisions"]) == ("item", "2", "2")
    assert row["guessed_at"]


def test_a_rating_without_a_guess_is_asked_for_it_and_a_skip_is_not(desk, asked_each):
    token = desk.places("ann")[1].token
    asked_each.get(f"/rate/item/{token}").send("revision", value="2")
    assert asked_each.answer.status_code == 422
    assert "Choose person, model or don’t know." in asked_each.answer.text
    asked_each.send("revision", value="2", guess="robot")
    assert asked_each.answer.status_code == 422
    assert guesses(desk) == []
    asked_each.send("revision", value="skip", skip_reason="unreadable")
    assert desk.places("ann")[1].skip_reason == "unreadable"


def test_a_round_that_does_not_ask_shows_and_stores_nothing(desk):
    desk.models(2)
    desk.open(("ann",))
    ann = desk.browser("ann").get(f"/rate/item/{first(desk, 'ann')}")
    assert ASKED not in ann.answer.text
    token = first(desk, "ann")
    form = {**form_of(ann, token), "value": "1", "guess": "model"}
    assert ann.client.post(f"/rate/item/{token}", data=form).status_code == 200
    assert guesses(desk) == []
    assert {row["ask_source"] for row in exported(desk)} == {"off"}


def test_at_the_end_of_the_round_each_text_is_asked_about_after_all_ratings(desk):
    desk.models(2)
    desk.open(("ann",), ask_source="round")
    ann = desk.browser("ann")
    one, two = (place.token for place in desk.places("ann"))
    assert ann.get(f"/rate/guess/{one}").answer.status_code == 404  # ratings first
    ann.get(f"/rate/item/{one}")
    assert ASKED not in ann.answer.text
    ann.send("revision", value="1")
    ann.send("revision", value="0")
    assert ann.url == f"/rate/guess/{one}"
    assert ASKED in ann.answer.text
    assert "Explanation number" in ann.answer.text
    assert "The rule itself" not in ann.answer.text
    ann.send("ticket")
    assert ann.answer.status_code == 422
    ann.send("ticket", guess="person")
    assert ann.url == f"/rate/guess/{two}"
    round_url = f"/rate/round/{desk.view('ann').token}"
    ann.get(round_url)
    assert f"/rate/guess/{two}" in ann.answer.text
    ann.get(f"/rate/guess/{two}").send("ticket", guess="unknown")
    assert ann.url == round_url
    assert [one[1:] for one in guesses(desk)] == [(1, "person"), (1, "unknown")]
    desk.close(1)
    form = {"guess": "model", "ticket": new_ticket(), "form_key": ann.client.form_key}
    assert ann.client.post(f"/rate/guess/{two}", data=form).status_code == 409
    assert len(guesses(desk)) == 2


def test_a_guess_sent_twice_is_stored_once(desk):
    desk.models(1)
    desk.open(("ann",), ask_source="round")
    ann = desk.browser("ann")
    token = first(desk, "ann")
    ann.get(f"/rate/item/{token}").send("revision", value="1")
    form = {**ann.page.form("ticket").fields, "guess": "model"}
    for _ in range(2):
        assert ann.client.post(f"/rate/guess/{token}", data=form).status_code == 200
    assert [one[1:] for one in guesses(desk)] == [(1, "model")]


def test_the_set_up_is_checked_and_kept_in_the_draft(desk):
    desk.models(1)
    ids = desk.annotators("ann")
    boss = desk.browser("boss", "researcher")
    own = "/admin/studies/demo/rating/rounds"
    ticks = {f"rater_{one}": "1" for one in ids}
    boss.get(f"{own}/new").send("rubric", title="First", k="1", ask_source="often", **ticks)
    assert boss.answer.status_code == 422
    assert "Choose when annotators are asked." in boss.answer.text
    boss.send("rubric", title="First", k="1", ask_source="round", **ticks)
    assert "asked who wrote each text at the end of the round" in boss.answer.text
    boss.get(f"{own}/1/edit")
    assert boss.page.form("rubric").fields["ask_source"] == "round"


def test_the_report_has_both_indices_with_intervals_and_the_methods_say_so(desk):
    desk.models(12)
    desk.open(("ann", "bob"), ask_source="item")
    for name in ("ann", "bob"):
        rater = desk.browser(name)
        for number, place in enumerate(desk.places(name)):
            guess = ("model", "person", "unknown")[number % 3]
            rater.get(f"/rate/item/{place.token}").send("revision", value="1", guess=guess)
    boss = desk.browser("boss", "researcher")
    page = boss.get("/admin/studies/demo/rating/rounds/1/agreement").answer.text
    assert "Who wrote it: blinding" in page
    assert "Bang" in page
    assert "asked after each rating whether a person or a model wrote the text" in page
    url = "/admin/studies/demo/rating/rounds/1/agreement/report.json"
    found = json.loads(boss.client.get(url).text)["blinding"]
    assert found["asked"] == "item"
    pooled, ann, bob = found["rows"]
    assert (pooled["rater"], ann["rater"], bob["rater"]) == (None, "rater_1", "rater_2")
    assert pooled["counts"] == [[0, 8], [0, 8], [0, 8]]  # models' texts only
    assert pooled["bang"]["model"]["value"] == 0
    assert pooled["bang"]["model"]["interval"]["low"] < 0
    assert pooled["bang"]["person"]["value"] is None
    assert pooled["james"]["value"] is None
    assert ann["bang"]["model"]["interval"]["method"] == "Dirichlet draws, half an item per guess"
