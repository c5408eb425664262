"""Retries: what is sent again, and when a player gives up."""

import socket
import threading
from random import Random

import pytest

from app.bots.sender import AddressError, NoAnswerError, Sender

PAGE = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage"
BUSY = b"HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
CUT = b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\npa"
ROUND = b"HTTP/1.1 303 On\r\nConnection: close\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"
WRONG = b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"


class Scripted:
    """A server that gives one answer after the other, each on its own connection."""

    def __init__(self, answers):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.answers, self.asked = list(answers), []
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        for answer in self.answers:
            connection, _ = self.socket.accept()
            with connection:
                asked = b""
                while b"\r\n\r\n" not in asked:
                    asked += connection.recv(10_000)
                while asked.startswith(b"POST") and not asked.endswith(b"raw=go+x"):
                    asked += connection.recv(10_000)
                self.asked.append(asked.decode())
                connection.sendall(answer)


@pytest.fixture
def make_sender():
    """Return (sender, server, waits) for answers in order."""
    servers, senders = [], []

    def make(*answers, tries=5, **options):
        server, waits = Scripted(answers), list[float]()
        address = f"http://127.0.0.1:{server.socket.getsockname()[1]}"
        sender = Sender([address], Random(1), tries=tries, wait=waits.append, **options)
        servers.append(server)
        senders.append(sender)
        return sender, server, waits

    yield make
    for sender in senders:
        sender.close()
    for server in servers:
        server.socket.close()


@pytest.mark.parametrize("bad", [b"", CUT, BUSY, b"nonsense\r\n\r\n"])
def test_same_form_is_sent_again_until_a_proper_answer_comes(make_sender, bad):
    sender, server, waits = make_sender(bad, bad, PAGE)
    answer = sender.post("/x", {"raw": "go x"}, {"HX-Request": "true"})
    assert (answer.status, answer.text) == (200, "page")
    assert sender.resent == len(waits) == 2
    assert len(set(server.asked)) == 1
    assert "HX-Request: true" in server.asked[0]


def test_waits_grow_up_to_a_bound(make_sender):
    sender, _, waits = make_sender(*[BUSY] * 12, PAGE, tries=13)
    sender.get("/")
    assert waits[0] < 0.1 < waits[4] < max(waits) <= 3


def test_player_gives_up_after_so_many_tries(make_sender):
    sender, server, _ = make_sender(*[BUSY] * 3, PAGE, tries=3)
    with pytest.raises(NoAnswerError, match="in 3 tries \\(status 503\\)"):
        sender.get("/x?secret")
    assert len(server.asked) == 3


def test_closed_port_counts_as_no_answer(make_sender):
    sender, server, waits = make_sender(tries=4)
    server.socket.close()
    with pytest.raises(NoAnswerError, match="Connection"):
        sender.get("/")
    assert len(waits) == 3


def test_silence_counts_as_no_answer(make_sender):
    sender, server, _ = make_sender(tries=2, timeout_s=0.05)
    with pytest.raises(NoAnswerError, match="timed out"):
        sender.get("/")
    assert server.asked == []


def test_errors_of_the_server_are_answers(make_sender):
    sender, _, waits = make_sender(WRONG)
    assert sender.get("/").status == 500
    assert waits == []


def test_circles_end(make_sender):
    sender, _, _ = make_sender(*[ROUND] * 10)
    with pytest.raises(NoAnswerError, match="in a loop"):
        sender.get("/")


@pytest.mark.parametrize(
    "address", ["", "x", "ftp://x", "http://", "http://x:y", "http://x/path", "http://x?q=1"]
)
def test_invalid_address_is_refused(address):
    with pytest.raises(AddressError):
        Sender([address], Random(1))
