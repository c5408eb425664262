"""The limits of requests in memory: so many a minute for each name, and how long to wait.

`tests/models/test_request_counts.py` has those in PostgreSQL.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.web import rates


def test_too_many_requests_are_refused_until_later(stopped_rates):
    limits = rates.Rates()
    for _ in range(60):
        limits.take("key 1", 60)
        stopped_rates.s += 0.5
    with pytest.raises(rates.RateError) as refused:
        limits.take("key 1", 60)
    assert refused.value.wait_s == 31  # the first was 30 s ago
    limits.take("key 2", 60)
    stopped_rates.s += 29.9
    with pytest.raises(rates.RateError):
        limits.take("key 1", 60)
    stopped_rates.s += 0.2
    limits.take("key 1", 60)


def test_waiting_as_long_as_told_is_always_enough(stopped_rates):
    limits = rates.Rates()
    for number in range(1, 200):
        try:
            limits.take("key", 5)
        except rates.RateError as error:
            stopped_rates.s += error.wait_s
            limits.take("key", 5)
        stopped_rates.s += number % 7 / 3


def test_clock_that_is_set_back_makes_no_one_wait(stopped_rates):
    limits = rates.Rates()
    for _ in range(60):
        limits.take("key", 60)
    stopped_rates.s -= 3600
    limits.take("key", 60)


def test_names_of_the_past_are_forgotten_and_those_of_the_last_minute_count(stopped_rates):
    limits = rates.Rates()
    for number in range(rates.KEPT):
        limits.take(f"stranger {number}", 60)
    stopped_rates.s += 61
    for _ in range(60):
        limits.take("key", 60)
    limits.take("stranger", 60)
    assert len(limits._storage.events) == 2
    with pytest.raises(rates.RateError):
        limits.take("key", 60)
    for number in range(2 * rates.KEPT):  # more at once than there is room for
        limits.take(f"other {number}", 60)
    assert len(limits._storage.events) <= rates.KEPT + 1


def test_requests_sent_at_once_are_limited_too():
    limits = rates.Rates()

    def take(_):
        try:
            limits.take("key", 100)
        except rates.RateError:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(400))) == 100
