"""Every route gives every kind of user the expected status; a new route needs a row here."""

import pytest
from starlette.routing import Mount, Route

from app.study.people import accounts
from tests.walker import Walker

# route -> (stranger, the player, another player, annotator, researcher). The token in the address
# is a player's only credential, so "another player" uses a wrong token.
OPEN = (200, 200, 200, 200, 200)
STAFF = (303, 303, 303, 403, 200)
STAFF_POST = (401, 401, 401, 403, 303)
OWN = (404, 200, 404, 404, 404)
OWN_LEADS = (404, 303, 404, 404, 404)
TABLE = {
    "GET /": OPEN,
    "GET /healthz": OPEN,
    "GET /metrics": (404, 404, 404, 404, 404),  # there is no token
    "GET /static/htmx.js": OPEN,
    "GET /s/{slug}": OPEN,
    "POST /s/{slug}": OPEN,
    "GET /s/{slug}/wait": (303, 303, 303, 303, 303),
    "GET /p/{token}": OWN_LEADS,
    "GET /p/{token}/instructions": OWN,
    "POST /p/{token}/instructions": (404, 400, 404, 404, 404),
    "GET /p/{token}/practice": OWN,
    "POST /p/{token}/practice": (404, 422, 404, 404, 404),
    "POST /p/{token}/practice/leave": (404, 400, 404, 404, 404),
    "GET /p/{token}/end": OWN_LEADS,
    "GET /p/{token}/problem": OWN,
    "POST /p/{token}/problem": (404, 422, 404, 404, 404),
    "GET /p/{token}/world/{block}/guardian/{position}": OWN,
    "POST /p/{token}/world/{block}/guardian/{position}": (404, 422, 404, 404, 404),
    "GET /p/{token}/world/{block}/guardian/{position}/rule": OWN_LEADS,
    "POST /p/{token}/world/{block}/guardian/{position}/rule": (404, 400, 404, 404, 404),
    "POST /p/{token}/world/{block}/guardian/{position}/rule/draft": OWN_LEADS,
    "GET /p/{token}/world/{block}": OWN_LEADS,
    "GET /p/{token}/world/{block}/rule": (404, 404, 404, 404, 404),
    "POST /p/{token}/world/{block}/rule": OWN_LEADS,
    "POST /p/{token}/world/{block}/rule/draft": (404, 404, 404, 404, 404),
    "POST /p/{token}/notes/{block}": OWN_LEADS,
    "GET /p/{token}/questions/{phase}": OWN_LEADS,
    "POST /p/{token}/questions/{phase}": (404, 400, 404, 404, 404),
    "GET /p/{token}/check": (404, 404, 404, 404, 404),
    "POST /p/{token}/check": OWN_LEADS,
    "GET /p/{token}/world/{block}/guardian/{position}/answer": (404, 404, 404, 404, 404),
    "POST /p/{token}/world/{block}/guardian/{position}/answer": OWN_LEADS,
    "GET /admin": STAFF,
    "GET /admin/login": OPEN,
    "POST /admin/login": (422, 422, 422, 422, 422),
    "POST /admin/logout": (303, 303, 303, 303, 303),
    "GET /admin/welcome/{token}": (400, 400, 400, 400, 400),
    "POST /admin/welcome/{token}": (400, 400, 400, 400, 400),
    "GET /admin/studies/{slug}": STAFF,
    "POST /admin/studies/{slug}/actions/{verb}": STAFF_POST,
    "GET /admin/studies/{slug}/download/{table}/{flavour}": STAFF,
    "GET /admin/studies/{slug}/report": STAFF,
    "GET /admin/studies/{slug}/report/report.json": STAFF,
    "GET /admin/studies/{slug}/report/report.zip": STAFF,
    "GET /admin/studies/{slug}/report/{folder}/{name}.{suffix}": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/report/models": STAFF,
    "GET /admin/studies/{slug}/report/models/runs": STAFF,
    "GET /admin/studies/{slug}/report/models/runs/{number}": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/report/models/runs/{number}/episodes/{episode}": (
        *(303, 303, 303, 403, 404),
    ),
    "GET /admin/studies/{slug}/report/models/start": STAFF,
    "POST /admin/studies/{slug}/report/models/start": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/report/models/resume": (401, 401, 401, 403, 404),
    "GET /admin/studies/{slug}/rating/judges/run": STAFF,
    "POST /admin/studies/{slug}/rating/judges/run": (401, 401, 401, 403, 422),
    "GET /admin/studies/{slug}/report/models/keys": STAFF,
    "POST /admin/studies/{slug}/report/models/keys": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/report/models/keys/revoke": (401, 401, 401, 403, 422),
    "GET /admin/studies/{slug}/report/models/check": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/recruit/import/check": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/rating/models/check": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/rating/judges/check": (303, 303, 303, 403, 404),
    "POST /admin/studies/{slug}/report/models": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/report/models/store": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/report/models/remove": (401, 401, 401, 403, 400),
    "GET /admin/studies/{slug}/exports": STAFF,
    "GET /admin/studies/{slug}/bundle.zip": STAFF,
    "GET /admin/studies/{slug}/deidentification": STAFF,
    "GET /admin/studies/{slug}/signed-manifest.json": STAFF,
    "GET /admin/studies/{slug}/signs": STAFF,
    "GET /admin/studies/{slug}/signs.csv": STAFF,
    "GET /admin/studies/{slug}/texts": STAFF,
    "POST /admin/studies/{slug}/texts": (401, 401, 401, 403, 422),
    "GET /admin/participants/{public_id}": STAFF,
    "POST /admin/participants/{public_id}/actions": (401, 401, 401, 403, 422),
    "GET /admin/studies/{slug}/monitor": STAFF,
    "GET /admin/participants/{public_id}/replay": STAFF,
    "GET /admin/search": STAFF,
    "GET /admin/studies/{slug}/recruit": STAFF,
    "POST /admin/studies/{slug}/recruit/import": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/rating/judges/delete": (401, 401, 401, 403, 400),
    "POST /admin/studies/{slug}/rating/models/delete": (401, 401, 401, 403, 400),
    "POST /admin/studies/{slug}/recruit/import/store": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/recruit/bonus/sent": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/recruit/links": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/recruit/links/given": (401, 401, 401, 403, 422),
    "GET /admin/studies/{slug}/recruit/{name}.csv": STAFF,
    "GET /admin/new-study": STAFF,
    "POST /admin/new-study": (401, 401, 401, 403, 422),
    "GET /admin/studies/{slug}/design": STAFF,
    "GET /admin/studies/{slug}/design.yaml": STAFF,
    "GET /admin/studies/{slug}/design-file": STAFF,
    "POST /admin/studies/{slug}/design-file": (401, 401, 401, 403, 422),
    "GET /admin/studies/{slug}/design/{section}": STAFF,
    "POST /admin/studies/{slug}/design/{section}": (401, 401, 401, 403, 400),
    "GET /admin/studies/{slug}/cell": (303, 303, 303, 403, 404),
    "GET /admin/variants/{variant_hash}": STAFF,
    "GET /admin/tasks/{task}": STAFF,
    "GET /admin/archive": STAFF,
    "GET /admin/studies/{slug}/plan": STAFF,
    "POST /admin/studies/{slug}/plan": (401, 401, 401, 403, 400),
    "POST /admin/studies/{slug}/jobs": (401, 401, 401, 403, 404),
    "GET /admin/studies/{slug}/jobs/{job}": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/jobs/{job}/file": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/try": STAFF,
    "POST /admin/studies/{slug}/try": STAFF_POST,
    "POST /admin/studies/{slug}/try/jump": (401, 401, 401, 403, 400),
    "GET /admin/studies/{slug}/remove": STAFF,
    "POST /admin/studies/{slug}/remove/{verb}": (401, 401, 401, 403, 404),
    "GET /admin/studies/{slug}/open": STAFF,
    "GET /admin/studies/{slug}/members": STAFF,
    "GET /admin/studies/{slug}/audit": STAFF,
    "GET /admin/studies/{slug}/audit.csv": STAFF,
    "GET /admin/audit": STAFF,
    "GET /admin/account": STAFF,
    "POST /admin/account/logins": STAFF_POST,
    "POST /admin/account/disconnect": STAFF_POST,
    "GET /admin/oidc": (404, 404, 404, 404, 404),  # unless a provider is configured
    "GET /admin/oidc/callback": (404, 404, 404, 404, 404),
    "POST /admin/account/second-factor": (401, 401, 401, 403, 422),
    "POST /admin/account/second-factor/off": (401, 401, 401, 403, 422),
    "GET /admin/audit.csv": STAFF,
    "POST /admin/studies/{slug}/members": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/members/remove": (401, 401, 401, 403, 400),
    "GET /rate": (303, 303, 303, 200, 403),
    "GET /rate/account": (303, 303, 303, 200, 403),
    "POST /rate/account/logins": (401, 401, 401, 303, 403),
    "POST /rate/account/second-factor": (401, 401, 401, 422, 403),
    "POST /rate/account/second-factor/off": (401, 401, 401, 422, 403),
    "GET /rate/round/{token}": (303, 303, 303, 404, 403),
    "GET /rate/item/{token}": (303, 303, 303, 404, 403),
    "POST /rate/item/{token}": (401, 401, 401, 404, 403),
    "GET /rate/guess/{token}": (303, 303, 303, 404, 403),
    "POST /rate/guess/{token}": (401, 401, 401, 404, 403),
    "GET /admin/annotators": STAFF,
    "POST /admin/annotators": (401, 401, 401, 403, 422),
    "POST /admin/annotators/{name}/{verb}": (401, 401, 401, 403, 404),
    "GET /admin/studies/{slug}/rating": STAFF,
    "POST /admin/studies/{slug}/rating/gather": STAFF_POST,
    "GET /admin/studies/{slug}/rating/items.csv": STAFF,
    "POST /admin/studies/{slug}/rating/models": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/rating/models/store": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/rating/judges": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/rating/judges/store": (401, 401, 401, 403, 422),
    "POST /admin/studies/{slug}/rating/samples": (401, 401, 401, 403, 422),
    "GET /admin/studies/{slug}/rating/samples/{number}": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/rating/rounds/new": STAFF,
    "POST /admin/studies/{slug}/rating/rounds/new": (401, 401, 401, 403, 400),
    "GET /admin/studies/{slug}/rating/rounds/{number}": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/rating/rounds/{number}/close": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/rating/rounds/{number}/edit": (303, 303, 303, 403, 404),
    "POST /admin/studies/{slug}/rating/rounds/{number}/edit": (401, 401, 401, 403, 404),
    "POST /admin/studies/{slug}/rating/rounds/{number}/{verb}": (401, 401, 401, 403, 404),
    "POST /admin/studies/{slug}/rating/rounds/{number}/raters/handover": (401, 401, 401, 403, 404),
    "POST /admin/studies/{slug}/rating/rounds/{number}/raters/go-on": (401, 401, 401, 403, 404),
    "GET /admin/studies/{slug}/rating/planner": STAFF,
    "GET /admin/studies/{slug}/rating/rounds/{number}/agreement": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/rating/rounds/{number}/agreement/{name}": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/rating/rounds/{number}/adjudicate": (303, 303, 303, 403, 404),
    "GET /admin/studies/{slug}/rating/rounds/{number}/adjudicate/{place}": (
        *(303, 303, 303, 403),
        404,
    ),
    "POST /admin/studies/{slug}/rating/rounds/{number}/adjudicate/{place}": (
        *(401, 401, 401, 403),
        404,
    ),
    "POST /p/{token}/process": (404, 204, 404, 404, 404),
    "GET /p/{token}/leave": OWN,
    "POST /p/{token}/leave": (404, 400, 404, 404, 404),
}
PERSONS = ("stranger", "player", "other player", "annotator", "researcher")
SITE = {"Sec-Fetch-Site": "same-origin"}


