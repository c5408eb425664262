"""Saving ratings over HTTP: two raters at once, a double click, a stale tab, a closed round."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.study.tickets import new_ticket

RATERS = ("ann", "bob")


@pytest.fixture
def round_of_four(desk):
    desk.models(4)
    return desk.open(RATERS)


def first(desk, name):
    return desk.places(name)[0].token


def form_of(browser, token):
    """Return the fields of an item's form, as the page holds them."""
    return dict(browser.get(f"/rate/item/{token}").page.form("revision").fields)


def test_a_rating_is_stored_and_the_next_item_says_so(desk, round_of_four):
    ann = desk.browser("ann")
    ann.get(f"/rate/item/{first(desk, 'ann')}").send("revision", value="2", comment="clear")
    assert ann.url == f"/rate/item/{desk.places('ann')[1].token}"
    assert "Item 1: 2. Saved at" in ann.answer.text
    stored = desk.places("ann")[0]
    assert (stored.value, stored.comment, stored.revision) == (2, "clear", 1)


def test_two_raters_saving_the_same_items_at_once_each_get_one_rating_an_item(desk, round_of_four):
    browsers = {name: desk.browser(name) for name in RATERS}
    posts = [
        (name, f"/rate/item/{one.token}", {**form_of(browsers[name], one.token), "value": "1"})
        for name in RATERS
        for one in desk.places(name)
    ]

    def post(job):
        name, url, form = job
        return browsers[name].client.post(url, data=form, follow_redirects=False).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(post, posts)) == {303}
    rows = desk.long_rows()
    assert len(rows) == len({(row.item, row.rater) for row in rows}) == 8
    assert {(row.value, row.revision) for row in rows} == {(1, 1)}


def test_a_double_click_stores_one_rating(desk, round_of_four):
    ann, token = desk.browser("ann"), first(desk, "ann")
    form = {**form_of(ann, token), "value": "0"}

    def click(_):
        return ann.client.post(f"/rate/item/{token}", data=form, follow_redirects=False).status_code

    with ThreadPoolExecutor(10) as pool:
        assert set(pool.map(click, range(10))) == {303}
    assert [one.revision for one in desk.history(token, "ann")] == [1]


def test_a_stale_tab_gets_409_with_the_present_state_and_overwrites_nothing(desk, round_of_four):
    ann, token = desk.browser("ann"), first(desk, "ann")
    old = form_of(ann, token)
    ann.get(f"/rate/item/{token}").send("revision", value="2")
    answer = ann.client.post(f"/rate/item/{token}", data={**old, "value": "0"})
    assert answer.status_code == 409
    assert "nothing was overwritten" in answer.text
    assert "Saved: 2" in answer.text
    assert "Not saved: 0" in answer.text
    assert [one.value for one in desk.history(token, "ann")] == [2]


def test_two_tabs_at_once_leave_one_first_rating(desk, round_of_four):
    ann, token = desk.browser("ann"), first(desk, "ann")
    forms = [{**form_of(ann, token), "value": str(value)} for value in (0, 1, 2)]

    def save(form):
        return ann.client.post(f"/rate/item/{token}", data=form, follow_redirects=False).status_code

    with ThreadPoolExecutor(3) as pool:
        assert sorted(pool.map(save, forms)) == [303, 409, 409]
    assert [one.revision for one in desk.history(token, "ann")] == [1]


def test_every_change_is_kept_and_the_newest_counts(desk, round_of_four):
    ann, token = desk.browser("ann"), first(desk, "ann")
    for value in ("0", "1", "2"):
        ann.get(f"/rate/item/{token}").send("revision", value=value)
    assert [one.value for one in desk.history(token, "ann")] == [0, 1, 2]
    row = next(row for row in desk.long_rows() if row.revision)
    assert (row.first_value, row.value, row.revision) == (0, 2, 3)


def test_a_closed_round_takes_nothing_and_loses_nothing(desk, round_of_four):
    ann, token = desk.browser("ann"), first(desk, "ann")
    ann.get(f"/rate/item/{token}").send("revision", value="1")
    form = {**form_of(ann, token), "value": "0"}
    desk.close(round_of_four)
    answer = ann.client.post(f"/rate/item/{token}", data=form)
    assert answer.status_code == 409
    assert "This round is closed" in answer.text
    assert [one.value for one in desk.history(token, "ann")] == [1]
    assert "Your rating: <b>1</b>" in ann.get(f"/rate/item/{token}").answer.text


def test_a_deactivated_annotator_is_out_at_once_and_their_ratings_stay(desk, round_of_four):
    ann, token = desk.browser("ann"), first(desk, "ann")
    ann.get(f"/rate/item/{token}").send("revision", value="1")
    desk.deactivate("ann")
    answer = ann.client.get(f"/rate/item/{token}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"][:12]) == (303, "/admin/login")
    assert [row.value for row in desk.long_rows() if row.rater == "rater_1"].count(1) == 1


def test_skipping_needs_a_reason_and_what_was_typed_is_kept(desk, round_of_four):
    ann, token = desk.browser("ann"), first(desk, "ann")
    ann.get(f"/rate/item/{token}").send("revision", value="skip", comment="hm")
    assert ann.answer.status_code == 422
    assert ann.page.form("revision").fields["comment"] == "hm"
    assert desk.history(token, "ann") == []
    ann.send("revision", value="skip", skip_reason="unreadable")
    assert desk.places("ann")[0].skip_reason == "unreadable"


