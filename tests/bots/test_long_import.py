"""People play on while a long list is imported: no command waits for the whole of it."""

import threading
import time
from datetime import UTC, datetime

import httpx
import pytest

from app.store.people import platforms
from app.study.people import accounts
from tests.own_forms import FIELD
from tests.walker import PageReader, Walker
from tests.web.people.listed import WHOLE, whole

ONE = [{"task": "A-Over", "seeds": [1]}]
PEOPLE = 50_000
LONGEST_S = 240  # a machine may be busy with other tests
PART = 0.2  # of the import's time that one command may take


class Browser(httpx.Client):
    """Keeps the form key of the last page, as a browser's forms do."""

    def __init__(self, url):
        super().__init__(base_url=url, follow_redirects=True, timeout=LONGEST_S)
        self.key = ""

    def request(self, method, url, **given):
        if method == "POST":
            given["data"] = {"form_key": self.key, **(given.get("data") or {})}
        answer = super().request(method, url, **given)
        found = FIELD.search(answer.text)
        self.key = found[1] if found else self.key
        return answer


def ended(browser, answer):
    """Reload a job's page until it leads on or has failed."""
    until = time.monotonic() + LONGEST_S
    while 'http-equiv="refresh"' in answer.text:
        assert time.monotonic() < until, answer.text
        time.sleep(0.2)
        answer = browser.get(str(answer.url))
    return answer


@pytest.fixture
def browsers(served):
    with Browser(served.url) as one, Browser(served.url) as other:
        yield one, other


@pytest.fixture
def served(make_playground, server_process, sqlite_url):
    address = server_process(sqlite_url).url
    return make_playground(sqlite_url, address, blocks=ONE, per_player=1)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_no_command_waits_for_a_long_import(served, browsers):
    token = accounts.add(served.store, "ada", "researcher", datetime.now(UTC))
    researcher, player = browsers[0], Walker(browsers[1]).enter("/s/bots")
    page = Walker(researcher).get(f"/admin/welcome/{token}")
    page.send("password", password="a long password")
    page.get("/admin/studies/bots/recruit")
    lines = [whole(n, "AWAITING REVIEW", f"C{n}") for n in range(PEOPLE)]
    files = {"file": ("list.csv", "\n".join([WHOLE, *lines]).encode(), "text/csv")}
    given = next(one for one in page.page.forms if one.action.endswith("/recruit/import"))
    answer = researcher.post(given.action, data=given.fields, files=files)
    preview = ended(researcher, answer).text
    assert f"<code>AWAITING REVIEW</code>: {PEOPLE} people, awaiting review there" in preview
    assert "Fluent languages, Age, Sex, Ethnicity simplified" in preview  # not read
    form = PageReader(preview).form("column_state")
    stop, took = threading.Event(), []

    def play():
        while not stop.is_set():
            began = time.monotonic()
            player.type("look")
            assert player.answer.status_code == 200
            took.append(time.monotonic() - began)
            time.sleep(0.02)

    thread = threading.Thread(target=play)
    began = time.monotonic()
    thread.start()
    answer = ended(researcher, researcher.post(f"{form.action}/store", data=form.fields))
    lasted = time.monotonic() - began
    stop.set()
    thread.join()
    assert f"{PEOPLE} new" in answer.text
    assert max(took) < PART * lasted, (max(took), lasted)
    assert len(took) >= 10
    with served.store.read() as db:
        assert len(platforms.records(db, served.study("bots").id)) == PEOPLE
