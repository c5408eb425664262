"""The report of few people reads well: what is missing is said in words, once."""

import re

import pytest

from app.study.report import few
from tests.walker import one_line
from tests.web.report.reported import PAGE, QUICK


@pytest.mark.one_database
def test_report_of_few_people_says_in_words_what_is_missing_and_how_many_are_needed(
    researcher, bundle
):
    """The demo study of these tests has two people, and no ratings."""
    del bundle
    text = one_line(researcher.client.get(f"{PAGE}{QUICK}").text)
    assert "2 people are in this report so far." in text
    assert "needs 10 people in its row, so at least 8 more" in text
    assert "No data yet." not in text
    assert "Rate explanations on the Rating page." in text
    assert "with plain and with made-up words" in text
    tables = text.split('<section aria-labelledby="')[1:]
    for table in tables:
        reasons = re.findall(r"<sup>(\w)</sup> ([^<;]+?)[.;]", table.partition("</table>")[2])
        marks = set(re.findall(r"<sup>(\w)</sup>", table.partition("</table>")[0]))
        assert marks == {mark for mark, _ in reasons}
        assert len({reason for _, reason in reasons}) == len(reasons)
    assert text.count("too few players: an interval needs 10") <= len(tables)


@pytest.mark.parametrize(
    ("people", "words"),
    [
        (0, "No one is in this report so far. An interval needs 10"),
        (1, "1 person is in this report so far."),
        (9, "so at least 1 more."),
        (10, ""),
    ],
)
def test_report_says_how_many_people_it_lacks(people, words):
    said = few.few_words({"counts": {"people": people}})
    assert words in said
    assert bool(said) is bool(words)


def test_quartiles_of_few_times_are_marked_and_those_of_enough_are_not():
    columns = [{"name": name, "kind": "number"} for name in ("counted", "median_s", "q1_s", "q3_s")]
    rows = [[3, 1.0, 0.5, 2.0], [4, 1.0, 0.5, 2.0], [0, None, None, None]]
    cells, reasons = few.marked({"columns": columns, "rows": rows}, 200)
    assert [[cell["mark"] for cell in row] for row in cells] == [
        ["", "", "a", "a"],
        ["", "", "", ""],
        ["", "", "", ""],
    ]
    assert reasons == [("a", "of fewer than 4 episodes: quartiles say little")]
