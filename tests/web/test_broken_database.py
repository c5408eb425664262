"""A full disk, a stopped or read-only database: nothing typed is lost, and all goes on after."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa

from app.store import migrate
from app.store.health import health
from app.store.play.explanations import explanation
from app.store.tickets import problem
from app.study.people import accounts
from tests import databases
from tests.breaking import ClosedDatabase, FullDisk, ReadOnlyDatabase, StoppedServer, small_disk
from tests.conftest import need_postgres, new_name
from tests.rating_desk import model_line
from tests.walker import PageReader, Walker
from tests.web.design.designing import part
from tests.web.test_access import TABLE

POSTGRES = {"closed": ClosedDatabase, "read-only": ReadOnlyDatabase}
STOPPED = pytest.param("stopped", marks=pytest.mark.postgres)
POSTGRES_KINDS = [pytest.param(name, marks=pytest.mark.postgres) for name in POSTGRES]
LOOKS = {  # forms that store nothing: they only show what would be stored, or make links
    "POST /admin/studies/{slug}/recruit/links",
    "POST /admin/studies/{slug}/rating/models",
    "POST /admin/studies/{slug}/rating/judges",
    "POST /admin/studies/{slug}/report/models",
}
COMMENT = {"key": "why", "label": "Why?", "kind": "text"}
CHECK = {"key": "cost", "label": "Cost?", "options": ["Nothing", "One"], "answer": "One"}
STUDIES = {
    "demo": {"questions": {"before": [COMMENT], "comment": True}},
    "whole": {
        "blocks": [
            {"task": "A-Over", "seeds": [1]},
            {"task": "A-Add", "seeds": [3], "format": "direct"},
        ],
        "rule_form": {"when": "block"},
        "questions": {"comment": False, "comprehension": [CHECK]},
        "people": {"process_data": True},
    },
}


@pytest.fixture(params=["full", *POSTGRES_KINDS])
def database(request, tmp_path):
    """A database that can be broken for a while."""
    kind = request.param
    if kind == "full":
        with small_disk(tmp_path / "disk") as folder:
            yield FullDisk(folder, request.getfixturevalue("sqlite_template"))
    elif kind == "stopped":
        made = StoppedServer()
        migrate.upgrade(made.url)
        yield made
        made.end()
    else:
        need_postgres(request)
        url = databases.create_database(new_name())
        migrate.upgrade(url)
        yield POSTGRES[kind](url)
        databases.drop_database(sa.make_url(url).database)


@pytest.fixture
def store_url(database):
    return database.url


class Stubborn:
    """A browser whose every form meets a broken database first, and is sent again afterwards."""

    def __init__(self, client, database, met, faults):
        self.client, self.database, self.met, self.faults = client, database, met, faults

    def __getattr__(self, name):
        return getattr(self.client, name)

    def post(self, url, data=None, **options):
        data = dict(data or {})
        with self.database.broken():
            refused = self.client.post(url, data=data, **options)
        route = route_of(urlsplit(url).path)
        self.met.add(route)
        if route in LOOKS and not self.database.stops_reading:
            return refused
        fault = self.fault(refused, data)
        if fault:
            self.faults.append(f"{route}: {fault}")
            return refused
        [form] = PageReader(refused.text).forms
        secret = {"password": data["password"]} if "password" in data else {}
        return self.client.post(form.action, data={**form.fields, **secret}, **options)

    def fault(self, refused, data):
        """Return what is wrong with an answer while the database is broken, or ''."""
        headers = refused.headers
        if refused.status_code != 503 or headers.get("X-Error") != "store/unavailable":
            return f"status {refused.status_code}"
        page = PageReader(refused.text)
        if page.name != "away" or int(headers["Retry-After"]) < 1:
            return "another page"
        kept = dict(page.forms[0].fields)
        if "form_key" not in data:  # the client added it
            kept.pop("form_key", None)
        if "password" in data and data["password"] in refused.text:
            return "shows the password"
        kept |= {"password": data["password"]} if "password" in data else {}
        changed = {name for name in {*kept, *data} if flat(kept, name) != flat(data, name)}
        return f"lost {sorted(changed)}" if changed else ""


def flat(fields, name):
    return fields.get(name, "-").replace("\r\n", "\n")


POSTS = [row.removeprefix("POST ") for row in TABLE if row.startswith("POST ")]


def route_of(path):
    """Return the row of the table for an address."""
    found = [row for row in POSTS if re.fullmatch(re.sub(r"\{[a-z_]+\}", "[^/]+", row), path)]
    return f"POST {max(found, key=lambda row: row.count('/') * 100 - row.count('{'))}"


@pytest.fixture
def met():
    return set()


@pytest.fixture
def wrong():
    return list[str]()


@pytest.fixture
def stubborn(database, met, wrong):
    """Make a browser stubborn."""

    def make(walker):
        walker.client = Stubborn(walker.client, database, met, wrong)
        return walker

    return make


@pytest.fixture
def study(make_study):
    for slug, changes in STUDIES.items():
        made = make_study(slug=slug, **changes)
    return made


def play_demo(walker, look):
    """A study with a form after each guardian, up to the second guardian."""
    walker.get("/s/demo?PROLIFIC_PID=one").send("answer", answer="yes").send("ticket")
    walker.send("ticket", q_why='Some "reason" & <b>\nsecond line')
    walker.leave_practice().send("raw", raw="check_location")
    home = f"/p/{walker.token}"
    for form in (f"{home}/notes/1", f"{home}/problem"):
        walker.client.post(form, data={"text": "My notes\nand more", "ticket": "t" * 20})
    walker.type(*look.solution(walker.token, 0, 0)).to_rule()
    walker.client.post(f"{walker.url}/draft", data={"inputs": "the class", "revision": "0"})
    walker.get(walker.url).explain("Typed with care.\nTwice.")
    assert walker.page.name == "game"


def play_whole(walker, look):
    """A study with a check, one form after a world, a guardian that is answered, and leaving."""
    walker.get("/s/whole").send("answer", answer="yes").send("ticket")
    walker.leave_practice().send("ticket", q_cost="One")
    home = f"/p/{walker.token}"
    walker.client.post(f"{home}/process", data={"events": '[["focus", 1, "", null]]'})
    while walker.get(home).page.name == "game":
        block, position = (int(walker.url.split("/")[at]) - 1 for at in (4, 6))
        walker.type(*look.solution(walker.token, block, position))
    walker.client.post(f"{walker.url}/draft", data={"inputs": "the class", "revision": "0"})
    walker.get(home).explain()
    while walker.page.name == "direct":
        offered = walker.answer.text.partition("<datalist")[2].partition("</datalist>")[0]
        walker.send("ticket", item=offered.split('value="')[1].partition('"')[0])
    walker.get(f"{home}/leave").send("ticket")
    assert look.person(walker.token).state != "active"


def design_a_study(boss):
    boss.get("/admin/new-study").send("title", title="Winter")
    part(boss, "texts").send("texts.consent", **{"texts.consent": 'Who reads "this"?\n\nNobody.'})
    text = part(boss, "file", "demo").page.form("text").fields["text"]
    boss.send("text", text=text.replace("A small study", "Spring"))
    assert "Spring" in boss.answer.text
    boss.client.post("/admin/studies/demo/actions/close")


def manage_people(boss, look, token):
    boss.get(f"/admin/participants/{look.person(token).public_id}")
    boss.send("reason", action="exclude", reason="asked for it")
    lists = "Submission id,Participant id,Status\ns1,one,APPROVED\n"
    boss.get("/admin/studies/demo/recruit").send("text", text=lists)
    assert "Read 1 people" in boss.answer.text
    boss.client.post("/admin/studies/demo/recruit/links", data={"count": "2"})
    fields = boss.get("/admin/studies/demo/texts").page.form("note").fields
    chosen = {
        f"decision-{n.removeprefix('hash-')}": "withheld" for n in fields if n.startswith("hash-")
    }
    boss.client.post("/admin/studies/demo/texts", data={**fields, **chosen, "note": "read"})


def rate(boss, desk, stubborn):
    own = "/admin/studies/demo/rating"
    boss.client.post(f"{own}/gather")
    for kind, line in (("models", model_line(0)), ("judges", {"item": "m0", "score": 2})):
        page = boss.client.post(f"{own}/{kind}", data={"text": json.dumps(line), "judge": "a"})
        form = PageReader(page.text).form("ticket")
        boss.client.post(form.action, data=form.fields)
    desk.judge({"m0": 1}, model="b")
    boss.get(own).send("per_level", per_level="1")
    boss.get("/admin/annotators").send("name", name="Dora")
    boss.client.post("/admin/annotators/dora/deactivate", data={"ticket": "d" * 20})
    ids = desk.annotators("ann", "bob")
    boss.get(f"{own}/rounds/new").send("rubric", title="First", **{f"rater_{i}": "1" for i in ids})
    number = int(boss.url.rpartition("/")[2])
    boss.get(f"{own}/rounds/{number}/edit").send("rubric", title="Renamed")
    boss.get(f"{own}/rounds/{number}").send("revision")
    for name, value in (("ann", "0"), ("bob", "2")):
        browser = stubborn(desk.browser(name))
        for place in desk.places(name, number):
            browser.get(f"/rate/item/{place.token}").send("revision", value=value, comment="a word")
        assert [row.value for row in desk.history(place.token, name)] == [int(value)]
    boss.client.post(f"{own}/rounds/{number}/close", data={"ticket": "c" * 20})
    boss.get(f"{own}/rounds/{number}/adjudicate")
    link = next(one for one in boss.page.links if "/adjudicate/" in one)
    boss.get(link).send("revision", value="1", comment="decided")


def manage_models(boss):
    own = "/admin/studies/demo/report/models"
    text = "model,task,seed,episode,success,actions_used,rv\nsome-model,A-Over,1,1,true,8,0.5\n"
    page = boss.client.post(own, data={"text": text})
    form = PageReader(page.text).form("ticket")
    boss.client.post(form.action, data=form.fields)
    boss.client.post(f"{own}/remove", data={"model": "some-model", "ticket": "r" * 20})
    forms = boss.get("/admin/studies/demo/remove").page.forms
    form = next(one for one in forms if one.action.endswith("/archive"))
    boss.client.post(form.action, data=form.fields)


def log_in_and_out(boss, stubborn, client, server):
    boss.client.post("/admin/logout")
    boss.get("/admin/login").send("password", name="researcher", password="a long password")
    assert boss.page.name == "studies"
    token = accounts.add(server.store, "ada", "researcher", datetime.now(UTC))
    new = stubborn(Walker(client))
    new.get(f"/admin/welcome/{token}").send("password", password="a long password")
    assert new.page.name == "studies"


@pytest.mark.timeout(300)
def test_every_form_that_stores_keeps_what_was_sent_and_stores_it_once_after(
    client, desk, stubborn, met, wrong, look, researcher, server
):
    first = stubborn(Walker(client))
    play_demo(first, look)
    token = first.token
    play_whole(stubborn(Walker(client)), look)
    stubborn(Walker(client)).get("/s/demo?PROLIFIC_PID=two").send("answer", answer="no")
    boss = stubborn(researcher)
    design_a_study(boss)
    manage_people(boss, look, token)
    rate(boss, desk, stubborn)
    manage_models(boss)
    log_in_and_out(boss, stubborn, client, server)
    assert (wrong, {f"POST {row}" for row in POSTS} - met) == ([], set())
    raws = [turn.raw for turn in look.turns(token)]
    assert raws == ["check_location", *look.solution(token, 0, 0)]
    with server.store.read() as db:
        [explained] = db.execute(explanation.select()).all()[:1]
        assert db.execute(sa.select(sa.func.count()).select_from(problem)).scalar() == 1
    assert "Typed with care.\nTwice." in explained.inputs


@pytest.mark.parametrize("database", ["full", *POSTGRES_KINDS, STOPPED], indirect=True)
def test_health_check_fails_while_nothing_can_be_stored_and_recovers_without_a_restart(
    client, database, server
):
    for _ in range(3):
        assert client.get("/healthz").status_code == 200
        time.sleep(1.1)  # within a second, the check before counts
        with database.broken():
            answer = client.get("/healthz")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
        assert client.get("/healthz").status_code == 200
    with server.store.read() as db:
        assert db.execute(sa.select(sa.func.count()).select_from(health)).scalar() == 1


@pytest.mark.parametrize("database", ["full", *POSTGRES_KINDS, STOPPED], indirect=True)
def test_no_seat_is_given_while_nothing_can_be_stored_and_all_are_free_after(
    client, database, make_study
):
    make_study(slug="small", people={"quota": 3})
    forms = [Walker(client).get(f"/s/small?PROLIFIC_PID={n}").page.form("answer") for n in range(3)]
    with database.broken(), ThreadPoolExecutor(6) as pool:
        sent = [{**form.fields, "answer": "yes"} for form in forms] * 2
        answers = list(pool.map(lambda data: client.post("/s/small", data=data), sent))
        page = client.get("/s/small?PROLIFIC_PID=new")
    assert {answer.status_code for answer in answers} == {503}
    assert page.status_code == (503 if database.stops_reading else 200)
    kept = [PageReader(answer.text).form("answer") for answer in answers]
    entered = {client.post(form.action, data=form.fields).url.path for form in kept}
    assert len(entered) == 3
    assert all(path.startswith("/p/") for path in entered)
    late = Walker(client).get("/s/small?PROLIFIC_PID=late").send("answer", answer="yes")
    assert late.page.name == "outcome"


@pytest.mark.parametrize("database", ["full", *POSTGRES_KINDS, STOPPED], indirect=True)
def test_command_sent_by_script_gets_a_line_that_says_so_and_is_played_once_after(
    client, database, make_study, look
):
    make_study(slug="game")
    player = Walker(client).enter("/s/game").leave_practice()
    form, headers = {"seq": "1", "raw": "check_location"}, {"HX-Request": "true"}
    with database.broken():
        refused = client.post(player.url, data=form, headers=headers)
    assert (refused.status_code, refused.headers["X-Error"]) == (503, "store/unavailable")
    assert "Nothing was saved" in refused.text
    assert "<html" not in refused.text
    for _ in range(2):
        assert client.post(player.url, data=form, headers=headers).status_code == 200
    assert [turn.raw for turn in look.turns(player.token)] == ["check_location"]


def test_page_that_cannot_be_read_says_so_and_can_be_loaded_again(client, database, study):
    with database.broken():
        answer = client.get("/s/demo?PROLIFIC_PID=one")
    if database.stops_reading:
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
        assert "/s/demo?PROLIFIC_PID=one" in PageReader(answer.text).links
    assert client.get("/s/demo?PROLIFIC_PID=one").status_code == 200


def test_file_has_to_be_chosen_again_and_the_page_says_so(client, database, study, researcher):
    body = b"Submission id,Participant id,Status\ns1,one,APPROVED\n"
    url = "/admin/studies/demo/recruit/import"
    with database.broken():
        answer = researcher.client.post(url, files={"file": ("a.csv", body, "text/csv")})
    assert answer.status_code == 503
    assert "choose it again" in answer.text
    assert '<input id="file-1" type="file" name="file">' in answer.text
