"""Bundles that were changed after the export, with their manifest, are refused with a reason."""

import csv
import hashlib
import json

import pytest

from app.study.export import files
from app.study.report.options import ReportError
from app.study.report.tables import COLUMNS, NEEDED, of_bundle
from tests.study.story import Story

TABLE = "episode"


@pytest.fixture(params=["csv", "jsonl"])
def bundle(request, store, tmp_path):
    story = Story(store)
    story.varied()
    files.export(store, "story", tmp_path / "b", story.now(), flavour=request.param)
    return tmp_path / "b"


def change(bundle, edit):
    """Change the file of the table of episodes, and its manifest."""
    manifest = json.loads((bundle / "manifest.json").read_text("utf-8"))
    [file] = [one for one in manifest["files"] if one["table"] == TABLE]
    path = bundle / file["name"]
    path.write_bytes(edit(path.read_bytes()))
    file["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (bundle / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    return file["name"]


def without_column(data):
    lines = data.decode().splitlines()
    if lines[0].startswith("{"):
        rows = [json.loads(line) for line in lines]
        for row in rows:
            del row["n_tries"]
        return "\n".join(map(json.dumps, rows)).encode()
    rows = list(csv.reader(lines))
    place = rows[0].index("n_tries")
    return "\r\n".join(",".join(r[:place] + r[place + 1 :]) for r in rows).encode()


def test_table_without_a_column_that_the_report_needs_is_refused_by_its_name(bundle):
    name = change(bundle, without_column)
    with pytest.raises(ReportError, match=f"{name} has no column n_tries"):
        of_bundle(bundle)


def test_table_with_fewer_rows_than_the_manifest_says_is_refused(bundle):
    of_bundle(bundle)
    name = change(bundle, lambda data: data[: data.rstrip().rindex(b"\n") + 1])
    with pytest.raises(ReportError, match=f"{name} has . rows, but the manifest says"):
        of_bundle(bundle)


def test_every_table_that_a_report_reads_has_its_columns_listed():
    assert set(COLUMNS) == set(NEEDED)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_manifest_that_is_not_json_is_refused(bundle, text):
    (bundle / "manifest.json").write_text(text, "utf-8")
    with pytest.raises(ReportError, match="cannot be read as JSON"):
        of_bundle(bundle)
