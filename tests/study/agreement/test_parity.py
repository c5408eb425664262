"""Downloads of the agreement report: ratings, and programs that recompute its coefficients."""

import csv
import io
import json
import shutil
import subprocess
import sys
import zipfile

import pytest
import sqlalchemy as sa

from app.scoring.agreement import alpha
from app.store.rating import guesses
from app.store.rating.items import item
from app.store.rating.rounds import assignment, rating_round
from app.study.agreement import data, document, long_csv, parity
from app.study.csv_text import csv_table
from app.study.design import studies
from tests.study.conftest import NOW

pytestmark = pytest.mark.one_database


def report(facts, dimension="score", replicates=200):
    return document.build(facts, dimension, replicates=replicates)


def test_ratings_download_gives_the_pool_estimate_to_hjstudy_alpha(make_facts):
    facts, _ = make_facts()
    text = csv_table(parity.RATINGS, parity.rating_rows(facts, "score"))
    found = alpha(long_csv.read(text).ratings, "ordinal", weighting="scaled")
    assert found.alpha == pytest.approx(report(facts)["rows"]["pool"]["human_human"]["alpha"])


WAYS = [{}, {"allocation": "balanced"}, {"sampled": False}, {"mode": "criteria"}]


def unpack(folder, facts, found):
    with zipfile.ZipFile(io.BytesIO(parity.archive(facts, found))) as packed:
        packed.extractall(folder)


@pytest.mark.parametrize("how", WAYS)
def test_python_script_of_the_parity_archive_gives_the_reports_coefficients(
    make_facts, tmp_path, how
):
    facts, _ = make_facts(**how)
    found = report(facts, facts.default_dimension, replicates=0)
    unpack(tmp_path, facts, found)
    run = [sys.executable, "-I", "recompute.py"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[-1] == "0 differ"
    text = (tmp_path / "coefficients.csv").read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(lines) - 1 == len(rows) == (104 if facts.sample else 52)
    stated = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert stated == json.loads(json.dumps(found))
    pool = [
        r
        for r in rows
        if (r["set"], r["row"], r["kind"]) == ("as_edited", "balanced", "human_human")
    ]
    assert float(pool[0]["value"]) == found["rows"]["balanced"]["human_human"]["alpha"]


def test_python_script_finds_a_coefficient_that_was_touched(make_facts, tmp_path):
    facts, _ = make_facts()
    unpack(tmp_path, facts, report(facts, replicates=0))
    scores = (tmp_path / "scores.csv").read_text("utf-8").splitlines()
    line = next(n for n, text in enumerate(scores) if text.startswith("as_edited"))
    cells = scores[line].split(",")
    cells[3] = str((int(cells[3]) + 1) % 3)
    scores[line] = ",".join(cells)
    (tmp_path / "scores.csv").write_text("\r\n".join(scores) + "\r\n", "utf-8")
    run = [sys.executable, "-I", "recompute.py"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "DIFFERS" in done.stdout


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed here")
@pytest.mark.parametrize("how", WAYS)
def test_r_script_of_the_parity_archive_gives_the_reports_coefficients(make_facts, tmp_path, how):
    facts, _ = make_facts(**how)
    unpack(tmp_path, facts, report(facts, facts.default_dimension, replicates=0))
    run = ["Rscript", "recompute.R"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n0 differ" in done.stdout
    assert done.stdout.count("same") == (104 if facts.sample else 52)


PATTERN = ("person", "model", "model", "unknown", "person", "model", "person")


@pytest.fixture
def guessed(make_facts, store):
    """A round that asked who wrote the texts, with every kind of guess about both sources."""
    facts, _ = make_facts()
    with store.write() as db:
        db.execute(sa.update(rating_round).values(ask_source="item"))
        query = sa.select(assignment.c.id).where(assignment.c.round_id == facts.round.id)
        for at, one in enumerate(db.execute(query.order_by(assignment.c.id)).scalars().all()):
            guesses.add(db, one, PATTERN[at % len(PATTERN)], NOW)
        db.execute(sa.update(item).where(item.c.id % 3 == 0).values(kind="player"))
    with store.read() as db:
        return data.load(db, studies.find(db, facts.study), facts.round.number)


def test_blinding_indices_are_recomputed_from_the_guesses(guessed, tmp_path):
    found = report(guessed, replicates=0)
    unpack(tmp_path, guessed, found)
    stated = list(csv.DictReader(io.StringIO((tmp_path / "blinding.csv").read_text("utf-8"))))
    assert len(stated) == 3 * 3  # everyone and two raters; James's index and Bang's of both sources
    assert len({row["value"] for row in stated}) > 6
    runs = [[sys.executable, "-I", "recompute.py"]]
    runs += [["Rscript", "recompute.R"]] if shutil.which("Rscript") else []
    for run in runs:
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.count("james") == 3
    text = (tmp_path / "guesses.csv").read_text("utf-8")
    (tmp_path / "guesses.csv").write_text(text.replace(",unknown", ",model", 1), "utf-8")
    for run in runs:
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 1, run


def test_archive_of_the_same_facts_has_the_same_bytes(make_facts):
    facts, _ = make_facts()
    found = report(facts, replicates=0)
    assert parity.archive(facts, found) == parity.archive(facts, found)
