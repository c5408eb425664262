"""The files of a report: each with its data and its settings, and all in one ZIP file."""

import hashlib
import html
import io
import json
import re
import zipfile

import pytest

from tests.web.report.reported import PAGE, QUICK, rebuilt

pytestmark = pytest.mark.one_database


@pytest.mark.long
def test_every_file_of_the_page_is_that_of_the_command(researcher, bundle, tmp_path):
    rebuilt(bundle, tmp_path / "a", figures=True)
    names = sorted(p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*.*"))
    assert len(names) > 40
    for name in names:
        answer = researcher.client.get(f"{PAGE}/{name}{QUICK}")
        assert answer.status_code == 200, name
        assert answer.content == (tmp_path / "a" / name).read_bytes(), name


@pytest.mark.long
def test_everything_as_one_zip_file_is_what_the_command_writes(researcher, bundle, tmp_path):
    rebuilt(bundle, tmp_path / "a", figures=True)
    answer = researcher.client.get(f"{PAGE}/report.zip{QUICK}")
    assert answer.headers["content-type"] == "application/zip"
    name = re.search(r'filename="(study-demo_report_[0-9a-f]{8})\.zip"', str(answer.headers))[1]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        files = {one.removeprefix(f"{name}/"): archive.read(one) for one in archive.namelist()}
    there = {
        str(path.relative_to(tmp_path / "a")): path.read_bytes()
        for path in (tmp_path / "a").rglob("*.*")
    }
    assert files == there
    again = researcher.client.get(f"{PAGE}/report.zip{QUICK}")
    assert again.content == answer.content


@pytest.mark.long
def test_every_table_and_figure_has_its_data_and_its_settings_beside_it(bundle, tmp_path):
    chosen = ("--seed", "7", "--keep-excluded")
    whole = json.loads(rebuilt(bundle, tmp_path / "a", *chosen, figures=True))
    sha = hashlib.sha256((tmp_path / "a" / "report.json").read_bytes()).hexdigest()
    files = [path for path in (tmp_path / "a").glob("*/*") if path.suffix != ".json"]
    assert {path.suffix for path in files} == {".csv", ".tex", ".svg", ".pdf"}
    for path in files:
        described = json.loads(path.with_suffix(".json").read_text("utf-8"))
        assert described["settings"] == whole["settings"]
        assert described["counts"] == whole["counts"]
        assert described["report_sha256"] == sha
        assert path.with_suffix(".csv").read_bytes(), path
    settings = whole["settings"]
    assert (settings["seed"], settings["replicates"]) == (7, 200)
    assert settings["exclusions"] == "test participants"
    figure = json.loads((tmp_path / "a" / "figures" / "floors.json").read_text("utf-8"))["figure"]
    table = tmp_path / "a" / "tables" / f"{figure['table']}.csv"
    assert table.read_bytes() == (tmp_path / "a" / "figures" / "floors.csv").read_bytes()


@pytest.mark.long
def test_figures_hold_their_settings_themselves_and_can_be_left_out(bundle, tmp_path):
    rebuilt(bundle, tmp_path / "a", "--seed", "77", figures=True)
    svg = (tmp_path / "a" / "figures" / "floors.svg").read_text("utf-8")
    assert '"seed": 77' in html.unescape(svg)
    pdf = (tmp_path / "a" / "figures" / "floors.pdf").read_bytes()
    assert b'"seed": 77' in pdf
    rebuilt(bundle, tmp_path / "a", "--seed", "77")  # the figures of another report would mislead
    assert not list((tmp_path / "a" / "figures").iterdir())


def test_unknown_files_are_not_there(researcher):
    for name in ("tables/none.csv", "figures/none.svg", "tables/rv.svg", "other/rv.csv"):
        assert researcher.client.get(f"{PAGE}/{name}{QUICK}").status_code == 404
