"""Log lines: one per fact, in the configured format, and nothing a person typed."""

import json
import logging
from types import SimpleNamespace

import pytest
import structlog

from app import logs
from app.settings import load_settings

PLAY = SimpleNamespace(path="/p/{token}/play")
SCOPE = {"method": "POST", "path": "/p/hush/play", "query_string": b"hush", "route": PLAY}


def fail() -> None:
    message = "refused\nDETAIL:  Failing row contains (1, hush,\nhush).\n[SQL: INSERT]"
    raise ValueError(message)


@pytest.fixture(autouse=True)
def logging_as_before():
    """Restore logging to conftest's settings."""
    yield
    structlog.contextvars.clear_contextvars()
    logs.set_up(load_settings())


def test_request_is_named_by_its_route_and_never_by_its_path(capsys):
    logs.set_up(load_settings(log_format="json", log_level="info"))
    logs.bind_request("abcd")
    logs.request_done(SCOPE, 200, 1.5)
    line = json.loads(capsys.readouterr().err)
    del line["timestamp"]
    assert line == {
        "event": "request.answered",
        "level": "info",
        "request": "abcd",
        "method": "POST",
        "route": "/p/{token}/play",
        "status": 200,
        "ms": 1.5,
    }


def test_request_without_a_route_is_logged_without_its_path(capsys):
    logs.set_up(load_settings(log_level="info"))
    logs.request_done({"method": "GET", "path": "/hush"}, 404, 1.5)
    written = capsys.readouterr().err
    assert "404" in written
    assert "hush" not in written


def test_request_that_failed_is_an_error(capsys):
    logs.set_up(load_settings(log_format="json", log_level="error"))
    logs.request_done(SCOPE, 503, 1.5)
    assert json.loads(capsys.readouterr().err)["event"] == "request.failed"


def test_static_files_and_health_checks_are_logged_on_debug_only(capsys):
    logs.set_up(load_settings(log_level="info"))
    logs.request_done({"method": "GET", "path": "/static/app.css"}, 200, 1.5)
    logs.request_done({"method": "GET", "path": "/healthz"}, 200, 1.5)
    assert capsys.readouterr().err == ""


def test_request_id_of_the_last_request_does_not_stay(capsys):
    logs.set_up(load_settings(log_format="json", log_level="info"))
    structlog.contextvars.bind_contextvars(player="p_1")
    logs.bind_request("abcd")
    logs.request_done(SCOPE, 200, 1.5)
    assert "player" not in json.loads(capsys.readouterr().err)


@pytest.mark.parametrize("log_format", ["json", "console"])
@pytest.mark.parametrize("library", [True, False], ids=["library", "ours"])
def test_traceback_leaves_out_the_row_that_postgres_repeats(capsys, log_format, library):
    logs.set_up(load_settings(log_format=log_format, log_level="info"))
    try:
        fail()
    except ValueError:
        log = logging.getLogger("x") if library else structlog.get_logger()
        log.exception("page.failed")
    written = capsys.readouterr().err
    assert "ValueError: refused" in written
    assert "[SQL: INSERT]" in written
    assert "hush" not in written


def test_library_line_has_our_form_and_the_request_id(capsys):
    logs.set_up(load_settings(log_format="json", log_level="info"))
    logs.bind_request("abcd")
    logging.getLogger("uvicorn.error").info("Started on %s", 8000)
    line = json.loads(capsys.readouterr().err)
    assert (line["event"], line["request"]) == ("Started on 8000", "abcd")


def test_uvicorns_own_request_lines_are_off_because_they_hold_paths(capsys):
    logs.set_up(load_settings(log_level="debug"))
    logging.getLogger("uvicorn.access").info("GET /p/hush")
    assert capsys.readouterr().err == ""


def test_set_up_twice_writes_each_line_once(capsys):
    logs.set_up(load_settings(log_level="info"))
    logs.set_up(load_settings(log_level="info"))
    logging.getLogger("x").info("once")
    assert capsys.readouterr().err.count("once") == 1


def test_lines_below_the_configured_level_are_not_written(capsys):
    logs.set_up(load_settings(log_level="error"))
    logs.request_done(SCOPE, 200, 1.5)
    structlog.get_logger().warning("quiet")
    assert capsys.readouterr().err == ""
