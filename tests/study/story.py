"""The stored plays of two people, with everything a log can contain, to verify and export."""

import csv
import io
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from app.game.practice import practice_variant
from app.store.play import episodes, events, participants
from app.store.play.turns import turn
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.export import files
from app.study.play import direct, enrol, questions, rule_form, steps
from app.study.play.arrival import Arrival
from app.study.play.commands import Extras, Table
from app.study.tickets import new_ticket

NOON = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
STORY = {
    "slug": "story",
    "title": "A story",
    "kind": "pilot",
    "seed": 7,
    "blocks": [{"task": "A-Over", "seeds": [1]}, {"task": "P-Add", "seeds": [2]}],
    "per_player": 2,
    "order": "fixed",
    "questions": {"comment": False},
}
ODD = ("GO  nowhere", "höre 100 % \"zu\", 'bitte'", "=1+1", "check inventory", "buy", "look")
RULE = 'The class, "mostly";\nnot the rôle.\r\n=and it is 100 %'


class Story:
    """A study whose participants act one second after the previous action."""

    def __init__(self, store, **changes):
        self.store, self.table, self.clock = store, Table(store, Library()), NOON
        studies.create(store, check_study({**STORY, **changes}), NOON)
        self.slug = changes.get("slug", "story")

    def now(self):
        self.clock += timedelta(seconds=1)
        return self.clock

    def enter(self, answers=(), **arrival):
        """Let a participant agree, read the instructions and win the practice; return the token.

        `answers`: to the questions before the game, by key, where the study asks some.
        """
        who = Arrival(**arrival)
        token = enrol.agree(
            self.store, self.table.library, self.slug, who, new_ticket(), self.now()
        )
        rule_form.leave(self.store, token, steps.INSTRUCTIONS, new_ticket(), self.now())
        if answers:
            given = {questions.field(key): value for key, value in dict(answers).items()}
            questions.submit(self.store, token, steps.BEFORE, given, new_ticket(), self.now())
        self.type(token, -1, 0, *practice_variant().episodes[0].solutions[0])
        rule_form.leave(self.store, token, steps.PRACTICE, new_ticket(), self.now())
        return token

    def varied(self, **arrival):
        """A participant who wins one guardian, loses one, begins the third and leaves the rest."""
        token = self.enter(**arrival)
        self.win(token, 0, 0)
        self.explain(token, 0, 0)
        self.lose(token, 0, 1)
        self.explain(token, 0, 1, do_not_know="yes")
        self.type(token, 1, 0, *ODD)
        return token

    def type(self, token, block, position, *lines, first=1, script=True):
        for seq, line in enumerate(lines, start=first):
            now = self.now()
            extras = Extras(int(now.timestamp() * 1000) - 40, 950 + seq, seq % 3)
            extras = extras if script else Extras()
            self.table.act(token, block, position, seq, line, now, extras)

    def solution(self, token, block, position):
        row = self.episode(token, block, position)
        with self.store.read() as db:
            variant = self.table.library.variant(db, row.variant_hash)
        return variant.episodes[row.variant_episode].solutions[0]

    def win(self, token, block, position):
        self.type(token, block, position, *ODD, *self.solution(token, block, position), first=1)

    def lose(self, token, block, position):
        budget = self.episode(token, block, position).budget
        self.type(token, block, position, *["check_location"] * budget, script=False)

    def explain(self, token, block, position, **typed):
        fields = typed or {"inputs": RULE, "confidence": "70", "found_how": "@guessed"}
        rule_form.submit(self.store, token, block, position, fields, new_ticket(), self.now())

    def state_directly(self, token, block, position, **typed):
        direct.submit(
            self.store,
            self.table.library,
            token,
            (block, position),
            typed,
            new_ticket(),
            self.now(),
        )

    def person(self, token):
        table = participants.participant
        with self.store.read() as db:
            return db.execute(sa.select(table).where(table.c.token == token)).one()

    def episode(self, token, block, position):
        with self.store.read() as db:
            rows = episodes.episodes_of(db, self.person(token).id)
        return next(r for r in rows if (r.block_position, r.position) == (block, position))

    def turns(self, token, block, position):
        episode = self.episode(token, block, position)
        query = sa.select(turn).where(turn.c.episode_id == episode.id).order_by(turn.c.seq)
        with self.store.read() as db:
            return db.execute(query).all()

    def change(self, table, where, **values):
        """Change a stored row behind the program's back."""
        with self.store.write() as db:
            assert db.execute(sa.update(table).where(where).values(values)).rowcount == 1

    def begin_logs(self):
        """Begin the participants' logs anew, as if the rows were older than the logs."""
        with self.store.write() as db:
            db.execute(sa.delete(events.person_event))
            events.adopt(db)


def rows(store, table):
    """Return a table's rows as read from the CSV export of the story."""
    text = b"".join(files.stream_csv(store, "story", table, "csv")).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))
