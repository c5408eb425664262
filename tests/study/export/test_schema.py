"""The JSON schema of exports in docs/schema, and what it says about a real export."""

import itertools
import json
import re
from pathlib import Path

import jsonschema
import pytest

from app.study.export import files, schema
from app.study.export.columns import FORMAT_VERSION, SPECS
from tests.study.story import NOON

FOLDER = Path(__file__).parents[3] / "docs" / "schema"


def test_schema_in_the_docs_is_that_of_the_present_format():
    stored = (FOLDER / f"export-{FORMAT_VERSION}.json").read_text("utf-8")
    assert stored == schema.as_text(), "run `make codebook`"


def test_schemas_of_the_docs_are_one_per_version_and_only_grow_within_a_major_version():
    found = sorted(FOLDER.iterdir(), key=lambda path: [*map(int, re.findall(r"\d+", path.name))])
    for older, newer in itertools.pairwise(found):
        if older.name.split(".")[0] == newer.name.split(".")[0]:
            before, after = (json.loads(path.read_text())["$defs"] for path in (older, newer))
            for name, row in before.items():
                assert after[name]["required"][: len(row["required"])] == row["required"]
    assert found[-1].name == f"export-{FORMAT_VERSION}.json"


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_every_row_of_an_export_fits_the_schema_and_a_changed_one_does_not(story, tmp_path):
    story.varied()
    asked = {"flavour": "jsonl", "include_test": True, "include_practice": True}
    files.export(story.store, story.slug, tmp_path / "out", NOON, **asked)
    whole, rows = schema.document(), 0
    for table in SPECS:
        (path,) = (tmp_path / "out" / "data").glob(f"*_level-{table.replace('_', '')}_data.jsonl")
        check = jsonschema.Draft202012Validator({**whole, "$ref": f"#/$defs/{table}"})
        for line in path.read_text("utf-8").splitlines():
            row, rows = json.loads(line), rows + 1
            assert [str(error) for error in check.iter_errors(row)] == []
            first = next(iter(row))
            assert not check.is_valid({name: row[name] for name in row if name != first})
            assert not check.is_valid({**row, first: ["a list"]})
    assert rows > 50
