"""Keys stay out of the database, the output and the log, whatever the endpoint sends back."""

import base64
import json
import os
import sqlite3
import subprocess
import sys
from urllib.parse import quote

import pytest

from app.agents.asking import Ask
from app.agents.replies import StoppedError
from app.models.asker import Asker, BadKeyError, Endpoint
from app.models.limits import Limits, Meter
from app.study.design import studies
from app.study.models import proof, runs
from app.study.models.prices import Price
from tests.models.scripted import Fault, Players, Scripted, completion

KEY = 'sk-v/ry+"secret=0123456789'
ONE = ("--tasks", "P-Comp", "--explanations", "none")
FORMS = {
    "as it is": lambda key: key,
    "in JSON": json.dumps,
    "in JSON with escaped slashes": lambda key: json.dumps(key).replace("/", "\\/"),
    "in JSON, all escaped": lambda key: '"' + "".join(f"\\u{ord(c):04x}" for c in key) + '"',
    "percent-encoded": lambda key: quote(key, safe=""),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "Basic": lambda key: base64.b64encode(f":{key}".encode()).decode(),
}


class Echo(Scripted):
    """Refuses the first request, or answers all, with the headers that came."""

    def __init__(self, answer, *, refuses):
        super().__init__(answer)
        self.refuses = refuses

    def reply(self, body, headers):
        fault = super().reply(body, headers)
        if self.refuses and len(self.requests) == 1:
            return Fault(401, json.dumps({"error": {"message": f"bad key {headers}"}}))
        text = json.loads(fault.body)["choices"][0]["message"]["content"]
        return Fault(200, json.dumps({**completion(text + KEY), "echo": dict(headers)}))


@pytest.fixture
def echo(make_study, variants_of):
    """Return a function that makes a server which knows the study's rules and echoes keys."""
    make_study()
    return lambda *, refuses: Echo(Players(variants_of()), refuses=refuses)


def asked(body, status=401, key=KEY):
    """Ask once; returns (what was logged, what the user reads)."""
    script, log, told = Scripted(lambda _prompt: "", [Fault(status, body)]), [], ""
    with script.serving() as url:
        asker = Asker(Endpoint(url, "m", key=key), Meter(Limits(), Price()), 1)
        try:
            asker.ask(Ask("action", "Which way?", 7), log.append)
        except StoppedError as error:
            told = error.message
        asker.close()
    return log[0], told


@pytest.mark.parametrize("status", [200, 401])
@pytest.mark.parametrize("form", FORMS)
def test_key_in_an_answer_is_replaced(form, status):
    said = FORMS[form](KEY)
    whole = completion("x")
    whole["choices"][0]["message"]["content"] = "HERE"
    body = json.dumps(whole).replace('"HERE"', said if said.startswith('"') else json.dumps(said))
    reply, told = asked(body, status)
    seen = f"{reply.raw} {reply.text} {reply.problem} {told}"
    assert "***" in reply.raw
    assert said.strip('"') not in seen
    assert KEY not in seen
    if status == 200:
        assert (reply.status, reply.text) == ("ok", "***")


def test_short_word_for_no_key_leaves_answers_alone():
    reply, _ = asked(json.dumps(completion("none of it is empty")), 200, key="none")
    assert reply.text == "none of it is empty"
    reply, told = asked('{"error": "bad key none"}', key="none")
    assert (reply.raw, "none" in told) == ('{"error": "bad key ***"}', False)


@pytest.mark.parametrize("key", ["sk-a\nb", "sk-\u2019x", "sk a"])
def test_key_that_no_header_can_carry_is_refused_without_showing_it(key):
    with pytest.raises(BadKeyError) as found:
        Asker(Endpoint("http://127.0.0.1:9/v1", "m", key=key), Meter(Limits(), Price()), 1)
    assert key not in found.value.message


