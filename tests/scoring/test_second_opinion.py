"""Our alpha compared with the PyPI package `krippendorff` (GPL: used only here), on random data."""

import ast
import warnings
from pathlib import Path

import krippendorff
import numpy as np
import pytest

from app.scoring.agreement import LEVELS, alpha
from app.scoring.longrows import from_codes

APP = Path(__file__).parents[2] / "app"


def random_ratings(rng):
    """Return coded rows, and the same as a matrix raters x units with NaN for missing."""
    raters, units, values = rng.integers(2, 7), rng.integers(2, 40), rng.integers(2, 8)
    truth = rng.integers(0, values, units)
    noisy = rng.random((raters, units)) < rng.random()
    matrix = np.where(noisy, rng.integers(0, values, (raters, units)), truth).astype(float)
    matrix[rng.random((raters, units)) < rng.random() * 0.6] = np.nan
    rater, item = np.nonzero(~np.isnan(matrix))
    codes = matrix[rater, item].astype(np.intp)
    return from_codes(item, rater, codes, tuple(range(values))), matrix


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_equals_the_packages_on_a_thousand_random_matrices(level):
    rng = np.random.default_rng(LEVELS.index(level))
    compared = 0
    while compared < 1000:
        ratings, matrix = random_ratings(rng)
        found = alpha(ratings, level)
        if found.status != "ok":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the package divides 0 by 0 for ratio with zeros
            other = krippendorff.alpha(matrix, level_of_measurement=level)
        assert found.alpha == pytest.approx(other, abs=1e-9)
        compared += 1


def test_app_never_imports_the_package():
    """The import contract forbids it too; this also covers imports inside functions and by name."""
    for path in APP.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        names = [
            name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in [getattr(node, "module", None), *(a.name for a in node.names)]
        ]
        assert not [name for name in names if name and name.split(".")[0] == "krippendorff"], path
        assert 'import_module("krippendorff' not in path.read_text("utf-8"), path
