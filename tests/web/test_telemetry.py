"""Spans for a collector: what arrives there, that it names no one, and a collector that is away."""

import os
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from pydantic import ValidationError

from app.main import create_app
from app.settings import Settings
from app.web.telemetry import spans_to
from tests.e2e.serving import free_port
from tests.own_forms import OwnForms, logged_in
from tests.walker import Walker

pytestmark = pytest.mark.one_database
ROOT = Path(__file__).resolve().parents[2]
AGENT = "Netscape Navigator 9.87"
ATTRIBUTES = {
    "http.request.method",
    "http.route",
    "http.response.status_code",
    "hjstudy.request_id",
}


@pytest.fixture
def collector():
    """A real receiver of OTLP; `held` lets it answer only when the test says so."""
    got = SimpleNamespace(bodies=[], paths=[], began=Event(), may_answer=Event())
    got.may_answer.set()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            got.paths.append(self.path)
            got.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            got.began.set()
            got.may_answer.wait()
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    thread = Thread(target=server.serve_forever)
    thread.start()
    got.url = f"http://127.0.0.1:{server.server_port}"
    yield got
    got.may_answer.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def settings(settings, collector):
    return settings.model_copy(update={"otlp_endpoint": collector.url})


def spans_of(collector):
    """Decode what arrived: the spans, each with its attributes as a dictionary."""
    found = []
    for body in collector.bodies:
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            named = {one.key: one.value.string_value for one in resource.resource.attributes}
            assert set(named) == {"service.name", "service.version"}
            found += [span for scope in resource.scope_spans for span in scope.spans]
    return found


def attributes_of(span):
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


def test_one_span_of_each_request_arrives_and_names_no_one(app, settings, collector, make_study):
    make_study()
    ids = []
    with OwnForms(app, base_url=settings.base_url) as client:
        client.headers["User-Agent"] = AGENT
        client.event_hooks["response"].append(lambda r: ids.append(r.headers["x-request-id"]))
        walker = (
            Walker(client).get("/s/demo?PROLIFIC_PID=pid-5f3e2a1c").send("answer", answer="yes")
        )
        walker.send("ticket").leave_practice().type("dance wildly in circles")
        token = walker.token
        client.get("/p/no-such-player-77/secret?email=ann@example.org")
        client.request("BREW", "/secret-coffee")
        client.get("/api/v1/runs/1", headers={"Authorization": "Bearer hjs_secretkey"})
        researcher = logged_in(app, settings, "researcher-zoe", "researcher")
        assert researcher.get("/admin").status_code == 200
    spans = spans_of(collector)
    assert set(collector.paths) == {"/v1/traces"}
    names = {span.name for span in spans}
    assert {"GET /s/{slug}", "POST /s/{slug}", "GET /admin", "other -"} <= names
    assert "POST /p/{token}/world/{block}/guardian/{position}" in names
    assert "GET /runs/{run}" in names
    for span in spans:
        facts = attributes_of(span)
        assert set(facts) == ATTRIBUTES
        assert span.name == f"{facts['http.request.method']} {facts['http.route']}"
        assert span.start_time_unix_nano <= span.end_time_unix_nano
        assert not span.parent_span_id
        assert (len(span.events), len(span.links)) == (0, 0)
    sent = [attributes_of(span)["hjstudy.request_id"] for span in spans]
    assert set(ids) <= set(sent)
    assert len(set(sent)) == len(sent)
    statuses = {attributes_of(span)["http.response.status_code"] for span in spans}
    assert {200, 303, 401, 404} <= statuses
    raw = b"".join(collector.bodies)
    for secret in (
        *(token, "5f3e2a1c", "dance wildly", "no-such-player", "secret", "example.org", AGENT),
        *("testclient", "127.0.0.1", "zoe", "/p/test", client.cookies.get("hjstudy_login") or "?#"),
    ):
        assert secret.encode() not in raw, secret


def test_request_that_fails_is_marked_as_an_error(app, settings, collector):
    spans = spans_to(collector.url)
    spans.add({"type": "http", "method": "GET"}, 503, 0.2)
    spans.add({"type": "http", "method": "GET"}, 404, 0.2)
    spans.end()
    assert [span.status.code for span in spans_of(collector)] == [2, 0]


def test_no_request_waits_for_a_collector_that_does_not_answer(app, settings, collector):
    collector.may_answer.clear()
    with OwnForms(app, base_url=settings.base_url) as client:
        for _ in range(600):  # a batch has 512, and is sent at once
            assert client.get("/healthz").status_code == 200
        assert collector.began.wait(60)
        for _ in range(50):
            assert client.get("/healthz").status_code == 200
        collector.may_answer.set()


def test_server_with_a_collector_that_is_away_answers_and_ends(settings, capsys):
    url = f"http://127.0.0.1:{free_port()}"
    app = create_app(settings.model_copy(update={"otlp_endpoint": url}))
    with OwnForms(app, base_url=settings.base_url) as client:
        for _ in range(600):
            assert client.get("/healthz").status_code == 200
    assert "Traceback" not in capsys.readouterr().err


CHECK = """
import sys
{before}
from app.main import create_app
from app.settings import Settings
app = create_app(Settings(database_url="sqlite:///{path}", otlp_endpoint="{endpoint}"))
{after}
"""


def run_with(tmp_path, endpoint="", before="", after="", **environment):
    code = CHECK.format(path=tmp_path / "a.db", endpoint=endpoint, before=before, after=after)
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_packages_are_not_imported_without_a_collector(tmp_path):
    heavy = '("opentelemetry.sdk", "opentelemetry.exporter", "google.protobuf", "requests")'
    done = run_with(
        tmp_path, after=f"print([one for one in sys.modules if one.startswith({heavy})])"
    )
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


def test_missing_packages_are_named_with_what_to_do(tmp_path):
    absent = 'sys.modules["opentelemetry.sdk"] = None  # as if it were not installed'
    done = run_with(tmp_path, "http://127.0.0.1:4318", before=absent)
    assert done.returncode == 1
    assert "pip install 'hjstudy[telemetry]'" in done.stderr


FOREIGN = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter()))
trace.set_tracer_provider(provider)
"""
ASK = """
from starlette.testclient import TestClient
with TestClient(app, raise_server_exceptions=False) as client:
    client.get("/p/a-players-token?PROLIFIC_PID=pid")
    client.get("/api/v1/runs/1")
print("end")
"""


def test_fastapi_sends_no_addresses_to_a_collector_that_something_else_has_set_up(
    tmp_path, collector, sqlite_template
):
    shutil.copyfile(sqlite_template, tmp_path / "a.db")
    environment = {
        "FASTAPI_OTEL_AUTO_CONFIGURE": "true",
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
    }
    done = run_with(tmp_path, before=FOREIGN, after=ASK, **environment)
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
    assert collector.bodies == []


def test_address_of_the_collector_is_checked_and_completed(collector):
    for wrong in ("localhost:4318", "ftp://host/", "http://user:word@host/", "http://h/?a=1"):
        with pytest.raises(ValidationError):
            Settings(otlp_endpoint=wrong)
    for address in (f"{collector.url}/", f"{collector.url}/v1/traces", f"{collector.url}/a/b"):
        spans = spans_to(str(Settings(otlp_endpoint=address).otlp_endpoint))
        spans.add({"type": "http", "method": "GET"}, 200, 0.1)
        spans.end()
    assert collector.paths == ["/v1/traces", "/v1/traces", "/a/b/v1/traces"]
