"""The parts of design pages (fields, tables of lines, sections), and how to read and show them.

A field's name on the page is its dotted path in the study file, so every fault can be shown at its
field. Nothing is checked here: unreadable values stay text, and the check of the study file reports
them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.game.tasks import TASK_NAMES
from app.study.design import yaml_text
from app.study.design.faults import Fault
from app.study.design.words import task_name
from app.study.design.yaml_file import plain_yaml, short_seeds

WHOLE = re.compile(r"-?[0-9]{1,18}")
LINE = re.compile(r"[0-9]{1,4}")  # the number of a table's line
EntryKind = Literal[
    "line", "area", "markdown", "blank", "number", "maybe",
    "check", "select", "list", "seeds", "yaml",
]  # fmt: skip
Choices = tuple[tuple[str, str], ...]
ANY_TIME = "You can change it at any time; the change applies once you publish it."


@dataclass(frozen=True, slots=True)
class Entry:
    """One field. `path` is relative to the file, or to the line of its table.

    kind: line (of text), area, markdown, number, maybe (a number or nothing), check, select,
    blank (a text or nothing), list (one entry per line), seeds, yaml. `group`: heading above this
    field and the next ones.
    """

    path: str
    label: str
    kind: EntryKind = "line"
    hint: str = ""
    options: Choices = ()
    rows: int = 3
    group: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A list of lines, each with the same fields. `empty` is a new line; `none` stands for none."""

    path: str
    label: str
    one: str
    entries: tuple[Entry, ...]
    empty: Mapping[str, Any]
    hint: str = ""
    none: str = "None yet."


@dataclass(frozen=True, slots=True)
class Section:
    """One page of the design."""

    name: str
    title: str
    intro: str
    parts: tuple[Entry | Table, ...]

    def owns(self, path: str) -> bool:
        """Tell whether a field of the file is on this page."""
        return any(path == part.path or path.startswith(f"{part.path}.") for part in self.parts)

    def faults(self, found: Iterable[Fault]) -> list[Fault]:
        """Return the faults whose field is on this page."""
        return [fault for fault in found if self.owns(fault.path)]


