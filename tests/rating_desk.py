"""A researcher's desk for tests of rating: a study with items, judges, annotators and rounds."""

import itertools
import json
from datetime import UTC, datetime, timedelta

from app.store.people import accounts as account_table
from app.store.rating import items, ratings, rounds
from app.study.design import studies
from app.study.people import accounts
from app.study.rating import annotators, judge_file, model_items, rater_view
from app.study.rating import rounds as cases
from app.study.rating.rubric import DEFAULT_RUBRIC
from app.study.tickets import new_ticket
from tests.own_forms import PASSWORD, logged_in
from tests.walker import Walker

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
TASKS = ("A-Over", "P-Comp")
CELLS = {"A-Over": 1, "P-Comp": 2}  # as in the small study of the web tests
numbers = itertools.count()


def model_line(number, **changes):
    """Return one line of a file of explanations by models."""
    task = TASKS[number % 2]
    line = {
        "id": f"m{number}",
        "source": f"model-{number % 3}",
        "task": task,
        "seed": CELLS[task],
        "text": f"Explanation number {number}: the class decides.",
    }
    return {**line, **changes}


class Desk:
    """`slug` names an existing study."""

    def __init__(self, app, settings, slug="demo"):
        self.app, self.settings, self.slug = app, settings, slug
        self.server = app.state.server
        self.store = self.server.store
        with self.store.read() as db:
            self.study = studies.find(db, slug)

    def models(self, number, **changes):
        """Import explanations by models."""
        return self.import_models([model_line(one, **changes) for one in range(number)])

    def import_models(self, lines):
        text = "\n".join(json.dumps(line) for line in lines)
        library = self.server.library
        return model_items.store_all(
            self.store, self.study, library, text, "desk", new_ticket(), NOW
        )

    def judge(self, scores, **facts):
        """Import a judge's scores, item -> score."""
        lines = [
            {"item": item, "score": score, "model": "judge", **facts}
            for item, score in scores.items()
        ]
        text = "\n".join(json.dumps(line) for line in lines)
        return judge_file.store_all(self.store, self.study.id, text, "", "desk", new_ticket(), NOW)

    def annotators(self, *names):
        """Create annotators; return their ids."""
        for name in names:
            accounts.add(self.store, name, "annotator", NOW)
        with self.store.read() as db:
            return [account_table.by_name(db, name).id for name in names]

    def draft(self, names, **changes):
        """Create a draft round; return its number."""
        ids = self.annotators(*names)
        form = {
            "title": "A round",
            "mode": "overall",
            "rubric": DEFAULT_RUBRIC,
            "rubric_version": "1",
            "k": str(len(names)),
            "seed": "3",
            "repeat_percent": "0",
            "items": "last",
            **{f"rater_{one}": "1" for one in ids},
            **changes,
        }
        return cases.create(self.store, self.study.id, form, "desk", new_ticket(), NOW)

    def open(self, names, **changes):
        """Create a round and open it; return its number."""
        number = self.draft(names, **changes)
        cases.open_round(self.store, self.study.id, number, 1, NOW)
        return number

    def close(self, number):
        cases.close_round(self.store, self.study.id, number, NOW)

    def deactivate(self, name):
        by = accounts.AccountView(1, "desk", "researcher")
        annotators.set_active(self.store, name, by, new_ticket(), NOW, active=False)

    def welcome(self, name):
        """Let an annotator choose a password."""
        now = datetime.now(UTC)
        token = accounts.add(self.store, name, "annotator", now)
        accounts.set_password(self.store, token, PASSWORD, now, timedelta(hours=2))

    def browser(self, name, role="annotator"):
        """Return a person's own browser, logged in."""
        return Walker(logged_in(self.app, self.settings, name, role))

    def places(self, name, number=1):
        """Return an annotator's list from the database."""
        with self.store.read() as db:
            account = account_table.by_name(db, name)
            row = rounds.find(db, self.study.id, number)
            return ratings.list_of_rater(db, row.id, account.id)

    def view(self, name):
        """Return a rater's newest round as pages receive it."""
        with self.store.read() as db:
            return rater_view.rounds_of(db, account_table.by_name(db, name).id)[0]

    def long_rows(self, number=1):
        with self.store.read() as db:
            return ratings.long_rows(db, rounds.find(db, self.study.id, number).id)

    def history(self, token, name):
        """Return every revision of one assignment."""
        with self.store.read() as db:
            account = account_table.by_name(db, name)
            row = ratings.assignment_of(db, token, account.id)
            return ratings.history(db, row.id)

    def items(self):
        with self.store.read() as db:
            return items.of_study(db, self.study.id)
