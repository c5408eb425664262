"""Who counts in baseline, summary and flow, and why somebody does not: one rule for all of them."""

from app.store.base import AnyRow

# states of people whose part ended before the game, or who took their data back
NEVER = ("no_consent", "screened_out", "failed_check", "over_quota", "withdrawn")


def left_out(row: AnyRow) -> str:
    """Return why a person is left out of the analysis, '' if they count.

    Whoever consented and acted in a guardian's world counts, finished or not: what they began and
    never finished is a failure. Left out are test people, those who declined, were turned away or
    left for good, those excluded by hand, and those without an episode that counts.

    Args:
        row: `is_test, state, excluded, has_episode` (of a main episode that is not voided).
    """
    if row.is_test:
        return "test"
    if row.state in NEVER:
        return str(row.state)
    if row.excluded:
        return "excluded"
    return "" if row.has_episode else "no_episode"
