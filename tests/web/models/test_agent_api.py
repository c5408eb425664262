"""The API for agents: what they read and send, once-only commands, keys, problems, no leaks."""

import json
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from app.agents.words import given
from app.game.view import player_view
from app.store.models import agent_keys as key_rows
from app.store.models import plays
from app.store.models import runs as run_rows
from app.store.models.calls import model_call
from app.store.models.plays import model_turn
from app.store.play.participants import participant
from app.store.play.seats import seat
from app.store.rating import items
from app.study.design import studies
from app.study.models import agent_keys, proof, runs

NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)
API = "/api/v1"
MIXED = {
    "blocks": [
        {"task": "A-Over", "seeds": [1]},
        {"task": "A-Comp", "seeds": [5], "format": "direct"},
    ]
}
RULE = {"inputs": "both", "output": "the item", "how": "one each"}


class Agent:
    """A program with a key of the study; `slug` as in the fixture."""

    def __init__(self, server, client, slug="demo", name="lab", scope="play"):
        self.server, self.client = server, client
        with server.store.read() as db:
            self.study = studies.find(db, slug)
        self.key = agent_keys.make(server.store, self.study, name, scope, "ada", NOW)
        self.headers = {"Authorization": f"Bearer {self.key}"}

    def get(self, path):
        return self.client.get(API + path, headers=self.headers)

    def post(self, path, **body):
        return self.client.post(API + path, headers=self.headers, json=body)

    def open(self, **body):
        answer = self.post("/runs", **{"agent": "my-agent", **body})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def variant(self, run, episode):
        """Return the stored variant of an episode, and the index of the episode in it."""
        with self.server.store.read() as db:
            found = runs.find(db, self.study, run)
            places = [
                (self.server.library.variant(db, cell.variant_hash), index)
                for cell in found.cells
                for index in range(len(self.server.library.variant(db, cell.variant_hash).episodes))
            ]
        return places[episode - 1]

    def win(self, run, episode):
        """Play an episode's solution; returns the last answer."""
        variant, index = self.variant(run, episode)
        for seq, line in enumerate(variant.episodes[index].solutions[0], start=1):
            answer = self.post(f"/runs/{run}/episodes/{episode}/commands", seq=seq, raw=line)
            assert answer.status_code == 200, answer.text
        return answer.json()

    def finish(self, run):
        """Play and explain everything."""
        shown = self.get(f"/runs/{run}").json()
        for one in shown["episodes"]:
            if one["format"] == "episodic":
                self.win(run, one["episode"])
            else:
                self.state(run, one["episode"])
        for variant in range(1, shown["variants"] + 1):
            answer = self.post(f"/runs/{run}/variants/{variant}/explanation", **RULE)
            assert answer.status_code == 200, answer.text

    def state(self, run, episode):
        variant, index = self.variant(run, episode)
        process = dict(variant.outputs)[variant.episodes[index].output]
        answer = self.post(f"/runs/{run}/episodes/{episode}/answer", item=process.item)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def study(make_study):
    return make_study(**MIXED)


@pytest.fixture
def agent(server, client, study):
    return Agent(server, client)


def rows(server, table):
    with server.store.read() as db:
        return db.execute(sa.select(table).order_by(table.c.id)).all()


