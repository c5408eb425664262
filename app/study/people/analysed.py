"""Who counts, and why others do not: one rule for exports, reports and ratings."""

from app.store.base import AnyRow

NO_EPISODE = "no_episode"
# states of people whose part ended before the game, or who took their data back
NEVER = ("no_consent", "screened_out", "failed_check", "over_quota", "withdrawn")


def left_out(*, is_test: bool, state: str, excluded: str, has_episode: bool) -> str:
    """Return why a person is left out of the analysis, '' if they count.

    People who consented and acted in a guardian's world count, finished or not: what they began and
    never finished is a failure. Left out are test people, those who declined, were turned away or
    left for good, those excluded by a researcher, and those without an episode that counts.

    Args:
        is_test: a test person.
        state: the person's state.
        excluded: why they were excluded by a researcher, or ''.
        has_episode: they acted in a main episode that is not voided.
    """
    if is_test:
        return "test"
    if state in NEVER:
        return state
    if excluded:
        return "excluded"
    return "" if has_episode else NO_EPISODE


def of_person(row: AnyRow) -> str:
    """Return the same for a row of the participants' query."""
    return left_out(
        is_test=row.is_test,
        state=row.state,
        excluded=row.excluded,
        has_episode=bool(row.has_episode),
    )
