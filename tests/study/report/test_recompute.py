"""The bundle's own program makes every table of the report anew, without code of hjstudy."""

import ast
import csv
import json
import random
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from app.game.certify import certify
from app.game.expectation import episode_floors
from app.game.tasks import TASKS
from app.game.tiers import FLOORS
from app.game.variant import canonical_json, generate
from app.parity import report
from app.study.design.library import lexicon
from app.study.report.document import canonical
from tests.study.report.bundles import recomputed, recomputed_in_r, report_on, write_bundle
from tests.study.report.rows import Made, result

WORLDS = (  # task, words, coverage, format
    ("A-Over", "semantic", "1", "episodic"),
    ("A-Over", "nonce", "1", "episodic"),
    ("A-Over", "semantic", "1", "direct"),
    ("P-Comp", "semantic", "1", "episodic"),
    ("P-Comp", "nonce", "1", "episodic"),
    ("A-Cond", "semantic", "0", "episodic"),
    ("own", "semantic", "2/3", "episodic"),
)
SEEDS = range(1, 14)  # more pairs than are tested exactly


@cache
def variant_of(task, words, coverage, seed):
    return generate(TASKS.get(task, TASKS["P-Add"]), seed, lexicon(words), coverage)


def everything(worlds=WORLDS):
    """Tables with every condition, format and state; results drawn with a fixed seed."""
    made, rng = Made(), random.Random(5)
    people = [f"p{at}" for at in range(len(SEEDS))]
    for name in people:
        state = {"p3": "timed_out", "p4": "active", "p5": "technical"}.get(name, "finished")
        page = {"p3": "w1-g2", "p4": "w1-rule", "p5": "w1-g1-rule"}.get(name, "finished")
        made.person(name, state, page=page)
    made.person("gone", "withdrawn", is_erased=True)
    made.person("idle", "active", page="instructions")
    made.person("test", is_test=True, page="finished")
    made.person("out", excluded="asked a friend", page="finished")
    hashes = {}
    for seed, name in zip((*SEEDS, 1, 1), (*people, "out", "test"), strict=True):
        for task, words, coverage, how in worlds:
            variant = variant_of(task, words, coverage, seed)
            key = f"{task}-{words}-{coverage}-{seed}"
            hashes[key] = variant
            one = variant.episodes[0]
            length, tries = one.ref_length, one.n_tries
            results = [
                rng.choice([None, 0, -3, length, length + 1, (2 * length, 1), length * tries])
                for _ in variant.episodes
            ]
            ratings = rng.choice([(), (0, 1), (2, 2), (1,)])
            place = {"lexicon": words, "coverage": coverage, "format": how}
            here = {**place, "seed": seed, "variant_hash": key}
            made.block(name, task, *results, ratings=ratings, judged=rng.choice([None, 1]), **here)
    finish(made, hashes)
    seen = {"p1": ("pasted",), "p2": ("pasted", "alike"), "p6": ("canary",), "out": ("hidden",)}
    made.tables["sign"] = [
        {"participant_id": name, **{f"sign_{sign}": True for sign in seen.get(name, ())}}
        for name in (*people, "out")
    ]
    made.tables["model_result"] = [
        *(row(seed, index) for seed in SEEDS for index in (1, 2)),
        *(row(seed, 1, "direct", None if seed % 3 else 4) for seed in SEEDS),
        result("B", 1, 99, task="P-Comp", variant_hash="elsewhere", rv=0.5),
        result("B", 1, 8, task="unheard", variant_hash="elsewhere"),
    ]
    add_runs(made.tables)
    return made.tables


RUNS = (("a", "plain"), ("a", "react"), ("a", "hr"), ("b", "plain"), ("b", "hr"), ("b", "idea"))


