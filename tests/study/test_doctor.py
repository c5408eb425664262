"""hjstudy doctor: each finding, and that a look which fails does not end the others."""

import json
import shutil
import socket
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from app.cli import app as cli
from app.store import migrate
from app.store.db import Store
from app.store.play.participants import participant
from app.study import doctor
from app.study.design import studies
from app.study.doctor import Place, examine
from app.study.models import runs
from app.study.models.cells import choose
from app.study.models.runs import Wanted
from tests.study.story import NOON, Story


def place(tmp_path, **changes):
    key = tmp_path / "id.key"
    key.write_text("00")
    key.chmod(0o600)
    whole = Place(tmp_path, "http://127.0.0.1:8000", secure_cookies=False, key_files=(key,))
    return whole._replace(**changes)


def states(store, place):
    return {one.name: one.state for one in examine(store, place)}


def test_ready_server_has_one_warning_its_address_is_its_own_machine(store, tmp_path):
    found = states(store, place(tmp_path))
    assert found == {
        "tables": "ok",
        "writing": "ok",
        "clock": "ok",
        "disk": found["disk"],  # of the machine that runs the tests
        "keys": "ok",
        "settings": "ok",
        "reference": "ok",
        "models": "ok",
        "prices": "ok",
        "seats": "ok",
        "data": "ok",
        "address": "warning",
        "certificate": "ok",
    }


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({"data_dir": Path("var")}, "warning"),
        ({"trusted_proxies": ("10.0.0.1", "0.0.0.0/0")}, "problem"),
        ({"trusted_proxies": ("::/0",)}, "problem"),
        ({"secure_cookies": True}, "problem"),
        ({"secure_cookies": True, "base_url": "https://study.example.org"}, "ok"),
    ],
)
def test_settings_that_do_not_fit_together_are_found(tmp_path, changes, state):
    assert doctor.settings(place(tmp_path, **changes)).state == state


def test_people_whose_rows_do_not_fit_are_found(store, tmp_path):
    story = Story(store, people={"quota": 9})
    token = story.enter()
    for days, state in ((1, "ok"), (30, "warning")):  # no one swept
        assert doctor.seats(store, story.now() + timedelta(days=days)).state == state
    with store.write() as db:
        mine = participant.c.token == token
        db.execute(participant.update().where(mine).values(state="finished", code="x"))
    found = states(store, place(tmp_path))
    assert (found["seats"], found["data"]) == ("problem", "problem")


def test_open_study_without_the_package_that_plays_it_is_a_problem(store, monkeypatch):
    blocks = [{"task": "A-Over", "seeds": [1], "source": "reference"}]
    Story(store, blocks=blocks, per_player=1)
    assert doctor.reference_package(store).state == "ok"
    for other in ("", "0.0.1"):
        monkeypatch.setattr("app.study.design.reference.installed", lambda other=other: other)
        found = doctor.reference_package(store)
        assert (found.state, "story" in found.text) == ("problem", True)
        assert "[reference]" in found.text
    studies.set_state(store, "story", "closed")
    assert doctor.reference_package(store).state == "ok"


def test_missing_package_for_models_is_found_where_a_run_or_an_endpoint_needs_it(
    store, monkeypatch
):
    Story(store)
    local = "local=http://127.0.0.1:8080/v1"
    assert doctor.models_package(store, local).state == "ok"
    monkeypatch.setattr("app.study.models.endpoints.find_spec", lambda _name: None)
    assert doctor.models_package(store, "").state == "ok"
    assert doctor.models_package(store, local).state == "warning"
    with store.read() as db:
        study = studies.find(db, "story")
    for url, state in (("", "ok"), ("http://127.0.0.1:8080/v1", "warning")):  # agents have none
        wanted = Wanted("play", "m", url, "plain", "paper", {}, choose(study, (), (), direct=False))
        runs.create(store, study, wanted, NOON)
        assert doctor.models_package(store, "").state == state


def test_price_file_that_cannot_be_read_is_a_problem(store, tmp_path):
    path = tmp_path / "prices.json"
    assert doctor.model_prices(None).state == "ok"
    path.write_text('{"m": {"input": 1, "output": 2}}')
    assert doctor.model_prices(path) == ("prices", "ok", "Models with a price: 1.")
    path.write_text('{"m": {"input": "free"}}')
    found = {one.name: one for one in examine(store, place(tmp_path, model_prices=path))}
    assert found["prices"].state == "problem"
    assert "prices.json is not a file of prices" in found["prices"].text


@pytest.mark.parametrize(("days", "state"), [(90, "ok"), (13, "warning"), (-1, "warning")])
def test_certificate_that_ends_soon_is_a_warning(days, state):
    now = datetime(2026, 11, 29, tzinfo=UTC)
    assert doctor.expiry(now + timedelta(days=days), now).state == state


