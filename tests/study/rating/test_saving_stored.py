"""What saving a rating stores, and when it refuses to: every rule without a browser."""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from app.store.people import accounts
from app.store.rating import ratings, rounds
from app.store.rating.guesses import source_guess
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.rating import handover, pauses, saving
from app.study.rating.pauses import PausedError
from app.study.rating.rater_view import NotYoursError
from app.study.rating.saving import (
    FinalError,
    RatingError,
    RoundClosedError,
    Saved,
    StaleRatingError,
)
from app.study.tickets import TicketError, new_ticket
from tests.rating_desk import NOW, Desk

LATER = NOW + timedelta(milliseconds=1250)
GOLD = "m0 | 2 | Both traits count.\nm1 | 0\nm2 | 1"
BLOCKS = [{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [2]}]


@pytest.fixture
def desk(store):
    """A study with nine items and no round."""
    study = {"slug": "autumn", "title": "Autumn", "blocks": BLOCKS}
    studies.create(store, check_study(study), NOW)
    server = SimpleNamespace(store=store, library=Library())
    desk = Desk(SimpleNamespace(state=SimpleNamespace(server=server)), None, "autumn")
    desk.models(9)
    return desk


def account(desk, name):
    with desk.store.read() as db:
        return accounts.by_name(db, name).id


def save(desk, token, name="ann", now=LATER, **typed):
    form = {"revision": "0", "value": "1", "ticket": new_ticket(), **typed}
    return saving.save(desk.store, account(desk, name), token, form, now)


def tokens(desk, kind, name="ann"):
    return [one.token for one in desk.places(name) if one.kind == kind]


def guesses(desk):
    with desk.store.read() as db:
        rows = db.execute(sa.select(source_guess).order_by(source_guess.c.id))
        return [(one.guess, one.created_at) for one in rows]


def test_a_rating_is_stored_with_all_that_was_sent(desk):
    desk.open(("ann",))
    token, ticket = tokens(desk, "main")[0], new_ticket()
    shown = str(int(NOW.timestamp() * 1000))
    sent = {"value": "2", "comment": " clear ", "flag": "1", "rule_version": "1"}
    found = save(desk, token, ticket=ticket, active_ms="900", shown_ms=shown, **sent)
    assert found == Saved(1, LATER)
    (row,) = desk.history(token, "ann")
    assert (row.revision, row.value, row.comment, row.flag) == (1, 2, "clear", True)
    assert (row.inputs, row.output, row.structure, row.generality) == (None,) * 4
    assert (row.rule_version, row.active_ms, row.wall_ms) == ("1", 900, 1250)
    assert (row.skip_reason, row.ticket, row.created_at) == ("", ticket, LATER)


def test_criteria_and_the_reason_of_a_skip_are_stored(desk):
    desk.open(("ann",), mode="criteria")
    rated, skipped = tokens(desk, "main")[:2]
    save(desk, rated, inputs="0", output="1", structure="2", generality="1")
    save(desk, skipped, value="skip", skip_reason="empty")
    (row,) = desk.history(rated, "ann")
    assert (row.value, row.inputs, row.output) == (None, 0, 1)
    assert (row.structure, row.generality) == (2, 1)
    (row,) = desk.history(skipped, "ann")
    assert (row.value, row.inputs, row.skip_reason) == (None, None, "empty")


def test_a_change_is_a_new_revision_of_the_one_that_the_page_showed(desk):
    desk.open(("ann",))
    token = tokens(desk, "main")[0]
    assert save(desk, token, value="1").revision == 1
    for stale in ("0", "2", "", "01"):
        with pytest.raises(StaleRatingError):
            save(desk, token, revision=stale, value="0")
    assert save(desk, token, revision="1", value="2").revision == 2
    assert save(desk, token, revision="2", value="0").revision == 3
    assert [one.value for one in desk.history(token, "ann")] == [1, 2, 0]


def test_a_form_sent_without_its_revision_is_stale_even_for_the_first_rating(desk):
    desk.open(("ann",))
    token = tokens(desk, "main")[0]
    form = {"value": "1", "ticket": new_ticket()}
    with pytest.raises(StaleRatingError):
        saving.save(desk.store, account(desk, "ann"), token, form, NOW)


def test_a_form_sent_twice_is_stored_once_and_gets_the_first_answer_again(desk):
    desk.open(("ann",))
    token, ticket = tokens(desk, "main")[0], new_ticket()
    first = save(desk, token, ticket=ticket)
    assert save(desk, token, ticket=ticket, value="2", now=LATER + timedelta(hours=1)) == first
    assert [one.value for one in desk.history(token, "ann")] == [1]


def test_a_form_needs_its_own_ticket(desk):
    desk.open(("ann",))
    token, other = tokens(desk, "main")[:2]
    form = {"revision": "0", "value": "1"}
    with pytest.raises(TicketError):
        saving.save(desk.store, account(desk, "ann"), token, form, NOW)
    ticket = new_ticket()
    save(desk, token, ticket=ticket)
    with pytest.raises(TicketError):
        save(desk, other, ticket=ticket)
    assert desk.history(other, "ann") == []


def test_no_one_rates_what_is_another_annotators(desk):
    desk.open(("ann", "bob"))
    token = tokens(desk, "main")[0]
    for name, asked in (("bob", token), ("ann", "no-such-token")):
        with pytest.raises(NotYoursError):
            save(desk, asked, name)
    assert desk.history(token, "ann") == []


