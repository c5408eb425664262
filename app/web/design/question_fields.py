"""The design page for questions: background questions and the comprehension check."""

from app.study.design.spec_people import QUESTION_KINDS
from app.web.design.parts import Entry, Section, Table, same

QUESTION = (
    Entry("key", "Key", hint="names the question in exports: the value of answer.question"),
    Entry("label", "Question", "area", rows=2),
    Entry(
        "kind",
        "Answer",
        "select",
        options=same(*QUESTION_KINDS),
    ),
    Entry("options", "Options of a choice", "list", "one per line"),
    Entry("required", "Required", "check"),
    Entry("least", "Smallest number", "maybe"),
    Entry("most", "Largest number", "maybe"),
    Entry(
        "answer",
        "Expected answer",
        "blank",
        "makes this an attention check; the result is only recorded",
    ),
)
SCREEN_OUT = Entry("screen_out", "Options that end the study", "list", "one per line")


NEW_QUESTION = {
    "key": "",
    "label": "",
    "kind": "text",
    "options": [],
    "required": True,
    "least": None,
    "most": None,
    "answer": None,
}


CHECK = (
    Entry("key", "Key", hint="names the question in exports: the value of answer.question"),
    Entry("label", "Question", "area", rows=2),
    Entry("options", "Options", "list", "one per line"),
    Entry("answer", "Right option", hint="word for word"),
)


QUESTIONS = Section(
    "questions",
    "Questions",
    "Your own questions before and after the game, and a comprehension check.",
    (
        Table(
            "questions.before",
            "Before the game",
            "Question",
            (*QUESTION, SCREEN_OUT),
            {**NEW_QUESTION, "screen_out": []},
        ),
        Table(
            "questions.comprehension",
            "Comprehension",
            "Check",
            CHECK,
            {"key": "", "label": "", "options": [], "answer": ""},
            "People who do not get all of them right are asked to return their submission.",
        ),
        Entry("questions.comprehension_tries", "Tries", "number"),
        Table("questions.after", "After the game", "Question", QUESTION, NEW_QUESTION),
        Entry("questions.comment", "Ask for a comment at the end", "check"),
    ),
)
