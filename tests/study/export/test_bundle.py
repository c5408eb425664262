"""Bundles: a Psych-DS dataset by the standard's rules, in a folder or a ZIP file."""

import csv
import hashlib
import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from app.study.design.spec_people import Baseline
from app.study.export import atomic_output, bundle, codebook, files
from app.study.export.bundle import Options
from app.study.export.columns import EXPORT_COLUMNS
from tests.study.story import NOON, Story

KEYWORDS = re.compile(r"[a-z]+-[A-Za-z0-9]+(_[a-z]+-[A-Za-z0-9]+)*_data\.csv")
COLUMNS = {table: [one.name for one in columns] for table, columns in EXPORT_COLUMNS.items()}
CONTEXTS = ("https://schema.org", "https://schema.org/", "http://schema.org")


@pytest.fixture
def story(store):
    return Story(store, slug="a-story-2", baseline={"population": "Linguists, 30 of them"})


@pytest.fixture
def out(story, tmp_path):
    story.varied()
    folder = tmp_path / "out"
    files.export(story.store, "a-story-2", folder, NOON)
    return folder


def described(out):
    return json.loads((out / "dataset_description.json").read_text("utf-8"))


def data_files(out):
    return sorted((out / "data").rglob("*.csv"))


def cells(path):
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline=""), strict=True))


def headers(out):
    return {name for path in data_files(out) for name in cells(path)[0]}


def named(out):
    return {one["name"] for one in described(out)["variableMeasured"]}


def compiled(path, out):
    """Return a data file's metadata as a validator compiles it: the sidecar's fields win."""
    own = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return {**described(out), **own}


def objects(value):
    """Return every object below the metadata's root that is a property's value."""
    if isinstance(value, dict):
        inner = [one for child in value.values() for one in objects(child)]
        return [value, *inner]
    return [one for child in value for one in objects(child)] if isinstance(value, list) else []


# The standard's rules (psychds-docs, reference: Rules and Conventions), each as a question.
RULES = {
    "a file dataset_description.json in the root": lambda out: (
        out / "dataset_description.json"
    ).is_file(),
    "name, description and variableMeasured are there": lambda out: all(
        described(out).get(key) for key in ("name", "description", "variableMeasured")
    ),
    "the namespace is schema.org": lambda out: described(out)["@context"] in CONTEXTS,
    "the type is Dataset": lambda out: described(out)["@type"] == "Dataset",
    "variableMeasured is a list of strings or PropertyValues": lambda out: all(
        one["@type"] == "PropertyValue" and one["name"]
        for one in described(out)["variableMeasured"]
    ),
    "variableMeasured holds all headers of all data files": lambda out: headers(out) <= named(out),
    "variableMeasured holds nothing else, and nothing twice": lambda out: (
        named(out) == headers(out) and len(described(out)["variableMeasured"]) == len(named(out))
    ),
    "objects in the metadata name their type": lambda out: all(
        "@type" in one for one in objects(described(out))
    ),
    "a subdirectory data": lambda out: (out / "data").is_dir(),
    "at least one data file": lambda out: len(data_files(out)) > 0,
    "names of data files are keywords with the suffix _data and .csv": lambda out: all(
        KEYWORDS.fullmatch(path.name) for path in data_files(out)
    ),
    "data files are CSV in UTF-8 with a header": lambda out: all(
        cells(path)[0] for path in data_files(out)
    ),
    "data files have no byte order mark": lambda out: (
        not any(path.read_bytes().startswith(b"\xef\xbb\xbf") for path in data_files(out))
    ),
    "each row has as many cells as the header": lambda out: all(
        {len(row) for row in cells(path)} == {len(cells(path)[0])} for path in data_files(out)
    ),
    "row_id, if a column, is unique": lambda out: "row_id" not in headers(out),
    "no file is empty": lambda out: all(
        path.stat().st_size for path in out.rglob("*") if path.is_file()
    ),
    "a sidecar bears the very name of its data file": lambda out: all(
        path.with_suffix(".csv").is_file() for path in (out / "data").glob("*.json")
    ),
    "compiled metadata name every column of their file": lambda out: all(
        [one["name"] for one in compiled(path, out)["variableMeasured"]] == cells(path)[0]
        for path in data_files(out)
    ),
    "one README and one CHANGES, as text": lambda out: (
        sorted(path.name for path in out.glob("[RC]*")) == ["CHANGES.md", "README.md"]
    ),
    "what stands elsewhere is in an official directory, or ignored": lambda out: (
        {path.name for path in out.iterdir()}
        == {
            *(
                "analysis",
                "data",
                "documentation",
                "README.md",
                "CHANGES.md",
                "dataset_description.json",
            ),
            *(".psychds-ignore", "manifest.json"),
        }
        and (out / ".psychds-ignore").read_text().split() == ["manifest.json"]
    ),
}


