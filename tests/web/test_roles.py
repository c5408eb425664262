"""Every researcher's route lets in exactly the roles that this table names."""

import pytest

from app.study.people import inviting
from app.study.rights import Role, roles_with
from app.web.access import ADMINS, NEEDS
from tests.own_forms import logged_in
from tests.web.conftest import NOW
from tests.web.test_access import SITE, TABLE

# o owner, e editor, v viewer, p payer, c coordinator; * every researcher, a member or not
SEE, PEOPLE, EDIT, MONEY, RATE, OWN = "oev", "oe", "oe", "oep", "oec", "o"
ADMIN, STUDY, PERSON = "/admin", "/admin/studies/{slug}", "/admin/participants/{public_id}"
ROUND = "/admin/studies/{slug}/rating/rounds/{number}"
ROLES = {
    "*": ("GET /admin", "GET /admin/new-study", "POST /admin/new-study", "GET /admin/tasks/{task}",
          "GET /admin/archive", "GET /admin/account", "POST /admin/account/logins",
          "POST /admin/account/second-factor", "POST /admin/account/disconnect",
          "POST /admin/account/second-factor/off"),
    SEE: (
        *(f"GET {STUDY}{end}" for end in (
            "", "/monitor", "/exports", "/deidentification",
            "/report", "/report/report.json", "/report/report.zip",
            "/report/{folder}/{name}.{suffix}", "/report/models", "/report/models/runs",
            "/report/models/runs/{number}", "/report/models/runs/{number}/episodes/{episode}",
            "/design", "/design.yaml", "/design-file", "/design/{section}", "/cell", "/open",
            "/plan",
        )),
        f"POST {STUDY}/plan",
    ),
    PEOPLE: (
        f"GET {ADMIN}/search", f"GET {PERSON}", f"GET {PERSON}/replay", f"POST {PERSON}/actions",
        *(f"GET {STUDY}{end}" for end in (
            "/bundle.zip", "/signed-manifest.json", "/download/{table}/{flavour}", "/texts",
            "/signs", "/signs.csv",
        )),
        f"POST {STUDY}/texts",
        *(f"GET {STUDY}/report/models/{end}" for end in ("start", "keys")),
        *(f"POST {STUDY}/report/models/{end}" for end in ("start", "keys", "keys/revoke")),
        f"GET {STUDY}/report/models/check", f"GET {STUDY}/try",
        *(f"POST {STUDY}{end}" for end in (
            "/report/models", "/report/models/store", "/report/models/remove", "/design-file",
            "/design/{section}", "/actions/{verb}", "/try", "/try/jump",
        )),
    ),
    MONEY: (
        *(f"GET {STUDY}/recruit{end}" for end in ("", "/import/check", "/{name}.csv")),
        *(f"POST {STUDY}/recruit{end}" for end in (
            "/bonus/sent", "/import", "/import/store", "/links", "/links/given",
        )),
    ),
    RATE: (
        f"POST {STUDY}/report/models/resume",  # by the kind of run
        f"GET {ADMIN}/annotators", f"POST {ADMIN}/annotators",
        f"POST {ADMIN}/annotators/{{name}}/{{verb}}",
        *(f"GET {STUDY}/rating{end}" for end in (
            "", "/items.csv", "/models/check", "/judges/check", "/samples/{number}",
            "/rounds/new", "/planner", "/judges/run",
        )),
        *(f"POST {STUDY}/rating{end}" for end in (
            "/gather", "/models", "/models/store", "/models/delete", "/judges", "/judges/store",
            "/judges/run", "/judges/delete", "/samples", "/rounds/new",
        )),
        *(f"GET {ROUND}{end}" for end in (
            "", "/edit", "/close", "/agreement", "/agreement/{name}",
            "/adjudicate", "/adjudicate/{place}",
        )),
        *(f"POST {ROUND}{end}" for end in (
            "/edit", "/{verb}", "/raters/handover", "/raters/go-on", "/adjudicate/{place}",
        )),
    ),
    "oevc": (f"GET {ADMIN}/variants/{{variant_hash}}",),
    "oevpc": (f"POST {STUDY}/jobs", f"GET {STUDY}/jobs/{{job}}", f"GET {STUDY}/jobs/{{job}}/file"),
    "": (f"GET {ADMIN}/audit", f"GET {ADMIN}/audit.csv"),  # administrators only
    OWN: (
        f"GET {STUDY}/remove", f"POST {STUDY}/remove/{{verb}}", f"GET {STUDY}/members",
        f"POST {STUDY}/members", f"POST {STUDY}/members/remove",
        f"GET {STUDY}/audit", f"GET {STUDY}/audit.csv",
    ),
}  # fmt: skip
EXPECTED = {route: roles for roles, routes in ROLES.items() for route in routes}
CLOSER = f"GET {STUDY}/bundle.zip"  # viewers get it in its shareable form
OPEN = (
    "/admin/oidc",
    "/admin/oidc/callback",
    "/admin/login",
    "/admin/logout",
    "/admin/welcome/{token}",
)
SOMEWHERE = (
    "/admin/search",
    "/admin/annotators",
    "/admin/audit",
)  # of no study: what some study allows


