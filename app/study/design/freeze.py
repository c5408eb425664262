"""Which parts of a design the first real consent freezes, which stay free, and what differs.

Everything that affects what players see, how they are assigned, scored or timed is frozen. The
free part changes for everyone: it is copied into every design of the study, so that people on an
older version see the newest contact and get the newest code.
"""

import hashlib
import json
from typing import Any

from app.languages.catalogue import ENGLISH
from app.study.design import arms
from app.study.design.sources import OWN
from app.study.design.spec import CellSpec, StudySpec, check_study

# Every field that stays free; `*` = each line of a list. All other fields are frozen.
# Whether a study is open is not a field of the file.
FREE: tuple[str, ...] = (
    "title",
    "texts.contact",
    "codes",  # codes and return address
    "people.quota",
    "people.cell_quota",
    "people.burst",  # how fast people may enter
    "blocks.*.quota",
    "people.resume",  # which links open a place
    "people.require",
    "people.groups",  # tags for researchers, without effect on players
    "options.hide_outcomes",  # what researchers see
    "options.main_rv",  # what reports count
    "baseline",  # a checklist printed in exports, without effect on players
)
LATER = {"options": {"canary": False}}  # newer than stored hashes: left out at these values
QUOTA = "blocks.*.quota"
SHOWN = 80  # characters of a value in the list of changes

Difference = tuple[str, str, str]  # field, before, after


def frozen_part(spec: StudySpec) -> dict[str, Any]:
    """Return the frozen part as JSON data, with cells listed singly, as grouping has no effect."""
    data = spec.model_dump(mode="json")
    for path in FREE:
        drop(data, path.split("."))
    for section, values in LATER.items():
        for name, value in values.items():
            if data[section][name] == value:
                del data[section][name]
    del data["blocks"]
    if data["language"] == ENGLISH:
        del data["language"]  # designs from before it could be chosen keep their hash
    if data["between"] == arms.NONE:
        del data["between"]  # the same
    data["cells"] = [without_quota(cell) for cell in spec.cells()]
    return data


def without_quota(cell: CellSpec) -> list[Any]:
    """Return a cell as JSON data without its quota."""
    shape = (cell.lexicon, cell.coverage, cell.distractors, cell.format)
    found = [cell.task, cell.seed, *shape]
    return found if cell.source == OWN else [*found, cell.source]


def drop(data: Any, path: list[str]) -> None:
    """Remove the value at a path."""
    first, *rest = path
    if first == "*":
        for one in data:
            drop(one, rest)
    elif rest:
        drop(data[first], rest)
    else:
        del data[first]


def frozen_hash(spec: StudySpec, stored: Any = None) -> str:
    """Return the sha256 of the frozen part, which is the same if players get the same study.

    `stored`: the document of a stored design. Fields that came later are not in it, so they were
    not hashed when it was stored.
    """
    part = frozen_part(spec)
    if stored is not None:
        part = {"cells": part.pop("cells"), **only_stored(part, stored)}
    text = json.dumps(part, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def only_stored(data: Any, stored: Any) -> Any:
    """Return the data without fields that a stored document lacks."""
    if isinstance(data, dict) and isinstance(stored, dict):
        return {
            name: only_stored(one, stored[name]) for name, one in data.items() if name in stored
        }
    if isinstance(data, list) and isinstance(stored, list):
        return [only_stored(one, other) for one, other in zip(data, stored, strict=True)]
    return data


def with_free(old: StudySpec, new: StudySpec) -> StudySpec:
    """Return `old` with the free part of `new`; cells that `new` lacks keep their quota."""
    data, source = old.model_dump(mode="json"), new.model_dump(mode="json")
    for path in FREE:
        if path != QUOTA:
            copy(data, source, path.split("."))
    quotas = {cell.key: b.quota for b in new.blocks for cell in new.cells_of(b)}
    blocks = list[dict[str, Any]]()
    for block, line in zip(old.blocks, data["blocks"], strict=True):
        own = [quotas.get(cell.key, block.quota) for cell in old.cells_of(block)]
        if len(set(own)) == 1:
            blocks.append({**line, "quota": own[0]})
        else:
            pairs = zip(block.seeds, own, strict=True)
            blocks += [{**line, "seeds": [seed], "quota": quota} for seed, quota in pairs]
    return check_study({**data, "blocks": blocks}, stored=True)


def copy(data: Any, source: Any, path: list[str]) -> None:
    """Copy the value at a path from one document to the other."""
    first, *rest = path
    if rest:
        copy(data[first], source[first], rest)
    else:
        data[first] = source[first]


def differences(old: StudySpec, new: StudySpec) -> list[Difference]:
    """Return every field that differs, as text, with long values shortened."""
    before, after = leaves(old), leaves(new)
    names = [*before, *(name for name in after if name not in before)]
    pairs = [(name, before.get(name, ""), after.get(name, "")) for name in names]
    found = [(n, shorten(b), shorten(a)) for n, b, a in pairs if b != a]
    if not found and frozen_part(old) != frozen_part(new):
        found.append(("order of cells or questions", "", "changed"))
    return found


def leaves(spec: StudySpec) -> dict[str, str]:
    """Return every field with its value as text; cells and questions are named by their key."""
    data = spec.model_dump(mode="json")
    blocks, questions = data.pop("blocks"), data["questions"]
    found = dict[str, str]()
    for block, line in zip(spec.blocks, blocks, strict=True):
        quota = "no quota" if line["quota"] is None else f"quota {line['quota']}"
        words = f"{line['distractors']} distractors, {quota}"
        found |= {f"cells.{cell.key}": words for cell in spec.cells_of(block)}
    for part in ("before", "comprehension", "after"):
        questions[part] = {
            one["key"]: json.dumps(one, ensure_ascii=False) for one in questions[part]
        }
    data["tasks"] = {str(one.get("name")): json.dumps(one) for one in data["tasks"]}
    data["lexica"] = {name: json.dumps(one) for name, one in data["lexica"].items()}
    spread(data, "", found)
    return found


def spread(data: Any, path: str, found: dict[str, str]) -> None:
    """Add the values in a mapping to `found` under their dotted paths."""
    for key, value in data.items():
        name = f"{path}.{key}" if path else key
        if isinstance(value, dict):
            spread(value, name, found)
        elif isinstance(value, list):
            found[name] = ", ".join(map(str, value))
        else:
            found[name] = words(value)


def words(value: Any) -> str:
    """Return a plain value as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def shorten(text: str) -> str:
    """Return a text as one line, with its length if it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}… ({len(text)} characters)"
