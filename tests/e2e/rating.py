"""A study to rate, and annotators who have chosen their passwords."""

import json
from datetime import timedelta

from app.store.people import accounts as account_table
from app.store.rating import ratings, rounds
from app.study.design import studies
from app.study.design.library import Library
from app.study.people import accounts, inviting
from app.study.rating import judge_file, model_items, sample_draws, saving
from app.study.rating import rounds as cases
from app.study.rating.rubric import DEFAULT_RUBRIC
from app.study.tickets import new_ticket
from tests.e2e.stored import new_slug, now

PASSWORD = "a long password"


class RatingRoom:
    """One round of `number` items for one annotator, in its own study."""

    def __init__(self, stored, number, **changes):
        self.store = stored.store
        self.slug = stored.make_study(new_slug())
        self.name, self.boss = new_slug(), new_slug()
        with self.store.read() as db:
            self.study = studies.find(db, self.slug)
        self.fill(number)
        for name, role in ((self.name, "annotator"), (self.boss, "researcher")):
            token = accounts.add(self.store, name, role, now())
            accounts.set_password(self.store, token, PASSWORD, now(), timedelta(hours=2))
        inviting.set_admin(self.store, self.boss, is_admin=True)
        with self.store.read() as db:
            self.account_id = account_table.by_name(db, self.name).id
        form = {
            "title": "Round of tests",
            "mode": "overall",
            "rubric": DEFAULT_RUBRIC,
            "rubric_version": "1",
            "k": "1",
            "seed": "5",
            "repeat_percent": "0",
            "items": "last",
            f"rater_{self.account_id}": "1",
            **changes,
        }
        self.number = cases.create(self.store, self.study.id, form, "x", new_ticket(), now())
        cases.open_round(self.store, self.study.id, self.number, 1, now())

    def fill(self, number):
        cells = (("A-Over", 1), ("P-Comp", 2))
        lines = [
            {"id": f"i{n}", "source": "someone", "task": task, "seed": seed, "text": f"Rule {n}."}
            for n in range(number)
            for task, seed in [cells[n % 2]]
        ]
        text = "\n".join(json.dumps(line) for line in lines)
        model_items.store_all(self.store, self.study, Library(), text, "x", new_ticket(), now())

    def add_long_names(self):
        """Add items, a source, a judge and an annotator with the longest possible names."""
        model = f"organisation/{'x' * 80}-72B-instruct"
        lines = [
            {
                "id": f"{n}-{'i' * 190}",
                "source": model,
                "task": "A-Over",
                "seed": 1,
                "text": "t" * 300,
            }
            for n in range(3)
        ]
        text = "\n".join(json.dumps(line) for line in lines)
        model_items.store_all(self.store, self.study, Library(), text, "x", new_ticket(), now())
        scores = [{"item": line["id"], "score": 1, "model": model} for line in lines]
        text = "\n".join(json.dumps(line) for line in scores)
        judge_file.store_all(self.store, self.study.id, text, "", "x", new_ticket(), now())
        accounts.add(self.store, f"{new_slug()}{'n' * 40}", "annotator", now())

    def judge_draw_and_disagree(self):
        """Import scores, draw a sample, rate one item, close; return sample and case numbers."""
        lines = [{"item": f"i{n}", "score": n % 3, "model": "judge"} for n in range(6)]
        text = "\n".join(json.dumps(line) for line in lines)
        judge_file.store_all(self.store, self.study.id, text, "", "x", new_ticket(), now())
        sample = sample_draws.draw_sample(
            self.store,
            self.study.id,
            run_number=1,
            wanted="score",
            which="last",
            per_level=3,
            allocation="proportional",
            seed=1,
            by="x",
            ticket=new_ticket(),
            now=now(),
        )
        first = self.places[0]
        typed = {"value": "1", "revision": "0", "ticket": new_ticket(), "flag": "1"}
        saving.save(self.store, self.account_id, first.token, typed, now())
        cases.close_round(self.store, self.study.id, self.number, now())
        return sample, 1

    @property
    def places(self):
        """Return the annotator's list as stored."""
        with self.store.read() as db:
            row = rounds.find(db, self.study.id, self.number)
            return ratings.list_of_rater(db, row.id, self.account_id)

    @property
    def revisions(self):
        return [row.revision or 0 for row in self.places]

    def enter(self, visit, **options):
        """Return the annotator's browser, at the list of rounds."""
        visitor = visit("/rate", **options).see("login")
        visitor.page.locator("#name").fill(self.name)
        visitor.page.locator("#password").fill(PASSWORD)
        return visitor.press("Log in").see("rate")

    def enter_as_researcher(self, visit, **options):
        visitor = visit(f"/admin/studies/{self.slug}/rating", **options).see("login")
        visitor.page.locator("#name").fill(self.boss)
        visitor.page.locator("#password").fill(PASSWORD)
        return visitor.press("Log in").see("rating")
