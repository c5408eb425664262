"""Bundles read back: pandas, polars and R return every cell as written."""

import csv
import io
import shutil
import subprocess

import pandas as pd
import polars as pl
import pytest

from app.study.export import files
from tests.study.story import NOON, Story

TEXTS = (
    'She said "class",\r\nthen "role"',
    "first\n\nthird line",
    "🧙‍♀️ wins, naïve café, ﬁ, 𝔘",
    "=HYPERLINK(1)",
    "+1",
    "-0",
    "@x",
    "עברית: الكلمة \u200f قبل",
    "  spaces at both ends  ",
    "NA",
    "null",
    "0012",
    "1e5",
    "true",
    "a\tb",
    "'quoted'",
    '""',
    ",",
    "\\n \\ %",
)


@pytest.fixture
def out(store, tmp_path):
    story = Story(store, rule_form={"when": "block"}, per_player=1)
    for text in TEXTS:
        token = story.enter()
        for position in (0, 1):
            story.type(token, 0, position, *story.solution(token, 0, position))
        story.explain(
            token, 0, -1, inputs=text, output=text.replace("\r", "")[::-1], confidence="5"
        )
    folder = tmp_path / "out"
    files.export(store, "story", folder, NOON)
    return folder


def written(path):
    return list(csv.reader(io.StringIO(path.read_bytes().decode(), newline="")))


def tables(out):
    return sorted((out / "data").glob("*.csv"))


def with_pandas(path):
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    return [list(frame.columns), *frame.to_numpy().tolist()]


def with_polars(path):
    frame = pl.read_csv(path, infer_schema=False, empty_string_is_null=False)
    return [frame.columns, *(list(row) for row in frame.rows())]


@pytest.mark.long
@pytest.mark.parametrize("read", [with_pandas, with_polars])
def test_every_cell_of_every_table_is_read_back(out, read):
    for path in tables(out):
        assert read(path) == written(path), path.name


def test_texts_are_read_back_as_they_were_typed(out):
    (path,) = (out / "data").glob("*level-explanation*.csv")
    wanted = [text.replace("\r\n", "\n") for text in TEXTS]
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    stored = [text.strip() for text in frame["inputs"]]
    assert stored == [text.strip() for text in wanted]
    assert [row[frame.columns.get_loc("inputs")] for row in with_polars(path)[1:]] == list(
        frame["inputs"]
    )


R_SCRIPT = """
for (path in commandArgs(TRUE)) {
  d <- read.csv(path, colClasses = "character", na.strings = character(0), check.names = FALSE,
                encoding = "UTF-8")
  hex <- function(x) paste(as.character(charToRaw(x)), collapse = "")
  cat("#", nrow(d), "\\n")
  for (name in names(d)) cat(vapply(d[[name]], hex, ""), "", sep = ",")
  cat("\\n")
}
"""


@pytest.mark.long
@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_r_reads_every_cell_back(out):
    command = ["Rscript", "-e", R_SCRIPT, *map(str, tables(out))]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for path, part in zip(tables(out), output.split("#")[1:], strict=True):
        number, _, cells = part.partition("\n")
        rows = written(path)[1:]
        assert int(number) == len(rows), path.name
        if not rows:
            continue
        found = [bytes.fromhex(cell).decode() for cell in cells.strip().split(",")]
        columns = zip(*rows, strict=True)
        assert found[:-1] == [cell for column in columns for cell in column], path.name
