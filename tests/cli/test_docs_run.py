"""Blocks of the documentation, run as they are; `test_blocks.py` lists what runs which."""

import csv
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib

import pandas as pd
import polars as pl
import pyrage
import pytest

from app.study.design import studies
from app.study.design.library import Library
from tests.models.scripted import Players, Scripted
from tests.pages import ROOT, blocks, words_of
from tests.web.conftest import app, client, make_study, server, settings
from tests.web.models.agent import MIXED, Agent

__all__ = ["app", "client", "make_study", "server", "settings"]
BIN = ROOT / ".venv" / "bin"
ODD = ["", "NA", ' "quoted", ', "=1+1", "a\nb", "007", "٣ ✓", "TRUE"]


def page(name, *languages):
    """Return the blocks of a page, perhaps only those of some languages."""
    found = blocks(ROOT / "docs" / name)
    return [one for one in found if not languages or one.language in languages]


def run(hjstudy, block, changes=None):
    """Run a block's commands of ours, with other words in some places; returns what they print."""
    output = []
    for line in block.lines():
        words = words_of(line)
        assert words is not None, line
        code, out, err = hjstudy(*[(changes or {}).get(word, word) for word in words])
        assert code == 0, f"{line}\n{out}{err}"
        output.append(out)
    return output


@pytest.fixture
def autumn(hjstudy, tmp_path):
    """The study of docs/study-file.md, with a bot that played it as a test participant."""
    (tmp_path / "autumn.yaml").write_text(page("study-file.md")[0].text)
    assert hjstudy("study", "create", "autumn.yaml")[0] == 0
    done = hjstudy("simulate", "--study", "autumn", "--bots", "oracle:1", "--as", "test")
    assert done[0] == 0, done


@pytest.fixture
def bundle(hjstudy, tmp_path):
    """The bundle and the report of docs/reports.md."""
    assert hjstudy("demo")[0] == 0
    run(hjstudy, page("reports.md")[0])
    return tmp_path / "bundle"


def test_study_files_of_the_page_make_studies(hjstudy, facts, tmp_path):
    for number, block in enumerate(page("study-file.md", "yaml")):
        (tmp_path / f"{number}.yaml").write_text(block.text)
        assert hjstudy("study", "create", f"{number}.yaml")[0] == 0
    found = {one["slug"]: one["state"] for one in facts("study", "list")["studies"]}
    assert found == {"autumn": "open", "as-published": "open", "words": "open"}


@pytest.mark.timeout(400)
@pytest.mark.long
def test_report_is_made_and_recomputed_as_the_page_says(bundle, tmp_path):
    assert (tmp_path / "report" / "report.json").is_file()
    lines = page("reports.md")[1].lines()
    programs = {"python3": sys.executable, "Rscript": shutil.which("Rscript")}
    for line in lines:
        program, *words = shlex.split(line)
        if found := programs[program]:
            subprocess.run([found, *words], cwd=tmp_path, check=True)
    assert [line.split()[0] for line in lines] == list(programs)


@pytest.mark.timeout(400)
@pytest.mark.long
def test_bundle_has_the_files_that_the_page_lists(bundle):
    text = page("exports.md", "text")[0].text
    listed = [line.split("  ")[0].replace("study-S", "study-demo") for line in text.splitlines()]
    named = []
    for name in filter(None, listed):
        first, *others = name.split(" ")
        stem = first.rpartition(".")[0]
        named += [first, *(f"{stem}{one}" if one[0] == "." else one for one in others)]
    assert len(named) == 10
    assert [name for name in named if not (bundle / name).is_file()] == []


def test_calls_that_read_a_table_change_no_cell(tmp_path):
    """Each line of the page reads a table with cells that programs like to convert."""
    path, table = tmp_path / "table.csv", [["plain", "own name"], *zip(ODD, ODD, strict=True)]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(table)
    (ours,) = page("exports.md", "python")
    with_pandas, with_polars = (
        eval(line, {"pandas": pd, "polars": pl, "path": path})  # noqa: S307 - our own page
        for line in ours.text.splitlines()
    )
    assert (
        with_pandas.to_numpy().tolist()
        == with_polars.to_numpy().tolist()
        == list(map(list, table[1:]))
    )
    (in_r,) = page("exports.md", "r")
    if shutil.which("Rscript"):
        (tmp_path / "read.R").write_text(
            f'path <- "{path}"\nd <- {in_r.text}cat(names(d), unlist(d), sep = "|")\n'
        )
        script = ["Rscript", "--vanilla", tmp_path / "read.R"]
        found = subprocess.run(script, capture_output=True, check=True)
        read = found.stdout.decode().split("|")
        assert read == [*table[0], *ODD, *ODD]


