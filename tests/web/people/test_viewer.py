"""No page and no file that a viewer may open shows an identifier or an individual."""

import io
import json
import zipfile

import pytest
import sqlalchemy as sa

from app.store.play.turns import turn
from app.study.people import inviting
from app.study.rights import Role, allows, rights_of
from app.web.access import NEEDS
from tests.own_forms import logged_in
from tests.walker import Walker
from tests.web.conftest import NOW
from tests.web.export.test_jobs import start, wait

ID = 40817093
OWN, RULE = "/admin/studies/demo", "world/1/guardian/1/rule"
VIEWER = rights_of(Role.VIEWER)
SHARED = {f"GET {OWN}/bundle.zip?shareable=1"}  # rows of individuals, without identifiers
NAMES = {
    "slug": "demo",
    "section": "texts",
    "number": 1,
    "episode": 1,
    "task": "A-Add",
    "job": "none",
}
QUERIES = {"bundle.zip": "?shareable=1", "cell": "?key=P-Comp/2/semantic/1"}
WITHOUT = {  # nothing of this study, or in report.zip
    "GET /admin/studies/{slug}/report/{folder}/{name}.{suffix}",
    "GET /admin/studies/{slug}/report/models/runs/{number}",
    "GET /admin/studies/{slug}/report/models/runs/{number}/episodes/{episode}",
    "GET /admin/studies/{slug}/jobs/{job}/file",
    "GET /admin/studies/{slug}/jobs/{job}",
}


@pytest.fixture
def people(make_study, client, look, server):
    """Two people whose browsers and commands send their platform ID, one of whom is done."""
    make_study(people={"process_data": True})
    found = []
    for external in (str(ID), f"{ID}9"):
        player = Walker(client).enter(f"/s/demo?PROLIFIC_PID={external}").leave_practice()
        player.type(f"look {external}", *look.solution(player.token)).to_rule()
        for page, kind in ((RULE, "open"), (RULE, "keys"), (RULE, "paste")):
            events = json.dumps([[kind, int(external), "", None]])
            url = f"/p/{player.token}/process?page={page}"
            assert player.client.post(url, data={"events": events}).status_code == 204
        player.explain(f"My ID is {external}, and both traits matter to the guardian here.")
        found.append(look.person(player.token))
    return found


@pytest.fixture
def eve(app, settings, server, people):
    made = logged_in(app, settings, "eve", "researcher", is_admin=False)
    inviting.put(server.store, "demo", "eve", "viewer", "test", NOW)
    return made


def all_of(answer):
    """Return the text of a page or a file, with all that is in a zip file."""
    body = answer.read()
    if body[:2] != b"PK":
        return body.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(body)) as made:
        return "\n".join(
            [
                *made.namelist(),
                *(made.read(one).decode("utf-8", "replace") for one in made.namelist()),
            ]
        )


def addresses(variant_hash):
    """Yield the address of every page and file that a viewer may open."""
    for route, needed in NEEDS.items():
        method, path = route.split(" ")
        if method != "GET" or (needed and not allows(VIEWER, needed)) or route in WITHOUT:
            continue
        if path.startswith("/admin/audit"):
            continue
        url = path.format(**NAMES, variant_hash=variant_hash)
        yield url + QUERIES.get(url.rpartition("/")[2], "")


def test_no_address_that_a_viewer_may_open_shows_an_identifier_or_an_individual(eve, people, look):
    variant_hash = look.episodes(people[0].token)[1].variant_hash
    shown, refused = {}, {}
    found = [*addresses(variant_hash)]
    assert len(found) > 15
    for url in found:
        answer = eve.get(url)
        if answer.status_code != 200:
            refused[url] = answer.status_code
            continue
        text = all_of(answer)
        what = ["an ID"] if str(ID) in text else []
        if f"GET {url}" not in SHARED:
            what += [one.public_id for one in people if one.public_id in text]
        if what:
            shown[url] = what
    assert (shown, refused) == ({}, {})


def test_verification_of_a_viewer_says_that_something_differs_and_not_where(eve, people, server):
    with server.store.write() as db:
        db.execute(sa.update(turn).where(turn.c.seq == 1).values(raw=f"look {ID}0"))
    page = wait(start(Walker(eve), "verify")).answer.text
    assert "differ from what the log says" in page
    assert str(ID) not in page
    assert [one.public_id for one in people if one.public_id in page] == []
