"""Signed test links: who can enter what and how long; test participants are not counted."""

from datetime import timedelta

import pytest

from app.study.design import publishing, studies, testlink
from app.study.design.spec import check_study
from tests.study.desk import NOW, SMALL, Desk


@pytest.fixture
def desk(store):
    return Desk(store)


@pytest.mark.parametrize("change", ["1.1", "2.1", "x", "", "1.1.99999999999."])
def test_changed_or_foreign_test_link_is_refused(desk, store, change):
    desk.make()
    good = publishing.test_link(store, "autumn", now=NOW).partition("test=")[2]
    bad = change + good[3:] if change in ("2.1", "x") else change
    bad = change + good.rpartition(".")[2] if change.endswith(".") else bad
    with store.read() as db, pytest.raises(testlink.TestLinkError):
        testlink.study_of(db, "autumn", bad, NOW)


def test_test_link_ends_after_14_days(desk, store):
    desk.make()
    value = publishing.test_link(store, "autumn", now=NOW).partition("test=")[2]
    with store.read() as db:
        late = NOW + timedelta(days=14, seconds=1)
        assert testlink.study_of(db, "autumn", value, late - timedelta(seconds=1)).version == 1
        with pytest.raises(testlink.TestLinkError):
            testlink.study_of(db, "autumn", value, late)


def test_test_link_of_one_study_does_not_open_another(desk, store):
    desk.make()
    studies.create(store, check_study({**SMALL, "slug": "winter"}), NOW)
    value = publishing.test_link(store, "autumn", now=NOW).partition("test=")[2]
    with store.read() as db, pytest.raises(testlink.TestLinkError):
        testlink.study_of(db, "winter", value, NOW)


def test_test_person_under_a_real_persons_id_is_someone_else(desk, store):
    real = desk.make().arrive(PROLIFIC_PID="x1")
    link = publishing.test_link(store, "autumn", now=NOW)
    test = desk.arrive(link, PROLIFIC_PID="x1")
    assert test != real
    assert desk.arrive(link, PROLIFIC_PID="x1") == test
    assert desk.arrive(PROLIFIC_PID="x1") == real
