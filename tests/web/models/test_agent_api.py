"""The API for agents: what they read and send, once-only commands, problems, no leaks."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from app import __version__
from app.agents.words import given
from app.errors import BusyError, HjstudyError, UnavailableError
from app.game import command
from app.game.view import player_view
from app.store.models import plays
from app.store.models import runs as run_rows
from app.store.models.calls import model_call
from app.store.play.participants import participant
from app.store.play.seats import seat
from app.store.play.turns import turn
from app.store.rating import items
from app.study import text_checks
from app.study.code_version import code_version
from app.study.design.reference import NoReferenceError
from app.study.models import agent_keys, agent_steps, agents, cells, proof, runs
from app.study.play import commands
from app.web import problems, rates
from app.web.api import status_in_api
from tests.web.models.agent import API, MIXED, RULE, Agent, is_problem, rows


@pytest.fixture
def study(make_study):
    return make_study(**MIXED)


@pytest.fixture
def agent(server, client, study):
    return Agent(server, client)


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
    assert stored.code_version == code_version() != __version__
    assert {row.player_kind for row in episodes} == {"agent"}
    assert {row.source for row in explained} == {"Mine"}
    assert len(explained) == 2
    report = proof.verify(server.store, stored)
    assert (report.ok, report.unfinished, report.units) == (True, 0, 5 + 2)
    assert rows(server, participant) == []
    assert rows(server, seat) == []


@pytest.mark.parametrize(
    ("table", "column"), [(model_call, "request"), (model_call, "raw"), (turn, "message")]
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


def test_words_are_those_of_participants_and_nothing_else_is_revealed(agent):
    shown = agent.open()
    for one in shown["episodes"]:
        found = agent.get(f"/runs/{shown['run']}/episodes/{one['episode']}").json()
        variant, index = agent.variant(shown["run"], one["episode"])
        assert found["words"] == given(player_view(variant, index), one["format"])
        assert (found["log"], found["over"], found["won"]) == ([], False, None)
        without_words = {**found, "words": ""}
        texts = json.dumps([without_words, shown])
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


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('{"seq": 1, "raw": "look", "raw": "go"}', "raw: this field occurs twice (line 1)"),
        ('{"seq": NaN, "raw": "look"}', "NaN: is not a number in JSON"),
        ('{"seq": 1e999, "raw": "look"}', "has a number that is too large"),
        (f'{{"seq": {"[" * 20_000}', "has too many nested levels"),
        ('{"seq": 1,', "is not JSON"),
    ],
)
def test_json_with_a_second_meaning_plays_nothing(agent, server, body, problem):
    run = agent.open()["run"]
    headers = {**agent.headers, "Content-Type": "application/json"}
    url = f"{API}/runs/{run}/episodes/1/commands"
    found = is_problem(agent.client.post(url, content=body, headers=headers), 422, "api/invalid")
    assert problem in found["detail"]
    assert rows(server, model_call) == []


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


def test_docs_page_lists_every_operation_and_loads_nothing_from_elsewhere(client, study):
    page = client.get(f"{API}/docs")
    schema = client.get(f"{API}/openapi.json").json()
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    for path in schema["paths"]:
        assert f"{API}{path}" in page.text
    assert "http://" not in page.text.replace("http://www.w3.org", "")
    assert "https://" not in page.text


def test_type_of_every_problem_leads_to_its_row_on_the_docs_page(client, study):
    text = client.get(f"{API}/docs").text
    for status, code, _ in problems.CODES:
        found = json.loads(problems.problem(status, code, "x").body)["type"]
        address, _, anchor = found.partition("#")
        assert (address, anchor) == (f"{API}/docs", code)
        assert text.count(f'id="{anchor}"') == 1
    assert len(problems.KNOWN) == len(problems.CODES)
    other = json.loads(problems.problem(400, "study/other", "x").body)
    assert other["type"] == "about:blank"


SOURCES = {agent_keys, agent_steps, agents, cells, runs, commands, command, text_checks, rates}


def test_every_error_that_a_call_can_give_is_on_the_docs_page_with_its_status():
    kinds: set[type[HjstudyError]] = set()
    todo = [HjstudyError]
    while todo:
        kind = todo.pop()
        todo += kind.__subclasses__()
        kinds.add(kind)
    names = {one.__name__ for one in SOURCES}
    others: tuple[type[HjstudyError], ...] = (BusyError, UnavailableError, NoReferenceError)
    found = [*(kind for kind in kinds if kind.__module__ in names), *others]
    never = {"input/error", "api/key_name", "models/no_run"}  # a base; pages; commands
    given = {(status_in_api(kind.__new__(kind)), kind.code) for kind in found}
    listed = {(status, code) for status, code, _ in problems.CODES}
    assert {one for one in given if one[1] not in never} <= listed


def test_body_that_is_not_utf_8_is_refused_with_a_problem_of_the_list(agent):
    headers = {**agent.headers, "Content-Type": "application/json"}
    answer = agent.client.post(f"{API}/runs", headers=headers, content=b'{"agent": "\x80"}')
    found = is_problem(answer, 400, "http/400")
    assert "UTF-8" in found["detail"]


@pytest.mark.parametrize(
    ("path", "methods"), [("/runs", "GET, POST"), ("/runs/1", "GET"), ("/docs", "GET")]
)
def test_wrong_method_is_answered_with_all_methods_of_the_address(agent, path, methods):
    answer = agent.client.request("DELETE", API + path, headers=agent.headers)
    is_problem(answer, 405, "http/405")
    assert answer.headers["allow"] == methods


def test_command_sent_many_times_at_once_is_played_once(agent, server):
    run = agent.open()["run"]

    def send(_):
        return agent.post(f"/runs/{run}/episodes/1/commands", seq=1, raw="check_location")

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, range(16)))
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["next_seq"] for answer in answers} == {2}
    assert len(rows(server, model_call)) == 1
