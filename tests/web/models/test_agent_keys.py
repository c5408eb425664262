"""Keys for agents: their study, runs and scope; made, shown once, revoked; limits of requests."""

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.store.design import members
from app.store.models import agent_keys as key_rows
from app.store.people import accounts
from app.study.models import agent_keys
from tests.web.models.agent import API, MIXED, NOW, Agent, is_problem


@pytest.fixture
def study(make_study):
    return make_study(**MIXED)


@pytest.fixture
def agent(server, client, study):
    return Agent(server, client)


def test_keys_open_their_own_study_and_their_own_runs_alone(agent, server, client, make_study):
    make_study(slug="other", **MIXED)
    run = agent.open()["run"]
    second = Agent(server, client, name="second")
    other = Agent(server, client, slug="other")
    reader = Agent(server, client, name="reader", scope="read")
    for one in (second, other):
        assert one.get("/runs").json() == []
        is_problem(one.get(f"/runs/{run}"), 404, "api/not_found")
        is_problem(one.get(f"/runs/{run}/episodes/1"), 404, "api/not_found")
    is_problem(reader.post("/runs", agent="a"), 403, "api/scope")
    assert [one["run"] for one in reader.get("/runs").json()] == [run]
    assert reader.get(f"/runs/{run}").status_code == 200
    is_problem(other.get(f"/runs/{run}"), 404, "api/not_found")
    agent_keys.revoke(server.store, agent.study, "lab", "ada", NOW)
    found = agent.get("/runs")
    is_problem(found, 401, "api/key")
    assert found.headers["www-authenticate"] == "Bearer"
    with server.store.read() as db:
        events = [(row.name, row.kind) for row in key_rows.events(db, agent.study.id)]
        stored = key_rows.of_study(db, agent.study.id)
    assert events == [
        *(("lab", "revoked"), ("reader", "made"), ("second", "made")),
        *(("lab", "run"), ("lab", "made")),
    ]
    assert all(agent.key not in str(row) for row in stored)


@pytest.mark.parametrize("change", ["left", "viewer", "deactivated"])
def test_key_works_as_long_as_its_maker_may_edit_the_study(agent, server, change):
    """`ada` made the key before she had an account here, as with a key made by command."""
    agent.open()
    with server.store.write() as db:
        ada = accounts.insert(db, "ada", "researcher", NOW)
        members.put(db, agent.study.id, ada, "editor", "ann", NOW)
    assert agent.get("/runs").status_code == 200
    with server.store.write() as db:
        if change == "deactivated":
            accounts.set_active(db, ada, active=False)
        elif change == "viewer":
            members.put(db, agent.study.id, ada, "viewer", "ann", NOW)
        else:
            members.drop(db, agent.study.id, ada)
    is_problem(agent.get("/runs"), 401, "api/key")


def test_every_address_needs_a_valid_key(agent, app, client):
    run = agent.open()["run"]
    checked = 0
    for path, methods in client.get(f"{API}/openapi.json").json()["paths"].items():
        url = API + path.format(run=run, episode=1, variant=1)
        for method in methods:
            for headers in (
                {},
                {"Authorization": "Bearer hjs_wrong"},
                {"Authorization": "Basic x"},
            ):
                answer = client.request(method, url, headers=headers, json={})
                is_problem(answer, 401, "api/key")
                checked += 1
    assert checked == 8 * 3


def test_strangers_are_refused_after_sixty_requests_and_keys_are_not(
    stopped_rates, server, client, study
):
    codes = [client.get(f"{API}/runs").status_code for _ in range(61)]
    assert codes == [401] * 60 + [429]
    found = client.get(f"{API}/runs")
    is_problem(found, 429, "api/rate")
    assert 1 <= int(found.headers["retry-after"]) <= 61
    assert Agent(server, client).get("/runs").status_code == 200


def test_key_may_ask_as_often_as_the_setting_says(stopped_rates, settings, study):
    app = create_app(settings.model_copy(update={"api_per_minute": 5}))
    with TestClient(app, base_url=settings.base_url) as client:
        agent, other = (Agent(app.state.server, client, name=name) for name in ("a", "b"))
        assert [agent.get("/runs").status_code for _ in range(6)] == [200] * 5 + [429]
        assert other.get("/runs").status_code == 200
        stopped_rates.s += 61
        assert agent.get("/runs").status_code == 200
    app.state.server.store.dispose()


def test_two_servers_on_one_postgresql_share_the_limit_of_a_key(stopped_rates, settings, study):
    """On one SQLite file, each allows as many as the setting says."""
    apps = [create_app(settings.model_copy(update={"api_per_minute": 5})) for _ in range(2)]
    first, second = (TestClient(one, base_url=settings.base_url) for one in apps)
    agent, is_shared = Agent(apps[0].state.server, first), "postgresql" in settings.database_url
    codes = [agent.get("/runs").status_code for _ in range(4)]
    strangers = [client.get(f"{API}/runs").status_code for client in (first, second) * 31]
    agent.client = second
    codes += [agent.get("/runs").status_code for _ in range(2)]
    assert codes == [200] * 5 + [429 if is_shared else 200]
    assert strangers.count(429) == (2 if is_shared else 0)
    stopped_rates.s += 61
    assert agent.get("/runs").status_code == 200
    for one in apps:
        one.state.server.store.dispose()


KEYS = "/admin/studies/demo/report/models/keys"


def test_key_is_made_on_the_page_shown_once_and_revoked(researcher, server, client, study):
    assert "No keys yet" in researcher.get(KEYS).answer.text
    page = researcher.send("scope", name="lab").answer
    key = page.text.partition('<code id="key" class="select">')[2].partition("</code>")[0]
    assert key.startswith("hjs_")
    headers = {"Authorization": f"Bearer {key}"}
    assert client.get(f"{API}/runs", headers=headers).json() == []
    again = researcher.send("scope", name="lab").answer
    assert again.status_code == 422
    assert "is taken by another key of the study. &#39;lab-2&#39; is free." in again.text
    assert key not in researcher.get(KEYS).answer.text
    researcher.client.post(f"{KEYS}/revoke", data={"name": "lab"})
    is_problem(client.get(f"{API}/runs", headers=headers), 401, "api/key")
    text = " ".join(researcher.get(KEYS).answer.text.split())
    assert "lab revoked" in text
    assert "lab made" in text
