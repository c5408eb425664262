"""Leaving for good: what goes, what stays, and that it happens once."""

import json
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.store.export.releases import text_release
from app.store.play import explanations
from app.store.play.seats import seat_event
from app.study import jobs
from app.study.design import studies
from app.study.export import text_review
from app.study.people import withdrawal
from app.study.play import seats
from app.study.play.players import NotActiveError
from app.study.tickets import TicketError, new_ticket
from tests.study.story import Story

PAYMENT = {"currency": "GBP", "hourly_cents": 60_000}


class TwoPeople(Story):
    """A study of two people."""

    def __init__(self, store, **changes):
        super().__init__(store, **changes)
        self.tokens = [self.enter(), self.enter()]


def played_study(store, **changes):
    """Let each win one guardian and tell a rule, and release both texts."""
    story = TwoPeople(store, **changes)
    for token in story.tokens:
        story.win(token, 0, 0)
        story.explain(token, 0, 0)
    with store.read() as db:
        found = list(text_review.all_texts(text_review.of_study(db, "story")))
    chosen = {text.name: ("released", text.hash) for text in found}
    text_review.decide(store, "story", chosen, "", (1, "ada"), new_ticket(), story.now())
    return story


def leave(story, token, ticket=None):
    withdrawal.withdraw(story.store, token, new_ticket() if ticket is None else ticket, story.now())


def decided(story):
    """Return whose texts have a decision."""
    with story.store.read() as db:
        return set(db.execute(sa.select(text_release.c.participant_id)).scalars())


def explained(story, token):
    with story.store.read() as db:
        return len(explanations.of_participant(db, story.person(token).id))


def events(story, token):
    query = sa.select(seat_event.c.event, seat_event.c.reason).order_by(seat_event.c.id)
    mine = query.where(seat_event.c.participant_id == story.person(token).id)
    with story.store.read() as db:
        return [tuple(row) for row in db.execute(mine)]


def test_decisions_on_a_persons_texts_go_with_them_and_no_others(store):
    story = played_study(store)
    leaving, staying = (story.person(token).id for token in story.tokens)
    assert decided(story) == {leaving, staying}
    leave(story, story.tokens[0])
    assert decided(story) == {staying}


def test_one_leaves_and_the_other_keeps_everything(store):
    story = played_study(store)
    gone, kept = story.tokens
    before = len(story.turns(kept, 0, 0))
    leave(story, gone)
    assert (len(story.turns(gone, 0, 0)), len(story.turns(kept, 0, 0))) == (0, before)
    assert (explained(story, gone), explained(story, kept)) == (0, 1)
    assert story.person(kept).state == "active"


def test_tombstone_says_when_and_why_and_what_is_owed(store):
    story = played_study(store, payment=PAYMENT)
    token = story.tokens[0]
    leave(story, token)
    row = story.person(token)
    assert (row.state, row.end_reason) == ("withdrawn", "withdrawn")
    assert row.ended_at == row.erased_at == story.clock
    assert json.loads(row.owed)["time_cents"] > 0
    assert row.seat == "released"
    assert events(story, token) == [("claimed", "consent"), ("released", "withdrawn")]


def test_data_are_kept_where_the_study_says_so(store):
    story = played_study(store, people={"withdrawal": "keep"})
    token = story.tokens[0]
    leave(story, token)
    row = story.person(token)
    assert (row.state, row.erased_at, row.owed) == ("withdrawn", None, None)
    assert explained(story, token) == 1
    assert len(decided(story)) == 2


def test_results_of_jobs_that_may_hold_erased_data_go_and_no_others(store):
    story = played_study(store)
    Story(store, slug="another")
    with store.read() as db:
        own, other = (studies.find(db, slug).id for slug in ("story", "another"))
    made = [(own, "report"), (own, "bundle"), (own, "whatif"), (other, "report")]
    ids = [jobs.add(store, study, kind, {}, "ada", story.now()) for study, kind in made]
    gone = withdrawal.withdraw(store, story.tokens[0], new_ticket(), story.now())
    assert sorted(gone) == sorted(ids[:2])
    assert [jobs.is_alive(store, one) for one in ids] == [False, False, True, True]


def test_leaving_again_changes_nothing(store):
    story = played_study(store)
    token, ticket = story.tokens[0], new_ticket()
    leave(story, token, ticket)
    first = story.person(token)
    leave(story, token, ticket)
    leave(story, token)
    assert story.person(token) == first
    assert len(events(story, token)) == 2


def test_a_form_without_its_ticket_changes_nothing(store):
    story = played_study(store)
    with pytest.raises(TicketError):
        leave(story, story.tokens[0], "")
    assert story.person(story.tokens[0]).state == "active"


def test_who_has_ended_in_another_way_does_not_withdraw(store):
    story = played_study(store)
    token = story.tokens[0]
    story.clock += timedelta(days=60)
    seats.sweep(story.store, story.now())
    with pytest.raises(NotActiveError):
        leave(story, token)
    assert story.person(token).state == "timed_out"
    assert explained(story, token) == 1


def test_who_has_finished_can_still_leave(make_crowd):
    crowd = make_crowd()
    token = crowd.come("somebody")
    crowd.finish(token, 5)
    assert crowd.person(token).state == "finished"
    withdrawal.withdraw(crowd.store, token, new_ticket(), crowd.at(9))
    row = crowd.person(token)
    assert (row.state, row.seat, row.erased_at) == ("withdrawn", "released", crowd.at(9))
    assert crowd.taken() == {}
