"""Links whose id was left unfilled, and the forms in which real parameters arrive."""

import pytest

from app.study.design.spec import check_study
from app.study.play.arrival import BadIdError, read_arrival
from app.study.play.placeholders import PlaceholderError, is_placeholder

SPEC = check_study({"slug": "s", "title": "S", "blocks": [{"task": "A-Over", "seeds": [1]}]})
UNFILLED = (
    *("{{%PROLIFIC_PID%}}", "{{PROLIFIC_PID}}", "%7B%7B%25PROLIFIC_PID%25%7D%7D", "PROLIFIC_PID"),
    *("{{%25PROLIFIC_PID%25}}", "{%PROLIFIC_PID%}", "%PROLIFIC_PID%", "$PROLIFIC_PID"),
    *("null", "NULL", "(null)", "undefined", "None", "none", "nan", "NaN", "N/A", "#N/A", "nil"),
    *("[participant]", "<participant>", "{participantId}", "[[ID]]", "participantId", "@id"),
    *("${workerId}", "${e://Field/PROLIFIC_PID}", "#{id}", "[%id%]", "<%= id %>", "__ID__"),
    *("ASSIGNMENT_ID_NOT_AVAILABLE", "WORKER_ID_NOT_AVAILABLE", "%SURVEY_CODE%", "SURVEY_CODE"),
    *("", "   ", "\u00a0", "-", "?", "...", "''", '"null"', "false", "[object Object]", "#REF!"),
    *("test", "TEST", "example", "your_id", "INSERT_ID_HERE", "anonymous", "unknown", "\ufffd12"),
    *("PROLIFIC_ID_NOT_AVAILABLE", "SONA_ID_NOT_AVAILABLE", "not available", "YOUR_PROLIFIC_ID"),
    *("your-worker-id", "Enter your ID here", "PASTE_CODE_HERE", "null null", "undefinedundefined"),
    *("undefined, undefined", "None None", "%(id)s", "%(PROLIFIC_PID)s", "&#123;id&#125;"),
    *("&lt;id&gt;", "%26lt%3Bid%26gt%3B", "\uff4e\uff55\uff4c\uff4c", "\uff5bid\uff5d", "#NV"),
    *("#BEZUG!", "#WERT!", "#\u00a1REF!", "#\u00bfNOMBRE?", "#N/D", "#DIV/0!", "#NAME?"),
)
FILLED = (
    *("5f3c1a9be0d4a71234567890", "A2XYZ9QWERTY12", "12345", "0", "p-07", "ann", "O'Neill"),
    *("ann@example.org", "nullmann", "testa-rossa", "Noname7", "3f9a1c0de2", "50%", "id-4711"),
    *("yourid42", "nullnull7", "nana", "#4711-22", "# 12", "anna none", "(ann)", "R&D;12", "noel"),
)


@pytest.mark.parametrize("value", UNFILLED)
def test_unfilled_id_is_refused(value):
    with pytest.raises(PlaceholderError):
        read_arrival(SPEC, {"PROLIFIC_PID": value})


@pytest.mark.parametrize("value", FILLED)
def test_id_that_a_person_can_have_is_read(value):
    assert not is_placeholder(value)
    assert read_arrival(SPEC, {"PROLIFIC_PID": value}).external_id == value


def test_name_of_the_designs_own_parameter_is_no_id():
    spec = SPEC.model_copy(
        update={"options": SPEC.options.model_copy(update={"id_parameters": ("Kennung",)})}
    )
    with pytest.raises(PlaceholderError, match="Kennung"):
        read_arrival(spec, {"Kennung": "KENNUNG"})


@pytest.mark.parametrize(
    "names",
    [
        ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
        ("prolific_pid", "study_id", "session_id"),
        ("Prolific_Pid", "amp;STUDY_ID", "amp;SESSION_ID"),
        ("amp;amp;prolific_pid", "AMP;study_id", "amp;Session_Id"),
    ],
)
def test_parameter_names_count_in_any_case_and_after_an_escaped_ampersand(names):
    found = read_arrival(SPEC, zip(names, ("ann", "s1", "x1"), strict=True))
    assert (found.external_id, found.external_study, found.external_session) == ("ann", "s1", "x1")
    assert found.platform == "prolific_pid"


@pytest.mark.parametrize(
    "query",
    [
        [("PROLIFIC_PID", "{{%PROLIFIC_PID%}}"), ("PROLIFIC_PID", "ann")],
        [("PROLIFIC_PID", "ann"), ("PROLIFIC_PID", "")],
        [("PROLIFIC_PID", "[participant]"), ("participant", "ann")],
    ],
)
def test_filled_parameter_counts_beside_an_unfilled_one(query):
    assert read_arrival(SPEC, query).external_id == "ann"


def test_unfilled_ids_of_study_and_submission_are_left_empty():
    query = {"PROLIFIC_PID": "ann", "STUDY_ID": "{{%STUDY_ID%}}", "SESSION_ID": "null"}
    found = read_arrival(SPEC, query)
    assert (found.external_study, found.external_session) == ("", "")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"}, "I’ll use URL parameters"),
        ({"workerId": "ASSIGNMENT_ID_NOT_AVAILABLE"}, "Accept"),
        ({"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}, "Accept"),
        ({"participantId": "[participantId]"}, "Connect"),
        ({"participant": "${e://Field/id}"}, "Piped Text"),
        ({"participant": "%SURVEY_CODE%"}, "Study URL"),
        ({"participant": "null"}, "did not fill in the ID"),
    ],
)
def test_refusal_says_what_to_do_in_the_words_of_the_platform(query, words):
    with pytest.raises(PlaceholderError, match="ID is missing from this link") as caught:
        read_arrival(SPEC, query)
    assert words in caught.value.message


def test_link_without_an_id_parameter_is_a_plain_link():
    assert read_arrival(SPEC, {"group": "null", "utm_source": "{{x}}"}).external_id == ""


def test_long_template_is_cut_in_the_message():
    with pytest.raises(PlaceholderError) as caught:
        read_arrival(SPEC, {"PROLIFIC_PID": "{" * 100})
    assert "{" * 41 not in caught.value.message


def test_id_too_long_stays_unreadable():
    with pytest.raises(BadIdError):
        read_arrival(SPEC, {"PROLIFIC_PID": "x1" * 100})
