"""Every test that the documentation names exists, in the named folder or below it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAIN_POINTS, BUGS = ROOT / "docs" / "pain-points.md", ROOT / "tests" / "README.md"
NAMED = re.compile(r"`((?:\w+/)?test_[\w]*\.py)(?:::(\w+))?`")


def test_every_pain_point_from_1_to_68_has_an_answer():
    numbers = [int(n) for n in re.findall(r"^\| (\d+) \|", PAIN_POINTS.read_text(), re.MULTILINE)]
    assert numbers == list(range(1, 69))


@pytest.mark.parametrize("page", [PAIN_POINTS, BUGS], ids=lambda page: page.name)
def test_every_test_that_a_page_names_exists(page):
    named = NAMED.findall(page.read_text())
    missing = []
    for path, name in named:
        folder, _, file = path.rpartition("/")
        texts = [found.read_text() for found in (ROOT / "tests" / folder).rglob(file)]
        if not any(not name or f"def {name}(" in text for text in texts):
            missing.append(f"{path}::{name}")
    assert len(named) > 20
    assert missing == []