def routes(app):
    """Return every route of the app as `METHOD /path`."""
    found = []
    for route in flat(app.routes):
        found += [f"{method} {route.path}" for method in route.methods - {"HEAD"}]
    return found


def flat(listed):
    """Yield plain routes, including those inside included routers."""
    for route in listed:
        if isinstance(route, Route) or hasattr(route, "methods"):
            yield route
        elif not isinstance(route, Mount):
            inner = getattr(route, "original_router", None) or route
            yield from flat(inner.routes)


def test_every_route_has_a_row_and_every_row_a_route(app):
    without = sorted({*routes(app)} - {*TABLE})
    assert without == [], "give each a row in TABLE, and what CONTRIBUTING.md says of new pages"
    gone = sorted({*TABLE} - {*routes(app)})
    assert gone == [], "no route has these addresses: remove their rows from TABLE"
    assert len(routes(app)) == len(TABLE), "two routes have one address"


@pytest.fixture
def study(make_study):
    """The small study with an end comment, so that there is a page of questions."""
    return make_study(questions={"comment": True})


@pytest.fixture
def log_in(client, server):
    def enter(role):
        from datetime import UTC, datetime

        token = accounts.add(server.store, f"some {role}", role, datetime.now(UTC))
        Walker(client).get(f"/admin/welcome/{token}").send("password", password="a long password")

    return enter


