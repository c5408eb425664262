"""Columns of the two tables with platform ids, which no bundle holds: identifiers, payments."""

from collections.abc import Mapping

from app.study.column_kinds import TableSpec, table

APART: Mapping[str, TableSpec] = {
    "identifiers": table(
        "a person whose platform ids are still stored",
        """
        participant_id random id of the person, as in all other tables
        platform prolific, connect, mturk, link, ...
        external_id the person's id there
        external_study study id there
        external_session session or submission id there
        """,
    ),
    "payments": table(
        "a person who consented, test people left out",
        """
        participant_id random id of the person, as in all other tables
        platform prolific, connect, mturk, link, ...; empty = a plain link
        external_id the person's id there
        external_session session or submission id there
        outcome the person's state
        code completion code
        active_minutes:number minutes at work; a gap longer than the idle limit counts as the limit
        base_cents:int for finishing
        time_cents:int for the time
        bonus_cents:int by the formula
        total_cents:int sum of the three
        currency three letters, such as GBP
        bonus_problem why the formula gave this person no bonus; empty = it could be computed
        """,
    ),
}
