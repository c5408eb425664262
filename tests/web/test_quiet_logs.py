"""The log of whole journeys: no one's id, name, address or words are in it, at any level."""

import json
import logging
import re

import pytest
import sqlalchemy as sa

from app import logs
from app.settings import load_settings
from app.store.tables import metadata
from tests.walker import Walker
from tests.web.journeys import (
    STUDIES,
    design_a_study,
    log_in_and_out,
    manage_models,
    manage_people,
    play_demo,
    play_whole,
    rate,
    try_and_work,
)

PERSONAL = {
    "account": ("name", "password_hash"),
    "answer": ("value",),
    "assignment": ("token",),
    "explanation": ("text", "inputs", "output", "how"),
    "identity": ("external_id", "external_study", "external_session"),
    "login": ("token_hash",),
    "hand_action": ("reason",),
    "participant": ("public_id", "token", "code"),
    "problem": ("text",),
    "rating": ("comment",),
    "rating_item": ("text",),
    "study": ("slug",),
    "turn": ("raw",),
}
LEAST = 3  # characters; shorter values are part of other words


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"log_level": "debug", "log_format": "json"})


@pytest.fixture
def store_url(sqlite_template, tmp_path):
    (tmp_path / "logs.db").write_bytes(sqlite_template.read_bytes())
    return f"sqlite:///{tmp_path / 'logs.db'}"


@pytest.fixture(autouse=True)
def logging_as_before():
    """The test's own client logs addresses of pages: it is not part of the server."""
    logging.getLogger("httpx2").disabled = True
    yield
    logging.getLogger("httpx2").disabled = False
    logs.set_up(load_settings())


@pytest.fixture
def study(make_study):
    for slug, changes in STUDIES.items():
        made = make_study(slug=slug, **changes)
    return made


def stored(server):
    """Return every personal text of the database."""
    found = set()
    with server.store.read() as db:
        for table, columns in PERSONAL.items():
            for name in columns:
                column = metadata.tables[table].c[name]
                found |= {str(one) for one in db.execute(sa.select(column)).scalars() if one}
    return found


@pytest.mark.timeout(300)
@pytest.mark.long
def test_log_of_whole_journeys_holds_no_personal_data(
    client, desk, look, researcher, server, capsys
):
    def same(walker):
        return walker

    person = Walker(client).get("/s/demo?PROLIFIC_PID=5f1a2b3c4d5e6f7a8b9c0d1e&STUDY_ID=st77")
    person.send("answer", answer="yes")
    play_demo(Walker(client), look)
    token = Walker(client).get("/s/demo?PROLIFIC_PID=one").token
    play_whole(Walker(client), look)
    design_a_study(researcher)
    manage_people(researcher, look, token)
    rate(researcher, desk, same)
    manage_models(researcher)
    try_and_work(researcher)
    log_in_and_out(researcher, same, client, server)
    client.get("/p/some-wrong-token?secret=typed-by-hand")
    written = capsys.readouterr().err
    lines = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    assert len(lines) > 100
    assert {"request", "timestamp", "event"} <= set(lines[-1])
    secrets = stored(server) | {
        "some-wrong-token",
        "typed-by-hand",
        "testclient",
        "a long password",
    }
    assert {"5f1a2b3c4d5e6f7a8b9c0d1e", person.token, "researcher"} <= secrets
    leaked = {
        one
        for one in secrets
        if len(one) >= LEAST and re.search(rf"(?<!\w){re.escape(one)}(?!\w)", written)
    }
    assert leaked == set()
