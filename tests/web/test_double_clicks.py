"""A double click: each form that staff send arrives twice, and does its work once."""

from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa

from app.settings import Settings
from app.store.tables import metadata
from tests.walker import Walker
from tests.web.journeys import (
    STUDIES,
    design_a_study,
    manage_accounts,
    manage_models,
    manage_people,
    play_demo,
    rate,
    start_models,
    try_and_work,
    watch_raters,
)
from tests.web.stubborn import POSTS, route_of

pytestmark = pytest.mark.one_database

# Rows that say that a request arrived, and not what it did.
TRACES = {"audit_entry", "login_attempt", "login", "login_link", "health", "secret"}
ONCE = 'class="code-box"'
LOGINS = {"/admin/login", "/admin/logout", "/admin/welcome/{token}"}


class Impatient:
    """A browser that sends every form twice, and shows the second answer."""

    def __init__(self, client, store, met, faults):
        self.client, self.store, self.met, self.faults = client, store, met, faults

    def __getattr__(self, name):
        return getattr(self.client, name)

    def post(self, url, data=None, **options):
        first = self.client.post(url, data=data, **options)
        stored = rows_in(self.store)
        second = self.client.post(url, data=data, **options)
        route = route_of(urlsplit(url).path)
        self.met.add(route)
        after = rows_in(self.store)
        twice = {name for name, number in after.items() if number != stored[name]}
        if twice:
            self.faults.append(f"{route}: stored twice in {sorted(twice)}")
        elif first.status_code < 400 and place(second) != place(first):
            self.faults.append(f"{route}: first {place(first)}, then {place(second)}")
        return second


def place(answer):
    """Return where an answer leads, and whether it shows what is shown only once."""
    return answer.status_code, answer.url.path, ONCE in answer.text


def rows_in(store):
    """Return the number of rows of each table."""
    tables = [one for one in metadata.sorted_tables if one.name not in TRACES]
    counts = (sa.select(sa.literal(one.name), sa.func.count()).select_from(one) for one in tables)
    with store.read() as db:
        return dict(tuple(row) for row in db.execute(sa.union_all(*counts)))


@pytest.fixture
def settings(store_url, tmp_path):
    return Settings(
        database_url=store_url,
        data_dir=tmp_path / "data",
        htmx_source="local",
        model_endpoints="local=http://127.0.0.1:9/v1",
    )


@pytest.fixture
def study(make_study):
    for slug, changes in STUDIES.items():
        made = make_study(slug=slug, **changes)
    return made


def test_every_form_of_staff_that_is_sent_twice_does_its_work_once(
    client, desk, look, researcher, server
):
    met, faults = set[str](), list[str]()

    def impatient(walker):
        walker.client = Impatient(walker.client, server.store, met, faults)
        return walker

    server.runner.stop()  # jobs are stored and end at once, so nobody else writes
    first = Walker(client)
    play_demo(first, look)
    boss = impatient(researcher)
    design_a_study(boss)
    manage_people(boss, look, first.token)
    rate(boss, desk, impatient)
    watch_raters(boss, desk, impatient)
    manage_models(boss)
    try_and_work(boss)
    start_models(boss)
    manage_accounts(boss)
    staff = {row for row in POSTS if not row.startswith(("/s/", "/p/", "/api/"))} - LOGINS
    assert (faults, {f"POST {row}" for row in staff} - met) == ([], set())


UPLOADS = {  # page -> where its forms send a file
    "recruit": ["recruit/import"],
    "rating": ["rating/models", "rating/judges"],
    "report/models": ["report/models"],
}


def test_long_file_that_is_sent_twice_is_kept_and_checked_once(researcher, server):
    server.runner.stop()
    own, text = "/admin/studies/demo", "id,status\n" * 1000
    for page, places in UPLOADS.items():
        forms = {one.action: one.fields for one in researcher.get(f"{own}/{page}").page.forms}
        for at in places:
            before = rows_in(server.store)
            sent = {**forms[f"{own}/{at}"], "text": text}
            urls = {researcher.client.post(f"{own}/{at}", data=sent).url for _ in range(2)}
            after = rows_in(server.store)
            assert len(urls) == 1, at
            assert [after[one] - before[one] for one in ("upload", "job")] == [1, 1], at


def test_form_that_says_something_else_after_going_back_does_that_too(researcher, server):
    server.runner.stop()
    page = researcher.get("/admin/studies/demo/exports").page
    form = next(one for one in page.forms if one.fields.get("kind") == "bundle")
    made = [
        researcher.client.post(form.action, data={**form.fields, "format": flavour}).url
        for flavour in ("csv", "jsonl", "csv")
    ]
    assert made[0] == made[2] != made[1]
