"""Links of a replay: to the action before and after, and at the ends to the guardians there."""

from typing import NamedTuple


class Link(NamedTuple):
    """A link: its address and its words."""

    url: str
    words: str


def links(
    to_step: str, step: int, last: int, earlier: Link | None, later: Link | None
) -> dict[str, Link | None]:
    """Return the links `before` and `after`, None where the whole replay begins or ends.

    Args:
        to_step: address of an action, without its number at the end.
        step: the action shown, 0 to `last`.
        last: number of actions.
        earlier: the guardian before, after its last action, with its name.
        later: the guardian after, at its start, with its name.
    """
    before = earlier and Link(earlier.url, f"Previous guardian: {earlier.words}")
    after = later and Link(later.url, f"Next guardian: {later.words}")
    return {
        "before": Link(f"{to_step}{step - 1}", "Previous") if step else before,
        "after": Link(f"{to_step}{step + 1}", "Next") if step < last else after,
    }
