"""A researcher at work, and participants who enter the study."""

from datetime import UTC, datetime

from app.study.design import draft, publishing, studies
from app.study.design.library import Library
from app.study.design.spec import check_study
from app.study.play import enrol, players
from app.study.play.arrival import arrive
from app.study.tickets import new_ticket

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
SMALL = {
    "slug": "autumn",
    "title": "Autumn",
    "blocks": [{"task": "A-Over", "seeds": "0-1"}, {"task": "P-Comp", "seeds": 2}],
    "texts": {"instructions": "The first instructions of all.", "contact": "a@example.org"},
}


class Desk:
    """A researcher at work, and participants who enter."""

    def __init__(self, store):
        self.store = store

    def make(self, **changes):
        studies.create(self.store, check_study({**SMALL, **changes}), NOW)
        return self

    def save(self, **part):
        """Store dotted paths (with `__` for the dot) in the draft."""
        with self.store.read() as db:
            revision = draft.load(db, "autumn").revision
        named = {path.replace("__", "."): value for path, value in part.items()}
        facts = {"revision": revision, "ticket": new_ticket(), "by": "ada", "now": NOW}
        return draft.save(self.store, "autumn", named, **facts)

    def publish(self, **part):
        return publishing.publish(
            self.store, "autumn", revision=self.save(**part), by="ada", now=NOW
        )

    def arrive(self, link="", **query):
        """Consent to the study behind the link; return the participant's token."""
        value = link.partition("test=")[2]
        with self.store.read() as db:
            query |= {"test": value} if value else {}
            arrival = arrive(db, "autumn", query, NOW)[1]
        return enrol.agree(self.store, Library(), "autumn", arrival, new_ticket(), NOW)

    def player(self, token):
        with self.store.read() as db:
            return players.load(db, token)

    def view(self):
        with self.store.read() as db:
            return studies.find(db, "autumn")

    def history(self):
        with self.store.read() as db:
            return publishing.history(db, self.view().id)

    def versions(self):
        with self.store.read() as db:
            return publishing.versions(db, self.view().id)
