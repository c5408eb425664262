"""`hjstudy serve` says in a sentence why it cannot start, and limits its connections."""

import os
import socket
import stat
import subprocess
import sys
from datetime import UTC, datetime

from app.paths import how_to_add
from app.store.design import studies
from app.study.people import accounts
from app.web import pages
from tests.e2e.serving import ServerProcess


def test_port_that_is_taken_is_named_with_what_to_do(hjstudy):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, message = hjstudy("serve", "--port", port)
    assert code == 2
    assert f"127.0.0.1:{port}: Address already in use" in message
    assert f"HJSTUDY_PORT={port + 1}" in message
    assert "Serving" not in message


def test_demo_on_a_taken_port_leaves_the_first_login_link_of_the_other_server_alone(hjstudy, store):
    link = accounts.add(store, "researcher", "researcher", datetime.now(UTC))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, message = hjstudy("demo", "--serve", "--port", port)
    assert (code, out) == (2, "")
    assert message.startswith(f"The server cannot listen on 127.0.0.1:{port}")
    with store.read() as db:
        assert accounts.link_owner(db, link, datetime.now(UTC)).name == "researcher"
        assert studies.all_slugs(db) == []


def test_a_mistyped_setting_is_named_when_the_server_starts(hjstudy, monkeypatch):
    monkeypatch.setenv("HJSTUDY_PROT", "9000")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        _, _, message = hjstudy("serve", "--port", taken.getsockname()[1])
    assert "HJSTUDY_PROT is not a setting" in message


def test_htmx_of_another_release_is_refused_in_a_sentence(hjstudy, monkeypatch):
    monkeypatch.setenv("HJSTUDY_HTMX_SOURCE", "local")
    monkeypatch.setattr(pages, "HTMX_INTEGRITY", "sha384-of-another-release")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    code, _, message = hjstudy("serve", "--port", port)
    assert code == 2
    assert f"{how_to_add('offline')}. Without it, use HJSTUDY_HTMX_SOURCE=cdn." in message
    assert "Serving" not in message
    assert "Traceback" not in message


STATE = "import gc, sys; print(gc.get_freeze_count() > 50_000, sys.getswitchinterval())"


def test_a_process_that_serves_pauses_little(tmp_path):
    program = f"from app.main import served_app; app = served_app(); {STATE}"
    env = {"HJSTUDY_DATABASE_URL": f"sqlite:///{tmp_path / 'a.db'}", "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=env
    )
    assert done.stdout.split() == ["True", "0.001"]


def test_served_connections_have_a_clock_for_headers(tmp_path, url):
    served = ServerProcess(tmp_path, url)
    served.environment["HJSTUDY_HEAD_TIMEOUT_S"] = "0.5"
    served.environment["HJSTUDY_DATA_DIR"] = str(tmp_path / "data")
    key = tmp_path / "data" / "signing-key.pem"
    assert not key.exists()
    served.start()
    try:
        # the key that signs manifests is there from the first start, before anyone asks for it
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        assert key.read_bytes().startswith(b"-----BEGIN PRIVATE KEY-----")
        with socket.create_connection(("127.0.0.1", served.port), timeout=60) as slow:
            slow.sendall(b"GET / HTTP/1.1\r\n")
            assert slow.recv(100) == b""
    finally:
        served.end()


def test_port_of_one_server_comes_with_what_makes_links_lead_there(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    own = {"HJSTUDY_DATABASE_URL": f"sqlite:///{tmp_path / 'a.db'}", "HOME": str(tmp_path)}
    env = {**own, "HJSTUDY_DATA_DIR": str(tmp_path), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-m", "app.cli"]
    subprocess.run([*command, "migrate"], check=True, capture_output=True, env=env)
    serve = [*command, "serve", "--port", str(port)]
    with subprocess.Popen(serve, env=env, stderr=subprocess.PIPE, text=True) as one:
        try:
            assert any("Serving on" in line for line in iter(one.stderr.readline, ""))
            assert f"set HJSTUDY_PORT={port}." in one.stderr.readline()
        finally:
            one.kill()