def read_part(section: Section, raw: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of a posted page: dotted path -> value, unreadable values as typed."""
    found = dict[str, Any]()
    for part in section.parts:
        if isinstance(part, Entry):
            found[part.path] = read_value(part, part.path, raw)
        else:
            found[part.path] = read_lines(part, raw)
    return found


def read_lines(table: Table, raw: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the lines of a table, in the order of their numbers."""
    shape = re.compile(rf"{re.escape(table.path)}\.({LINE.pattern})\..+")
    numbers = sorted({int(match[1]) for name in raw if (match := shape.fullmatch(name))})
    return [
        {e.path: read_value(e, f"{table.path}.{number}.{e.path}", raw) for e in table.entries}
        for number in numbers
    ]


def read_value(entry: Entry, name: str, raw: Mapping[str, str]) -> Any:
    """Return one posted value as the study file has it."""
    if entry.kind == "check":
        return name in raw
    text = raw.get(name, "").replace("\r\n", "\n").replace("\r", "\n")
    if entry.kind in ("number", "maybe"):
        if WHOLE.fullmatch(text.strip()):
            return int(text)
        return None if entry.kind == "maybe" and not text.strip() else text
    if entry.kind == "blank":
        return text or None
    if entry.kind == "list":
        return [line.strip() for line in text.split("\n") if line.strip()]
    return text


def rearrange(part: dict[str, Any], section: Section, do: str) -> str:
    """Add, remove or move a line of a table; return the line's anchor, or ''.

    `do`: `add.<path>`, or `remove|up|down.<path>.<number>`; anything else changes nothing.
    """
    verb, _, rest = do.partition(".")
    for table in section.parts:
        if not isinstance(table, Table):
            continue
        lines = part[table.path]
        if verb == "add" and rest == table.path:
            lines.append(dict(table.empty))
            return anchor(f"{table.path}.{len(lines) - 1}")
        path, _, number = rest.rpartition(".")
        if path == table.path and LINE.fullmatch(number) and int(number) < len(lines):
            at = int(number)
            if verb == "remove":
                del lines[at]
                return anchor(table.path)
            to = max(at - 1, 0) if verb == "up" else min(at + 1, len(lines) - 1)
            if verb in ("up", "down"):
                lines.insert(to, lines.pop(at))
                return anchor(f"{table.path}.{to}")
    return ""


def anchor(path: str) -> str:
    """Return the id of a field or line on the page."""
    return path.replace(".", "-")


def at_path(document: Mapping[str, Any], path: str) -> Any:
    """Return the value at a dotted path of a document, or None."""
    found: Any = document
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def shown_value(entry: Entry, value: Any) -> Any:
    """Return a stored value as the page shows it: a text, or whether a box is ticked."""
    if entry.kind == "check":
        return value is True
    if value is None:
        return ""
    if entry.kind == "list" and isinstance(value, (list, tuple)):
        return "\n".join(map(str, value))
    if entry.kind == "seeds" and isinstance(value, (list, tuple)):
        whole = all(isinstance(one, int) for one in value)
        return short_seeds(list(value)) if whole else ", ".join(map(str, value))
    if entry.kind == "yaml" and not isinstance(value, str):
        return plain_yaml(value) if value else ""
    return str(value)


def message_for(path: str, faults: Sequence[Fault], *, deep: bool = True) -> str:
    """Return what is wrong with a field or, if `deep`, with anything inside it."""
    own = [f for f in faults if f.path == path or (deep and f.path.startswith(f"{path}."))]
    messages = dict.fromkeys(
        f.message if f.path == path else f"{f.path.removeprefix(f'{path}.')}: {f.message}"
        for f in own
    )
    return "; ".join(messages)


def show_entry(
    entry: Entry, name: str, value: Any, faults: Sequence[Fault], choices: Choices
) -> dict[str, Any]:
    """Return a field for the template."""
    text = shown_value(entry, value)
    options = list(choices or entry.options)
    if entry.kind == "select" and text not in dict(options):
        options.append((text, f"{text} (unknown)" if text else "please choose"))
    return {
        "name": name,
        "id": anchor(name),
        "label": entry.label,
        "kind": entry.kind,
        "hint": entry.hint,
        "options": options,
        "rows": entry.rows,
        "value": text,
        "error": message_for(name, faults),
        "group": entry.group,
    }


def show_part(
    part: Entry | Table,
    document: Mapping[str, Any],
    faults: Sequence[Fault],
    choices: Mapping[str, Choices],
) -> dict[str, Any]:
    """Return a field or a table for the template. `choices`: field -> current options."""
    value = at_path(document, part.path)
    if isinstance(part, Entry):
        chosen = choices.get(part.path, ())
        return {"table": False, "f": show_entry(part, part.path, value, faults, chosen)}
    lines = []
    for number, line in enumerate(value if isinstance(value, list) else []):
        path = f"{part.path}.{number}"
        lines.append(
            {
                "id": anchor(path),
                "path": path,
                "title": f"{part.one} {number + 1}",
                "error": message_for(path, faults, deep=False),
                "fields": [
                    show_entry(
                        entry,
                        f"{path}.{entry.path}",
                        at_path(line, entry.path) if isinstance(line, Mapping) else None,
                        faults,
                        choices.get(f"{part.path}.*.{entry.path}", ()),
                    )
                    for entry in part.entries
                ],
            }
        )
    return {
        "table": True,
        "id": anchor(part.path),
        "path": part.path,
        "label": part.label,
        "one": part.one,
        "none": part.none,
        "hint": part.hint,
        "lines": lines,
        "error": message_for(part.path, faults, deep=False),
    }


def same(*values: str) -> Choices:
    """Return choices whose labels are their values in the file."""
    return tuple((value, value) for value in values)


TASK_CHOICES = tuple((name, f"{task_name(name)} ({name})") for name in TASK_NAMES)


def choices_for(document: Mapping[str, Any]) -> dict[str, Choices]:
    """Return the current options: the built-in tasks and lexica and the draft's own."""
    own_tasks = [str(one.get("name")) for one in read_own(document, "tasks") if "name" in one]
    lexica = [str(one) for one in read_own(document, "lexica")]
    return {
        "blocks.*.task": (*TASK_CHOICES, *same(*own_tasks)),
        "blocks.*.lexicon": same("semantic", "nonce", *lexica),
    }


def read_own(document: Mapping[str, Any], part: str) -> Iterable[Any]:
    """Return a draft's own tasks or the names of its own lexica, if they can be read."""
    value = document.get(part)
    try:
        value = yaml_text.read(value).data if isinstance(value, str) else value
    except yaml_text.YamlError:
        return []
    if part == "lexica":
        return value if isinstance(value, dict) else []
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
