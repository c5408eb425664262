"""The report page, its files, and the identical report from a bundle."""

import csv
import io
import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import app as cli
from app.study.export import files
from app.study.report.document import document
from app.study.report.options import ReportError
from app.study.report.tables import of_bundle
from tests.walker import Walker
from tests.web.report.reported import NOW, PAGE, QUICK, rebuilt

ONE_DATABASE = pytest.mark.one_database


def test_page_bundle_and_command_give_the_same_bytes(researcher, bundle, tmp_path):
    page = researcher.client.get(f"{PAGE}/report.json{QUICK}")
    assert page.status_code == 200
    assert rebuilt(bundle, tmp_path / "a") == page.content
    assert len(json.loads(page.content)["tables"][0]["rows"]) > 0


@ONE_DATABASE
@pytest.mark.long
def test_zip_json_lines_and_the_shareable_bundle_give_the_same_report(bundle, server, tmp_path):
    packed = shutil.make_archive(str(tmp_path / "b"), "zip", tmp_path, "bundle")
    files.export(server.store, "demo", tmp_path / "lines", NOW, flavour="jsonl")
    files.export(server.store, "demo", tmp_path / "shared.zip", NOW, shareable=True)
    sources = (bundle, packed, tmp_path / "lines", tmp_path / "shared.zip")
    made = {rebuilt(source, tmp_path / f"out{at}") for at, source in enumerate(sources)}
    assert len(made) == 1


@ONE_DATABASE
@pytest.mark.long
def test_another_seed_gives_other_intervals(bundle, tmp_path):
    one, other = rebuilt(bundle, tmp_path / "a"), rebuilt(bundle, tmp_path / "b", "--seed", "2")
    assert json.loads(one)["settings"]["seed"] == 1
    assert one != other


def episode_file(bundle):
    return next(path for path in bundle.rglob("*level-episode*.csv"))


@ONE_DATABASE
def test_an_altered_file_is_refused(bundle):
    path = episode_file(bundle)
    path.write_bytes(path.read_bytes().replace(b"won", b"WON"))
    with pytest.raises(ReportError, match="was changed"):
        of_bundle(bundle)


@ONE_DATABASE
def test_a_missing_file_is_refused(bundle):
    episode_file(bundle).unlink()
    with pytest.raises(ReportError, match="cannot read"):
        of_bundle(bundle)


@ONE_DATABASE
def test_what_is_no_bundle_is_refused_in_words(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(ReportError, match=r"manifest\.json"):
        of_bundle(tmp_path / "folder")
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as made:
        made.writestr("a.txt", "a")
    with pytest.raises(ReportError, match=r"manifest\.json"):
        of_bundle(tmp_path / "x.zip")
    (tmp_path / "y.zip").write_text("no zip")
    with pytest.raises(ReportError, match="cannot read"):
        of_bundle(tmp_path / "y.zip")
    found = CliRunner().invoke(cli, ["report", str(tmp_path / "none"), "--out", str(tmp_path)])
    assert found.exit_code != 0


@ONE_DATABASE
@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"files": "none"}, "not a bundle"),
        ({"files": [1]}, "not a bundle"),
        ({"files": []}, "does not list the table participant"),
        ({"files": [{"table": "episode"}]}, "not a bundle"),
        ({"study": None, "study_kind": ...}, "not a bundle"),
        ({"format_version": "2.0"}, "format version is not 1"),
        ({"format_version": None}, "format version is not 1"),
        ({"format": "excel"}, "Excel"),
    ],
)
def test_an_altered_manifest_is_refused_in_words(bundle, change, word):
    path = bundle / "manifest.json"
    changed = json.loads(path.read_text("utf-8")) | change
    kept = {key: value for key, value in changed.items() if value is not ...}
    path.write_text(json.dumps(kept), "utf-8")
    with pytest.raises(ReportError, match=word):
        of_bundle(bundle)


