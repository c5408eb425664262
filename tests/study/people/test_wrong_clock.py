"""What is deleted or ended by time waits for a second look at a clock that is ahead."""

import ast
import re
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.store import uploads as upload_rows
from app.store.people.platforms import platform_record
from app.store.play import participants
from app.store.uploads import upload
from app.study import jobs, second_look, uploads
from app.study.design import studies
from app.study.design.library import Library
from app.study.people import identifiers
from app.study.play import seats
from app.study.second_look import Reading
from tests.study.story import NOON, Story

STORE = Path(__file__).parents[3] / "app" / "store"
TIME = re.compile(r"\b(date|datetime|Moment|\w+_ms)\b")
# every deletion in app/store that is given a time, and what becomes of it when a clock is ahead
TIMED = {
    "uploads.drop_before": "waits",
    "people/manual_actions.take_strangers": "waits",
    "play/paces.drop_free": "waits in sweeps; an arrival is let in earlier than it would be",
    "models/api_requests.drop_old": "waits in sweeps; a client may ask earlier than it might",
    "people/accounts.drop_old_guesses": "waits in sweeps; a guess counts for minutes only",
    "people/accounts.drop_old_logins": "expired logins are refused anyway: log in again",
}


class Kept:
    """A study with one of everything that a time may end or delete."""

    def __init__(self, store, folder):
        self.store, self.folder = store, folder
        self.story = Story(store, people={"identifiers_days": 7})
        self.story.enter(platform="prolific_pid", external_id="ann")
        ended = self.story.person(self.story.enter(platform="prolific_pid", external_id="ben")).id
        self.token = self.story.enter()
        with store.write() as db:
            study_id = studies.find(db, "story").id
            done = {"state": "finished", "finished_at": NOON, "code": "x"}
            participants.change(db, ended, done)
            record = {"study_id": study_id, "platform": "prolific_pid", "external_id": "cleo"}
            db.execute(sa.insert(platform_record).values(**record, state="x", imported_at=NOON))
            raw = {"text": "a"}
            upload_rows.insert(db, uploads.row_of(study_id, "models", raw, "ada", NOON))
            participants.change(db, self.story.person(self.token).id, {"state": "withdrawn"})
        job = jobs.add(store, study_id, "bundle", {}, "ada", NOON)
        (folder / f"{job}.zip").touch()

    def sweep(self, now):
        seats.sweep(self.store, now)
        identifiers.sweep(self.store, Library(), now)
        jobs.tidy(self.store, self.folder, now)

    def left(self):
        people = participants.participant
        with self.store.read() as db:

            def number(table, *where):
                return db.execute(sa.select(sa.func.count()).select_from(table).where(*where))

            return {
                "under way": number(people, people.c.state == "active").scalar_one(),
                "with a seat": number(people, people.c.seat == "held").scalar_one(),
                "IDs": number(participants.identity).scalar_one(),
                "strangers": number(platform_record).scalar_one(),
                "files": number(upload).scalar_one(),
                "jobs": len(list(self.folder.iterdir())),
            }


@pytest.mark.parametrize("boot", ["one", "two"])  # a jump, and a boot with a wrong clock
def test_clock_that_is_ahead_ends_and_deletes_nothing_before_a_second_look(
    store, tmp_path, monkeypatch, boot
):
    def at(hours, since, name):
        wall = round((NOON + timedelta(hours=hours)).timestamp() * 1000)
        monkeypatch.setattr(second_look, "read", lambda: Reading(name, wall, since * 60_000))
        return NOON + timedelta(hours=hours)

    folder = tmp_path / "jobs"
    folder.mkdir()
    at(0, 50, "one")
    assert second_look.passed(store)
    kept = Kept(store, folder)
    before = kept.left()
    assert all(before.values())
    for minutes in (0, 5, 9):
        kept.sweep(at(9000 + minutes / 60, 51 + minutes, boot))
        assert kept.left() == before
    for minutes in (11, 9000):  # who is under way keeps their IDs until their part has ended
        kept.sweep(at(9000 + minutes / 60, 51 + minutes, boot))
    left = kept.left()
    assert {name for name, number in left.items() if number < before[name]} == set(before)


def test_every_deletion_by_time_is_known():
    found = set()
    for path in STORE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and deletes_by_time(node):
                found.add(f"{path.relative_to(STORE).with_suffix('').as_posix()}.{node.name}")
    assert found == set(TIMED)


def deletes_by_time(node):
    return "sa.delete(" in ast.unparse(node) and bool(TIME.search(ast.unparse(node.args)))
