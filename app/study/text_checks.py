"""Checks of typed text that all forms share: line ends, length, what the databases can store."""

import re

from app.errors import StudyError
from app.languages.text import Number, joined, phrase

LIMIT = 5_000  # characters of an explanation field


SURROGATE = re.compile("[\ud800-\udfff]")


class AnswerError(StudyError):
    """A form cannot be accepted; `problems` says why, field by field."""

    code = "explain/answer"

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(joined(problems.values()))
        self.problems = problems


def tidy(text: str) -> str:
    """Convert line ends to one character each; change nothing else."""
    return text.replace("\r\n", "\n")


def too_long(text: str, limit: int) -> str:
    """Return an error message if a text is too long or cannot be stored, else ''."""
    if len(text) > limit:
        return phrase(
            "This is {length} characters long. Please shorten it to {most}.",
            length=Number(len(text)),
            most=Number(limit),
        )
    if not storable(text):
        return phrase("This text contains a character that cannot be stored. Please remove it.")
    return ""


def storable(text: str) -> bool:
    """Tell whether both databases can store a text: no NUL, no half of a surrogate pair."""
    return "\x00" not in text and SURROGATE.search(text) is None
