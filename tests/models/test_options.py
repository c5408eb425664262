"""Options of the commands that ask models: each wrong one is refused by its name."""

import pytest

BAD = {
    ("--method", "magic"): "--method",
    ("--preset", "mine"): "--preset",
    ("--seeds", "x-y"): "--seeds",
    ("--tasks", "A-Add"): "no cell",
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
