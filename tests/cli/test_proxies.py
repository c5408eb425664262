"""Proxies as docs/operations.md sets them up: people enter, each by their own address, and play."""

from contextlib import ExitStack

import pytest

from tests.cli.proxies import SITE, Caddy, Nginx, documented
from tests.e2e.serving import ServerProcess
from tests.e2e.stored import Stored
from tests.walker import Walker

pytestmark = pytest.mark.long
HOST_LINE = "        proxy_set_header Host $host;\n"


@pytest.fixture
def serving(tmp_path, url):
    server = ServerProcess(tmp_path, url)
    server.environment["HJSTUDY_BASE_URL"] = f"https://{SITE}"
    yield server.start()
    server.end()


@pytest.fixture
def nginx(tmp_path, serving):
    return Nginx(tmp_path, serving.port)


@pytest.fixture
def caddy(tmp_path, serving):
    return Caddy(tmp_path, serving.port)


@pytest.fixture
def stored(url):
    made = Stored(url)
    yield made
    made.store.dispose()


def enter(browser):
    return Walker(browser).get("/s/small").send("answer", answer="yes").page.name


def enter_and_log_in(proxy, stored):
    """One enters at once from each address, and a researcher logs in, plays, and is led on."""
    with ExitStack() as stack:

        def at(address):
            return stack.enter_context(proxy.browser(address))

        stored.make_study("small", people={"burst": 1})
        assert [enter(at("127.0.0.1")), enter(at("127.0.0.1"))] == ["instructions", "wait"]
        player = Walker(at("127.0.0.2")).enter("/s/small").leave_practice()
        assert player.page.name == "game"
        assert player.type("look").seq == 2
        liar = at("127.0.0.2")
        liar.headers["X-Forwarded-For"] = "192.0.2.7"
        assert enter(liar) == "wait"  # counts by the address that the proxy saw

        link, boss = stored.one_time_link("ada"), at("127.0.0.3")
        welcome = Walker(boss).get(f"/admin/welcome/{link}")
        assert welcome.send("password", password="a long password").page.name == "studies"
        other = Walker(at("127.0.0.3")).get("/admin")
        other.send("password", name="ada", password="a long password")
        assert other.page.name == "studies"
        assert other.get("/admin/studies/small/").page.name == "study"  # led on without the slash


@pytest.mark.parametrize("lines", ["documented", "without Host"])
def test_people_behind_nginx_enter_and_log_in_each_by_their_own_address(nginx, stored, lines):
    """Also without the line that passes the host on."""
    block = documented("nginx")
    assert HOST_LINE in block
    block = block if lines == "documented" else block.replace(HOST_LINE, "")
    with nginx.running(block):
        enter_and_log_in(nginx, stored)


def test_people_behind_caddy_enter_and_log_in_each_by_their_own_address(caddy, stored):
    with caddy.running(documented("caddy")):
        enter_and_log_in(caddy, stored)
