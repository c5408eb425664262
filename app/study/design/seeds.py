"""Seeds as people write them: `3`, `0-19`, `0,2,5-7`."""

MAX_SEED = 2**31 - 1
MAX_RANGE = 100_000


def parse_seeds(text: str) -> tuple[int, ...]:
    """Parse `0-19` or `0,2,5-7`. Raises ValueError with a message."""
    seeds: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            raise ValueError(f"seeds: '{part.strip()}' is not a number or a range such as 0-19")
        low, high = int(first), int(last or first)
        if not low <= high <= MAX_SEED or high - low >= MAX_RANGE:
            raise ValueError(f"seeds: '{part.strip()}' is too large or runs backwards")
        seeds.extend(range(low, high + 1))
    return tuple(seeds)
