"""Seeds as people write them: `3`, `0-19`, `0,2,5-7`."""

import re

MAX_SEED = 2**31 - 1
MAX_RANGE = 100_000
MAX_LENGTH = 40  # of one part; int() refuses thousands of digits in words of its own
PART = re.compile(r"([0-9]+)(?:-([0-9]+))?")


def parse_seeds(text: str) -> tuple[int, ...]:
    """Parse `0-19` or `0,2,5-7`. Raises ValueError with a message."""
    seeds: list[int] = []
    for part in map(str.strip, text.split(",")):
        match = PART.fullmatch(part)
        if match is None:
            raise ValueError(f"seeds: '{part}' is not a number or a range such as 0-19")
        if len(part) > MAX_LENGTH:
            raise ValueError(f"seeds: '{part[:MAX_LENGTH]}…' is too large or runs backwards")
        low, high = int(match[1]), int(match[2] or match[1])
        if not low <= high <= MAX_SEED or high - low >= MAX_RANGE:
            raise ValueError(f"seeds: '{part}' is too large or runs backwards")
        seeds.extend(range(low, high + 1))
    return tuple(seeds)
