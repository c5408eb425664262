"""A study without a server: use cases on both databases, and participants."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import cached_property

import pytest
import sqlalchemy as sa

from app.store.play import episodes, participants, seats, turns
from app.study.agreement import data
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.play import enrol, rule_form, steps
from app.study.play.arrival import Arrival
from app.study.play.commands import Table
from app.study.tickets import new_ticket
from tests.rated import store_round

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
TINY = {
    "slug": "crowd",
    "title": "A study for a crowd",
    "kind": "pilot",
    "seed": 7,
    "blocks": [{"task": "A-Over", "seeds": [1]}, {"task": "A-Add", "seeds": [2]}],
    "per_player": 1,
    "options": {"practice": False, "episodes_per_block": 1},
    "questions": {"comment": False},
}


class Crowd:
    """Participants of one study, who arrive, act and finish; times are minutes after noon."""

    def __init__(self, store, slug):
        self.store, self.slug, self.table = store, slug, Table(store, Library())

    def at(self, minutes):
        return NOW + timedelta(minutes=minutes)

    def come(self, who="", minutes=0, *, is_test=False):
        arrival = Arrival("prolific_pid" if who else "link", who, is_test=is_test)
        now = self.at(minutes)
        return enrol.agree(self.store, self.table.library, self.slug, arrival, new_ticket(), now)

    def read(self, token, minutes=0):
        """Leave the instructions."""
        rule_form.leave(self.store, token, steps.INSTRUCTIONS, new_ticket(), self.at(minutes))
        return token

    def command(self, token, raw="look", minutes=0, seq=None):
        """Play one command in the participant's only episode."""
        if seq is None:
            with self.store.read() as db:
                seq = len(self.turns(db, token)) + 1
        return self.table.act(token, 0, 0, seq, raw, self.at(minutes))

    def turns(self, db, token):
        return turns.of_episode(db, self.episode(db, token).id)

    def episode(self, db, token):
        return episodes.episodes_of(db, self.person(token, db).id)[0]

    def cell(self, token):
        with self.store.read() as db:
            return episodes.blocks_of(db, self.person(token, db).id)[0].cell

    def win(self, token, minutes=0):
        with self.store.read() as db:
            row = self.episode(db, token)
            variant = self.table.library.variant(db, row.variant_hash)
        for raw in variant.episodes[row.variant_episode].solutions[0]:
            self.command(token, raw, minutes)

    def explain(self, token, minutes=0):
        typed = {"inputs": "Both traits matter.", "confidence": "50"}
        rule_form.submit(self.store, token, 0, 0, typed, new_ticket(), self.at(minutes))

    def finish(self, token, minutes=0):
        self.read(token, minutes)
        self.win(token, minutes)
        self.explain(token, minutes)

    def person(self, token, db=None):
        query = participants.participant.select().where(participants.participant.c.token == token)
        if db is not None:
            return db.execute(query).one()
        with self.store.read() as own:
            return own.execute(query).one()

    def people(self):
        table = participants.participant
        query = table.select().where(table.c.study_id == self.id).order_by(table.c.id)
        with self.store.read() as db:
            return db.execute(query).all()

    @cached_property
    def id(self):
        with self.store.read() as db:
            return studies.find(db, self.slug).id

    def seats(self):
        """Return cell -> state -> number of seats."""
        with self.store.read() as db:
            return seats.counts(db, self.id)

    def taken(self):
        """Return cell -> seats held and done."""
        found = {cell: by.get("held", 0) + by.get("done", 0) for cell, by in self.seats().items()}
        return {cell: number for cell, number in found.items() if number}

    def ledger(self):
        with self.store.read() as db:
            query = sa.select(seats.seat_event).where(seats.seat_event.c.study_id == self.id)
            return db.execute(query.order_by(seats.seat_event.c.id)).all()

    def lines(self):
        """Return (event, reason) of the ledger, oldest first."""
        return [(line.event, line.reason) for line in self.ledger()]

    def balance(self):
        return balance(self.ledger())


def balance(lines):
    """Return cell -> claims minus releases in a ledger."""
    sums, sign = Counter(), {"claimed": 1, "reclaimed": 1, "released": -1}
    for line in lines:
        for cell in json.loads(line.cells):
            sums[cell] += sign.get(line.event, 0)
    return {cell: number for cell, number in sums.items() if number}


@pytest.fixture
def make_crowd(store):
    """Store a study: the tiny one, with changes."""

    def make(**changes):
        studies.create(store, check_study({**TINY, **changes}), NOW)
        return Crowd(store, changes.get("slug", "crowd"))

    return make


@pytest.fixture
def crowd(make_crowd):
    """A study with one seat."""
    return make_crowd(people={"quota": 1})


@pytest.fixture
def make_facts(store):
    """Store a study with a round; returns (facts, what was stored)."""

    def make(**how):
        view = studies.create(store, check_study(TINY), NOW)
        with store.write() as db:
            stored = store_round(db, view.id, **how)
        with store.read() as db:
            return data.load(db, view, stored.number), stored

    return make
