"""What is said of a name that is taken: by what, and one that is free and valid."""

from collections.abc import Collection


def free_name(name: str, taken: Collection[str], longest: int) -> str:
    """Return the name, or the first free one with a number added, at most `longest` characters."""
    number, found = 2, name
    while found in taken:
        tail = f"-{number}"
        found, number = name[: longest - len(tail)].rstrip("- ") + tail, number + 1
    return found


def words(what: str, name: str, taken: Collection[str], longest: int, by: str) -> str:
    """Return the message for a taken name.

    `what`: what it is, such as `address`; `by`: what has it, such as `another study`.
    """
    free = free_name(name, taken, longest)
    return f"The {what} '{name}' is taken by {by}. '{free}' is free."
