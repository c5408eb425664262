"""The asker against the scripted server: each fault has a class, and nothing is lost or guessed."""

import json
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from app.agents.asking import Ask
from app.agents.replies import StoppedError, UnansweredError
from app.models.asker import LONGEST_PAUSE_S, Asker, Endpoint, pause_of
from app.models.limits import Limits, Meter
from app.study.models.prices import Price
from tests.models import scripted
from tests.models.scripted import Scripted

QUESTION = Ask("action", "Which way?", 77)
ANSWER = '{"action": "go", "argument": "market"}'


def asked(faults, *, attempts=3, timeout=60.0, limits=Limits(), **endpoint):  # noqa: B008 - frozen
    """Ask one question; returns (reply or error, statuses in order, replies, the script)."""
    script, log = Scripted(lambda _prompt: ANSWER, faults), []
    with script.serving() as url:
        to = Endpoint(url, "m", attempts=attempts, timeout_s=timeout, **endpoint)
        asker = Asker(to, Meter(limits, Price()), 2)
        found: object
        try:
            found = asker.ask(QUESTION, log.append)
        except (StoppedError, UnansweredError) as error:
            found = error
        asker.close()
    return found, [one.status for one in log], log, script


# fault -> (statuses logged, what the method receives)
FAULTS = {
    "none": ([], ["ok"], ANSWER),
    "429": ([scripted.RATE], ["rate_limited", "ok"], ANSWER),
    "500": ([scripted.BROKEN], ["server_error", "ok"], ANSWER),
    "time-out": ([scripted.SLOW], ["timeout", "ok"], ANSWER),
    "dropped": ([scripted.DROP], ["connection", "ok"], ANSWER),
    "HTML with 200": ([scripted.HTML], ["not_json", "ok"], ANSWER),
    "no choices": ([scripted.NO_CHOICES], ["no_choices", "ok"], ANSWER),
    "cut": ([scripted.CUT], ["length"], '{"action": "go", "argu'),
    "cut to nothing": ([scripted.CUT_EMPTY], ["length"], ""),
    "reasoning only": ([scripted.THOUGHT], ["reasoning_only"], ""),
    "empty": ([scripted.NOTHING], ["empty"], ""),
    "malformed JSON": ([scripted.NOT_JSON], ["ok"], "I would go to the market."),
    "context too long": ([scripted.TOO_LONG], ["context"], ""),
    "unstorable": ([scripted.ODD], ["ok"], None),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault_has_its_class_and_its_row(name, monkeypatch):
    monkeypatch.setattr("app.models.asker.FIRST_PAUSE_S", 0.01)
    faults, statuses, text = FAULTS[name]
    slow = scripted.SLOW in faults
    reply, found, log, script = asked(faults, timeout=scripted.TIMEOUT_S if slow else 60.0)
    assert found == statuses
    if text is not None:
        assert reply.text == text
    assert reply is log[-1]
    assert len(script.requests) == len(statuses)
    if faults and not faults[0].drop and not faults[0].hang_s:
        assert log[0].raw == faults[0].body


def test_unstorable_characters_never_reach_a_method():
    reply, *_ = asked([scripted.ODD])
    assert "\x00" not in reply.text
    reply.text.encode()  # half a surrogate pair would raise


def test_request_holds_the_prompt_once_and_the_parameters():
    _, _, log, script = asked([], parameters={"temperature": 0.1, "seed": 7}, key="secret")
    ((body, headers),) = script.requests
    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Which way?"}],
        "max_tokens": 77,
        "temperature": 0.1,
        "seed": 7,
    }
    assert headers["authorization"] == "Bearer secret"
    assert "secret" not in log[0].request


def test_name_of_the_limit_can_be_another():
    *_, script = asked([], tokens_name="max_completion_tokens")
    assert script.requests[0][0]["max_completion_tokens"] == 77
    assert "max_tokens" not in script.requests[0][0]


def test_faults_without_end_leave_the_question_unanswered(monkeypatch):
    monkeypatch.setattr("app.models.asker.FIRST_PAUSE_S", 0.01)
    found, statuses, *_ = asked([scripted.HTML] * 3)
    assert isinstance(found, UnansweredError)
    assert "not_json" in found.message
    assert statuses == ["not_json"] * 3


def test_refused_key_stops_at_once_and_reports_the_endpoints_message():
    found, statuses, _, script = asked([scripted.NO_KEY])
    assert isinstance(found, StoppedError)
    assert "invalid api key" in found.message
    assert (statuses, len(script.requests)) == (["refused"], 1)


def test_retry_after_is_waited_for():
    began = time.monotonic()
    fault = scripted.Fault(429, "{}", {"Retry-After": "0.7"})
    _, statuses, *_ = asked([fault])
    assert statuses == ["rate_limited", "ok"]
    assert 0.6 < time.monotonic() - began < 5


def test_date_in_retry_after_is_waited_for():
    began = time.monotonic()
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True)
    _, statuses, *_ = asked([scripted.Fault(429, "{}", {"Retry-After": date})])
    assert statuses == ["rate_limited", "ok"]
    assert 1.5 < time.monotonic() - began < 9  # the date has whole seconds


