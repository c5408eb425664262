"""Of a person's equal lines the newest counts, however platforms and spreadsheets write times."""

import pytest

from app.study.people.platform_list import Chosen, read

HEAD = "Participant id;Status;Started at;Completed at;Completion code"
EARLIER_FIRST = {
    "ISO": ("2026-11-25T11:00:00Z", "2026-11-25T12:00:00Z"),
    "offsets": ("2026-11-25T12:00:00+02:00", "2026-11-25T11:00:00Z"),
    "fractions": ("2026-11-25 11:00:00.250", "2026-11-25 11:00:00.300"),
    "MTurk": ("Wed Nov 25 12:20:00 PST 2026", "Wed Dec 02 09:20:00 PST 2026"),
    "MTurk zones": ("Sun Nov 01 01:30:00 PDT 2026", "Sun Nov 01 01:10:00 PST 2026"),
    "dots": ("30.11.2026 10:00", "02.12.2026 09:00"),
    "dates alone": ("30.11.2026", "02.12.2026"),
    "US": ("11/25/2026 9:05:00 PM", "12/02/2026 9:05:00 AM"),
    "noon": ("11/25/2026, 12:05 AM", "11/25/2026, 11:05 AM"),
    "British": ("25/11/2026 21:05", "02/12/2026 09:05"),
    "unread first": ("yesterday", "2026-11-25T12:00:00Z"),
}


def listed(times, column="completed"):
    """Read a list in which one person returned the study at each of these times."""
    cells = "{0};" if column == "started" else ";{0}"
    lines = [f"ann;RETURNED;{cells.format(time)};{n}" for n, time in enumerate(times)]
    return read("\n".join([HEAD, *lines]), Chosen())


@pytest.mark.parametrize("column", ["started", "completed"])
@pytest.mark.parametrize("times", EARLIER_FIRST.values(), ids=EARLIER_FIRST)
def test_later_of_two_times_counts_wherever_it_stands(times, column):
    assert listed(times, column).people["ann"]["code"] == "1"
    assert listed(times[::-1], column).people["ann"]["code"] == "0"


@pytest.mark.parametrize(
    "times",
    [
        ("02/03/2026 10:00", "03/02/2026 10:00"),
        ("last week", "yesterday"),
        ("Wed Nov 25 12:20:00 XYZ 2026", "Wed Nov 25 12:10:00 XYZ 2026"),
        ("40.13.2026", "39.13.2026"),
        ("11/31/2026", "11/31/2026"),
        ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"),
    ],
)
def test_times_that_cannot_be_read_are_named_and_the_lowest_line_counts(times):
    found = listed(times)
    assert found.people["ann"]["code"] == "1"
    [note] = found.notes
    assert note.startswith("1 person on several lines with times that cannot be read")
    assert f"'{times[0]}'" in note


def test_times_that_decide_nothing_are_not_named():
    lines = ["ann;RETURNED;;last week;0", "ann;APPROVED;;yesterday;1", "bob;ACTIVE;;soon;2"]
    found = read("\n".join([HEAD, *lines]), Chosen())
    assert (found.notes, found.people["ann"]["code"]) == ([], "1")
