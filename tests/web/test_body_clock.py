"""Bodies that trickle in, stall or are never read, sent to a real server byte by byte."""

import socket
import time

import pytest

from app.main import create_app
from tests.web.sockets import answer, serving

pytestmark = pytest.mark.one_database

FORM = "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
TIMEOUT_S = 1.0
PATIENCE_S = 60  # far below this on a quiet machine; without a clock, nothing ends at all


@pytest.fixture(params=["httptools", "h11"])
def address(request, settings, study):
    """A server that gives bodies one second."""
    app = create_app(settings.model_copy(update={"body_timeout_s": TIMEOUT_S}))
    with serving(app, request.param) as address:
        yield address


@pytest.fixture
def connect(address):
    def make():
        connection = socket.create_connection(address, timeout=PATIENCE_S)
        opened.append(connection)
        return connection

    opened = list[socket.socket]()
    yield make
    for connection in opened:
        connection.close()


LATE = [
    (f"{FORM}Content-Length: 100\r\n\r\n", b""),
    (f"{FORM}Content-Length: 100\r\n\r\n", b"x"),
    (f"{FORM}Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
]


@pytest.mark.parametrize(("head", "trickle"), LATE)
def test_body_that_does_not_arrive_in_time_gets_408_and_the_connection_is_closed(
    connect, head, trickle
):
    connection = connect()
    connection.sendall(head.format(path="/admin/login").encode())
    for _ in range(3):  # a piece now and then does not prolong it
        connection.sendall(trickle)
        time.sleep(0.1)
    found = answer(connection)
    assert found.startswith("HTTP/1.1 408 ")
    assert "connection: close" in found.lower()
    assert "took too long to arrive" in found


def test_large_body_that_keeps_arriving_has_more_time(connect):
    connection, pieces = connect(), 40
    head = f"{FORM}Connection: close\r\nContent-Length: {pieces * 10_000}\r\n\r\n"
    connection.sendall(head.format(path="/admin/login").encode())
    for _ in range(pieces):  # two seconds in all; each piece gives a third of one
        connection.sendall(b"x" * 10_000)
        time.sleep(0.05)
    assert answer(connection).startswith("HTTP/1.1 422 ")


UNREAD = [("/nowhere", 404), ("/admin/studies/demo/actions/open", 401)]


@pytest.mark.parametrize(("path", "status"), UNREAD)
def test_stalled_body_that_no_one_reads_does_not_hold_the_connection(connect, path, status):
    connection = connect()
    connection.sendall(f"{FORM}Content-Length: 100\r\n\r\nx".format(path=path).encode())
    found = answer(connection)
    assert found.startswith((f"HTTP/1.1 {status} ", "HTTP/1.1 408 "))


def test_refusal_of_a_huge_body_reaches_a_client_that_is_still_sending(connect):
    connection = connect()
    size = 4_000_000
    connection.sendall(f"{FORM}Content-Length: {size}\r\n\r\n".format(path="/s/demo").encode())
    for _ in range(size // 10_000):
        connection.sendall(b"x" * 10_000)
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    found = answer(connection)
    assert found.startswith("HTTP/1.1 413 ")
    assert "HTTP/1.1 200 " in found  # the connection was whole


def test_connection_is_used_again_after_a_body_in_time(connect):
    connection = connect()
    for path in ("/nowhere", "/elsewhere"):
        connection.sendall(f"{FORM}Content-Length: 5\r\n\r\nraw=x".format(path=path).encode())
        time.sleep(0.2)
    connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    found = answer(connection)
    assert (found.count("HTTP/1.1 404 "), found.count("HTTP/1.1 200 ")) == (2, 1)


def test_client_that_goes_away_in_the_middle_leaves_no_traceback(connect, capfd):
    connection = connect()
    connection.sendall(f"{FORM}Content-Length: 100\r\n\r\nx".format(path="/admin/login").encode())
    time.sleep(0.2)
    connection.close()
    time.sleep(0.5)
    other = connect()
    other.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert answer(other).startswith("HTTP/1.1 200 ")
    assert "Traceback" not in capfd.readouterr().err