@pytest.mark.parametrize("person", PERSONS)
def test_status_is_as_the_table_says(client, player, log_in, look, person):
    token, public_id = player.token, look.person(player.token).public_id
    if person in {"annotator", "researcher"}:
        log_in(person)
    names = {
        "slug": "demo",
        "token": token if person == "player" else "somebody-elses-token-xx",
        "phase": "after",
        "block": 1,
        "position": 1,
        "verb": "open",
        "table": "turn",
        "flavour": "csv",
        "folder": "tables",
        "suffix": "csv",
        "public_id": public_id,
        "name": "payments",
        "section": "texts",
        "number": 7,
        "episode": 1,
        "task": "A-Add",
        "job": "none",
        "place": 1,
        "variant_hash": look.episodes(player.token)[0].variant_hash,
    }
    wrong = {}
    for row, expected in TABLE.items():
        method, path = row.split(" ")
        if row == "POST /admin/logout":
            continue  # would end the login that the other rows need
        answer = client.request(method, path.format(**names), follow_redirects=False, headers=SITE)
        want = expected[PERSONS.index(person)]
        if answer.status_code != want:
            wrong[row] = (answer.status_code, want)
    assert wrong == {}


def test_players_get_no_cookie_and_the_same_token_from_any_device(player, client):
    assert dict(client.cookies) == {}
    assert client.get(f"/p/{player.token}").status_code == 200


LED = {
    "/admin/studies/demo/recruit/import/store": "/admin/studies/demo/recruit",
    "/admin/studies/demo/rating/judges/store": "/admin/studies/demo/rating",
    "/admin/studies/demo/report/models/store": "/admin/studies/demo/report/models",
    "/rate/account/second-factor/off": "/rate/account",
}


def test_address_of_a_form_that_is_opened_as_a_page_leads_to_the_page_above(client):
    pages = {row.removeprefix("GET ") for row in TABLE if row.startswith("GET ")}
    forms = {row.removeprefix("POST ") for row in TABLE if row.startswith("POST ")} - pages
    assert len(forms) > len(LED)
    for form in forms:
        answer = client.get(form.replace("{", "").replace("}", ""), follow_redirects=False)
        assert answer.status_code == 303, form
        above = max((one for one in pages if form.startswith(f"{one}/")), key=len)
        assert answer.headers["location"] == above.replace("{", "").replace("}", "")
    for form, page in LED.items():
        assert client.get(form, follow_redirects=False).headers["location"] == page
    assert client.put("/admin/logout", headers=SITE).status_code == 405