def add_runs(tables):
    """Two models with several methods, some of their explanations rated."""
    rng = random.Random(8)
    for name in ("model_run", "model_episode", "item"):
        tables.setdefault(name, [])
    for number, (model, method) in enumerate(RUNS, start=1):
        label = f"{model} {method}"
        used = {"calls": 10 * number, "prompt_tokens": 1000 * number, "completion_tokens": 7}
        named = {"run": number, "label": label, "kind": "play", "model": model, "method": method}
        tables["model_run"].append(
            {**named, **used, "preset": "paper", "design_version": 1 + number % 2}
            | {"cost": 0.25 if number % 2 else None}
        )
        for task, length in (("A-Over", 4), ("P-Comp", 5)):
            for seed in SEEDS:
                key = f"{task}-semantic-1-{seed}"
                place = {"task": task, "seed": seed, "variant_hash": key, "source": "run"}
                won = rng.choice([None, length, length + 2, 2 * length])
                one = result(label, 1, won, **place, ref_length=length)
                one["actions_used"] = won or 4 * length
                words = rng.choice(["", "same", "other"]) if number > 1 else "same"
                episode = {"variant_episode": 0, "format": "episodic", "words_hash": words}
                tables["model_result"].append(one)
                tables["model_episode"].append({"label": label, "variant_hash": key, **episode})
                item = f"run{number}/{key}"
                about = {"item_kind": "model", "source": label, "variant_hash": key}
                tables["item"].append({"item_id": item, **about})
                if seed % 2:
                    score = {"item_id": item, "value": rng.choice([0, 1, 2])}
                    tables["rating"].append({**score, "role": "main", "repeat": 0})
                    tables["judge"].append(in_criteria(item, rng))
    for one in tables["episode"]:
        one |= {"words_hash": "same", "design_version": 1, "is_test": False, "language": "en"}
    tables["episode"][0] |= {"language": "de", "words_hash": "german"}


def in_criteria(item, rng):
    """Return scores of the four criteria, one of them missing now and then."""
    names = ("inputs", "output", "structure", "generality")
    scores = {name: rng.choice([0, 1, 2]) for name in names}
    if rng.random() < 0.1:
        scores["structure"] = None
    return {"item_id": item, "value": None, **scores}


def row(seed, index, how="episodic", used=6):
    key = f"A-Over-semantic-1-{seed}"
    return result("A", index, used, seed=seed, variant_hash=key, format=how, rv=seed % 3 / 2)


