"""How fast people may enter from one address."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.moments import to_ms
from app.store.db import Store
from app.store.play import paces
from app.store.play.paces import entry_pace
from app.study.design import bursts
from app.study.design.spec import check_study
from app.study.play import pace
from tests.study.conftest import NOW, TINY


def spec(**changes):
    return check_study({**TINY, **changes})


@pytest.mark.parametrize(
    ("changes", "burst"),
    [
        ({}, 30),
        ({"people": {"quota": 60}}, 15),
        ({"people": {"quota": 5}}, 1),
        ({"people": {"quota": 1}}, 1),
        ({"people": {"quota": 20}}, 5),
        ({"people": {"quota": 4000}}, 30),
        ({"people": {"cell_quota": 28}}, 14),
        ({"people": {"cell_quota": 60}, "per_player": 2}, 15),
        ({"people": {"quota": 48, "cell_quota": 60}}, 12),
        ({"people": {"quota": 30, "burst": 200}}, 200),
        ({"people": {"quota": 30, "burst": 1}}, 1),
    ],
)
def test_usual_burst_is_a_quarter_of_the_places_but_at_least_one(changes, burst):
    assert bursts.burst_of(spec(**changes)) == burst


def test_sixty_at_once_from_one_address_get_a_burst_and_then_turns_in_order(store):
    study = spec(people={"quota": 30})

    turns = [pace.take(store, 1, study, "one", NOW) for _ in range(60)]

    entered = [turn for turn in turns if turn.is_kept and turn.due <= NOW]
    kept = [turn.due for turn in turns if turn.is_kept and turn.due > NOW]
    assert len(entered) == 7
    assert kept == sorted(kept)
    assert len(set(kept)) == len(kept)
    assert max(kept) <= NOW + pace.LONGEST_WAIT
    assert all(turn.due > NOW for turn in turns if not turn.is_kept)


def test_another_address_and_another_study_do_not_wait(store):
    study = spec(people={"quota": 30})
    for _ in range(60):
        pace.take(store, 1, study, "one", NOW)
    assert pace.take(store, 1, study, "two", NOW).due == NOW
    assert pace.take(store, 2, study, "one", NOW).due == NOW


def test_class_of_two_hundred_gets_in_at_once_with_its_size_as_burst(store):
    study = spec(people={"quota": 200, "burst": 200})
    assert all(pace.take(store, 1, study, "one", NOW).due == NOW for _ in range(200))


@pytest.mark.parametrize("quota", [2, 5, 7, 10, 20, 30, 40, 100])
def test_one_address_never_holds_more_than_half_of_the_places_with_untouched_seats(quota):
    """It enters as fast as it may for two hours; each seat is freed after ten minutes."""
    study = spec(people={"quota": quota})
    burst, interval = bursts.burst_of(study), bursts.interval_ms(study)
    free, entries = 0, []
    for now in range(1_000_000, 1_000_000 + 7_200_000, 1_000):
        due, after = pace.turn_of(free, now, burst, interval)
        if due <= now:
            free = after
            entries.append(now)
            life = study.clocks.untouched_minutes * 60_000
            assert sum(one > now - life for one in entries) <= max(2, quota // 2)


def test_forty_threads_at_once_get_just_the_burst(store_url):
    store = Store(store_url, write_timeout_s=60)
    study = spec(people={"quota": 40})
    with ThreadPoolExecutor(40) as pool:
        turns = list(pool.map(lambda _: pace.take(store, 1, study, "one", NOW), range(40)))
    store.dispose()
    assert sum(turn.due <= NOW for turn in turns) == 10


def test_row_of_a_source_is_gone_once_it_could_enter_freely(store):
    study = spec(people={"quota": 30})
    pace.take(store, 1, study, "one", NOW)
    pace.take(store, 1, study, "two", NOW + timedelta(hours=1))
    with store.read() as db:
        assert db.execute(sa.select(entry_pace.c.source)).scalars().all() == ["two"]


def test_number_of_people_who_wait_is_counted(store):
    study = spec(people={"quota": 30})
    for _ in range(9):
        pace.take(store, 1, study, "one", NOW)
    with store.read() as db:
        free = db.execute(sa.select(entry_pace.c.free_ms)).scalar()
    assert pace.waiting(free, round(NOW.timestamp() * 1000), study) == 2


@pytest.mark.parametrize("microsecond", [0, 400, 600, 999_999])
def test_whose_turn_it_is_never_waits_for_the_end_of_a_millisecond(store, microsecond):
    now = NOW.replace(microsecond=microsecond)
    with store.read() as db:
        assert pace.next_due(db, 1, spec(), "one", now) <= now
    assert pace.take(store, 1, spec(), "one", now).due <= now


def test_turn_is_kept_until_it_is_over_and_only_from_the_same_address(store):
    study = spec(people={"quota": 30, "burst": 1})
    step = timedelta(milliseconds=bursts.interval_ms(study))
    assert pace.take(store, 1, study, "one", NOW, who="ann").due == NOW
    kept = pace.take(store, 1, study, "one", NOW, who="ben")
    assert kept == pace.Turn(NOW + step, is_kept=True)
    last = kept.due + pace.LATE - timedelta(milliseconds=1)
    for at in (NOW, NOW + step / 2, kept.due, last):
        assert pace.take(store, 1, study, "one", at, who="ben") == kept
    assert pace.take(store, 1, study, "two", NOW, who="ben").due == NOW
    assert pace.take(store, 2, study, "one", NOW, who="ben").due == NOW
    assert pace.take(store, 1, study, "one", NOW, who="cleo").due == NOW + 2 * step
    assert pace.take(store, 1, study, "one", NOW + 4 * step, who="ben").due == NOW + 4 * step


def test_threads_that_send_one_form_take_one_turn(store_url):
    store = Store(store_url, write_timeout_s=60)
    study = spec(people={"quota": 40, "burst": 1})
    pace.take(store, 1, study, "one", NOW)
    with ThreadPoolExecutor(8) as pool:
        dues = {
            turn.due
            for turn in pool.map(
                lambda _: pace.take(store, 1, study, "one", NOW, who="a"), range(8)
            )
        }
    store.dispose()
    assert dues == {NOW + timedelta(milliseconds=bursts.interval_ms(study))}


def test_person_who_waits_is_one_of_those_who_wait(store):
    """Rows that hold turns are no addresses."""
    study = spec(people={"quota": 30, "burst": 1})
    for who in ("ann", "ben", "ben", "cleo"):
        pace.take(store, 1, study, "one", NOW, who=who)
    with store.read() as db:
        (row,) = paces.busy(db, 1, round(NOW.timestamp() * 1000))
    assert (row.source, pace.waiting(row.free_ms, to_ms(NOW), study)) == ("one", 2)


@pytest.mark.parametrize(("before", "after"), [(3, 12), (12, 3), (5, 5)])
def test_changed_burst_counts_as_many_entries_as_before(store, before, after):
    """Of eleven entries, a burst of twelve leaves one; with three, the next waits for nine."""
    old, new = (spec(people={"quota": 60, "burst": burst}) for burst in (before, after))
    with store.write() as db:
        paces.ensure(db, 1, "one")
        paces.put(db, 1, "one", to_ms(NOW) + 11 * bursts.interval_ms(old))
        bursts.carry_over(db, 1, old, new, NOW)
    with store.read() as db:
        found = pace.next_due(db, 1, new, "one", NOW)
    late = max(0, 11 - (after - 1)) * bursts.interval_ms(new)
    assert found == NOW + timedelta(milliseconds=late)