@ONE_DATABASE
@pytest.mark.parametrize("text", ["", "[]", "{", "\ufeff{}", "null"])
def test_a_manifest_that_is_none_is_refused_in_words(bundle, text):
    (bundle / "manifest.json").write_text(text, "utf-8")
    with pytest.raises(ReportError):
        of_bundle(bundle)


@ONE_DATABASE
def test_a_zip_file_with_damaged_bytes_or_a_password_is_refused_in_words(bundle, tmp_path):
    packed = Path(shutil.make_archive(str(tmp_path / "b"), "zip", tmp_path, "bundle"))
    whole = packed.read_bytes()
    with zipfile.ZipFile(packed) as archive:
        entry = archive.getinfo(f"bundle/{episode_file(bundle).relative_to(bundle)}")
    start = entry.header_offset + 30 + len(entry.filename)
    packed.write_bytes(whole[:start] + b"\xff" * 20 + whole[start + 20 :])
    with pytest.raises(ReportError, match="cannot read"):
        of_bundle(packed)
    flag, central = entry.header_offset + 6, whole.rindex(entry.filename.encode()) - 46 + 8
    locked = bytearray(whole)
    locked[flag] |= 1
    locked[central] |= 1
    packed.write_bytes(locked)
    with pytest.raises(ReportError, match="cannot unpack"):
        of_bundle(packed)


@ONE_DATABASE
def test_page_shows_tables_figures_and_settings(researcher, played):
    text = researcher.client.get(PAGE + QUICK).text
    assert "Human baseline, first episodes" in text
    images = re.findall(r'<img src="([^"]+)" alt="([^"]+)"', text)
    assert images
    for url, alt in images:
        assert len(alt) > 30
        answer = researcher.client.get(url.replace("&amp;", "&"))
        assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "replicates: 200" in text
    assert "<dt>ECSR</dt><dd>In a unit, the success rate" in text
    assert "Rule verbalization" in text
    assert "Format gap of imported models" not in text  # there are no models
    assert " style=" not in text


@ONE_DATABASE
def test_page_json_figures_and_tables_of_a_visit_share_one_document(
    researcher, played, monkeypatch
):
    """Also if someone acts between the page and its files."""
    made = []

    def counted(*arguments):
        made.append(arguments)
        return document(*arguments)

    monkeypatch.setattr("app.study.report.live.document", counted)
    text = researcher.client.get(f"{PAGE}?replicates=201").text
    links = re.findall(r'(?:href|src)="([^"]+/report/[^"]+\.(?:json|svg|csv)[^"]*)"', text)
    assert {link.partition("?")[0].rpartition(".")[2] for link in links} == {"json", "svg", "csv"}
    Walker(researcher.client).enter("/s/demo?PROLIFIC_PID=three")
    for link in links:
        assert researcher.client.get(link.replace("&amp;", "&")).status_code == 200
    assert len(made) == 1


@ONE_DATABASE
def test_empty_study_has_a_page_and_a_report(researcher):
    assert researcher.client.get(PAGE + QUICK).status_code == 200
    made = researcher.client.get(f"{PAGE}/report.json{QUICK}").json()
    assert made["counts"]["people"] == 0
    assert made["tables"][0]["rows"] == []


def test_outcomes_are_hidden_until_the_study_is_closed(make_study, researcher, server):
    from app.study.design import studies

    make_study(slug="secret", options={"hide_outcomes": True})
    page = "/admin/studies/secret/report"
    text = researcher.client.get(page + QUICK).text
    assert "hides outcomes" in text
    assert "baseline" not in text.lower()
    for name in ("report.json", "tables/baseline_first.csv", "figures/floors.svg"):
        assert researcher.client.get(f"{page}/{name}{QUICK}").status_code == 403
    studies.set_state(server.store, "secret", "closed")
    assert researcher.client.get(f"{page}/report.json{QUICK}").status_code == 200


