"""Files of models' results: rows as CSV or JSON Lines, or the reference package's result JSON.

The reference package (PyPI `herosjourney`) writes one JSON document per task and model:
`{"variants": [{"variant_seed", "episodes": {"ep_0": {"task_type", "success", "num_runs",
"reference_length", ...}}}]}`; its direct (QA) runs `{"task_type", "use_nonce", "variants":
[{"variant_seed", "instance": {"results": [{"correct"}]}}]}`. Its variants differ
from those of hjstudy, so they have no hash. The format is that of the package's code (0.1.1); the
package itself is not imported.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from app.errors import FieldError
from app.game.plain_json import given_twice
from app.game.tasks import TASKS
from app.study.table_cells import number_fault, read_whole
from app.study.table_file import Line, Problem, has_columns, read
from app.study.table_rows import TableFileError, unfenced

ALIASES = {"episode_index": "episode", "actions": "actions_used", "hash": "variant_hash"}
COLUMNS = (
    *("model", "task", "seed", "lexicon", "coverage", "format", "variant_hash", "episode"),
    *("success", "actions_used", "ref_length", "n_tries", "rv"),
)
MOST = 999_999_999
REFERENCE_NAMES = {
    "additive": "A-Add",
    "compositional": "A-Comp",
    "conditional": "A-Cond",
    "override": "A-Over",
    "proc_add": "P-Add",
    "proc_comp": "P-Comp",
    "proc_cond": "P-Cond",
    "proc_over": "P-Over",
}


@dataclass(frozen=True, slots=True)
class ResultFile:
    """A parsed file. `source`: rows or reference; `warnings`: what to note about it."""

    lines: list[Line]
    problems: list[Problem]
    source: str
    warnings: list[str] = field(default_factory=list)


def lines_of(text: str, given: Mapping[str, str]) -> ResultFile:
    """Return lines by column name, problems, and the kind of file.

    Args: given: `model, task, lexicon, coverage` as typed next to the file; files of the reference
        package do not contain them, except sometimes the task.
    Raises TableFileError: the file as a whole cannot be read.
    """
    document = whole_document(text)
    if document is None:
        table = read(text, COLUMNS, ALIASES)
        has_columns(table, [name for name in ("task", "seed", "success") if name not in given])
        lines = [replace(one, values={**defaults(given), **filled(one)}) for one in table.lines]
        return ResultFile(lines, list(table.problems), "rows", table.warnings)
    if not given.get("model", "").strip():
        raise TableFileError(
            "Type the model's name: result files of herosjourney do not contain it."
        )
    found, problems = list[Line](), list[Problem]()
    for number, row in enumerate(reference_rows(document, given), start=1):
        if isinstance(row, str):
            problems.append(Problem(number, row))
        else:
            found.append(Line(number, row))
    if not found and not problems:
        raise TableFileError("The file contains no episodes and no answers.")
    return ResultFile(found, problems, "reference")


def defaults(given: Mapping[str, str]) -> dict[str, str]:
    """Return the values typed next to the file, for rows without them."""
    return {name: given[name] for name in ("model", "task", "lexicon", "coverage") if name in given}


def filled(line: Line) -> dict[str, str]:
    """Return the values of a line that are not empty."""
    return {name: line.get(name) for name in line.values if line.get(name)}


def whole_document(text: str) -> dict[str, Any] | None:
    """Return the JSON document of a file of the reference package, or None for other files.

    Raises TableFileError: a name is given twice in one object, so one of its values is lost.
    """
    doubled = list[str]()

    def noted(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            doubled.append(given_twice(pairs) or "")
        return found

    try:
        document = json.loads(unfenced(text.removeprefix("\ufeff")), object_pairs_hook=noted)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or not {"variants", "episodes"} & set(document):
        return None
    if doubled:
        raise TableFileError(f"'{doubled[0]}' is given twice in one object. Nothing was stored.")
    return document


def reference_rows(
    document: dict[str, Any], given: Mapping[str, str]
) -> Iterator[dict[str, str] | str]:
    """Yield each result by column name, or its problem."""
    variants = document.get("variants", [document])
    if not isinstance(variants, list):
        raise TableFileError("'variants' must be a list.")
    for place, variant in enumerate(variants):
        if not isinstance(variant, dict):
            yield f"variant {place}: must be an object"
            continue
        about = {
            **defaults(given),
            "seed": str(variant.get("variant_seed", place)),
            "task": str(given.get("task") or document.get("task_type", "")),
            "lexicon": "nonce" if document.get("use_nonce") else given.get("lexicon", "semantic"),
        }
        episodes = variant.get("episodes", {})
        stated = variant.get("instance", {})
        if not isinstance(episodes, dict) or not isinstance(stated, dict):
            yield f"variant {place}: 'episodes' and 'instance' must be objects"
            continue
        yield from played(about, episodes, given)
        for at, answer in enumerate(stated.get("results", []), start=1):
            right = answer.get("correct") if isinstance(answer, dict) else None
            yield named({**about, "format": "direct", "episode": str(at), "success": word(right)})


def played(
    about: dict[str, str], episodes: dict[str, Any], given: Mapping[str, str]
) -> Iterator[dict[str, str] | str]:
    """Yield the played episodes of one variant."""
    for at, (name, facts) in enumerate(episodes.items(), start=1):
        if not isinstance(facts, dict):
            yield f"{name}: must be an object"
            continue
        task = str(given.get("task") or facts.get("task_type") or about["task"])
        yield named(
            {
                **about,
                "task": task,
                "format": "episodic",
                "episode": str(at),
                "success": word(facts.get("success")),
                "actions_used": str(facts.get("num_runs") or 1),
                "ref_length": str(facts.get("reference_length", "")),
            }
        )


def named(row: dict[str, str]) -> dict[str, str]:
    """Return a row with the task's name in hjstudy."""
    return {**row, "task": REFERENCE_NAMES.get(row["task"], row["task"])}


def word(value: object) -> str:
    """Return a truth value as written in result files."""
    return str(value).lower() if isinstance(value, bool) else ""


def truth(line: Line, name: str) -> bool:
    """Parse a truth value. Raises FieldError."""
    text = line.get(name).lower()
    number = line.number_of(name)
    if text not in {"true", "false"} and number not in {0, 1}:
        actual = f", but is '{text[:40]}'" if text else ""
        raise FieldError(name, f"must be true or false{actual}")
    return text == "true" or number == 1


def whole(line: Line, name: str, least: int, default: int | None = None) -> int:
    """Parse a whole number. Raises FieldError."""
    text = line.get(name)
    if not text and default is not None:
        return default
    found = read_whole(text)
    if found is None or not least <= found <= MOST:
        actual = f", but is '{text[:40]}'" if text else ""
        raise FieldError(name, f"must be a whole number, at least {least}{actual}")
    return found


def share(line: Line, name: str) -> float | None:
    """Parse a number from 0 to 1, or None if empty. Raises FieldError."""
    if not line.get(name):
        return None
    value = line.number_of(name)
    if value is None:
        raise FieldError(name, f"must be a number from 0 to 1; {number_fault(line.get(name))}")
    if not 0 <= value <= 1:
        raise FieldError(name, "must be a number from 0 to 1")
    return value


def tries_of(task: str) -> int | None:
    """Return n_tries of a built-in task."""
    return TASKS[task].n_tries if task in TASKS else None
