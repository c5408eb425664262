"""Figures: reproducible bytes, readable in grey and for colour-blind readers."""

import itertools
import re
from html import unescape

import numpy as np
import pytest
from matplotlib.figure import Figure

from app.study.report import comparison_plots, draw
from app.study.report.document import document
from app.study.report.options import Options
from app.study.report.shape import records, table_named
from app.study.report.styles import STYLES
from tests.study.report.rows import Made, result

FACTS = {"study": "hand", "kind": "pilot", "main_rv": "human"}
# Machado, Oliveira & Fernandes (2009), severity 1: protanopia and deuteranopia
BLIND = (
    "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998",
    "0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881",
)


@pytest.fixture(scope="module")
def rows():
    rows = Made()
    for at in range(4):
        name = f"p{at}"
        rows.person(name)
        rows.block(name, "A-Over", 4 + at, 5 + at, ratings=(at % 3,))
        rows.block(name, "P-Comp", 5 + at, ratings=(2,), lexicon="nonce")
        rows.block(name, "P-Comp", 6 + at, ratings=(2,))
        rows.block(name, "A-Over", 4, None, format="direct")
        rows.block(name, "A-Over", 16, None, coverage="1/3")
    rows.person("p9", "timed_out", instructions_at=None)
    rows.tables["model_result"] = [
        *(result("some-model", index, 4 * index, rv=0.5) for index in (1, 2)),
        *(result("some-model", index, 4, format="direct") for index in (1, 2)),
        *(result("other-model", 1, used, coverage=k) for used, k in ((4, "1/3"), (8, "2"))),
        result("other-model", 1, 4, lexicon="nonce"),
    ]
    return rows


@pytest.fixture(scope="module")
def made(rows):
    return document(rows.tables, FACTS, Options(replicates=200))


def test_every_figure_has_something_to_show_here(made):
    assert set(draw.present(made)) == set(draw.pictures())


@pytest.mark.parametrize("name", draw.pictures())
def test_svg_is_the_same_each_time_and_has_neither_script_nor_date(made, name):
    one = draw.drawn(made, name, "svg")
    assert one == draw.drawn(made, name, "svg")
    assert b"<svg " in one
    assert one.endswith(b"</svg>\n")
    assert b"<script" not in one
    assert b"<dc:date>" not in one
    assert len(one) < 200_000


@pytest.mark.parametrize("name", draw.pictures())
def test_svg_says_what_it_shows_in_a_title_and_a_description(made, name):
    picture = draw.picture_of(made, name)
    start = re.compile(r"<svg [^>]*>\s*<title>(.*?)</title>\s*<desc>(.*?)</desc>")
    found = start.search(draw.drawn(made, name, "svg").decode())
    assert [unescape(text) for text in found.groups()] == [picture.title, picture.alt]


def test_figure_of_one_condition_has_a_legend_of_its_two_panels(made):
    rows = [row for row in records(table_named(made, "baseline_first")) if row["task"] != "Total"]
    figure = Figure()
    one = [row for row in rows if (row["lexicon"], row["coverage"]) == ("semantic", "1")]
    comparison_plots.success_efficiency(figure, one)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        *("success rate", "norm_eff of successes")
    ]


@pytest.mark.parametrize("name", ["floors", "coverage"])
def test_pdf_is_the_same_each_time_and_has_no_date(made, name):
    one = draw.drawn(made, name, "pdf")
    assert one == draw.drawn(made, name, "pdf")
    assert one.startswith(b"%PDF")
    assert b"CreationDate" not in one


@pytest.fixture(scope="module")
def of_bots(rows):
    return document(rows.tables, {**FACTS, "kind": "bots"}, Options(replicates=200))


def texts_of(made):
    """Return all words of a report: those of its tables, and those of its figures."""
    for table in made["tables"]:
        yield from (table["title"], table["note"], *(one["label"] for one in table["columns"]))
    for name in draw.present(made):
        yield from (draw.picture_of(made, name).title, draw.picture_of(made, name).alt)
        drawn = draw.drawn(made, name, "svg").decode()
        yield from re.findall(r"<!-- (.+?) -->", drawn)  # what an outline says


def test_report_about_bots_never_calls_them_people(made, of_bots):
    named = re.compile(r"(?<!human )\b(?:people|participants)\b|human baseline", re.IGNORECASE)
    found = {text for text in texts_of(of_bots) if named.search(text)}
    assert found == set()
    assert sum(bool(named.search(text)) for text in texts_of(made)) > 20
    assert {"Baseline of bots, first episodes", "bots", "bots' ECSR - model's"} <= set(
        texts_of(of_bots)
    )
    names = [[[one["name"] for one in t["columns"]], t["rows"]] for t in of_bots["tables"]]
    assert names == [[[one["name"] for one in t["columns"]], t["rows"]] for t in made["tables"]]


def test_an_empty_report_has_no_figure():
    empty = document({}, FACTS, Options(replicates=200))
    assert draw.present(empty) == []


def test_every_figure_says_in_words_what_it_shows():
    assert all(re.fullmatch(r"[A-Z].{30,}\.", one.alt) for one in draw.pictures().values())


def linear(color):
    raw = np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(raw <= 0.04045, raw / 12.92, ((raw + 0.055) / 1.055) ** 2.4)


def luminance(color):
    return float(linear(color) @ [0.2126, 0.7152, 0.0722])


def test_every_colour_stands_out_from_white_by_3_to_1():
    assert {c for c, _, _ in STYLES if 1.05 / (luminance(c) + 0.05) < 3} == set()


def test_any_two_series_differ_in_marker_and_in_line_so_that_grey_is_enough():
    for (_, mark, line), (_, other_mark, other_line) in itertools.combinations(STYLES, 2):
        assert mark != other_mark
        assert line != other_line


@pytest.mark.parametrize("matrix", BLIND)
def test_the_first_four_colours_stay_apart_for_the_colour_blind(matrix):
    seen_as = np.array(matrix.split(), float).reshape(3, 3)
    seen = [np.clip(seen_as @ linear(one), 0, 1) ** (1 / 2.2) for one, _, _ in STYLES[:4]]
    apart = [np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)]
    assert min(apart) > 0.15