@ONE_DATABASE
def test_participant_page_shows_no_score_until_the_study_is_closed(
    make_study, researcher, server, client, look
):
    from app.study.design import studies

    make_study(slug="secret", options={"hide_outcomes": True})
    person = Walker(client).enter("/s/secret").leave_practice()
    person.type(*look.solution(person.token, 0, 0))
    page = f"/admin/participants/{look.person(person.token).public_id}"
    assert "norm_eff" not in researcher.client.get(page).text
    studies.set_state(server.store, "secret", "closed")
    assert "norm_eff 1.000" in researcher.client.get(page).text


@ONE_DATABASE
@pytest.mark.parametrize(
    "query",
    ["seed=x", "seed=4294967296", "replicates=5", "replicates=5.5", "rv=zz", "idle=0", "idle=soon"],
)
def test_bad_settings_are_refused_by_the_name_on_the_form_and_kept_as_typed(researcher, query):
    answer = researcher.client.get(f"{PAGE}?{query}")
    assert answer.status_code == 422
    name, _, value = query.partition("=")
    [label] = re.findall(rf'<label for="{name}">([^<]+)</label>', answer.text)
    [said] = re.findall(r'role="alert".*?<a href="#(\w+)">([^<]+)', answer.text, re.DOTALL)
    assert (said[0], said[1].startswith(f"{label}: ")) == (name, True)
    if name != "rv":
        assert f'value="{value}"' in answer.text


@ONE_DATABASE
@pytest.mark.parametrize(
    ("option", "value"), [("--seed", "-1"), ("--bootstrap", "5"), ("--rv", "foo"), ("--idle", "0")]
)
def test_bad_settings_of_the_command_are_named_as_typed(tmp_path, option, value):
    out = CliRunner().invoke(cli, ["report", "no-such", "--out", str(tmp_path), option, value])
    assert out.exit_code != 0
    assert isinstance(out.exception, ReportError)
    assert out.exception.message.startswith(f"{option}: ")


def test_imported_results_and_ratings_come_back_from_the_bundle(
    researcher, played, server, tmp_path
):
    from app.study.design import studies
    from app.study.models import results

    with server.store.read() as db:
        study = studies.find(db, "demo")
    line = "model,task,seed,episode,success,actions_used,rv\nm,A-Over,1,1,true,8,0.5\n"
    results.store_all(server.store, study, server.library, line, {}, "researcher", "t" * 24, NOW)
    files.export(server.store, "demo", tmp_path / "bundle", NOW)
    page = researcher.client.get(f"{PAGE}/report.json{QUICK}").content
    assert rebuilt(tmp_path / "bundle", tmp_path / "a") == page
    models = next(t for t in json.loads(page)["tables"] if t["name"] == "models")
    names = [column["name"] for column in models["columns"]]
    first = dict(zip(names, models["rows"][0], strict=True))
    cells_shown = [first[name] for name in ("model", "measure", "episodes", "task", "variants")]
    assert cells_shown == ["m", "ECSR", "first", "A-Over", "same"]


@pytest.mark.long
@ONE_DATABASE
def test_summary_of_the_bundle_has_the_reports_figures(bundle, tmp_path):
    """The export's summary and the report are computed separately and agree (seed 1)."""
    found = CliRunner().invoke(cli, ["report", str(bundle), "--out", str(tmp_path / "r")])
    assert found.exit_code == 0, found.output
    made = json.loads((tmp_path / "r" / "report.json").read_text())
    tables = {table["name"]: table for table in made["tables"]}
    path = next(bundle.rglob("*level-summary*.csv"))
    checked = 0
    for row in csv.DictReader(io.StringIO(path.read_text("utf-8"), newline="")):
        if row["figure"].startswith("rv") or row["task"] == "all" or not row["value"]:
            continue
        table = tables[f"baseline_{row['scope']}"]
        names = [column["name"] for column in table["columns"]]
        ours = next(dict(zip(names, r, strict=True)) for r in table["rows"] if r[2] == row["task"])
        cell = ours[row["figure"]]
        for part in ("value", "low", "high"):
            theirs = float(row[part]) if row[part] else None
            assert cell[part] == pytest.approx(theirs, abs=1e-9), (row["task"], row["figure"])
            checked += 1
    assert checked >= 24
