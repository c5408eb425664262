"""Every difference from the paper and the reference package has a trace that still holds."""

import importlib.util
import re
from pathlib import Path

import pytest

from tests.game.package_traces import PACKAGE
from tests.game.traces import HERE

TEXT = (Path(__file__).parents[2] / "docs" / "differences.md").read_text("utf-8")
BLOCK = re.compile(r"^```text (hjstudy|package) (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WRITTEN = {(who, point): body.splitlines() for who, point, body in BLOCK.findall(TEXT)}
needs_package = pytest.mark.skipif(
    importlib.util.find_spec("herosjourney") is None, reason="herosjourney is not installed"
)


def test_every_point_of_the_table_has_a_trace():
    points = re.findall(r"^\| (\d+) \|", TEXT, re.MULTILINE)
    assert points == [str(n) for n in range(1, 16)]
    wanted = {("hjstudy", str(point)) for point in HERE} | {("package", str(p)) for p in PACKAGE}
    assert set(WRITTEN) == wanted
    assert {str(point) for point in HERE} == {*points, "P-Add"}
    assert [str(point) for point in PACKAGE] == points


@pytest.mark.parametrize("point", HERE)
def test_trace_is_what_the_game_does(point):
    assert WRITTEN["hjstudy", str(point)] == HERE[point]()


@needs_package
@pytest.mark.parametrize("point", PACKAGE)
def test_trace_is_what_the_package_does(point):
    assert WRITTEN["package", str(point)] == PACKAGE[point]()
