"""Headers and states of recruitment platforms, now and earlier: each is read as what it means."""

import pytest

from app.study.people.platform_list import FIELDS, MEANINGS, Chosen, meaning, read
from app.study.table_cells import fold

# a file's header as its platform writes it -> which column holds what
HEADERS = {
    "Submission id,Participant id,Status,Started at,Completed at,Completion code": {
        "external_id": "Participant id",
        "state": "Status",
        "code": "Completion code",
        "external_session": "Submission id",
        "started": "Started at",
        "completed": "Completed at",
    },
    "session_id,participant_id,status,started_datetime,completed_date_time,entered_code": {
        "external_id": "participant_id",
        "state": "status",
        "code": "entered_code",
        "external_session": "session_id",
        "started": "started_datetime",
        "completed": "completed_date_time",
    },
    "id,prolific_id,state,start_time,end_time,study_code": {
        "external_id": "prolific_id",
        "state": "state",
        "code": "study_code",
        "external_session": "id",
        "started": "start_time",
        "completed": "end_time",
    },
    "Prolific PID,Submission status,Started,Completed,Code": {
        "external_id": "Prolific PID",
        "state": "Submission status",
        "code": "Code",
        "started": "Started",
        "completed": "Completed",
    },
    "AssignmentId,WorkerId,AssignmentStatus,AcceptTime,SubmitTime,Answer.surveycode": {
        "external_id": "WorkerId",
        "state": "AssignmentStatus",
        "code": "Answer.surveycode",
        "external_session": "AssignmentId",
        "started": "AcceptTime",
        "completed": "SubmitTime",
    },
    "AmazonIdentifier,Approval status,Actual completion code,Completion time": {
        "external_id": "AmazonIdentifier",
        "state": "Approval status",
        "code": "Actual completion code",
        "completed": "Completion time",
    },
    "Amazon identifier,Status,Answer.code": {
        "external_id": "Amazon identifier",
        "state": "Status",
        "code": "Answer.code",
    },
    "Respondent ID,Status,Submitted code": {
        "external_id": "Respondent ID",
        "state": "Status",
        "code": "Submitted code",
    },
    "Panelist ID,Status,Answer.survey_code": {
        "external_id": "Panelist ID",
        "state": "Status",
        "code": "Answer.survey_code",
    },
    "WorkerId,Status,Answer.completion_code": {
        "external_id": "WorkerId",
        "state": "Status",
        "code": "Answer.completion_code",
    },
    "Worker ID,Participant ID,State,Status": {"external_id": "Participant ID", "state": "Status"},
}
STATES = {
    "APPROVED": "approved",
    "PARTIALLY APPROVED": "approved",
    "Paid": "approved",
    "Complete": "approved",
    "completed": "approved",
    "AWAITING REVIEW": "waiting",
    "Submitted": "waiting",
    "pending": "waiting",
    "Pending Review": "waiting",
    "pending_approval": "waiting",
    "ACTIVE": "running",
    "RESERVED": "running",
    "Started": "running",
    "in progress": "running",
    "Accepted": "running",
    "TIMED-OUT": "gone",
    "RETURNED": "gone",
    "REJECTED": "gone",
    "SCREENED OUT": "gone",
    "expired": "gone",
    "Abandoned": "gone",
    "Not approved": "gone",
    "UNKNOWN": "",
    "": "",
}


@pytest.mark.parametrize("header", HEADERS)
def test_columns_of_every_platform_are_found_by_name(header):
    wanted = HEADERS[header]
    line = ",".join(f"a {number}" for number, _ in enumerate(header.split(",")))
    found = read(f"{header}\n{line}\n", Chosen())
    assert {ours: column for ours, column in found.mapping.items() if column} == wanted
    values = dict(zip(header.split(","), line.split(","), strict=True))
    assert list(found.people.values()) == [{k: values[column] for k, column in wanted.items()}]


@pytest.mark.parametrize("state", STATES)
def test_each_state_of_a_platform_has_its_meaning(state):
    assert meaning(state) == STATES[state]


def test_every_name_and_state_that_we_know_is_in_a_case_above():
    tried = {(ours, fold(name)) for wanted in HEADERS.values() for ours, name in wanted.items()}
    assert {(ours, fold(name)) for ours, names in FIELDS.items() for name in names} == tried
    states = {fold(state) for state, own in STATES.items() if own}
    assert {fold(state) for known in MEANINGS.values() for state in known} == states


def test_header_of_a_second_list_below_the_first_is_no_person():
    lists = "Participant id,Status\na,ACTIVE\n Participant id ,Status\nb,APPROVED\n"
    found = read(lists, Chosen())
    assert list(found.people) == ["a", "b"]
    assert (found.unknown, found.problems) == ({}, [])
    assert found.notes == ["Line 3 repeats the header and was left out."]


@pytest.mark.parametrize("rounded", ["5.1E+23", "5,10E+23", "6e+23"])
def test_id_that_a_spreadsheet_rounded_is_refused_by_its_line(rounded):
    found = read(f"Participant id;Status\na;ACTIVE\n{rounded};APPROVED\n", Chosen())
    [problem] = found.problems
    assert (problem.line, f"rounded the ID to {rounded}" in problem.text) == (3, True)
    assert list(read("Participant id,Status\n5e1023,ACTIVE\n", Chosen()).people) == ["5e1023"]


def test_invisible_characters_around_an_id_do_not_make_it_another_one():
    found = read("Participant id,Status\n\u202eabc\u200b,ACTIVE\nabc,APPROVED\n", Chosen())
    assert {name: row["state"] for name, row in found.people.items()} == {"abc": "APPROVED"}
