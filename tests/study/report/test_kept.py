"""A report is built once for the same data and settings, and again when they change."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from app.study.people import manual_actions
from app.study.report.document import document
from app.study.report.live import KEPT, Reports
from app.study.report.options import Options
from app.study.tickets import new_ticket
from tests.study.story import Story

QUICK = Options(replicates=100)


@pytest.fixture
def story(store):
    return Story(store)


@pytest.fixture(autouse=True)
def token(story):
    return story.varied()


@pytest.fixture
def made(monkeypatch):
    """Count the documents built; return the list of their options."""
    found = []

    def counted(tables, facts, options):
        found.append(options)
        return document(tables, facts, options)

    monkeypatch.setattr("app.study.report.live.document", counted)
    return found


def test_the_same_data_and_settings_give_the_kept_document(story, made):
    reports = Reports()
    one, other = (reports.of(story.store, "story", QUICK) for _ in range(2))
    assert one == other
    assert len(made) == 1


def test_other_settings_make_another(story, made):
    reports = Reports()
    for options in (
        QUICK,
        Options(replicates=100, seed=2),
        Options(replicates=100, idle_minutes=1),
    ):
        reports.of(story.store, "story", options)
    assert len(made) == 3


@pytest.mark.parametrize("change", ["a command", "an exclusion", "another person"])
def test_any_change_of_the_data_rebuilds_the_report(story, token, made, change):
    reports = Reports()
    before = reports.of(story.store, "story", QUICK)
    if change == "a command":
        story.type(token, 1, 0, "look", first=len(story.turns(token, 1, 0)) + 1)
    elif change == "an exclusion":
        who = story.person(token).public_id
        manual_actions.act(
            story.store, None, who, "exclude", "asked a friend", new_ticket(), story.now()
        )
    else:
        story.enter()
    after = reports.of(story.store, "story", QUICK)
    assert len(made) == 2
    assert Reports().of(story.store, "story", QUICK) == after
    assert (before == after) is (change == "a command")  # in progress: no number changes


def test_eight_visits_at_a_time_make_one(story, made):
    reports, start = Reports(), Barrier(8)

    def visit(_):
        start.wait()
        return reports.of(story.store, "story", QUICK)[0]

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(visit, range(8)))) == 1
    assert len(made) == 1
    assert reports._making == {}


def test_only_the_newest_few_are_kept(story, made):
    reports = Reports()
    for seed in range(KEPT + 2):
        reports.of(story.store, "story", Options(replicates=100, seed=seed))
    assert len(reports._kept) == len(reports._made_of) == KEPT
    reports.of(story.store, "story", Options(replicates=100, seed=KEPT + 1))
    assert len(made) == KEPT + 2
    reports.of(story.store, "story", Options(replicates=100, seed=0))
    assert len(made) == KEPT + 3