@pytest.mark.parametrize(
    ("seen", "url", "state"),
    [
        ("ignored", "http://a.example", "problem"),
        ("none", "https://a.example", "warning"),
        ("none", "http://a.example", None),
        ("trusted", "https://a.example", None),
    ],
)
def test_proxy_whose_word_does_not_count_is_found(seen, url, state):
    found = doctor.proxy(url, httpx.Response(200, headers={"X-Proxy": seen}))
    assert (found and found.state) == state


def test_database_of_another_version_is_a_problem(store, tmp_path):
    with store.write() as db:
        db.execute(sa.text("UPDATE alembic_version SET version_num = 'old'"))
    try:
        assert states(store, place(tmp_path))["tables"] == "problem"
    finally:
        with store.write() as db:
            newest = migrate.head()
            db.execute(sa.text(f"UPDATE alembic_version SET version_num = '{newest}'"))


def test_database_that_is_not_there_is_a_problem_and_the_rest_is_looked_at(tmp_path):
    (tmp_path / "none").mkdir()
    store = Store(f"sqlite:///{tmp_path}/none")
    found = states(store, place(tmp_path))
    assert (found["tables"], found["writing"]) == ("problem", "problem")
    assert found["keys"] == "ok"


def test_key_that_others_can_read_is_a_problem(store, tmp_path):
    one = place(tmp_path)
    one.key_files[0].chmod(0o640)
    assert states(store, one)["keys"] == "problem"


@pytest.mark.parametrize(("free", "state"), [(10, "problem"), (2**30, "warning"), (2**40, "ok")])
def test_little_space_is_a_warning_and_hardly_any_a_problem(tmp_path, monkeypatch, free, state):
    usage = type("Usage", (), {"free": free})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert doctor.disk(tmp_path / "not" / "there").state == state


@pytest.mark.one_database
def test_space_is_looked_for_where_the_database_lies_too(tmp_path, monkeypatch):
    full = tmp_path / "full"
    full.mkdir()
    url = f"sqlite:///{full}/hjstudy.db"
    migrate.upgrade(url)
    free = {full: 10, tmp_path: 2**40}
    usage = type("Usage", (), {"__init__": lambda self, path: setattr(self, "free", free[path])})
    monkeypatch.setattr(shutil, "disk_usage", usage)
    store = Store(url)
    try:
        (found,) = [one for one in examine(store, place(tmp_path)) if one.name == "disk"]
    finally:
        store.dispose()
    assert found.state == "problem"
    assert str(full) in found.text


class Answers(BaseHTTPRequestHandler):
    body = b'{"ok": true}'

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_):
        pass


@pytest.mark.parametrize(
    ("body", "state"), [(b'{"ok": true}', "warning"), (b"Welcome to nginx", "problem")]
)
def test_public_address_is_opened(tmp_path, body, state):
    handler = type("Handler", (Answers,), {"body": body})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        one = place(tmp_path, base_url=f"http://127.0.0.1:{server.server_port}")
        assert doctor.opened(one).state == state
        server.shutdown()


def test_public_address_without_a_server_is_a_problem(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    one = place(tmp_path, base_url=f"http://127.0.0.1:{port}")
    assert doctor.opened(one).state == "problem"


@pytest.mark.parametrize(
    ("host", "text"),
    [
        ("localhost", "on this machine only"),
        ("LOCALHOST.", "on this machine only"),
        ("127.0.0.1", "on this machine only"),
        ("127.8.8.8", "on this machine only"),
        ("[::1]", "on this machine only"),
        ("0.0.0.0", "on this machine only"),  # noqa: S104 - not bound
        ("study.invalid", "cannot be opened"),
        ("127.0.0.1.invalid", "cannot be opened"),
    ],
)
def test_address_that_only_this_machine_can_open_is_not_tried(tmp_path, host, text):
    found = doctor.address(place(tmp_path, base_url=f"http://{host}:1"))
    assert text in found.text


def test_command_prints_what_it_found_and_fails_on_a_problem(
    tmp_path, sqlite_template, monkeypatch
):
    monkeypatch.setenv("HJSTUDY_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path}/none.db")
    assert CliRunner().invoke(cli, ["doctor"]).exit_code == 1
    (tmp_path / "none.db").unlink(missing_ok=True)
    (tmp_path / "none.db").write_bytes(sqlite_template.read_bytes())
    found = CliRunner().invoke(cli, ["doctor", "--json"])
    assert "problem" not in {
        one["state"] for one in json.loads(found.stdout) if one["name"] != "disk"
    }
