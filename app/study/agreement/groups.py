"""Agreement within each task and each source: estimates without intervals."""

from typing import Any

import numpy as np

from app.scoring import judging
from app.scoring.manyvalues import Level
from app.scoring.panel import Mask, Panel

LEVEL: Level = "ordinal"
SEED = 1  # unused, because no replicates are drawn


def groups(panel: Panel, field: str, *, sampled: bool) -> list[dict[str, Any]]:
    """Return the coefficients within each task or source, without intervals for so few items."""
    names = np.array([getattr(item, field) for item in panel.items])
    found = []
    for name in sorted(set(names.tolist())):
        mask = names == name
        entry: dict[str, Any] = {"name": name, "items": int(mask.sum())}
        for row in ("balanced", "pool") if sampled else ("balanced",):
            made = judging.coefficients(
                panel, LEVEL, pool=row == "pool", replicates=0, seed=SEED, mask=mask
            )
            human = made.human_human.found
            entry[row] = {
                "human_human": human.alpha,
                "status": human.status,
                "flags": list(human.flags),
                "n_pairable": human.n_pairable,
                "human_judge": {one.judge: one.mean.value for one in made.judges},
            }
        entry["bias"] = bias(panel, mask)
        found.append(entry)
    return found


def bias(panel: Panel, mask: Mask) -> float | None:
    """Return mean(judge) - mean(human) over items and humans of a group, unweighted."""
    if not panel.judges:
        return None
    numbers = np.array(panel.scale, np.float64)
    judge = panel.judge[:, [0]]
    both = mask[:, None] & (panel.human >= 0) & (judge >= 0)
    apart = (numbers[judge] - numbers[panel.human])[both]
    return float(apart.mean()) if len(apart) else None