def test_password_of_the_address_is_replaced_too():
    script, log = Scripted(lambda _prompt: "", [Fault(401, "for hunter2hunter2 only")]), []
    with script.serving() as url:
        address = url.replace("http://", "http://ada:hunter2hunter2@")
        asker = Asker(Endpoint(address, "m"), Meter(Limits(), Price()), 1)
        with pytest.raises(StoppedError):
            asker.ask(Ask("action", "Which way?", 7), log.append)
        asker.close()
    assert log[0].raw == "for *** only"


def run_apart(url, address, tmp_path, **environment):
    """Run the command in a process of its own that logs all it can; returns all it wrote."""
    (tmp_path / "key").write_text(KEY + "\n")
    known = {**os.environ, "HJSTUDY_DATABASE_URL": url, "HJSTUDY_LOG_LEVEL": "debug", **environment}
    words = [sys.executable, "-m", "app.cli", "model", "run", "--study", "demo", "--model", "m"]
    more = ["--base-url", address, "--key-file", str(tmp_path / "key"), *ONE]
    done = subprocess.run([*words, *more], env=known, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def dump(url):
    """Return the whole database as text."""
    with sqlite3.connect(url.removeprefix("sqlite:///")) as db:
        return "\n".join(db.iterdump())


LIBRARIES = [
    pytest.param({"OPENAI_LOG": "debug"}, id="with the SDK's log"),
    pytest.param({}, id="without", marks=pytest.mark.long),
]


@pytest.mark.parametrize("libraries", LIBRARIES)
def test_echoed_key_is_neither_stored_nor_printed_nor_logged(echo, url, tmp_path, libraries):
    script = echo(refuses=True)
    with script.serving() as address:
        code, written = run_apart(url, address, tmp_path, **libraries)
    assert (code, len(script.requests)) == (1, 1)
    assert script.requests[0][1]["authorization"] == f"Bearer {KEY}"
    assert "bad key" in written
    stored = dump(url)
    assert "bad key" in stored
    for form in FORMS.values():
        assert form(KEY).strip('"') not in written
        assert form(KEY).strip('"') not in stored


@pytest.mark.long  # starts a process
def test_run_whose_answers_hold_the_key_is_replayed_as_it_was(echo, url, store, tmp_path):
    script = echo(refuses=False)
    with script.serving() as address:
        code, written = run_apart(url, address, tmp_path)
    assert code == 0, written
    assert KEY not in written + dump(url)
    with store.read() as db:
        run = runs.find(db, studies.find(db, "demo"), 1)
    assert proof.verify(store, run).ok


SECRET = {
    "extra_headers": '{"x": "y"}',
    "extra_query": '{"x": "y"}',
    "extra_body": '{"x": "y"}',
    "api_key": '"x"',
    "apiKey": '"x"',
    "Authorization": '"x"',
    "headers": "{}",
    "access_token": '"x"',
    "password": '"x"',
    "timeout": "1",
    "metadata": '{"a": [{"api_key": "x"}]}',
}


@pytest.mark.parametrize("name", SECRET)
def test_parameter_that_may_hold_a_key_is_refused(hjstudy, script, endpoint, url, name):
    run = ("model", "run", "--study", "demo", "--model", "m", "--base-url", endpoint)
    code, _, message = hjstudy(*run, "--parameter", f"{name}={SECRET[name]}")
    assert (code, script.requests) == (2, [])
    assert f"--parameter: '{name}'" in message
    assert "model_run" not in dump(url).partition('INSERT INTO "model_run"')[2]


def test_parameter_with_the_key_as_its_value_is_refused(hjstudy, script, endpoint, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    run = ("model", "run", "--study", "demo", "--model", "m", "--base-url", endpoint)
    code, _, message = hjstudy(*run, "--parameter", f"user={json.dumps('x' + KEY)}")
    assert (code, script.requests, KEY in message) == (2, [], False)


def test_parameter_that_only_some_endpoints_know_is_sent(run_model, script):
    run_model(*ONE, "--parameter", "top_k=40", "--parameter", 'prompt_cache_key="a"')
    body = script.requests[0][0]
    assert (body["top_k"], body["prompt_cache_key"]) == (40, "a")