def test_backup_is_made_and_restored_as_the_page_says(
    autumn, hjstudy, facts, tmp_path, monkeypatch
):
    (block,) = [one for one in page("operations.md", "sh") if "hjstudy backup" in one.text]
    key = pyrage.x25519.Identity.generate()
    (tmp_path / "backup-key.txt").write_text(f"{key}\n")
    backup, restore = block.lines()
    folder = tmp_path / "backups"
    once = shlex.join(shlex.split(backup.replace(" --every 60", "")))  # or it would never end
    assert once != backup
    words = {"/backup": folder, "age1...": str(key.to_public())}
    made = hjstudy(*[words.get(word, word) for word in words_of(once)])
    assert made[0] == 0, made
    (file,) = folder.glob("*.age")
    named = words_of(restore)[1]
    assert re.sub(r"\d", "0", file.name) == re.sub(r"\d", "0", named.rpartition("/")[2])
    monkeypatch.setenv("HJSTUDY_DATABASE_URL", f"sqlite:///{tmp_path}/other.db")
    restored = hjstudy(*[file if word == named else word for word in words_of(restore)])
    assert restored[0] == 0, restored
    assert facts("verify")["ok"]


def test_manifest_is_made_and_checked_as_the_page_says(autumn, hjstudy, tmp_path):
    (block,) = [one for one in page("operations.md", "sh") if "hjstudy manifest" in one.text]
    run(hjstudy, block)
    assert list(tmp_path.glob("autumn-*.json"))


def test_keys_of_the_api_are_made_listed_and_revoked(autumn, hjstudy):
    made, listed, _ = run(hjstudy, page("api.md", "sh")[0])
    assert len(made.strip()) > 20
    assert "lab" in listed
    assert made.strip() not in listed
    assert "revoked" in hjstudy("model", "key", "list", "--study", "autumn")[1]


@pytest.mark.parametrize("client", ["sqlite"], indirect=True)
def test_problem_of_the_api_page_has_the_fields_of_a_real_one(server, client, make_study):
    make_study(**MIXED)
    agent = Agent(server, client)
    agent.open()
    url = "/runs/1/episodes/1/commands"
    agent.post(url, seq=1, raw="check_location")
    real = agent.post(url, seq=5, raw="check_location").json()
    (shown,) = page("api.md", "json")
    written = json.loads(shown.text)
    start = written.pop("detail").removesuffix("...")
    assert real.pop("detail").startswith(start)
    assert {name: real[name] for name in written} == written


def test_task_of_the_page_is_certified_and_played(hjstudy, tmp_path, monkeypatch):
    task, shell = page("task-file.md")
    (tmp_path / "my_task.json").write_text(task.text)
    monkeypatch.setattr("sys.stdin", io.StringIO("check_location\n"))
    certified, played = run(hjstudy, shell)
    assert "oracle 1.000" in certified
    assert "You are at" in played


@pytest.mark.timeout(600)  # a model plays every guardian of six worlds
@pytest.mark.long
def test_blocks_about_models_run_against_a_scripted_endpoint(
    autumn, hjstudy, store, tmp_path, monkeypatch
):
    with store.read() as db:
        hashes = studies.find(db, "autumn").hashes.values()
        variants = [Library().variant(db, name) for name in hashes]
    install, export, *commands = page("models.md", "sh")[0].lines()
    extra = re.fullmatch(r"pip install 'hjstudy\[(\w+)\]'", install)[1]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert extra in extras["optional-dependencies"]
    name, _, _ = export.removeprefix("export ").partition("=")
    monkeypatch.setenv(name, "key-of-the-test")
    script = Scripted(Players(variants))
    with script.serving() as address:
        for line in commands:
            words = [address if "127.0.0.1" in one else one for one in words_of(line)]
            code, out, err = hjstudy(*words)
            assert code == 0, f"{line}\n{out}{err}"
    assert len(commands) == 4
    assert script.requests


@pytest.mark.timeout(400)  # two selections are of everything
@pytest.mark.long
def test_make_targets_and_selections_of_tests_exist():
    """Targets are known to `make`; each selection of tests finds some. Nothing of them runs."""
    environment = {**os.environ, "PYTEST_ADDOPTS": "--collect-only -q"}
    lines = [line for block in page("testing.md", "sh") for line in block.lines()]
    for line in lines:
        program, *words = shlex.split(line)
        is_make = program == "make"
        command = ["make", "--dry-run"] if is_make else [BIN / program.rpartition("/")[2]]
        done = subprocess.run(
            [*command, *words],
            check=False,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}{done.stderr}"
    assert len(lines) == 7


def test_layers_of_the_architecture_page_are_those_enforced():
    (block,) = page("architecture.md", "text")
    layers, rooms = re.split(r"\n(?=design)", block.text)
    found = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    contract = found["contracts"][0]["layers"]
    drawn = [part.strip() for part in re.sub(r"\s+", " ", layers).split("->")]
    assert drawn == [line.replace("app.", "") for line in contract]
    (study,) = [one for one in found["contracts"] if one.get("containers") == ["app.study"]]
    named = {one for part in re.split(r"[<|]", rooms) for one in part.split()}
    order = [line for line in study["layers"] if set(line.split(" | ")) <= named]
    assert [part.strip() for part in rooms.split("<")] == order[::-1]
