"""Headers that trickle in or never come, sent to `hjstudy serve`'s kind of connection by hand."""

import socket
import time

import pytest

from app.main import create_app
from app.web.head_clock import with_timeout
from tests.web.sockets import answer, serving

pytestmark = pytest.mark.one_database

TIMEOUT_S = 1.0
PATIENCE_S = 60  # without a clock, nothing ends at all
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
POST = (
    b"POST /nowhere HTTP/1.1\r\nHost: x\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\n\r\n"
)


@pytest.fixture
def connect(settings, study):
    """Connects to a server that gives headers one second."""
    app, opened = create_app(settings), list[socket.socket]()
    with serving(app, with_timeout(TIMEOUT_S)) as address:

        def make():
            opened.append(socket.create_connection(address, timeout=PATIENCE_S))
            return opened[-1]

        yield make
        for one in opened:
            one.close()


def is_open(connection, piece):
    """Send a piece; tell whether the server had not closed the connection."""
    try:
        connection.sendall(piece)
    except OSError:
        return False
    return True


CUT = {
    "nothing": (b"", 0),
    "a line's end": (b"\r\n", 0),
    "a word": (b"GET", 0),
    "half": (HEAD, 0),
    "a line's end after a request": (HEAD + b"\r\n" + b"\r\n", 1),
    "a word after a request": (HEAD + b"\r\n" + b"GET", 1),
    "half after a form": (POST + b"raw=x" + HEAD, 1),
}


def test_headers_that_are_never_complete_end_the_connection(connect):
    opened = {name: connect() for name in CUT}
    for name, (sent, _) in CUT.items():
        opened[name].sendall(sent)
    found = {name: answer(one).count("HTTP/1.1 ") for name, one in opened.items()}
    assert found == {name: answers for name, (_, answers) in CUT.items()}


@pytest.mark.parametrize(("before", "piece"), [(HEAD, b"X-Slow: 1\r\n"), (HEAD + b"\r\n", b"\r\n")])
def test_headers_that_trickle_in_do_not_hold_a_connection(connect, before, piece):
    connection, end = connect(), time.monotonic() + PATIENCE_S
    connection.sendall(before)
    while is_open(connection, piece) and time.monotonic() < end:
        time.sleep(0.1)
    assert time.monotonic() < end


def test_connection_in_use_outlives_the_time_for_headers(connect):
    connection = connect()
    for _ in range(3):
        time.sleep(TIMEOUT_S / 2)
        connection.sendall(HEAD + b"\r\n")
    connection.sendall(POST)
    time.sleep(TIMEOUT_S * 1.5)  # a body has a clock of its own
    connection.sendall(b"raw=x" + HEAD + b"Connection: close\r\n\r\n")
    found = answer(connection)
    assert (found.count("HTTP/1.1 200 "), found.count("HTTP/1.1 404 ")) == (4, 1)
