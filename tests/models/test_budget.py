"""Limits of tokens and money on the command line, and what runs without prices say they cost."""

import csv
import json

import pytest

from app.models.limits import Limits, Meter
from app.store.models import runs as rows
from app.study.design import studies
from app.study.models import runs
from app.study.models.prices import Price, PriceFileError, find_price, read_price

ONE = ("--tasks", "P-Comp", "--explanations", "none", "--concurrency", 1)
CALLS = 110  # tokens of each scripted answer


@pytest.fixture
def prices(tmp_path):
    """A price file: one per million tokens for m, nothing for the model `free`."""
    path = tmp_path / "prices.json"
    path.write_text('{"m": {"input": 1, "output": 1}, "free": {"input": 0, "output": 0}}')
    return path


def test_run_stops_at_its_limit_of_tokens(run_model, script):
    made = run_model(*ONE, "--max-tokens", 2 * CALLS - 1, code=1)
    assert (made["calls"], len(script.requests)) == (2, 2)
    assert made["problems"] == ["The limit of 219 tokens is reached."]


def test_run_stops_at_its_limit_of_money_and_goes_on_with_another(run_model, script, facts, prices):
    made = run_model(*ONE, "--prices", prices, "--max-cost", 0.0002, code=1)
    assert (made["calls"], made["cost"]) == (2, 0.00022)
    assert made["problems"] == ["The limit of 0.0002 for the cost is reached."]
    resume = ("model", "resume", "--study", "demo", "--run", 1, "--concurrency", 1)
    more = facts(*resume, "--max-cost", 0.0003, code=1)
    assert (more["calls"], len(script.requests)) == (3, 3)
    assert facts(*resume)["state"] == "finished"


def test_limit_of_money_needs_a_price(hjstudy, run_model, script):
    assert run_model(*ONE, "--max-calls", 1, code=1)["cost"] is None
    resume = ("model", "resume", "--study", "demo", "--run", 1)
    code, _, message = hjstudy(*resume, "--max-cost", 1)
    assert (code, len(script.requests)) == (2, 1)
    assert "--max-cost: run 1 was started without --prices" in message


@pytest.mark.parametrize("option", ["--max-cost", "--temperature", "--timeout"])
def test_number_that_is_none_is_refused(hjstudy, endpoint, script, prices, option):
    run = ("model", "run", "--study", "demo", "--model", "m", "--base-url", endpoint, *ONE)
    code, _, message = hjstudy(*run, "--prices", prices, option, "nan")
    assert (code, script.requests, option in message) == (2, [], True)


def test_cost_is_empty_without_prices_and_nought_if_the_model_is_free(
    run_model, hjstudy, store, prices, tmp_path
):
    priced = (*ONE, "--max-calls", 1)
    run_model(*priced, code=1)
    run_model(*priced, "--model", "free", "--prices", prices, code=1)
    run_model(*priced, "--prices", prices, code=1)
    with store.read() as db:
        found = runs.listed(db, studies.find(db, "demo").id)
    assert [(one.price, one.cost) for one in found] == [
        (None, None),
        ((0.0, 0.0), 0.0),
        ((1.0, 1.0), 0.00011),
    ]
    _, out, _ = hjstudy("model", "list", "--study", "demo")
    ends = [line.rpartition("tokens")[2] for line in out.splitlines()]
    assert ends == ["", ", cost 0.00", ", cost 0.00"]
    hjstudy("export", "--study", "demo", "--out", tmp_path / "out")
    (path,) = (tmp_path / "out").rglob("*level-modelrun_data.csv")
    with path.open(encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    names = ("price_input", "price_output", "cost")
    assert [[row[name] for name in names] for row in found] == [
        ["", "", ""],
        ["0.0", "0.0", "0.0"],
        ["1.0", "1.0", "0.00011"],
    ]


def test_price_stored_before_runs_could_lack_one_counts_as_none(run_model, store):
    run_model(*ONE, "--max-calls", 1, code=1)
    with store.read() as db:
        row = rows.find(db, 1, 1)
    old = json.loads(row.settings)
    assert old.pop("has_price") is False
    assert runs.price_of({**old, "price": [0.0, 0.0]}) is None
    assert runs.price_of({**old, "price": [0.0, 2.0]}) == (0.0, 2.0)


BAD_PRICES = [
    "",
    "[]",
    '{"m": 1}',
    '{"m": {"input": 1}}',
    '{"m": {"input": "x", "output": 1}}',
    '{"m": {"input": NaN, "output": 1}}',
    '{"m": {"input": -1, "output": 1}}',
    '{"m": {"input": 1, "output": Infinity}}',
]


def test_price_file_is_read_or_refused_with_its_form(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text('{"m": {"input": 0.25, "output": 2}}')
    assert read_price(path, "m").of(4_000_000, 500_000) == 2.0
    assert (find_price(path, "m"), find_price(path, "other")) == (Price(0.25, 2.0), None)
    for text in BAD_PRICES:
        path.write_text(text)
        for look in (read_price, find_price):
            with pytest.raises(PriceFileError, match="per million"):
                look(path, "m")
    path.write_text("{}")
    with pytest.raises(PriceFileError, match="no price for 'm'"):
        read_price(path, "m")
    with pytest.raises(PriceFileError):
        find_price(tmp_path / "none.json", "m")


def test_meter_without_a_price_has_no_cost():
    assert Meter(Limits(), None).cost is None
