"""Which rows a deletion took away, as the log of changes names them: signed manifests list rows."""

import json
from collections.abc import Iterable, Iterator, Mapping

from app.store.base import AnyRow

ROWS = "rows of "  # begins the field of a change; the table's name follows
DELETED = "deleted"


def is_line(name: str) -> bool:
    """Tell whether a logged change names rows, for programs and not for readers."""
    return name.startswith(ROWS)


def lines(gone: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str, str]]:
    """Yield the changes that name the deleted rows: table -> keys, such as '7' or '2/7'."""
    for table, keys in gone.items():
        if found := sorted(keys, key=parts):
            yield f"{ROWS}{table}", shortened(found), DELETED


def parts(key: str) -> list[int]:
    """Return the numbers of a key."""
    return [int(one) for one in key.split("/")]


def shortened(keys: Iterable[str]) -> str:
    """Return sorted keys as text, with ranges of the last number: '1-3, 7' or '2/1-2/9'."""
    spans = list[list[str]]()
    for key in keys:
        *before, last = parts(key)
        if spans and parts(spans[-1][1]) == [*before, last - 1]:
            spans[-1][1] = key
        else:
            spans.append([key, key])
    return ", ".join(first if first == last else f"{first}-{last}" for first, last in spans)


def read(text: str) -> Iterator[str]:
    """Yield the keys that `shortened` wrote."""
    for span in text.split(", "):
        first, _, last = span.partition("-")
        *before, begin = parts(first)
        end = parts(last or first)[-1]
        yield from ("/".join(map(str, (*before, number))) for number in range(begin, end + 1))


def named(row: AnyRow) -> dict[str, set[str]]:
    """Return table -> keys that a row of the log of changes says were deleted."""
    found = dict[str, set[str]]()
    for name, before, after in json.loads(row.changes):
        if is_line(name) and after == DELETED:
            found.setdefault(name.removeprefix(ROWS), set()).update(read(before))
    return found


def what(row: AnyRow) -> str:
    """Return what the log says was deleted, such as 'results of some-model'."""
    asked = (name for name, _, after in json.loads(row.changes) if after == DELETED)
    return next((str(name) for name in asked if not is_line(name)), "")
