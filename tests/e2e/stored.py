"""What is stored: studies and people made for a test, and a person's rows."""

import json
from datetime import UTC, datetime
from secrets import token_hex

from app.game.practice import practice_variant
from app.store.db import Store
from app.store.play import answers, episodes, explanations, participants, problems, turns
from app.study.design import studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.people import accounts, inviting
from app.study.play import comprehension, enrol, questions, rule_form
from app.study.play.arrival import Arrival
from app.study.play.commands import Table
from app.study.tickets import new_ticket
from tests.kept_rows import kept_rows

SMALL = {
    "title": "A small study",
    "kind": "pilot",
    "seed": 7,
    "blocks": [{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [2]}],
    "per_player": 2,
    "order": "fixed",
    "options": {"episodes_per_block": 1},
    "questions": {"comment": False},
    "texts": {"contact": "study@example.org", "pay": "GBP 4 for about 20 minutes"},
}
RICH = {
    "blocks": [
        {"task": "A-Over", "seeds": [1]},
        {"task": "P-Add", "seeds": [1], "format": "direct"},
    ],
    "codes": {"screened_out": "SCREENED"},
    "questions": {
        "before": [
            {"key": "age", "label": "How old are you?", "kind": "number", "least": 18, "most": 99},
            {
                "key": "job",
                "label": "What do you do?",
                "kind": "choice",
                "options": ["linguist", "other"],
                "screen_out": ["other"],
            },
        ],
        "comprehension": [
            {
                "key": "cost",
                "label": "What does a command cost?",
                "options": ["nothing", "one action"],
                "answer": "one action",
            }
        ],
        "comprehension_tries": 2,
    },
}
PRACTICE = practice_variant().episodes[0].solutions[0]


def now():
    return datetime.now(UTC)


def new_slug():
    return f"study-{token_hex(4)}"


class Stored:
    """Direct access to the database of the server under test."""

    def __init__(self, url):
        self.store = Store(url, threads=4)
        self.table = Table(self.store)

    def make_study(self, slug, **changes):
        studies.create(self.store, check_study({**SMALL, "slug": slug, **changes}), now())
        return slug

    def close_study(self, slug):
        studies.set_state(self.store, slug, "closed")

    def one_time_link(self, name):
        """Return the link of a researcher, who is an administrator, so that all studies show."""
        link = accounts.add(self.store, name, "researcher", now())
        inviting.set_admin(self.store, name, is_admin=True)
        return link

    def enrol(self, slug="small"):
        """Return the person who has just consented."""
        arrival = Arrival()
        token = enrol.agree(self.store, Library(), slug, arrival, new_ticket(), now())
        return Person(self, token)

    def person(self, token):
        return Person(self, token)

    def raws_of(self, episode_id):
        with self.store.read() as db:
            return turns.raws(db, episode_id)

    def newest(self, slug="small"):
        """Return the person who arrived last."""
        with self.store.read() as db:
            study = studies.find(db, slug)
            table = participants.participant
            query = table.select().where(table.c.study_id == study.id)
            rows = db.execute(query.order_by(table.c.arrival.desc())).all()
        return Person(self, rows[0].token) if rows else None


class Person:
    """One participant's rows, and a way to move them on without a browser."""

    def __init__(self, stored, token):
        self.stored, self.token = stored, token

    @property
    def home(self):
        return f"/p/{self.token}"

    @property
    def row(self):
        table = participants.participant
        with self.stored.store.read() as db:
            return db.execute(table.select().where(table.c.token == self.token)).one()

    @property
    def episodes(self):
        with self.stored.store.read() as db:
            return episodes.episodes_of(db, self.row.id)

    def episode(self, block=0):
        return next(one for one in self.episodes if one.block_position == block)

    def turns(self, block=0):
        with self.stored.store.read() as db:
            return turns.of_episode(db, self.episode(block).id)

    @property
    def answers(self):
        with self.stored.store.read() as db:
            return answers.of_participant(db, self.row.id)

    @property
    def stated(self):
        """Return the answers of the direct format."""
        with self.stored.store.read() as db:
            return list(answers.direct_of(db, self.row.id).values())

    def raws(self, block=0):
        return [turn.raw for turn in self.turns(block)]

    @property
    def explanations(self):
        with self.stored.store.read() as db:
            return explanations.of_participant(db, self.row.id)

    @property
    def problems(self):
        with self.stored.store.read() as db:
            return problems.of_person(db, self.row.id)

    def kept(self):
        """Return (table, row) of everything stored of the person, without ids and times."""
        with self.stored.store.read() as db:
            return kept_rows(db, self.row.id)

    def draft(self, page="rule/0/0"):
        """Return a draft's fields ({} = none is stored)."""
        with self.stored.store.read() as db:
            found = explanations.draft_of(db, self.row.id, page)
        return json.loads(found.content) if found else {}

    def solution(self, block=0):
        """Return the first solution of the block's only guardian."""
        row = self.episode(block)
        with self.stored.store.read() as db:
            variant = self.stored.table.library.variant(db, row.variant_hash)
        return variant.episodes[row.variant_episode].solutions[0]

    def play(self, *commands, block=0):
        first = len(self.turns(block)) + 1
        for seq, command in enumerate(commands, first):
            self.stored.table.act(self.token, block, 0, seq, command, now())
        return self

    def to_practice(self):
        rule_form.leave(self.stored.store, self.token, "instructions", new_ticket(), now())
        return self

    def to_game(self):
        return self.to_practice().win_practice()

    def win_practice(self):
        self.play(*PRACTICE, block=-1)
        rule_form.leave(self.stored.store, self.token, "practice", new_ticket(), now())
        return self

    def answer_before(self):
        typed = {"q_age": "34", "q_job": "linguist"}
        questions.submit(self.stored.store, self.token, "before", typed, new_ticket(), now())
        return self

    def to_direct(self):
        """Go to the second world of the study with every kind of page."""
        self.answer_before().win_practice().pass_check()
        return self.play(*self.solution()).explain()

    def pass_check(self):
        typed = {"q_cost": "one action"}
        comprehension.submit(self.stored.store, self.token, 1, typed, new_ticket(), now())
        return self

    def to_rule(self, block=0):
        if block == 0:
            self.to_game()
        return self.play(*self.solution(block), block=block)

    def to_world(self, number):
        """Play every guardian before a world (from 1) and write its rule."""
        for row in self.episodes:
            if 0 <= row.block_position < number - 1 and row.state == "open":
                with self.stored.store.read() as db:
                    variant = self.stored.table.library.variant(db, row.variant_hash)
                lines = variant.episodes[row.variant_episode].solutions[0]
                place = (row.block_position, row.position)
                for seq, line in enumerate(lines, 1):
                    self.stored.table.act(self.token, *place, seq, line, now())
                self.explain(*place)
        return self

    def explain(self, block=0, after=0):
        typed = {"inputs": "class", "output": "the item", "how": "one each", "confidence": "70"}
        rule_form.submit(self.stored.store, self.token, block, after, typed, new_ticket(), now())
        return self

    def to_end(self):
        return self.to_rule().explain().to_rule(block=1).explain(block=1)
