"""A study with a monitor."""

from datetime import timedelta

from app.store.play import participants
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.people import monitor
from app.study.play import enrol, players, rule_form, seats
from app.study.play.arrival import Arrival
from app.study.play.commands import Table
from app.study.tickets import new_ticket
from tests.study.conftest import NOW, TINY


class Desk:
    """A study with a monitor."""

    def __init__(self, store, **changes):
        self.store, self.table = store, Table(store)
        spec = {**TINY, "slug": "watched", "options": {"practice": False}, **changes}
        studies.create(store, check_study(spec), NOW)

    def enter(self, *, is_test=False, at=NOW):
        arrival = Arrival(is_test=is_test)
        return enrol.agree(self.store, self.table.library, "watched", arrival, new_ticket(), at)

    def begin(self, at=NOW, **options):
        token = self.enter(at=at, **options)
        rule_form.leave(self.store, token, "instructions", new_ticket(), at)
        return token

    def type(self, token, *lines, at=NOW, first=1, gap=3):
        for seq, line in enumerate(lines, first):
            self.table.act(token, 0, 0, seq, line, at + timedelta(seconds=gap * seq))

    def facts(self, now=NOW):
        with self.store.read() as db:
            study = studies.find(db, "watched")
            return monitor.facts(db, Library(), monitor.Memory(), study, now)

    def end(self, token, state):
        with self.store.write() as db:
            table = participants.participant
            row = db.execute(table.select().where(table.c.token == token)).one()
            seats.end(db, row.id, state, state, NOW)


def best_lines(desk, token):
    """Return the shortest solution of a participant's first guardian."""
    with desk.store.read() as db:
        one = players.load(db, token).episodes[0]
        variant = desk.table.library.variant(db, one.variant_hash)
        return variant.episodes[one.variant_episode].solutions[0]
