"""Options of the commands that ask models: wrong ones are refused by name, right ones obeyed."""

import json
import sqlite3

import pytest

from app.agents import wording
from app.store.models import runs
from app.study.code_version import code_version
from app.study.models.runs import plain_url
from tests.cli.test_progress import at_terminal

__all__ = ["at_terminal"]
ONE = ("--tasks", "P-Comp", "--explanations", "none")

BAD = {
    ("--method", "magic"): "--method",
    ("--preset", "mine"): "--preset",
    ("--seeds", "x-y"): "--seeds",
    ("--tasks", "A-Add"): "no task 'A-Add'",
    ("--explanations", "later"): "--explanations",
    ("--playbook", "none"): "--playbook",
    ("--base-url", "localhost"): "--base-url",
    ("--parameter", "seed"): "--parameter",
    ("--parameter", "model=1"): "--parameter",
    ("--key-file", "/none"): "--key-file",
    ("--max-cost", "1"): "--prices",
    ("--model", " "): "model",
}


@pytest.mark.parametrize("options", BAD, ids=" ".join)
def test_wrong_option_is_refused_by_its_name(hjstudy, endpoint, script, store, options):
    base = ("model", "run", "--study", "demo", "--model", "m", "--base-url", endpoint)
    code, _, message = hjstudy(*base, *options)
    assert (code, script.requests) == (2, [])
    assert BAD[options] in message


def test_run_that_does_not_exist_is_named(hjstudy, endpoint):
    code, _, message = hjstudy("model", "verify", "--study", "demo", "--run", 9)
    assert (code, "no model run 9" in message) == (2, True)


@pytest.mark.parametrize("by_file", [False, True])
def test_key_of_environment_or_file_is_sent_and_stored_nowhere(
    run_model, script, url, tmp_path, monkeypatch, by_file
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-environment")
    (tmp_path / "key").write_text("sk-of-file\n")
    run_model(*ONE, *(("--key-file", tmp_path / "key") if by_file else ()))
    key = "sk-of-file" if by_file else "sk-of-environment"
    assert script.requests[0][1]["authorization"] == f"Bearer {key}"
    with sqlite3.connect(url.removeprefix("sqlite:///")) as db:
        assert key not in "\n".join(db.iterdump())


SENT = {
    (): {"temperature": 1.0, "top_p": 0.95},
    ("--preset", "package"): {"temperature": 1.0},
    ("--temperature", 0.2, "--top-p", 0.5): {"temperature": 0.2, "top_p": 0.5},
    ("--parameter", "seed=7"): {"temperature": 1.0, "top_p": 0.95, "seed": 7},
}


def test_sampling_of_the_preset_is_sent_unless_it_is_given(run_model, script):
    for options, sent in SENT.items():
        before = len(script.requests)
        run_model(*ONE, *options)
        body = script.requests[before][0]
        assert {name: body[name] for name in body.keys() - {"model", "messages", "max_tokens"}} == (
            sent
        )


def test_run_keeps_with_what_it_was_made_and_no_secret_of_its_address(run_model, store, endpoint):
    address = endpoint.replace("http://", "http://ada:secret@")
    run_model(*ONE, "--base-url", address)
    with store.read() as db:
        row = runs.find(db, 1, 1)
    assert json.loads(row.prompts) == wording.hashes()
    assert (row.prompt_version, row.design_version, row.preset) == (wording.VERSION, 1, "paper")
    assert row.code_version == code_version()
    assert row.base_url == endpoint
    assert plain_url("https://a:b@x.org:8443/v1/?key=c#d") == "https://x.org:8443/v1"


def test_seeds_choose_variants(run_model, variants_of):
    (second,) = [one for one in variants_of() if (one.task.name, one.seed) == ("A-Over", 2)]
    made = run_model("--tasks", "A-Over", "--seeds", "2", "--explanations", "none")
    assert made["calls"] == sum(one.ref_length for one in second.episodes)


def test_run_shows_how_far_it_is_at_a_terminal(at_terminal, script, endpoint):
    run = ("model", "run", "--study", "demo", "--model", "m", "--base-url", endpoint, *ONE)
    code, out, seen = at_terminal(*run)
    assert (code, "finished" in out, "Episodes" in seen) == (0, True, True)