DATE = "Mon, 30 Nov 2026 12:00:00 GMT"
PAUSES = [
    ({"retry-after": "90"}, 90),
    ({"retry-after": "0.5"}, 0.5),
    ({"retry-after": "-3"}, 0),
    ({"retry-after": "3600"}, LONGEST_PAUSE_S),
    ({"retry-after": "inf"}, LONGEST_PAUSE_S),
    ({"retry-after": "Mon, 30 Nov 2026 12:02:00 GMT", "date": DATE}, 120),
    ({"retry-after": "Mon, 30 Nov 2026 12:02:00 -0000", "date": DATE}, 120),
    ({"retry-after": "Mon, 30 Nov 2026 18:00:00 GMT", "date": DATE}, LONGEST_PAUSE_S),
    ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT", "date": DATE}, 0),
    ({"retry-after": "Fri, 01 Jan 2100 00:00:00 GMT", "date": "today"}, LONGEST_PAUSE_S),
    ({"retry-after": "Mon, 99 Nov 2026 12:00:00 GMT"}, None),
    ({"retry-after": "nan"}, None),
    ({"retry-after": "soon"}, None),
    ({}, None),
]


@pytest.mark.parametrize(("headers", "pause"), PAUSES, ids=lambda one: str(one)[:60])
def test_pause_is_the_endpoints_in_seconds_or_by_date_up_to_ten_minutes(headers, pause):
    assert LONGEST_PAUSE_S == 600
    assert pause_of(headers) == pause


def test_run_that_waits_for_the_endpoint_stops_at_once():
    script = Scripted(lambda _: ANSWER, [scripted.Fault(429, "{}", {"Retry-After": "90"})])
    with script.serving() as url:
        asker = Asker(Endpoint(url, "m"), Meter(Limits(), Price()), 1)
        threading.Timer(0.5, asker.stop).start()
        began = time.monotonic()
        with pytest.raises(StoppedError):
            asker.ask(QUESTION, lambda _reply: None)
        asker.close()
    assert time.monotonic() - began < 10


def test_no_more_requests_at_a_time_than_allowed():
    script = Scripted(lambda _prompt: ANSWER, delay_s=0.05)
    with script.serving() as url:
        asker = Asker(Endpoint(url, "m"), Meter(Limits(), Price()), 3)
        threads = [
            threading.Thread(target=asker.ask, args=(QUESTION, lambda _reply: None))
            for _ in range(12)
        ]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        asker.close()
    assert len(script.requests) == 12
    assert 2 <= script.most_at_once <= 3


@pytest.mark.parametrize(
    ("limits", "word"),
    [
        (Limits(calls=2), "2 calls"),
        (Limits(tokens=220), "220 tokens"),
        (Limits(cost=0.0002), "cost"),
    ],
)
def test_limit_stops_before_the_next_call(limits, word):
    script = Scripted(lambda _prompt: ANSWER)
    with script.serving() as url:
        asker = Asker(Endpoint(url, "m"), Meter(limits, Price(1.0, 1.0)), 1)
        asker.ask(QUESTION, lambda _reply: None)
        asker.ask(QUESTION, lambda _reply: None)
        with pytest.raises(StoppedError, match=word):
            asker.ask(QUESTION, lambda _reply: None)
        asker.close()
    assert len(script.requests) == 2


def without_usage(**message):
    """Return a completion without counts of tokens."""
    body = scripted.completion(message.pop("text", ANSWER), **message)
    del body["usage"]
    return scripted.Fault(200, json.dumps(body))


ZEROS = scripted.Fault(
    200,
    json.dumps({**scripted.completion(ANSWER), "usage": {"prompt_tokens": 0, "total_tokens": 0}}),
)
COUNTS = {  # answer -> tokens read and written: characters / 4, rounded up
    "no usage": (without_usage(), (3, 10)),
    "usage of zeros": (ZEROS, (3, 10)),
    "reasoning": (without_usage(reasoning_content="I wonder"), (3, 12)),
    "reasoning only": (without_usage(text=None, reasoning="I wonder"), (3, 2)),
    "empty": (without_usage(text=""), (3, 0)),
    "counted": (scripted.NOTHING, (100, 10)),
    "HTML": (scripted.HTML, (0, 0)),
}


@pytest.mark.parametrize("name", COUNTS)
def test_tokens_that_an_endpoint_does_not_count_are_estimated(name):
    fault, counts = COUNTS[name]
    *_, log, _ = asked([fault], attempts=1)
    assert (log[0].prompt_tokens, log[0].completion_tokens) == counts
    assert ("tokens are estimated" in log[0].problem) == (name not in {"counted", "HTML"})


@pytest.mark.parametrize("limits", [Limits(tokens=1), Limits(cost=0.000001)])
def test_limit_of_tokens_or_cost_stops_a_run_whose_endpoint_counts_none(limits):
    script = Scripted(lambda _prompt: ANSWER, [without_usage()] * 5)
    with script.serving() as url:
        asker = Asker(Endpoint(url, "m"), Meter(limits, Price(1.0, 1.0)), 1)
        asker.ask(QUESTION, lambda _reply: None)
        with pytest.raises(StoppedError, match="limit"):
            asker.ask(QUESTION, lambda _reply: None)
        asker.close()
    assert len(script.requests) == 1


def test_limit_of_calls_holds_for_calls_at_the_same_time():
    script, stopped = Scripted(lambda _prompt: ANSWER, delay_s=0.2), []
    with script.serving() as url:
        asker = Asker(Endpoint(url, "m"), Meter(Limits(calls=2), Price()), 8)

        def ask():
            try:
                asker.ask(QUESTION, lambda _reply: None)
            except StoppedError:
                stopped.append(1)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        asker.close()
    assert (len(script.requests), len(stopped)) == (2, 6)
