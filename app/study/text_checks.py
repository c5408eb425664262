"""Checks of typed text that every form shares: line ends, length, what the databases can hold."""

from app.errors import StudyError

LIMIT = 5_000  # characters of an explanation field


SURROGATES = range(0xD800, 0xE000)


class AnswerError(StudyError):
    """The rule form cannot be accepted as it is; `problems` says why, field by field."""

    code = "explain/answer"

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems


def tidy(text: str) -> str:
    """Make line ends one character; nothing else is changed."""
    return text.replace("\r\n", "\n")


def too_long(text: str, limit: int) -> str:
    """Return a sentence if a text is too long or cannot be stored, else ''."""
    if len(text) > limit:
        return f"This is {len(text):,} characters; please shorten it to {limit:,}."
    if not storable(text):
        return "This text holds a character that cannot be stored. Please remove it."
    return ""


def storable(text: str) -> bool:
    """Tell whether both databases can hold a text: no NUL, no half of a surrogate pair."""
    return "\x00" not in text and not any(ord(sign) in SURROGATES for sign in text)