def finish(made, hashes):
    """Add what an export has beyond the columns that the tests of tables need."""
    tables = made.tables
    for one in tables["episode"]:
        variant = hashes[one["variant_hash"]]
        episode = variant.episodes[one["variant_episode"]]
        one |= {"ref_length": episode.ref_length, "n_tries": episode.n_tries}
        if one["format"] == "direct":
            one["stated_item"] = None if one["state"] == "open" else "a sword"
        else:
            expected = episode_floors(variant, one["variant_episode"])
            one |= {f"floor_{name}": float(x) for name, x in zip(FLOORS, expected, strict=True)}
    tables["episode"][8]["voided"] = True
    tables["timing"] = [
        {"episode_id": one["episode_id"], "longest_gap_ms": 400_000 if at % 9 == 0 else 900}
        for at, one in enumerate(tables["episode"])
        if at % 4
    ]
    for at, one in enumerate(tables["rating"]):
        one |= {"role": "training" if at % 7 == 0 else "main", "repeat": int(at % 5 == 0)}
    tables["adjudication"] = [
        {"item_id": one["item_id"], "round": at % 2, "value": None if at % 3 == 0 else at % 2}
        for at, one in enumerate(tables["rating"][:20])
    ]
    for at, one in enumerate((*tables["rating"][1:30:4], *tables["adjudication"][3:20:6])):
        one.update(in_criteria(one["item_id"], random.Random(at)))
    tables["variant"] = []
    for key, variant in hashes.items():
        proof = certify(variant)
        figures = ("contextual_bias", "share_determined")
        tables["variant"].append(
            {"variant_hash": key, "content": canonical_json(variant), "task": variant.task.name}
            | {name: float(getattr(proof, name)) for name in figures}
            | {"family": variant.task.family}
        )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A bundle with everything in it, and its report."""
    folder = write_bundle(everything(), tmp_path_factory.mktemp("hand") / "bundle")
    return folder, report_on(folder, replicates=200, seed=3)


def test_programs_of_bundles_import_nothing_of_ours():
    """They must also run where hjstudy is not installed; NumPy is all they need."""
    programs = [*Path(report.__file__).parent.glob("*.py")]
    nodes = [node for path in programs for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    found = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    found |= {f"{'.' * one.level}{one.module}" for one in nodes if isinstance(one, ast.ImportFrom)}
    others = {name.split(".")[0] for name in found} - sys.stdlib_module_names
    assert (len(programs), others) == (2, {"numpy"})


def test_every_table_is_recomputed_from_the_bundle(made):
    status, output = recomputed(*made)
    assert status == 0, output
    assert output.endswith("Everything recomputed is equal.\n"), output
    tables = json.loads(made[1].read_text("utf-8"))["tables"]
    for table in tables:
        assert table["rows"], f"nothing to recompute in {table['name']}"
        assert f"{table['name']}: {len(table['rows'])} rows" in output
    assert "not recomputed" not in output


IN_R = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")


@IN_R
@pytest.mark.long
def test_every_table_is_recomputed_in_r(made, tmp_path):
    folder, report = made
    status, output = recomputed_in_r(folder, report)
    assert (status, output.splitlines()[-1]) == (0, "Everything recomputed is equal."), output
    for table in json.loads(report.read_text("utf-8"))["tables"]:
        assert f"{table['name']}: {len(table['rows'])} rows" in output
    assert "relation_points: 50 rows, 400 values" in output
    other = shutil.copytree(folder, tmp_path / "other")
    path = next((other / "data").glob("*level-episode_*"))
    path.write_text(path.read_text("utf-8").replace(",won,", ",lost,", 1), "utf-8")
    status, output = recomputed_in_r(other, report)
    assert status == 1
    assert "baseline_first, row 1, success_rate: recomputed" in output


@IN_R
def test_a_small_study_is_recomputed_in_r(tmp_path):
    """Two lexica in 13 variants, so p is drawn. Only the altered end of an interval differs."""
    tables = everything(WORLDS[:2])
    for name in ("model_result", "model_run", "model_episode", "item"):
        tables[name] = []
    folder = write_bundle(tables, tmp_path / "bundle")
    report = report_on(folder, replicates=200, seed=7)
    data = json.loads(report.read_text("utf-8"))
    at = [table["name"] for table in data["tables"]].index("baseline_first")
    data["tables"][at]["rows"][1][7]["low"] += 2e-9
    report.write_text(canonical(data), "utf-8")
    status, output = recomputed_in_r(folder, report)
    assert (status, output.splitlines()[-1]) == (1, "1 differences"), output
    assert "baseline_first, row 2, ecsr_low: recomputed" in output
    assert "lexicon: 4 rows" in output


def test_a_study_without_people_is_recomputed_too(tmp_path):
    folder = write_bundle({}, tmp_path / "bundle")
    report = report_on(folder, replicates=200)
    found = [recomputed(folder, report)]
    if shutil.which("Rscript"):
        found.append(recomputed_in_r(folder, report))
    for status, output in found:
        assert (status, output.splitlines()[-1]) == (0, "Everything recomputed is equal."), output


@pytest.mark.long
def test_a_changed_figure_or_episode_is_found(made, tmp_path):
    folder, report = made
    data = json.loads(report.read_text("utf-8"))
    rows = data["tables"][0]["rows"]
    rows[0][7] |= {"value": rows[0][7]["value"] + 2e-9, "low": 0.01, "reason": "because"}
    (tmp_path / "report.json").write_text(json.dumps(data), "utf-8")
    status, output = recomputed(folder, tmp_path)
    assert (status, output.count("baseline_first, row 1:")) == (1, 3)
    assert output.endswith("3 differences\n")
    other = shutil.copytree(folder, tmp_path / "other")
    path = next((other / "data").glob("*level-episode_*"))
    text = path.read_text("utf-8")
    path.write_text(text.replace(",won,", ",lost,", 1), "utf-8")
    status, output = recomputed(other, report)
    assert status == 1
    assert "baseline_first, row 1: recomputed" in output


def test_without_numpy_everything_but_drawn_figures_is_recomputed(made, tmp_path):
    (tmp_path / "numpy.py").write_text("raise ImportError", "utf-8")
    run = [sys.executable, "analysis/recompute.py", str(made[1])]
    here = {"cwd": made[0], "env": {"PYTHONPATH": str(tmp_path)}}
    done = subprocess.run(run, **here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "values of intervals and drawn p need NumPy" in done.stdout
    assert "baseline_first: 8 rows, " in done.stdout
    assert "time: 20 rows, 180 values, largest difference 0.0e+00\n" in done.stdout


def test_recomputed_tables_are_written_as_files(made, tmp_path):
    status, _ = recomputed(*made, "--out", str(tmp_path / "new"))
    report = json.loads(made[1].read_text("utf-8"))
    assert status == 0
    for table in report["tables"]:
        with (tmp_path / "new" / f"{table['name']}.csv").open(encoding="utf-8", newline="") as file:
            assert len(list(csv.DictReader(file))) == len(table["rows"])


def test_written_texts_are_no_formulas(tmp_path):
    columns = [{"name": name, "kind": "text"} for name in ("who", "share", "rest")]
    rows = [{"who": "=1+1", "share": -0.5, "rest": "a-b"}]
    report.write(tmp_path, {"name": "t", "columns": columns}, [list(rows[0].values())])
    assert (tmp_path / "t.csv").read_text("utf-8").splitlines()[1] == "'=1+1,-0.5,a-b"
