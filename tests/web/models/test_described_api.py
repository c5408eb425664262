"""The API keeps what its OpenAPI document promises; `make fuzz` asks for longer."""

import pytest

from tests.fuzz.described import Described

pytestmark = [pytest.mark.timeout(400), pytest.mark.one_database]
ANSWER = "POST /runs/{run}/episodes/{episode}/answer"  # nobody guesses what defeats a guardian


@pytest.fixture(scope="module")
def described(tmp_path_factory, sqlite_template):
    made = Described(tmp_path_factory.mktemp("described"), sqlite_template)
    yield made
    made.end()


def accepted(report):
    """Return the operations of which some call was accepted."""
    rates = report["valid_rates"].items()
    return {name for name, phases in rates if any(one["accepted"] for one in phases.values())}


def test_every_response_to_a_key_that_plays_is_one_that_the_document_promises(described):
    printed, report = described.call("play", "--generation-deterministic", "--max-examples", "8")
    assert report["exit_code"] == 0, printed
    assert report["complete"]
    assert {one["status"] for one in report["phases"].values()} == {"success"}
    assert report["operations"]["tested"] == 8
    assert set(report["valid_rates"]) - accepted(report) == {ANSWER}


def test_every_response_to_a_key_that_reads_is_one_that_the_document_promises(described):
    options = ("--generation-deterministic", "--phases", "examples,coverage")
    printed, report = described.call("read", *options)
    assert report["exit_code"] == 0, printed
    assert report["operations"]["tested"] == 8
    assert "GET /runs" in accepted(report)
    assert {one.partition(" ")[0] for one in accepted(report)} == {"GET"}
