"""Lists of recruitment platforms: every usual form is read, nothing is ignored without a word."""

import csv
import io

import pytest

from app.store.people import platforms
from app.study.people import platform_list
from tests.walker import PageReader, Walker
from tests.web.people.listed import PROLIFIC, STORE, import_list, page_of, preview, prolific

STATES = (
    *("APPROVED", "AWAITING REVIEW", "RETURNED", "TIMED-OUT", "ACTIVE", "PARTIALLY APPROVED"),
    *("SCREENED OUT", "RESERVED", "REJECTED", "UNKNOWN"),
)
NOW_FILE = "\n".join([PROLIFIC, *(prolific(n, state, "C1") for n, state in enumerate(STATES))])
EXCEL = NOW_FILE.replace(",", ";").replace('"Czech; English"', "Czech, English")
OLD = (
    "session_id,participant_id,status,started_datetime,completed_date_time,time_taken,age,"
    "num_approvals,entered_code\n"
    "5f1,p1,AWAITING REVIEW,2020-07-01 10:00,2020-07-01 10:20,1200,30,10,C1ABCDEF\n"
)
CONNECT = (
    "AssignmentId,ParticipantId,Status,StartedAt,CompletedAt,CompletionCode\n"
    "A1,P1,Submitted,2026-11-25 10:00,2026-11-25 10:20,XX\n"
)
MTURK = (
    '"HITId","HITTypeId","Title","AssignmentId","WorkerId","AssignmentStatus","AcceptTime",'
    '"SubmitTime","Answer.surveycode","Approve","Reject"\n'
    '"H","T","A game","A1","W1","Submitted","Wed Nov 25 10:00:00 PST 2026",'
    '"Wed Nov 25 10:20:00 PST 2026","XX","",""\n'
)


@pytest.fixture
def records(server, study):
    """Return what is stored of everyone on the platform: id -> row."""

    def read():
        with server.store.read() as db:
            return {row.external_id: row for row in platforms.records(db, study.id)}

    return read


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (NOW_FILE, ("0" * 23 + "1", "awaiting review", "C1", "sub1")),
        (NOW_FILE.replace("Czech, English", "Czech").replace(",", "\t"), None),
        (EXCEL.replace("\n", "\r\n"), None),
        ("\ufeff" + NOW_FILE, None),
        (OLD, ("p1", "awaiting review", "C1ABCDEF", "5f1")),
        (CONNECT, ("P1", "submitted", "XX", "A1")),
        (MTURK, ("W1", "submitted", "XX", "A1")),
    ],
    ids=["prolific", "tabs", "excel", "bom", "prolific-old", "connect", "mturk"],
)
def test_lists_of_every_platform_are_read(researcher, records, text, wanted):
    page = import_list(researcher, "demo", text)
    assert page.answer.status_code == 200
    name, *facts = wanted or ("0" * 23 + "1", "awaiting review", "C1", "sub1")
    row = records()[name]
    assert [row.state, row.code, row.external_session] == facts
    assert row.started
    assert row.completed


EXCEL_HERE = EXCEL.replace("C1", "Cñ").replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("text", "encoding", "note"),
    [
        (EXCEL_HERE.replace(";", "\t"), "utf-16", False),  # Excel's "Unicode text"
        (EXCEL_HERE, "utf-8-sig", False),  # its "CSV UTF-8"
        (EXCEL_HERE, "cp1252", True),  # its "CSV" in Western Europe
    ],
)
def test_a_file_in_any_encoding_of_a_spreadsheet_is_read(researcher, records, text, encoding, note):
    given = page_of(researcher, "demo").page.form("text")
    files = {"file": ("list.csv", text.encode(encoding), "text/csv")}
    answer = researcher.client.post(given.action, data=given.fields, files=files)
    assert ("read as Windows-1252" in answer.text) is note
    assert ("right: ñ" in answer.text) is note
    fields = PageReader(answer.text).form("packed").fields
    assert researcher.client.post(STORE.format("demo"), data=fields).status_code == 200
    assert [row.state for row in records().values()] == [one.lower() for one in STATES]
    assert {(row.code, row.external_session[:3]) for row in records().values()} == {("Cñ", "sub")}


