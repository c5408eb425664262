"""Whole episodes against a real llama.cpp server, whose model has random weights."""

import importlib
import json
import os

import pytest
import sqlalchemy as sa

from app.agents.answering import response_format
from app.game.command import ARGUMENT_KINDS, BARE_VERBS, build_vocabulary
from app.store.models import plays
from app.store.models.calls import model_call
from app.store.play.episodes import episode
from app.store.play.turns import turn
from app.store.rating import judges
from tests.e2e.launch import LLAMA, lacking_library
from tests.models import tiny_gguf


@pytest.fixture(scope="module")
def xllamacpp():
    """Return llama.cpp; what it lacks is named, and in CI the tests fail."""
    try:
        return importlib.import_module("xllamacpp")
    except ImportError:
        lack = str(lacking_library("llama.cpp", *LLAMA))
        (pytest.fail if os.environ.get("CI") else pytest.skip)(lack)


@pytest.fixture(scope="module")
def llama(xllamacpp, tmp_path_factory):
    """Return the address of a llama.cpp server."""
    path = tmp_path_factory.mktemp("llama") / "random.gguf"
    tiny_gguf.write(path)
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel, params.port = tiny_gguf.CONTEXT, 1, 0
    params.n_predict = 160  # enough for a move; keeps babble short
    params.warmup = False
    params.cpuparams.n_threads = 1
    params.verbosity = -1
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def script(make_study):  # in place of the scripted server
    make_study(blocks=[{"task": "A-Over", "seeds": [1]}, {"task": "P-Comp", "seeds": [2]}])


def schema_of(variants):
    """Return a JSON schema of moves that name things of these variants."""
    names = {name for one in variants for _, name in build_vocabulary(one).names.values()}
    actions = {"enum": [*ARGUMENT_KINDS, *BARE_VERBS]}
    properties = {"action": actions, "argument": {"enum": sorted(names)}}
    schema = {"type": "object", "properties": properties, "required": ["action", "argument"]}
    return json.dumps({"type": "json_schema", "json_schema": {"name": "move", "schema": schema}})


def rows(store, table):
    with store.read() as db:
        return db.execute(sa.select(table).order_by(table.c.id)).all()


def run(facts, llama, *more):
    base = ("model", "run", "--study", "demo", "--model", "random", "--base-url", llama)
    return facts(*base, "--concurrency", 1, "--explanations", "none", *more)


def test_random_model_plays_whole_episodes_that_replay_equal(
    script, facts, llama, store, variants_of
):
    shape = f"response_format={schema_of(variants_of())}"
    done = run(facts, llama, "--tasks", "A-Over", "--parameter", shape, "--parameter", "seed=1")
    assert done["state"] == "finished"
    found = rows(store, episode)
    assert len(found) == 2
    assert len(rows(store, turn)) == sum(row.actions_used for row in found) > 20
    assert {row.status for row in rows(store, model_call)} == {"ok"}
    assert all(row.prompt_tokens > 1000 for row in rows(store, model_call))
    assert facts("model", "verify", "--study", "demo", "--run", 1)["ok"]


def test_schema_makes_even_a_random_judge_give_a_score(script, facts, llama, store):
    """Without the reasons, at which a random model seldom ends in time."""
    direct = ("--method", "direct", "--explanations", "demonstrations")
    run(facts, llama, "--tasks", "P-Comp", *direct)
    shape = response_format("overall")
    schema = shape["json_schema"]["schema"]
    del schema["properties"][schema["required"].pop()]
    base = ("judge", "run", "--study", "demo", "--model", "random", "--base-url", llama)
    facts(*base, "--schema", "--parameter", f"response_format={json.dumps(shape)}")
    with store.read() as db:
        (score,) = judges.scores(db, judges.runs(db, 1)[0].id)
    assert (score.status, score.score in {0, 1, 2}) == ("ok", True)


@pytest.mark.long
def test_babble_is_kept_as_it_came_and_ends_by_patience(script, facts, llama, store):
    run(facts, llama, "--tasks", "P-Comp")
    with store.read() as db:
        (row,) = db.execute(plays.rows()).all()
    assert (row.ended, row.unreadable, row.actions_used) == ("patience", 10, 0)
    calls = rows(store, model_call)
    assert {one.status for one in calls} <= {"length", "ok", "empty"}
    assert all(json.loads(one.raw)["usage"]["completion_tokens"] > 0 for one in calls)
    assert facts("model", "verify", "--study", "demo", "--run", 1)["ok"]


def test_prompt_longer_than_the_context_of_the_real_server_is_recognised(llama):
    from app.agents.asking import Ask
    from app.models.asker import Asker, Endpoint
    from app.models.limits import Limits, Meter
    from app.study.models.prices import Price

    asker = Asker(Endpoint(llama, "random"), Meter(Limits(), Price()), 1)
    reply = asker.ask(Ask("action", "x" * (tiny_gguf.CONTEXT + 1), 8), lambda _reply: None)
    asker.close()
    assert reply.status == "context"