def test_nothing_chosen_is_asked_for_again(desk, round_of_four):
    ann = desk.browser("ann").get(f"/rate/item/{first(desk, 'ann')}").send("revision", flag="1")
    assert ann.answer.status_code == 422
    assert "Choose 0, 1 or 2, or skip the item." in ann.answer.text
    assert ann.page.form("revision").fields["flag"] == "1"


@pytest.mark.parametrize("value", ["3", "-1", "1.5", "٢", "nan", "2 "])
def test_what_is_no_level_is_refused(desk, round_of_four, value):
    ann, token = desk.browser("ann"), first(desk, "ann")
    ann.get(f"/rate/item/{token}").send("revision", value=value)
    assert ann.answer.status_code == 422
    assert desk.history(token, "ann") == []


def test_an_unstorable_comment_is_refused_in_words(desk, round_of_four):
    ann, token = desk.browser("ann"), first(desk, "ann")
    ann.get(f"/rate/item/{token}").send("revision", value="1", comment="a\x00b")
    assert ann.answer.status_code == 422
    ann.send("revision", value="1", comment="x" * 2001)
    assert "Please shorten it to 2,000" in ann.answer.text


def test_criteria_are_rated_apart(desk):
    desk.models(2)
    desk.open(("ann",), mode="criteria")
    ann, token = desk.browser("ann"), first(desk, "ann")
    ann.get(f"/rate/item/{token}").send("revision", inputs="2", output="1", structure="0")
    assert ann.answer.status_code == 422
    ann.send("revision", inputs="2", output="1", structure="0", generality="1")
    row = desk.places("ann")[0]
    assert (row.value, row.inputs, row.output, row.structure, row.generality) == (None, 2, 1, 0, 1)


def test_training_comes_first_with_feedback_and_stays_as_answered(desk):
    desk.models(4)
    desk.open(("ann",), training="m0 | 2 | It names the exception.")
    ann = desk.browser("ann")
    training, main = desk.places("ann")[:2]
    assert ann.get(f"/rate/item/{main.token}").answer.status_code == 404
    ann.get(f"/rate/item/{training.token}")
    assert "It names the exception" not in ann.answer.text
    ann.send("revision", value="0")
    assert "It names the exception." in ann.answer.text
    assert "We rate this item differently" in ann.answer.text
    form = {"revision": "1", "value": "2", "ticket": "t" * 20}
    assert ann.client.post(f"/rate/item/{training.token}", data=form).status_code == 409
    assert ann.get(f"/rate/item/{main.token}").answer.status_code == 200


def test_nothing_but_training_is_stored_before_all_of_it_is_answered(desk):
    desk.models(4)
    desk.open(("ann", "bob"), training="m0 | 2 | It names the exception.\nm1 | 1 | Not all.")
    ann = desk.browser("ann")
    first_training, second_training, main = desk.places("ann")[:3]
    form = {"revision": "0", "value": "1"}

    def post(place):
        sent = {**form, "ticket": new_ticket()}
        url = f"/rate/item/{place.token}"
        return ann.client.post(url, data=sent, follow_redirects=False).status_code

    for training in (first_training, second_training):
        assert post(main) == 404
        assert desk.history(main.token, "ann") == []
        assert post(training) == 303
    assert post(main) == 303
    assert [row.value for row in desk.history(main.token, "ann")] == [1]
    assert (
        desk.browser("bob").get(f"/rate/item/{desk.places('bob')[2].token}").answer.status_code
        == 404
    )


def test_wall_time_is_kept_without_a_script_and_active_time_with_one(desk, round_of_four):
    ann, token = desk.browser("ann"), first(desk, "ann")
    ann.get(f"/rate/item/{token}").send("revision", value="1")
    assert desk.places("ann")[0].active_ms is None
    assert 0 <= desk.places("ann")[0].wall_ms < 60_000
    ann.get(f"/rate/item/{token}").send("revision", value="2", active_ms="1234")
    assert desk.places("ann")[0].active_ms == 1234


def test_a_ticket_of_another_item_is_refused(desk, round_of_four):
    ann, places = desk.browser("ann"), desk.places("ann")
    form = {**form_of(ann, places[0].token), "value": "1"}
    ann.client.post(f"/rate/item/{places[0].token}", data=form)
    answer = ann.client.post(f"/rate/item/{places[1].token}", data=form)
    assert answer.status_code == 400
    assert desk.history(places[1].token, "ann") == []


@pytest.mark.parametrize("what", ["item", "round"])
def test_another_annotators_address_is_not_found(desk, round_of_four, what):
    bob = desk.browser("bob")
    token = first(desk, "ann") if what == "item" else desk.view("ann").token
    assert bob.get(f"/rate/{what}/{token}").answer.status_code == 404
    if what == "item":
        form = {"revision": "0", "value": "1", "ticket": "t" * 20}
        assert bob.client.post(f"/rate/item/{token}", data=form).status_code == 404
        assert desk.history(token, "ann") == []
