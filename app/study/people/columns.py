"""Columns of identifiers and payments, the two tables with platform ids. No bundle has them."""

from collections.abc import Mapping

from app.study.column_kinds import TableSpec, table

APART: Mapping[str, TableSpec] = {
    "identifiers": table(
        "a participant whose platform IDs are still stored",
        """
        participant_id random ID of the participant, as in all other tables
        platform prolific, connect, mturk, link, ...
        external_id the participant's ID on the platform
        external_study study ID on the platform
        external_session session or submission ID on the platform
        """,
    ),
    "payments": table(
        "a participant who consented, without test participants",
        """
        participant_id random ID of the participant, as in all other tables
        platform prolific, connect, mturk, link, ...; empty = a plain link
        external_id the participant's ID on the platform
        external_session session or submission ID on the platform
        outcome state of the participant
        code completion code
        active_minutes:number paid minutes; a gap longer than the idle limit counts as the limit
        base_cents:int pay for finishing
        time_cents:int pay for the time
        bonus_cents:int bonus from the formula
        total_cents:int sum of the three
        currency three letters, such as GBP
        bonus_problem why the bonus could not be computed; empty = it was computed
        queue such as pay or ask_to_return; empty = not in a platform's list
        bonus_sent_at:time when the bonus was recorded as sent; empty = it was not
        bonus_sent_cents:int amount recorded as sent, time and bonus; empty = none was recorded
        """,
    ),
}
