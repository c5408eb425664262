"""docs/pain-points.md answers every pain point, and the tests it names exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "pain-points.md").read_text()


def test_every_pain_point_from_1_to_68_has_an_answer():
    numbers = [int(number) for number in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)]
    assert numbers == list(range(1, 69))


def test_every_test_that_the_page_names_exists():
    named = re.findall(r"`((?:web|e2e|study|store|migrations|bots)/[\w.]*)(?:::(\w+))?`", PAGE)
    missing = []
    for path, name in named:
        file = ROOT / "tests" / path
        if not file.exists() or (name and f"def {name}(" not in file.read_text()):
            missing.append(f"{path}::{name}")
    assert len(named) > 20
    assert missing == []