def is_problem(answer, status, code):
    """Check a problem detail; return it."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found = answer.json()
    assert (found["status"], found["code"]) == (status, code)
    assert found["type"] == f"/api/v1/docs#{code}"
    assert found["title"]
    assert found["detail"]
    return found


def test_whole_run_by_the_api_is_stored_as_models_runs_are_and_verified(agent, server):
    run = agent.open(label="Mine")["run"]
    agent.finish(run)
    found = agent.get(f"/runs/{run}/result").json()
    assert (found["ecsr"], found["direct_accuracy"]) == ({"A-Over": 1.0}, {"A-Comp": 1.0})
    assert len(found["episodes"]) == 5
    with server.store.read() as db:
        stored = runs.find(db, agent.study, run)
        episodes = plays.of_run(db, stored.id)
        explained = items.of_study(db, agent.study.id)
    assert (stored.state, stored.method, stored.label) == ("finished", "agent", "Mine")
    assert {row.player_kind for row in episodes} == {"agent"}
    assert {row.source for row in explained} == {"Mine"}
    assert len(explained) == 2
    report = proof.verify(server.store, stored)
    assert (report.ok, report.unfinished, report.units) == (True, 0, 5 + 2)
    assert rows(server, participant) == []
    assert rows(server, seat) == []


@pytest.mark.parametrize(
    ("table", "column"), [(model_call, "request"), (model_call, "raw"), (model_turn, "message")]
)
def test_verify_finds_an_altered_value_of_an_agents_run(agent, server, table, column):
    run = agent.open(tasks=["A-Over"])["run"]
    agent.win(run, 1)
    row = rows(server, table)[0]
    with server.store.write() as db:
        stored = db.execute(sa.select(table.c[column]).where(table.c.id == row.id)).scalar_one()
        changed = stored.replace("e", "a", 1) if column != "raw" else json.dumps({"raw": "look"})
        db.execute(sa.update(table).where(table.c.id == row.id).values({column: changed}))
        found = runs.find(db, agent.study, run)
    assert not proof.verify(server.store, found).ok


def test_words_are_those_of_participants_and_nothing_else_is_told(agent):
    shown = agent.open()
    for one in shown["episodes"]:
        found = agent.get(f"/runs/{shown['run']}/episodes/{one['episode']}").json()
        variant, index = agent.variant(shown["run"], one["episode"])
        assert found["words"] == given(player_view(variant, index), one["format"])
        assert (found["log"], found["over"], found["won"]) == ([], False, None)
        told = {**found, "words": ""}
        texts = json.dumps([told, shown])
        assert all(name not in texts for name in ("ref_length", "seed", 'answer"', "output"))


def test_command_sent_twice_is_played_once_and_another_text_is_refused(agent, server):
    run = agent.open()["run"]
    url = f"/runs/{run}/episodes/1/commands"
    first = agent.post(url, seq=1, raw="check_location").json()
    assert agent.post(url, seq=1, raw="check_loc\u200bation").json() == first
    found = is_problem(agent.post(url, seq=1, raw="check_inventory"), 409, "turn/stale")
    assert (found["sent"], found["expected"]) == (1, 2)
    found = is_problem(agent.post(url, seq=3, raw="check_inventory"), 409, "turn/stale")
    assert found["expected"] == 2
    assert len(rows(server, model_call)) == 1
    assert agent.post(url, seq=2, raw="check_inventory").json()["next_seq"] == 3
    again = agent.post(url, seq=1, raw="check_location").json()
    assert [line["raw"] for line in again["log"]] == ["check_location", "check_inventory"]


def test_episode_ends_with_its_budget_and_takes_no_more(agent):
    run = agent.open(tasks=["A-Over"])["run"]
    url = f"/runs/{run}/episodes/1/commands"
    budget = agent.get(f"/runs/{run}/episodes/1").json()["state"]["actions_left"]
    for seq in range(1, budget + 1):
        shown = agent.post(url, seq=seq, raw="check_location").json()
    assert (shown["over"], shown["won"], shown["state"]["actions_left"]) == (True, False, 0)
    is_problem(agent.post(url, seq=budget + 1, raw="check_location"), 409, "turn/over")
    assert agent.post(url, seq=budget, raw="check_location").json() == shown


REFUSED = [
    ("/runs/1/episodes/1/commands", {"seq": 1, "raw": "  "}, 422, "input/empty"),
    ("/runs/1/episodes/1/commands", {"seq": 1, "raw": "x" * 201}, 422, "input/too_long"),
    ("/runs/1/episodes/1/commands", {"seq": 1, "raw": "go\x00"}, 422, "input/control_character"),
    ("/runs/1/episodes/1/commands", {"seq": 0, "raw": "look"}, 422, "api/invalid"),
    ("/runs/1/episodes/1/commands", {"seq": "1.5", "raw": "look"}, 422, "api/invalid"),
    ("/runs/1/episodes/1/commands", {"raw": "look"}, 422, "api/invalid"),
    ("/runs/1/episodes/1/commands", {"seq": 1, "raw": "a", "x": 1}, 422, "api/invalid"),
    ("/runs/1/episodes/9/commands", {"seq": 1, "raw": "look"}, 404, "api/not_found"),
    ("/runs/2/episodes/1/commands", {"seq": 1, "raw": "look"}, 404, "api/not_found"),
    ("/runs/1/episodes/3/commands", {"seq": 1, "raw": "look"}, 409, "api/format"),
    ("/runs/1/episodes/1/answer", {"item": "x"}, 409, "api/format"),
    ("/runs/1/episodes/3/answer", {"item": "no such thing"}, 422, "explain/answer"),
    ("/runs/1/variants/1/explanation", RULE, 409, "api/not_yet"),
    ("/runs/1/variants/1/explanation", {"text": "  "}, 422, "explain/answer"),
    ("/runs/1/variants/7/explanation", RULE, 404, "api/not_found"),
    ("/runs", {"agent": ""}, 422, "api/invalid"),
    ("/runs", {"agent": " \n "}, 400, "models/bad_run"),
    ("/runs", {"agent": "a", "tasks": ["B-Add"]}, 400, "models/no_cells"),
    ("/nothing", {}, 404, "http/404"),
]


def test_what_cannot_be_used_is_a_problem_and_stores_nothing(agent, server):
    agent.open()
    for path, body, status, code in REFUSED:
        found = is_problem(agent.post(path, **body), status, code)
        assert found["code"] == code
    assert rows(server, model_call) == []
    assert len(rows(server, run_rows.model_run)) == 1
    is_problem(agent.get("/runs/1/result"), 409, "api/not_yet")
    is_problem(agent.client.delete(f"{API}/runs"), 405, "http/405")
    long = agent.client.post(f"{API}/runs", headers=agent.headers, content="x" * 600_000)
    is_problem(long, 413, "http/413")
    foreign = {**agent.headers, "Sec-Fetch-Site": "cross-site"}
    is_problem(agent.client.post(f"{API}/runs", headers=foreign, json={}), 403, "http/403")
    odd = agent.client.post(f"{API}/runs", headers=agent.headers, content=b"{\xff")
    assert odd.status_code == 422


def test_direct_answer_and_explanation_are_stored_once(agent, server):
    run = agent.open()["run"]
    shown = agent.state(run, 3)
    assert (shown["over"], shown["won"]) == (True, None)
    assert agent.state(run, 3) == shown
    variant, index = agent.variant(run, 3)
    right = dict(variant.outputs)[variant.episodes[index].output].item
    other = next(one.name for one in variant.items if one.name != right)
    is_problem(agent.post(f"/runs/{run}/episodes/3/answer", item=other), 409, "api/already")
    agent.finish(run)
    url = f"/runs/{run}/variants/1/explanation"
    assert agent.post(url, **RULE).json() == {"run": run, "variant": 1, "stored": True}
    is_problem(agent.post(url, text="another"), 409, "api/already")
    with server.store.read() as db:
        assert len(items.of_study(db, agent.study.id)) == 2


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
    assert reader.get("/runs").status_code == 200
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


def test_too_many_requests_are_refused_until_later(server, client, study, monkeypatch):
    from app.web.rates import RateError, Rates

    now = [0.0]
    rates = Rates(lambda: now[0])
    for _ in range(60):
        rates.take("key 1", 60)
    with pytest.raises(RateError) as refused:
        rates.take("key 1", 60)
    assert refused.value.wait_s == 1
    rates.take("key 2", 60)
    now[0] = 1.0
    rates.take("key 1", 60)
    codes = [client.get(f"{API}/runs").status_code for _ in range(61)]
    assert codes == [401] * 60 + [429]
    found = client.get(f"{API}/runs")
    is_problem(found, 429, "api/rate")
    assert int(found.headers["retry-after"]) >= 1
    assert Agent(server, client).get("/runs").status_code == 200


def test_docs_page_lists_every_operation_and_loads_nothing_from_elsewhere(client, study):
    page = client.get(f"{API}/docs")
    schema = client.get(f"{API}/openapi.json").json()
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    for path in schema["paths"]:
        assert f"{API}{path}" in page.text
    assert "http://" not in page.text.replace("http://www.w3.org", "")
    assert "https://" not in page.text


KEYS = "/admin/studies/demo/report/models/keys"


def test_key_is_made_on_the_page_shown_once_and_revoked(researcher, server, client, study):
    assert "No keys yet" in researcher.get(KEYS).answer.text
    page = researcher.client.post(KEYS, data={"name": "lab", "scope": "play"})
    key = page.text.partition('<code id="key" class="select">')[2].partition("</code>")[0]
    assert key.startswith("hjs_")
    headers = {"Authorization": f"Bearer {key}"}
    assert client.get(f"{API}/runs", headers=headers).json() == []
    again = researcher.client.post(KEYS, data={"name": "lab", "scope": "play"})
    assert again.status_code == 422
    assert "already has a key" in again.text
    assert key not in researcher.get(KEYS).answer.text
    researcher.client.post(f"{KEYS}/revoke", data={"name": "lab"})
    is_problem(client.get(f"{API}/runs", headers=headers), 401, "api/key")
    text = " ".join(researcher.get(KEYS).answer.text.split())
    assert "lab revoked" in text
    assert "lab made" in text
