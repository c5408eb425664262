"""A number with its noun, for messages that are not translated."""


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 cell`, `2 cells`; `many`: a plural that does not add s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
