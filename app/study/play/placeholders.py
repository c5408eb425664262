"""Values that are not ids: templates that a platform left unfilled, and words for 'nothing'.

Everyone who comes through such a link has the same 'id', so the second visitor would be led to
the first one's place. They are refused, with what to do in the words of the platform's own help.
"""

import re
import unicodedata
from collections.abc import Iterable
from html import unescape
from urllib.parse import unquote

from app.errors import StudyError
from app.languages.text import joined, phrase

MOST_DECODINGS = 3  # a link that was encoded twice or more still shows its template
SHOWN = 40  # characters of the value in the message
MARKS = frozenset("{}[]<>")  # of templates: {{%ID%}}, ${e://Field/ID}, [participant], <id>
WRAPPED = re.compile(r"(%+|\$+|#+|@+|_{2,}|~+|\*+)[\w .:/-]+\1")  # %SURVEY_CODE%, $ID$, __ID__
BARE = re.compile(r"[$%@][A-Za-z_]\w*")  # $PROLIFIC_PID, %id, @participant
FORMATTED = re.compile(r"%\(\w*\)[a-z]?")  # %(id)s
# errors of spreadsheets in any language: #N/A, #NV, #REF!, #BEZUG!, #¡DIV/0!, #¿NOMBRE?
SPREADSHEET = re.compile(r"#[¡¿]?(\w{1,3}/?\w{1,3}|[\w/]{2,14}[!?])")
# folded: lower case, letters and digits only
NOTHING = (
    "null undefined none nan nil na nul void empty blank missing unknown anonymous anon false true "
    "notavailable notset notfound noid noidfound idnotavailable placeholder test testing tester "
    "example sample dummy xxx xxxx tbd todo object objectobject"
)
NAMES = (
    "prolificpid prolificid prolific pid participantid participant participants participantcode "
    "workerid worker mturkid assignmentid assignmentidnotavailable hitid hitidnotavailable "
    "workeridnotavailable studyid sessionid submissionid surveycode sonaid externalid responseid "
    "userid user id yourid youridhere insertidhere idhere myid subjectid subject connectid "
    "projectid rid uid panelistid respondentid efieldprolificpid participantlabel"
)
WORDS = frozenset((*NOTHING.split(), *NAMES.split()))
REPEATED = re.compile(r"(null|undefined|none|nan){2,}")  # two empty fields that were joined
ASKED_FOR = re.compile(r"(your|insert|enter|paste)\w*(id|pid|here|code)")  # YOUR_PROLIFIC_ID

PROLIFIC = phrase(
    "If you came from Prolific, go back to the study there and choose “Open study link in a new "
    "window” again. For the researcher: under “How do you want to record Prolific IDs?”, choose "
    "“I’ll use URL parameters”, and paste the study’s address for Prolific from the recruitment "
    "page."
)
MTURK = phrase(
    "You are looking at a preview of this HIT. Choose “Accept” on MTurk first: the link then "
    "carries your worker ID."
)
SONA = phrase(
    "If you came from Sona, go back to the study there and choose “Complete Online Study Now” "
    "again. For the researcher: the Study URL must contain exactly %SURVEY_CODE%, in capital "
    "letters, as the value of the ID parameter."
)
QUALTRICS = phrase(
    "Please go back to the survey and follow its link again. For the researcher: in Qualtrics, "
    "insert the ID with “Piped Text” in an “End of Survey” or a link, and declare it as “Embedded "
    "Data” at the top of the survey flow."
)
CONNECT = phrase(
    "If you came from Connect, go back to the project there and open the study from it again. For "
    "the researcher: in the project’s “Survey URL”, let Connect add its URL parameters "
    "(participantId, assignmentId, projectId) instead of typing them."
)
ANY = phrase(
    "Please open the study again from the page where you found it. For the researcher: the "
    "platform did not fill in the ID. Check the link there, and use a test link to try the study."
)


class PlaceholderError(StudyError):
    """The link holds a placeholder where a person's id should be."""

    code = "enrol/placeholder"

    def __init__(self, parameter: str, value: str) -> None:
        shown = value if len(value) <= SHOWN else f"{value[:SHOWN]}…"
        fault = phrase("Your ID is missing from this link: {name} is empty.", name=parameter)
        if shown:
            fault = phrase(
                "Your ID is missing from this link: {name} says “{value}”.",
                name=parameter,
                value=shown,
            )
        super().__init__(joined((fault, help_for(parameter, value))))


def fold(text: str) -> str:
    """Return a value in the form used to recognise words."""
    return "".join(one for one in text.casefold() if one.isalnum())


def is_placeholder(value: str, parameters: Iterable[str] = ()) -> bool:
    """Tell whether a value cannot be anyone's id; `parameters`: names that the design reads."""
    text = plain(value)
    if "\ufffd" in text or MARKS & set(text) or not fold(text):
        return True
    if any(one.fullmatch(text) for one in (WRAPPED, BARE, FORMATTED, SPREADSHEET)):
        return True
    folded = fold(text)
    if "notavailable" in folded or any(one.fullmatch(folded) for one in (REPEATED, ASKED_FOR)):
        return True
    empty = WORDS | {fold(name) for name in parameters}
    return folded in empty or all(fold(word) in empty for word in text.split())


def plain(value: str) -> str:
    """Return a value in its plain form.

    Percent-encoding, character references and wide letters are undone; spaces and quotation marks
    around it are left out.
    """
    for _ in range(MOST_DECODINGS):
        value = unescape(unquote(value))
    return unicodedata.normalize("NFKC", value).strip(" \t\r\n\u00a0\"'`“”‘’„")


def help_for(parameter: str, value: str) -> str:
    """Return what to do, for the platform that a parameter and its value point to."""
    folded, text = fold(parameter), plain(value)
    if "notavailable" in fold(text):
        return MTURK
    if "e://" in text:
        return QUALTRICS
    if "survey_code" in text.lower() or "sona" in folded:
        return SONA
    if "prolific" in folded or "prolific" in text.lower():
        return PROLIFIC
    return CONNECT if folded == "participantid" else ANY
