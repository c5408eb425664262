"""Browsers of other engines than Chromium. The server and its database are those of `tests/e2e`."""

import shutil

import pytest

from tests.e2e.engines.bidi import Firefox
from tests.e2e.engines.visitor import Visitor
from tests.e2e.engines.webdriver import WebKit
from tests.e2e.visitor import CDN

ENGINES = [Firefox, WebKit]
SERVERS = {"htmx": "server", "no htmx": "cdn_server", "no script": "server"}


@pytest.fixture(params=SERVERS)
def mode(request):
    """What of the scripts arrives: all; all but htmx, whose CDN is out of reach; or nothing."""
    return request.param


@pytest.fixture(params=ENGINES, ids=lambda kind: kind.__name__)
def visitor(request, mode, tmp_path):
    """Return a person at a new browser, who has seen nothing yet."""
    kind = request.param
    if shutil.which(kind.program) is None:
        pytest.fail(f"there is no {kind.program}: sudo apt-get install {kind.package}")
    engine = kind(script=mode != "no script")
    try:
        engine.open_browser(tmp_path)
        yield Visitor(engine, request.getfixturevalue(SERVERS[mode]).url)
        expected = CDN if mode == "no htmx" else None
        assert [text for text in engine.faults if not expected or expected not in text] == []
    finally:
        engine.end()
