"""The job of a run that a page started: each of its limits reaches the asker, with its price."""

import pytest

from app import __version__
from app.models import work
from app.progress import untracked
from app.study import jobs
from app.study.code_version import code_version
from app.study.design import studies
from app.study.models import runs, starting
from app.study.models.endpoints import Endpoint
from app.study.models.prices import PriceFileError
from app.study.models.runs import BadRunError
from app.study.tickets import new_ticket
from tests.models.conftest import NOON
from tests.models.scripted import SLOW

TYPED = {"model": "m", "method": "plain", "preset": "paper"}


@pytest.fixture
def prices(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text('{"m": {"input": 1, "output": 1}}')
    return path


@pytest.fixture
def start(store, endpoint):
    """Start a run as a page does and do its job here; returns (the run, its problems)."""

    def do(prices=None, **typed):
        to, ticket = Endpoint("local", endpoint, ""), new_ticket()
        with store.read() as db:
            study = studies.find(db, "demo")
        wishes = {**TYPED, **typed}
        job_id = starting.start(
            store, study, starting.PLAY, to, wishes, "ada", ticket, NOON, prices=prices
        )
        with store.read() as db:
            job = jobs.find(db, study.id, job_id, NOON)
        problems = work.ask(store, job, untracked)["problems"]
        with store.read() as db:
            return runs.find(db, study, job.params["run"]), problems

    return do


def test_job_stops_at_its_limit_of_calls(start):
    run, problems = start(max_calls="2")
    assert run.code_version == code_version() != __version__
    assert (run.state, run.totals["calls"]) == ("stopped", 2)
    assert problems == ["The limit of 2 calls is reached."]


def test_job_stops_at_its_limit_of_tokens(start):
    run, problems = start(max_tokens="200")
    assert (run.state, run.totals["calls"] < 2 + work.AT_ONCE) == ("stopped", True)
    assert problems == ["The limit of 200 tokens is reached."]


def test_job_stops_at_its_limit_of_money_by_the_servers_prices(start, prices):
    run, problems = start(prices, max_cost="0.0002")
    assert (run.price, run.state) == ((1.0, 1.0), "stopped")
    assert run.totals["calls"] < 2 + work.AT_ONCE
    assert problems == ["The limit of 0.0002 for the cost is reached."]


def test_job_waits_no_longer_than_its_limit(start, script):
    script.faults = [SLOW]
    run, _ = start(timeout_s="0.3", max_calls="1")
    assert run.totals["answered"] == 0


def test_price_of_a_page_is_the_servers_or_unknown(start, prices, tmp_path):
    assert start(max_calls="1")[0].cost is None
    assert start(prices, max_calls="1", model="other")[0].cost is None
    assert start(prices, max_calls="1")[0].cost == 0.00011
    for known, model in ((None, "m"), (prices, "other")):
        with pytest.raises(BadRunError, match="no price for") as found:
            start(known, max_cost="1", model=model)
        assert found.value.field == "max_cost"
    with pytest.raises(PriceFileError):
        start(tmp_path / "none.json")


def test_judge_of_a_page_keeps_which_explanations_it_rates(store, endpoint, script):
    to, typed = Endpoint("local", endpoint, ""), {**TYPED, "method": "overall", "items": "models"}
    with store.read() as db:
        study = studies.find(db, "demo")
    starting.start(store, study, starting.JUDGE, to, typed, "ada", new_ticket(), NOON, prices=None)
    with store.read() as db:
        assert runs.find(db, study, 1).items == "models"


WRONG = {
    "timeout_s": ("soon", "0", "nan"),
    "max_calls": ("0", "1.5"),
    "max_tokens": ("-5", "1e6"),
    "max_cost": ("0", "-1", "nan", "inf", "much", "1,5"),
}


@pytest.mark.parametrize(("name", "text"), [(n, t) for n in WRONG for t in WRONG[n]])
def test_wrong_limit_is_refused_by_its_field(start, prices, script, name, text):
    with pytest.raises(BadRunError) as found:
        start(prices, **{name: text})
    assert (found.value.field, script.requests) == (name, [])
