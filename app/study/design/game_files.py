"""Lexica and tasks, by name or from a JSON file; needs no database."""

from functools import lru_cache
from pathlib import Path

from app.errors import FieldError, StudyError
from app.game.lexicon import Lexicon, parse_lexicon
from app.game.model import Task
from app.game.tasks import TASKS, parse_task
from app.study.design import task_advice

LEXICA = Path(__file__).resolve().parents[2] / "lexica"
LEXICON_NAMES = task_advice.LEXICA


class UnknownNameError(StudyError):
    """There is no task, lexicon or file with this name."""

    code = "study/unknown_name"


@lru_cache(maxsize=16)
def lexicon(name: str) -> Lexicon:
    """Return a lexicon by name (semantic, nonce) or from a JSON file's path."""
    if name in LEXICON_NAMES:
        return parse_lexicon((LEXICA / f"{name}.json").read_text("utf-8"))
    return parse_lexicon(read_file(name, f"lexicon: use {' or '.join(LEXICON_NAMES)}, or a file"))


def task(name: str) -> Task:
    """Return a task by name (A-Add, ...) or from a JSON file's path."""
    if name in TASKS:
        return TASKS[name]
    found = parse_task(read_file(name, f"task: use one of {', '.join(TASKS)}, or a JSON file"))
    problem = task_advice.taken([found.name], "task")
    if problem:
        raise FieldError("name", problem)
    return found


def read_file(name: str, hint: str) -> str:
    """Return the text of a JSON file. Raises UnknownNameError, which says what is expected."""
    path = Path(name)
    if path.suffix != ".json":
        raise UnknownNameError(f"'{name}' is not known. {hint}.")
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnknownNameError(f"'{name}' cannot be read: {error}. {hint}.") from error
