"""Find the field on a page for a fault's path: its section, label and position."""

from app.study.design.faults import Fault
from app.web.design.fields import SECTIONS
from app.web.design.parts import Entry, Section, Table


def home_of(path: str) -> Section | None:
    """Return the section with a field, or None if no page has it."""
    return next((section for section in SECTIONS if section.owns(path)), None)


def message_of(fault: Fault) -> str:
    """Return a fault's message with the label of its field."""
    return f"{label_of(fault.path)}: {fault.message}" if fault.path else fault.message


def label_of(path: str) -> str:
    """Return a field's label on its page, such as `Cells, line 3: Seeds`, or its path."""
    for section in SECTIONS:
        for part in section.parts:
            if section.owns(path) and (path == part.path or path.startswith(f"{part.path}.")):
                return label_in(part, path.removeprefix(part.path).removeprefix("."))
    return path


def field_at(path: str) -> str:
    """Return the path of the field that shows a fault, which may be the list it is in."""
    for section in SECTIONS:
        for part in section.parts:
            if isinstance(part, Entry) and path.startswith(f"{part.path}."):
                return part.path
            if isinstance(part, Table) and path.startswith(f"{part.path}."):
                number, _, field = path.removeprefix(f"{part.path}.").partition(".")
                return f"{part.path}.{number}.{field.partition('.')[0]}".rstrip(".")
    return path


def label_in(part: Entry | Table, rest: str) -> str:
    """Return the label of what is at `rest` below a field or a table."""
    number, _, field = rest.partition(".")
    if isinstance(part, Entry) or not number.isdecimal():
        return part.label
    line = f"{part.label}, {part.one.lower()} {int(number) + 1}"
    entry = next((e for e in part.entries if field.partition(".")[0] == e.path), None)
    return f"{line}: {entry.label}" if entry else line
