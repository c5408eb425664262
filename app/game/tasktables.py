"""The rule tables of a task: their names, what their entries mean, and reading them from JSON."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from app.errors import FieldError
from app.game.fieldcheck import integer, items, mapping, need
from app.game.model import Dimension, Output

Tables = tuple[tuple[str, tuple[int, ...] | tuple[Output, ...]], ...]
Check = Callable[[Any, str], int]

TABLE_NAMES = {
    "additive": ("class", "role"),
    "compositional": ("class", "role"),
    "conditional": ("regime", "fixed", "regime_0", "regime_1"),
    "override": ("base", "u", "h"),
}
BOTH_REGIMES = 2


def entry_places(
    form: str, n_class: int, n_role: int, varies: tuple[int, int]
) -> dict[str, tuple[int, ...]]:
    """Return, for each table of plain values, the index of every entry's dimension.

    Other tables (regimes, u, whole outputs, additive parts) are left out.
    """
    if form == "compositional":
        return {"class": (0,) * n_class, "role": (1,) * n_role}
    if form == "conditional":
        return {
            "fixed": (1 - varies[0], 1 - varies[1]),
            "regime_0": (varies[0],) * n_role,
            "regime_1": (varies[1],) * n_role,
        }
    return {}


def read_tables(
    given: Any,
    form: str,
    sizes: tuple[int, int],
    dimensions: Sequence[Dimension],
    varies: tuple[int, int],
) -> Tables:
    """Read the tables of a form, in the order of TABLE_NAMES.

    Args:
        given: what JSON holds under `tables`.
        form: one of FORMS, applicable to the dimensions.
        sizes: (number of classes, number of roles).
        dimensions: the output space.
        varies: see `model.Task`; only conditional rules use it.

    Raises: FieldError: the path is `tables.NAME` or `tables.NAME[INDEX]`.
    """
    data = mapping(given, "tables")
    for key in data:
        if key not in TABLE_NAMES[form]:
            raise FieldError(f"tables.{key}", f"is not a table of {form} rules")
    for name in TABLE_NAMES[form]:
        need(data, name, "tables.")
    if form == "additive":
        return _additive(data, sizes, dimensions[0].values)
    if form == "override":
        return _override(data, sizes, dimensions)
    tables = {
        name: _values(data, name, [dimensions[place] for place in places])
        for name, places in entry_places(form, *sizes, varies).items()
    }
    if form == "conditional":
        tables["regime"] = _regimes(data, sizes[0])
    return tuple((name, tables[name]) for name in TABLE_NAMES[form])


def _read(data: dict[str, Any], name: str, checks: Sequence[Check]) -> tuple[int, ...]:
    """Read a table with one check per entry."""
    path = f"tables.{name}"
    listed = items(data[name], path, len(checks))
    return tuple(
        check(value, f"{path}[{i}]")
        for i, (check, value) in enumerate(zip(checks, listed, strict=True))
    )


def _between(least: int, greatest: int) -> Check:
    return lambda value, path: integer(value, path, least, greatest)


def _member(dimension: Dimension, value: Any, path: str) -> int:
    """Check a value of a dimension; values are consecutive, so checking the bounds is enough."""
    return integer(value, path, dimension.values[0], dimension.values[-1])


def _values(data: dict[str, Any], name: str, dimensions: Sequence[Dimension]) -> tuple[int, ...]:
    """Read a table whose entries are values of the dimensions given."""
    return _read(data, name, [partial(_member, dimension) for dimension in dimensions])


def _regimes(data: dict[str, Any], n_class: int) -> tuple[int, ...]:
    regime = _read(data, "regime", [_between(0, 1)] * n_class)
    if len(set(regime)) < BOTH_REGIMES:
        raise FieldError("tables.regime", "must use both regimes, 0 and 1")
    return regime


def _additive(data: dict[str, Any], sizes: tuple[int, int], values: Sequence[int]) -> Tables:
    part = _between(0, values[-1])
    by_class = _read(data, "class", [part] * sizes[0])
    by_role = _read(data, "role", [part] * sizes[1])
    for sums in (min(by_class) + min(by_role), max(by_class) + max(by_role)):
        if sums not in values:
            raise FieldError(
                "tables", f"a class and a role add up to {sums}, which is not in the dimension"
            )
    return (("class", by_class), ("role", by_role))


def _override(
    data: dict[str, Any], sizes: tuple[int, int], dimensions: Sequence[Dimension]
) -> Tables:
    listed = items(data["base"], "tables.base", sizes[0])
    rows = {f"base[{i}]": output for i, output in enumerate(listed)}
    return (
        ("base", tuple(_values(rows, name, dimensions) for name in rows)),
        ("u", _read(data, "u", [_between(0, sizes[1] - 1)])),
        ("h", _values(data, "h", dimensions)),
    )
