"""Columns of identifiers and payments, the two tables with platform ids. No bundle has them."""

from collections.abc import Mapping

from app.study.column_kinds import TableSpec, table

APART: Mapping[str, TableSpec] = {
    "identifiers": table(
        "a person whose platform ids are still stored",
        """
        participant_id random id of the person, as in all other tables
        platform prolific, connect, mturk, link, ...
        external_id the person's id on the platform
        external_study the platform's study id
        external_session session or submission id on the platform
        """,
    ),
    "payments": table(
        "a person who consented; test participants are left out",
        """
        participant_id random id of the person, as in all other tables
        platform prolific, connect, mturk, link, ...; empty = a plain link
        external_id the person's id on the platform
        external_session session or submission id on the platform
        outcome the person's state
        code completion code
        active_minutes:number active minutes; a gap longer than the idle limit counts as the limit
        base_cents:int pay for finishing
        time_cents:int pay for time
        bonus_cents:int bonus by the formula
        total_cents:int sum of the three
        currency three letters, such as GBP
        bonus_problem why the formula gave this person no bonus; empty = it was computed
        """,
    ),
}
