"""The load benchmark counts what goes wrong, and knows what its players should see."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bench import pacing, playground, scripts
from bench.pacing import Unit, Work, get, post
from bench.playground import Setup

FORM = {"raw": "go market"}
BODY = b"content-length: 2\r\nx-seq: %d\r\n\r\nok"
RIGHT = b"HTTP/1.1 200 OK\r\n" + BODY % 1


@contextmanager
def answering(answers: list[bytes]) -> Iterator[int]:
    """Serve the given answers, one for each request; b'' closes the connection."""
    left = list(answers)

    def serve() -> None:
        while left:
            client, _ = listener.accept()
            with client:
                while left and client.recv(65_536):
                    answer = left.pop(0)
                    if not answer:
                        break
                    client.sendall(answer[:20])  # in two pieces
                    client.sendall(answer[20:])

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(10)
        assert not thread.is_alive()


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n", "status 503 instead of 200"),
        (b"HTTP/1.1 200 OK\r\n" + BODY % 7, "no header x-seq: 1"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", "no header x-seq: 1"),
        (b"", "ConnectionResetError"),
    ],
)
def test_fault_is_counted_once_and_the_same_is_sent_again(fault, problem):
    one = Unit("command", (post("/", FORM, 200, header=b"x-seq: 1\r\n"),))
    with answering([RIGHT, fault, RIGHT]) as port:
        work = Work([one, one])
        tally = pacing.run([work], [port], 5, 0.001)
    assert tally.problems == {problem: 1}
    assert tally.number("command") == 2
    assert not work


def test_answer_that_never_comes_is_counted(monkeypatch):
    monkeypatch.setattr(pacing, "PATIENCE_S", 0.2)
    cut = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok"
    with answering([cut, RIGHT]) as port:
        tally = pacing.run([Work([Unit("page", (get("/"),))])], [port], 5, 0)
    assert tally.problems == {"TimeoutError": 1}
    assert tally.number() == 1


def test_run_ends_when_its_time_is_up_though_people_still_think():
    one = Unit("command", (post("/", FORM, 200, header=b"x-seq: 1\r\n"),))
    with answering([RIGHT]) as port:
        pacing.run([Work([one])], [port], 5, 0)
        began = time.monotonic()
        tally = pacing.run([Work([one]) for _ in range(50)], [port], 0.5, 1e6)
        took = time.monotonic() - began
    assert (tally.number(), tally.wall_s) == (0, pytest.approx(0.5, abs=0.4))
    assert took < 30  # not as long as anyone thinks


@pytest.mark.long
def test_whole_visits_on_a_server_meet_no_fault():
    with playground.opened(Setup("sqlite", 1), 3) as ground:
        level = ground.play(2, 1, 0.05)
        rest = pacing.run(ground.crowd, ground.ports, 60, 0)
        sizes = ground.sizes()
    assert level.tally.number(scripts.COMMAND) > 0
    assert level.p95_ms > 0
    assert not level.tally.problems + rest.problems
    assert rest.number(scripts.FORM) > 8
    assert not any(ground.crowd)
    assert level.cores[0] > 0
    assert " turns" in sizes
