"""The scale that raters and judges share: 0, 1, 2, once or for each of four criteria."""

import sqlalchemy as sa

LEVELS = (0, 1, 2)
CRITERIA = ("inputs", "output", "structure", "generality")


def in_scale(*names: str) -> tuple[sa.CheckConstraint, ...]:
    """Return CHECKs that columns hold a level or are empty."""
    return tuple(sa.CheckConstraint(f"{name} BETWEEN 0 AND 2", name=name) for name in names)
