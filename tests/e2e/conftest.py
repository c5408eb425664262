"""One browser, one server and one database for all tests in this folder (per worker)."""

import asyncio
import os
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.e2e.launch import lacking
from tests.e2e.serving import FLAGS, ServerProcess, find_chromium
from tests.e2e.stored import RICH, Stored, new_slug
from tests.e2e.visitor import Faults, Visitor

LAPTOP = {"width": 1280, "height": 800}
WAIT_MS = 20_000  # shared machines stall at times
expect.set_options(timeout=WAIT_MS)


@pytest.fixture(scope="session")
def chromium():
    """Return a running Chromium; without one, tests are skipped loudly, and in CI they fail."""
    lack = lacking()
    if lack is not None:
        if os.environ.get("CI"):
            pytest.fail(str(lack))
        pytest.skip(str(lack))
    driver = sync_playwright().start()
    loop = asyncio.events._get_running_loop()
    browser = driver.chromium.launch(executable_path=find_chromium(), args=FLAGS)
    asyncio.events._set_running_loop(None)
    yield browser, loop
    asyncio.events._set_running_loop(loop)
    browser.close()
    driver.stop()


@pytest.fixture
def browser(chromium):
    """Return the browser. Its event loop is visible only while a test here runs."""
    found, loop = chromium
    asyncio.events._set_running_loop(loop)
    yield found
    asyncio.events._set_running_loop(None)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("e2e")


@pytest.fixture(scope="session")
def database_url(folder, sqlite_template):
    shutil.copyfile(sqlite_template, folder / "e2e.db")
    return f"sqlite:///{folder / 'e2e.db'}"


@pytest.fixture(scope="session")
def stored(database_url):
    """Return the database of the server, with a small study of two worlds in it."""
    made = Stored(database_url)
    made.make_study("small")
    yield made
    made.store.dispose()


def serve(folder, url, source="local"):
    server = ServerProcess(folder, url, source).start()
    yield server
    server.end()


@pytest.fixture(scope="session")
def server(folder, database_url, stored):
    yield from serve(folder, database_url)


@pytest.fixture(scope="session")
def cdn_server(folder, database_url, stored):
    """Return a server whose pages ask the CDN for htmx."""
    yield from serve(folder, database_url, "cdn")


@pytest.fixture
def mortal_server(folder, database_url, stored):
    """Return a server of the test's own, to be killed."""
    yield from serve(folder, database_url)


@pytest.fixture
def faults():
    """Collect the browsers' complaints; any that the test did not expect makes it fail."""
    found = Faults()
    yield found
    assert found.unexpected == []


@pytest.fixture
def visit(request, browser, faults, server):
    """Open a browser with its own cookies and storage, and return its tab.

    Its `server` is the name of another server's fixture, `host` the server's name in addresses;
    everything else goes to Playwright.
    """
    opened, usual = [], server  # which is stopped after its pages were closed

    def open_one(path, server="", host="127.0.0.1", **options):
        chosen = request.getfixturevalue(server) if server else usual
        base = chosen.url.replace("127.0.0.1", host)
        context = browser.new_context(**{"viewport": LAPTOP, "reduced_motion": "reduce", **options})
        context.set_default_timeout(WAIT_MS)
        faults.watch(context)
        opened.append(context)
        return Visitor(context.new_page(), base).go(path)

    yield open_one
    for context in opened:
        context.close()


@pytest.fixture
def sign_in(visit, stored):
    """Open the browser of a new researcher, who has just chosen a password."""

    def enter(**options):
        link = f"/admin/welcome/{stored.one_time_link(new_slug())}"
        visitor = visit(link, **options).see("welcome")
        visitor.page.locator("#password").fill("a long password")
        return visitor.press("Set the password").see("studies")

    return enter


@pytest.fixture
def researcher(sign_in):
    """Return the browser of a researcher."""
    return sign_in()


@pytest.fixture
def person(stored):
    """A person who has consented and is at the instructions."""
    return stored.enrol()


@pytest.fixture(scope="session")
def rich(stored):
    """Return the slug of a study with every kind of page."""
    return stored.make_study(new_slug(), **RICH)


@pytest.fixture(scope="session")
def finished(stored):
    """A person who has finished."""
    return stored.enrol().to_end()


@pytest.fixture
def guest(stored, rich):
    """A person who has read the instructions of that study."""
    return stored.enrol(rich).to_practice()


@pytest.fixture
def player(person):
    """A person at the first guardian."""
    return person.to_game()