def test_a_closed_round_takes_nothing(desk):
    number = desk.open(("ann",))
    token = tokens(desk, "main")[0]
    desk.close(number)
    with pytest.raises(RoundClosedError):
        save(desk, token)
    assert desk.history(token, "ann") == []


def test_an_item_that_was_handed_over_is_no_longer_theirs(desk):
    """Also for a request that read the item before and then waited for the round."""
    number = desk.open(("ann",))
    token, ann = tokens(desk, "main")[0], account(desk, "ann")
    desk.annotators("cy")
    with desk.store.read() as db:
        row = ratings.assignment_of(db, token, ann)
    to = (number, "ann", "cy", "desk", new_ticket(), NOW)
    handover.hand_over(desk.store, desk.study.id, *to)
    with pytest.raises(NotYoursError):
        save(desk, token)
    with desk.store.read() as db, pytest.raises(NotYoursError):
        saving.refuse(db, rounds.by_id(db, row.round_id), row, ann, 0)


def test_training_comes_first_and_its_first_answer_stays(desk):
    desk.open(("ann", "bob"), training="m0 | 2 | Both.\nm1 | 1 | One.")
    one, two = tokens(desk, "training")
    main = tokens(desk, "main")[0]
    for training in (one, two):
        with pytest.raises(NotYoursError):
            save(desk, main)
        assert save(desk, training).revision == 1
        with pytest.raises(FinalError):
            save(desk, training, revision="1")
    assert save(desk, main).revision == 1
    with pytest.raises(NotYoursError):  # bob has answered no training item
        save(desk, tokens(desk, "main", "bob")[0], "bob")


@pytest.mark.parametrize(("feedback", "is_final"), [("1", True), ("", False)])
def test_a_gold_item_stays_as_rated_once_its_answer_was_seen(desk, feedback, is_final):
    desk.open(("ann",), gold=GOLD, gold_feedback=feedback)
    token = tokens(desk, "gold")[0]
    save(desk, token)
    if is_final:
        with pytest.raises(FinalError):
            save(desk, token, revision="1", value="2")
    else:
        save(desk, token, revision="1", value="2")
    assert len(desk.history(token, "ann")) == (1 if is_final else 2)


def test_wrong_gold_items_pause_their_annotator_alone_until_they_may_go_on(desk):
    number = desk.open(("ann", "bob"), gold=GOLD, gold_least="60", gold_after="2")
    main, *others = tokens(desk, "main")
    first, second = tokens(desk, "gold")[:2]
    for token in (first, main, second):
        save(desk, token, value="skip", skip_reason="empty")
    with pytest.raises(PausedError):
        save(desk, others[0])
    with pytest.raises(PausedError):
        save(desk, main, revision="1")
    save(desk, tokens(desk, "main", "bob")[0], "bob")
    by = ("ann", "desk", new_ticket(), LATER)
    pauses.go_on(desk.store, desk.study.id, number, *by)
    save(desk, others[0])


def test_a_guess_of_the_source_is_asked_for_each_item_but_not_in_training(desk):
    desk.open(("ann",), ask_source="item", training="m0 | 2 | Both.")
    save(desk, tokens(desk, "training")[0], guess="model")
    assert guesses(desk) == []
    token, skipped = tokens(desk, "main")[:2]
    with pytest.raises(RatingError) as caught:
        save(desk, token)
    assert list(caught.value.problems) == ["guess"]
    save(desk, token, guess="person")
    save(desk, skipped, value="skip", skip_reason="empty")
    assert guesses(desk) == [("person", LATER)]


@pytest.mark.parametrize("asked", ["off", "round"])
def test_a_guess_that_was_not_asked_beside_the_rating_is_not_stored(desk, asked):
    desk.open(("ann",), ask_source=asked)
    save(desk, tokens(desk, "main")[0], guess="model")
    assert guesses(desk) == []


def while_open(desk, first, token):
    """Send a rating while the transaction of `first` is still open; return what came of it."""
    with ThreadPoolExecutor(1) as pool:
        with desk.store.write() as db:
            first(db)
            later = pool.submit(save, desk, token)
            wait([later], timeout=0.5)
        return later.exception(timeout=30)


def test_a_rating_sent_while_its_round_is_being_closed_is_refused(desk):
    number = desk.open(("ann",))
    token = tokens(desk, "main")[0]

    def close(db):
        row = rounds.find(db, desk.study.id, number, lock=True)
        rounds.change(db, row.id, {"state": "closed", "closed_at": NOW})

    assert isinstance(while_open(desk, close, token), RoundClosedError)
    assert desk.history(token, "ann") == []


def test_a_rating_sent_while_another_tab_saves_one_is_stale(desk):
    desk.open(("ann",))
    token, ann = tokens(desk, "main")[0], account(desk, "ann")

    def save_first(db):
        row = ratings.assignment_of(db, token, ann, lock=True)
        values = {"assignment_id": row.id, "revision": 1, "value": 2, "ticket": new_ticket()}
        ratings.insert(db, {**values, "created_at": NOW})

    assert isinstance(while_open(desk, save_first, token), StaleRatingError)
    assert [one.value for one in desk.history(token, "ann")] == [2]