def test_states_and_columns_that_are_not_known_are_named(researcher):
    text = "\n".join([PROLIFIC, prolific(1, "UNKNOWN"), prolific(2, "BAKED"), prolific(3, "BAKED")])
    page = preview(researcher, "demo", text).answer.text
    words = " ".join(page.split())
    assert "<code>BAKED</code>: 2 people, not known: look it up on the platform" in words
    assert "Not read: Custom study tncs accepted at, Reviewed at" in words
    page = import_list(researcher, "demo", text).answer.text
    assert 'aria-label="unknown_state"' in page


def test_a_status_that_is_not_known_can_be_given_a_meaning_which_later_lists_keep(
    researcher, records
):
    lines = [prolific(1, "BAKED", "C1"), prolific(2, "Half  baked"), prolific(3, "ACTIVE")]
    text = "\n".join([PROLIFIC, *lines])
    fields = preview(researcher, "demo", text).page.form("packed").fields
    assert [fields["state_1"], fields["state_2"]] == ["BAKED", "Half  baked"]
    assert [fields["meaning_1"], fields["meaning_2"]] == ["", ""]
    page = researcher.send("packed", meaning_1="approved", meaning_2="no such meaning")
    words = " ".join(page.answer.text.split())
    assert "<code>BAKED</code>: 1 person, approved there" in words
    assert "<code>Half baked</code>: 1 person, not known" in words
    stored = page.page.form("packed").fields
    assert [stored["meaning_1"], stored["meaning_2"]] == ["approved", ""]
    answer = researcher.client.post(STORE.format("demo"), data=stored)
    assert 'aria-label="approved_unfinished"' in answer.text
    assert [row.meaning for row in records().values()] == ["approved", "", ""]
    later = "\n".join([PROLIFIC, prolific(1, "baked"), prolific(4, "Baked"), prolific(1, "ACTIVE")])
    page = preview(researcher, "demo", later)
    assert page.page.form("packed").fields["meaning_1"] == "approved"
    assert "line 2 counts" in " ".join(page.answer.text.split())  # approved: the most advanced
    import_list(researcher, "demo", later)
    assert [row.meaning for row in records().values()] == ["approved", "", "", "approved"]
    researcher.client.post(
        STORE.format("demo"),
        data={**preview(researcher, "demo", later).page.form("packed").fields, "meaning_1": ""},
    )
    assert {row.meaning for row in records().values()} == {""}


def test_a_list_without_a_code_column_keeps_the_codes_that_are_stored(researcher, records):
    import_list(researcher, "demo", OLD)
    other = OLD.replace("entered_code", "some_number").replace("AWAITING REVIEW", "APPROVED")
    page = preview(researcher, "demo", other)
    assert "keep what is stored" in page.answer.text
    import_list(researcher, "demo", other)
    assert (records()["p1"].state, records()["p1"].code) == ("approved", "C1ABCDEF")


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        ((prolific(1, "RETURNED"), prolific(1, "AWAITING REVIEW", "C1")), 3),
        ((prolific(1, "AWAITING REVIEW", "C1"), prolific(1, "RETURNED")), 2),
        ((prolific(1, "APPROVED"), prolific(1, "AWAITING REVIEW"), prolific(1, "ACTIVE")), 2),
        ((prolific(1, "BAKED"), prolific(1, "TIMED-OUT")), 3),
        (
            (
                prolific(1, "RETURNED").replace("2026-11-25T12:46:18", "2026-11-26T12:46:18"),
                prolific(1, "RETURNED"),
            ),
            2,
        ),
        ((prolific(1, "RETURNED"), prolific(1, "RETURNED")), 3),
    ],
)
def test_a_person_on_several_lines_is_settled_by_the_rule_on_the_page(
    researcher, records, lines, kept
):
    text = "\n".join([PROLIFIC, *lines])
    page = " ".join(preview(researcher, "demo", text).answer.text.split())
    assert f"line {kept} counts" in page
    assert platform_list.RULE in page
    import_list(researcher, "demo", text)
    [row] = records().values()
    assert row.state == list(csv.DictReader(io.StringIO(text)))[kept - 2]["Status"].lower()


