"""How alike texts of different people are: the share of runs of words that another wrote too."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

RUN, LEAST_RUNS = 3, 6  # words in a run; runs in a text that is compared
WORD = re.compile(r"\w+")


def runs(text: str) -> set[tuple[str, ...]]:
    """Return the runs of three words of a text, without case and punctuation."""
    words = WORD.findall(text.casefold())
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


def alike(texts: Iterable[tuple[str, int, str]]) -> dict[int, tuple[float, int]]:
    """Return, by participant, the largest share of their runs that another also wrote, and whose.

    Args: texts: (variant or question, participant, text). Only texts about the same one are
        compared, and only those of at least `LEAST_RUNS` runs.
    """
    written: dict[tuple[str, int], set[tuple[str, ...]]] = defaultdict(set)
    for about, person, text in texts:
        written[about, person] |= runs(text)
    writers: dict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(list)
    for (about, person), own in written.items():
        for one in own:
            writers[about, one].append(person)
    found: dict[int, tuple[float, int]] = {}
    for (about, person), own in written.items():
        if len(own) < LEAST_RUNS:
            continue
        common = Counter(other for one in own for other in writers[about, one])
        del common[person]
        best = most(common, len(own))
        if best > found.get(person, (-1.0, 0)):
            found[person] = best
    return found


def most(common: Mapping[int, int], number: int) -> tuple[float, int]:
    """Return the largest share of common runs and whose they are; (0, 0) if there are none."""
    if not common:
        return 0.0, 0
    other = min(common, key=lambda one: (-common[one], one))
    return round(common[other] / number, 3), other