def test_bundle_keeps_the_rules_of_psych_ds(out):
    assert [rule for rule, keeps in RULES.items() if not keeps(out)] == []


def test_file_names_hold_letters_and_digits_of_the_slug_alone():
    assert bundle.file_name("a-b-2", "turn", "csv") == "study-ab2_level-turn_data.csv"
    assert bundle.file_name("a", "model_result", "jsonl") == "study-a_level-modelresult_data.jsonl"


def test_readme_prints_the_checklist_the_texts_and_the_rows(out):
    text = (out / "README.md").read_text("utf-8")
    assert "- **Population**: Linguists, 30 of them" in text
    assert text.count("not stated") == len(Baseline.model_fields) - 1
    assert "### Consent" in text
    assert "| `data/study-astory2_level-turn_data.csv` | 32 |" in text
    assert "Linguists" in described(out)["description"]


def test_readme_names_exactly_the_tables_that_hold_episode_index(out):
    """Every table whose rows have an episode, an explanation or a page of the game has it."""
    has = [table for table, columns in COLUMNS.items() if "episode_index" in columns]
    about = {"episode_id", "explanation_id", "item_id"}
    needed = {table for table, columns in COLUMNS.items() if about & set(columns)}
    assert needed | {"process", "problem"} <= set(has)
    assert f"`episode_index` ({', '.join(has)})." in (out / "README.md").read_text("utf-8")


def test_manifest_tells_settings_and_the_hash_of_every_other_file(out):
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    assert (manifest["study_kind"], manifest["format"]) == ("pilot", "csv")
    assert {manifest[name] for name in ("include_test", "shareable")} == {False}
    listed = {one["name"]: one for one in [*manifest["files"], *manifest["other_files"]]}
    there = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert set(listed) == there - {"manifest.json"}
    for name, one in listed.items():
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == one["sha256"]
    assert manifest["git_dirty"] in (True, False, None)


def test_codebook_of_the_bundle_holds_every_column_with_a_meaning(out):
    text = (out / "documentation" / "codebook.csv").read_bytes().decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    found = {(row["table"], row["column"]) for row in rows}
    assert found == {(t, c.name) for t, columns in EXPORT_COLUMNS.items() for c in columns}
    assert [row for row in rows if not row["description"] or not row["type"]] == []
    document = json.loads((out / "documentation" / "codebook.json").read_text("utf-8"))
    assert list(document["tables"]) == list(EXPORT_COLUMNS)


def test_codebook_of_the_docs_is_what_the_models_say():
    page = Path(__file__).resolve().parents[3] / "docs" / "codebook.md"
    assert page.read_text("utf-8") == codebook.markdown(), "run: make codebook"


def test_zip_file_holds_what_the_folder_holds(story, out, tmp_path):
    packed = tmp_path / "b.zip"
    files.export(story.store, "a-story-2", packed, NOON)
    streamed = b"".join(files.stream_zip(story.store, "a-story-2", NOON, Options()))
    assert packed.read_bytes() == streamed
    with zipfile.ZipFile(packed) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert names[-1] == "manifest.json"
        for name in names:
            assert archive.read(name) == (out / name).read_bytes()
    assert list(tmp_path.glob("*.part")) == []


def test_torn_zip_file_gets_no_name(story, tmp_path, monkeypatch):
    story.varied()
    monkeypatch.setattr(bundle, "check_counts", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        files.export(story.store, "a-story-2", tmp_path / "b.zip", NOON)
    assert list(tmp_path.glob("b.zip*")) == []


def test_two_exports_to_one_zip_file_write_to_no_file_in_common(story, tmp_path):
    story.varied()
    home = tmp_path / "home"
    home.mkdir()
    out = home / "b.zip"

    def overtaken():
        with atomic_output.whole_file(out) as slow, slow.open("w") as file:
            files.export(story.store, "a-story-2", out, NOON)
            file.write("of the slow one")

    with pytest.raises(files.ExportError, match="another export to"):
        overtaken()
    with zipfile.ZipFile(out) as archive:
        assert archive.testzip() is None
    assert list(home.iterdir()) == [out]
    (home / "b.zip.partial-0123abcd").write_text("left by a killed one")
    files.export(story.store, "a-story-2", out, NOON)
    assert list(home.iterdir()) == [out]


@pytest.mark.parametrize("flavour", ["excel", "jsonl"])
def test_other_flavours_hold_the_same_tables_and_say_that_they_are_no_psych_ds(
    story, tmp_path, flavour
):
    story.varied()
    out = tmp_path / "out"
    manifest = files.export(story.store, "a-story-2", out, NOON, flavour=flavour)
    assert [one["table"] for one in manifest["files"]] == list(EXPORT_COLUMNS)
    assert "not a Psych-DS dataset" in (out / "README.md").read_text("utf-8")
