"""Panels for tests: the stratified reference case, and samples drawn from a simulated pool."""

import numpy as np

from app.scoring import judging
from app.scoring.confusion import Pairing
from app.scoring.panel import JudgedItem, make
from app.scoring.sampling import Stratum, draw
from bench.judged import SCALE, make_frame, rate

ROWS = [
    (0, 0, 0),
    (0, 1, 0),
    (0, 0, 0),
    (1, 1, 1),
    (1, 0, 1),
    (2, 2, 1),
    (2, 2, 2),
    (2, 1, 2),
    (2, 2, 2),
]
STRATA = tuple(Stratum(f"level {h}", h, n, 3) for h, n in enumerate((39, 60, 201)))


def make_panel(seed=1, size=1600, per_level=33, **how):
    rng = np.random.default_rng(seed)
    frame = make_frame(size, rng)
    return rate(frame, draw(frame, per_level, seed, **how), rng)


def small_panel(rows=ROWS, strata=STRATA):
    """The stratified reference case: 9 items, 3 per judge level."""
    items = [
        JudgedItem(
            f"i{n}",
            f"level {judge}",
            f"c{n}",
            "A-Add",
            "players",
            {name: value for name, value in (("h1", one), ("h2", two)) if value is not None},
            {"judge": judge},
        )
        for n, (one, two, judge) in enumerate(rows)
    ]
    return make(items, strata, SCALE, ("judge",))


def coefficients(panel, *, pool, replicates=0):
    return judging.coefficients(panel, "ordinal", pool=pool, replicates=replicates, seed=1)


def pairing(panel, *, pool=True, replicates=0, human=0):
    return Pairing(panel, panel.human[:, human], panel.judge[:, 0], pool, replicates, 1)
