"""A full disk, a stopped or read-only database: nothing typed is lost, and all goes on after."""

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
import sqlalchemy as sa

from app.main import create_app
from app.store import migrate
from app.store.health import health
from app.store.play.explanations import explanation
from app.store.play.problems import problem
from tests import databases
from tests.breaking import (
    ClosedDatabase,
    FailingDisk,
    FullDisk,
    OwnServer,
    ReadOnlyDatabase,
    ReadOnlyFile,
    Standby,
    StoppedDatabase,
    small_disk,
)
from tests.conftest import need_postgres, new_name
from tests.walker import PageReader, Walker
from tests.web.design.designing import part
from tests.web.journeys import (
    STUDIES,
    design_a_study,
    log_in_and_out,
    manage_accounts,
    manage_models,
    manage_people,
    play_demo,
    play_whole,
    rate,
    start_models,
    try_and_work,
    watch_raters,
)
from tests.web.models.agent import API, MIXED, Agent, is_problem
from tests.web.sockets import answer, serving
from tests.web.stubborn import POSTS, Stubborn

FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
SERVERS = {"stopped": StoppedDatabase, "standby": Standby}
POSTGRES = {"closed": ClosedDatabase, "only read": ReadOnlyDatabase}
CLOSED, ONLY_READ = (pytest.param(one, marks=pytest.mark.postgres) for one in POSTGRES)
READ_ONLY = ["read-only", ONLY_READ]
OWN = (pytest.param(one, marks=pytest.mark.postgres) for one in SERVERS)
ALL = ["full", "failing", CLOSED, *READ_ONLY, *OWN]


@pytest.fixture(scope="session")
def own_server():
    made = OwnServer()
    yield made
    made.end()


@pytest.fixture(params=["full", CLOSED])
def database(request, tmp_path):
    """A database that can be broken for a while."""
    kind = request.param
    if kind == "full":
        with small_disk(tmp_path / "disk") as folder:
            yield FullDisk(folder, request.getfixturevalue("sqlite_template"))
    elif kind == "read-only":
        yield ReadOnlyFile(tmp_path / "study.db", request.getfixturevalue("sqlite_template"))
    elif kind == "failing":
        yield FailingDisk(tmp_path / "study.db", request.getfixturevalue("sqlite_template"))
    elif kind in SERVERS:
        own = request.getfixturevalue("own_server")
        url = databases.create_database(new_name(), own.url)
        migrate.upgrade(url)
        yield SERVERS[kind](own, url)
    else:
        need_postgres(request)
        url = databases.create_database(new_name())
        migrate.upgrade(url)
        yield POSTGRES[kind](url)
        databases.drop_database(sa.make_url(url).database)


@pytest.fixture
def store_url(database):
    return database.url


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


@pytest.mark.timeout(300)
@pytest.mark.long
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
    watch_raters(boss, desk, stubborn)
    manage_models(boss)
    try_and_work(boss)
    start_models(boss)
    manage_accounts(boss)
    log_in_and_out(boss, stubborn, client, server)
    assert wrong == []
    unmet = {f"POST {row}" for row in POSTS} - met
    assert unmet == set(), "send each form once in tests/web/journeys.py"
    raws = [turn.raw for turn in look.turns(token)]
    assert raws == ["check_location", *look.solution(token, 0, 0)]
    with server.store.read() as db:
        [explained] = db.execute(explanation.select()).all()[:1]
        assert db.execute(sa.select(sa.func.count()).select_from(problem)).scalar() == 1
    assert "Typed with care.\nTwice." in explained.inputs


@pytest.mark.timeout(300)
@pytest.mark.long
@pytest.mark.parametrize("database", READ_ONLY, indirect=True)
def test_forms_of_players_designers_and_raters_meet_a_database_that_can_only_be_read(
    client, desk, stubborn, wrong, look, researcher, server
):
    player = stubborn(Walker(client))
    play_demo(player, look)
    play_whole(stubborn(Walker(client)), look)
    boss = stubborn(researcher)
    design_a_study(boss)
    rate(boss, desk, stubborn)
    assert wrong == []
    raws = [turn.raw for turn in look.turns(player.token)]
    assert raws == ["check_location", *look.solution(player.token, 0, 0)]
    with server.store.read() as db:
        assert db.execute(explanation.select()).first().inputs == "Typed with care.\nTwice."


@pytest.mark.parametrize("database", ALL, indirect=True)
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


@pytest.mark.parametrize("database", ALL, indirect=True)
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


@pytest.mark.parametrize("database", [CLOSED, ONLY_READ], indirect=True)
def test_program_is_told_to_try_again_while_its_requests_cannot_be_counted(
    client, database, make_study, server
):
    make_study(slug="game", **MIXED)
    agent = Agent(server, client, slug="game")
    assert agent.get("/runs").status_code == 200
    with database.broken():
        for refused in (agent.get("/runs"), client.get(f"{API}/runs"), agent.post("/runs")):
            is_problem(refused, 503, "store/unavailable")
            assert refused.headers["Retry-After"] == "1"
    assert agent.get("/runs").status_code == 200
    assert client.get(f"{API}/runs").status_code == 401


@pytest.mark.parametrize("database", ALL, indirect=True)
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
    form = part(researcher, "file", "demo").page.form("text")
    body = form.fields["text"].replace("A small study", "Another title").encode()
    files = {"file": ("a.yaml", body, "application/yaml")}
    with database.broken():
        answer = researcher.client.post(form.action, data=form.fields, files=files)
    assert answer.status_code == 503
    assert "choose it again" in answer.text
    assert '<input id="file-1" type="file" name="file">' in answer.text


@pytest.mark.parametrize("database", [CLOSED], indirect=True)
@pytest.mark.parametrize("http", ["httptools", "h11"])
def test_answer_to_a_form_that_is_still_being_sent_leaves_its_connection_in_order(
    database, settings, researcher, http
):
    """The login is looked up, which fails, before the form is read."""
    cookie = researcher.client.cookies["hjstudy_login"]
    head = f"POST /admin/studies/demo/actions/open HTTP/1.1\r\nHost: x\r\n{FORM}"
    half = f"{head}Cookie: hjstudy_login={cookie}\r\nContent-Length: 8\r\n\r\nnote".encode()
    last = b"GET /login HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    patient = create_app(settings.model_copy(update={"body_timeout_s": 1.0}))
    with serving(patient, http) as address, ExitStack() as stack:
        sending, stalled = (
            stack.enter_context(socket.create_connection(address, timeout=60)) for _ in range(2)
        )
        with database.broken():
            for connection in (sending, stalled):
                connection.sendall(half)
            time.sleep(0.2)
            sending.sendall(b"=it!")
            first, whole = sending.recv(65536).decode(), answer(stalled)
        sending.sendall(last)
        found = first + answer(sending)
    assert found.startswith("HTTP/1.1 503 ")
    assert found.count("HTTP/1.1 ") == 2  # the second request was understood
    assert "HTTP/1.1 404 " in found
    assert whole.startswith("HTTP/1.1 503 ")
    assert "connection: close" in whole.lower()