def test_columns_of_other_names_can_be_chosen(researcher, records):
    text = "who;where are they;word\nx;done;ABC\n".replace("done", "Paid")
    page = preview(researcher, "demo", text)
    assert page.answer.status_code == 422
    said = " ".join("".join(page.page.text).split()).replace(" ,", ",")
    assert "Choose the column for: Participant ID, Status." in said
    chosen = {"external_id": "who", "state": "where are they", "code": "word"}
    page = preview(researcher, "demo", text, **chosen)
    assert page.answer.status_code == 200
    import_list(researcher, "demo", text, **chosen)
    assert (records()["x"].state, records()["x"].code) == ("paid", "ABC")


@pytest.mark.parametrize(
    "chosen", [{"state": "who"}, {"state": "no such column"}], ids=["twice", "none"]
)
def test_a_column_that_is_chosen_twice_or_does_not_exist_is_refused(researcher, records, chosen):
    text = "who,state\nx,Paid\n"
    page = preview(researcher, "demo", text, external_id="who", **chosen)
    assert page.answer.status_code == 422
    assert "Choose each column of the file once" in page.answer.text
    assert records() == {}


def test_lines_with_errors_are_named_and_nothing_is_stored(researcher, records):
    text = "\n".join(
        [PROLIFIC, prolific(1, "ACTIVE"), prolific(2, ""), "a,b", prolific(3, "x" * 33)]
    )
    page = preview(researcher, "demo", text)
    assert page.answer.status_code == 422
    for words in ("the column &#39;Status&#39; is empty", "2 values, but", "at most 32 characters"):
        assert words in page.answer.text
    assert import_list(researcher, "demo", text).answer.status_code == 422
    assert records() == {}


def test_the_same_list_again_changes_nothing(researcher, records):
    import_list(researcher, "demo", NOW_FILE)
    before = {name: {**row._asdict(), "imported_at": None} for name, row in records().items()}
    page = import_list(researcher, "demo", NOW_FILE)
    assert "0 new, 0 changed, 10 unchanged" in page.answer.text
    assert {
        name: {**row._asdict(), "imported_at": None} for name, row in records().items()
    } == before


def test_a_damaged_or_swollen_list_is_refused(researcher, settings):
    from app.web.uploads import packed

    for body in ("nonsense", packed("x" * (settings.upload_limit_bytes + 1))):
        answer = researcher.client.post(
            "/admin/studies/demo/recruit/import", data={"packed": body, "ticket": "t"}
        )
        assert answer.status_code == 415


def test_before_the_first_list_the_page_compares_nothing(researcher, client):
    Walker(client).enter("/s/demo?PROLIFIC_PID=known")
    page = page_of(researcher, "demo").answer.text
    assert "No list has been imported yet." in page
    assert "not in the file" not in page
    page = import_list(researcher, "demo", NOW_FILE).answer.text
    assert 'aria-label="running"' in page
    assert "Newest list: " in page


def test_everyones_queue_can_be_downloaded(researcher):
    import_list(researcher, "demo", NOW_FILE)
    answer = researcher.client.get("/admin/studies/demo/recruit/queues.csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 10
    assert {row["queue"] for row in rows} >= {"unknown_code", "approved_unfinished"}
    assert {row["theirs"] for row in rows} == {state.lower() for state in STATES}