@pytest.fixture
def study(make_study):
    return make_study()


@pytest.fixture
def browser(app, settings, server):
    """Return the browser of a researcher with a role in the study."""

    def enter(role, name="ada"):
        made = logged_in(app, settings, name, "researcher", is_admin=False)
        if role:
            inviting.put(server.store, "demo", name, role, "test", NOW)
        return made

    return enter


def test_every_researchers_route_has_its_roles():
    wanted = {
        row
        for row in TABLE
        if row.partition(" ")[2].startswith("/admin") and row.partition(" ")[2] not in OPEN
    }
    assert wanted - {*EXPECTED} == set(), "add them to ROLES"
    assert {*EXPECTED} - wanted == set(), "TABLE in test_access.py does not have these rows"
    closed = {*EXPECTED} - {*NEEDS}
    assert closed == set(), "nobody can open these: add them to NEEDS in app/web/access.py"


def test_table_of_rights_lets_in_exactly_the_roles_of_this_one():
    wrong = {}
    for route, roles in EXPECTED.items():
        needed = NEEDS[route]
        open_to = {one[0] for one in roles_with(needed)} if needed else set("oevpc")
        wanted = set("oevpc") if roles == "*" else set(roles)
        if open_to != wanted and route not in {*ADMINS, CLOSER}:
            wrong[route] = open_to
    assert wrong == {}


def test_route_without_a_row_is_closed_to_everyone(researcher, study, monkeypatch):
    assert researcher.client.get("/admin/studies/demo/monitor").status_code == 200
    monkeypatch.delitem(NEEDS, "GET /admin/studies/{slug}/monitor")
    assert researcher.client.get("/admin/studies/demo/monitor").status_code == 403


@pytest.mark.parametrize("role", [*Role, ""])
def test_each_role_opens_exactly_its_routes(browser, player, look, role):
    ada, wrong = browser(role), {}
    names = {
        "slug": "demo",
        "verb": "none",
        "table": "turn",
        "flavour": "csv",
        "folder": "tables",
        "suffix": "csv",
        "public_id": look.person(player.token).public_id,
        "name": "payments",
        "section": "texts",
        "number": 7,
        "episode": 1,
        "task": "A-Add",
        "job": "none",
        "place": 1,
        "variant_hash": look.episodes(player.token)[1].variant_hash,
    }
    for row, roles in EXPECTED.items():
        method, path = row.split(" ")
        if role not in {Role.OWNER, ""} and (roles == "*" or role[0] in roles):
            continue  # the pages themselves are tried as an owner
        answer = ada.request(method, path.format(**names), follow_redirects=False, headers=SITE)
        if roles == "*" or (role and role[0] in roles):
            right = answer.status_code not in {401, 403} and "There is no study" not in answer.text
        elif role or path.startswith(SOMEWHERE):
            right = answer.status_code == 403
        else:
            right = answer.status_code == 404 and "payments" not in answer.text
        if not right:
            wrong[row] = answer.status_code
    assert wrong == {}
