"""Each threat of the security page has a defence that can be taken out, and a test that is there.

So have promises that are no threats of that page. `make defences` takes them all out.
"""

import re

import pytest

from tests.defences.listed import ROOT, listed

PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
TABLE = PAGE.partition("## Threats and defences")[2].partition("\n## ")[0]
ROWS = [line.strip("| ").split(" | ") for line in TABLE.splitlines() if line.startswith("| ")][1:]
DEFENCES = listed()
OF_PAGE = [one for one in DEFENCES if one.row]


def of_row(row):
    return [one for one in OF_PAGE if row[0].startswith(one.row)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:40])
def test_each_test_of_a_threat_is_proved_by_taking_a_defence_out(row):
    named = re.findall(r"`(tests/[^`]+)`", row[3])
    proved = [name for one in of_row(row) for name in one.tests]
    assert named
    assert [one for one in named if not any(name.startswith(one) for name in proved)] == []


@pytest.mark.parametrize("one", DEFENCES, ids=lambda one: one.threat)
def test_each_defence_is_there_once_and_so_are_its_row_and_its_tests(one):
    assert (ROOT / one.file).read_text("utf-8").count(one.old) == 1
    assert one.tests
    assert one.row == "" or sum(row[0].startswith(one.row) for row in ROWS) == 1
    for name in one.tests:
        path, _, function = name.partition("::")
        assert f"def {function or 'test_'}" in (ROOT / path).read_text("utf-8")


def test_page_says_how_many_defences_are_taken_out():
    assert f"removes {len(OF_PAGE)} of these defences" in " ".join(PAGE.split())
