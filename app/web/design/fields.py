"""Every field of a study file on the design pages: where it stands, its label, its hint."""

from app.game.model import COVERAGES
from app.study.design.spec_people import QUESTION_KINDS, Baseline
from app.web.design.parts import Entry, Section, Table, same

RATINGS = (("final", "adjudicated"), ("human", "mean of raters"), ("judge", "judge"))
BASICS = Section(
    "basics",
    "Title and kind",
    "What the study is called, and what it counts as.",
    (
        Entry("title", "Title", hint="Players read it. It may change at any time."),
        Entry(
            "kind",
            "Kind",
            "select",
            "Kept with the data; a pilot counts and exports as a real study does.",
            (("pilot", "pilot"), ("real", "real"), ("demo", "demo")),
        ),
    ),
)
CELLS = Section(
    "cells",
    "Cells and order",
    "A cell is one variant: a task with a seed. A line with several seeds makes several cells.",
    (
        Table(
            "blocks",
            "Cells",
            "Line",
            (
                Entry("task", "Task", "select"),
                Entry("seeds", "Seeds", "seeds"),
                Entry("lexicon", "Words", "select"),
                Entry("coverage", "Coverage", "select", options=same(*COVERAGES)),
                Entry("distractors", "Distractors", "number"),
                Entry(
                    "format",
                    "Format",
                    "select",
                    options=(("episodic", "played"), ("direct", "stated once")),
                ),
                Entry("quota", "Quota a cell", "maybe"),
            ),
            {
                "task": "",
                "seeds": "0",
                "lexicon": "semantic",
                "coverage": "1",
                "distractors": 4,
                "format": "episodic",
                "quota": None,
            },
            "Seeds: such as 0-3 or 0,2,5. Words: semantic are everyday ones, nonce are made up. "
            "Coverage: the share of accounts that is shown. Distractors: 0 to 8. Quota: empty is "
            "as People says; it may change at any time, the rest is design.",
        ),
        Entry("per_player", "Worlds each player plays", "number"),
        Entry(
            "order",
            "Order",
            "select",
            "Which cells a player gets, and in which order.",
            (
                ("balanced", "balanced: the emptiest cells first"),
                ("latin", "Latin square over tasks"),
                ("fixed", "fixed: as they are listed"),
            ),
        ),
        Entry("seed", "Seed of the order", "number", "Breaks ties; the same seed, the same order."),
        Entry(
            "options.episodes_per_block",
            "Guardians in each world",
            "maybe",
            "Empty: all of them.",
        ),
        Entry(
            "options.permute_outputs",
            "Shuffle which word stands for which answer",
            "check",
        ),
        Entry("options.salt", "Secret mixed into the seeds", hint="So that nobody can look it up."),
    ),
)
TEXTS = Section(
    "texts",
    "Texts",
    "Markdown: **bold**, lists, links; HTML is shown as text. Below a field: as players read it.",
    (
        Entry("texts.consent", "Consent", "markdown", rows=9),
        Entry("texts.consent_version", "Version of the consent text", hint="Stored with its hash."),
        Entry("texts.instructions", "Instructions", "markdown", rows=14),
        Entry("texts.debrief", "Debrief, beside the code", "markdown", rows=6),
        Entry("texts.pay", "What taking part pays", hint="One line, such as: GBP 4 for 20 minutes"),
        Entry("texts.minutes", "Expected minutes", "number"),
        Entry("texts.contact", "Contact", hint="On every page. It may change at any time."),
    ),
)
GAME = Section(
    "game",
    "Game and rule form",
    "What players see of the game, and when they are asked for the rule.",
    (
        Entry("options.practice", "Practice world first", "check"),
        Entry("options.show_budget", "Show how many actions are left", "check"),
        Entry("options.show_attempt", "Show the number of the attempt", "check"),
        Entry("options.tap", "Names can be tapped to insert them", "check"),
        Entry("options.sort", "Accounts can be sorted", "check"),
        Entry("options.pin", "Accounts can be pinned", "check"),
        Entry(
            "rule_form.when",
            "Ask for the rule",
            "select",
            options=(
                ("episode", "after each guardian (the paper)"),
                ("block", "once after each world"),
            ),
        ),
        Entry(
            "rule_form.parts",
            "As",
            "select",
            options=(("three", "three parts: which traits, what, how"), ("one", "one text")),
        ),
        Entry("rule_form.confidence", "Ask how sure they are", "check"),
        Entry("rule_form.found_how", "Ask how they found it", "check"),
    ),
)
QUESTION = (
    Entry("key", "Key", hint="its column in exports"),
    Entry("label", "Question", "area", rows=2),
    Entry(
        "kind",
        "Answer",
        "select",
        options=same(*QUESTION_KINDS),
    ),
    Entry("options", "Options of a choice", "list", "one a line"),
    Entry("required", "Must be answered", "check"),
    Entry("least", "Least number", "maybe"),
    Entry("most", "Greatest number", "maybe"),
    Entry("answer", "Stated answer", "blank", "makes it an attention check: a result, no more"),
    Entry("screen_out", "Options that end the study", "list", "one a line"),
)
NEW_QUESTION = {
    "key": "",
    "label": "",
    "kind": "text",
    "options": [],
    "required": True,
    "least": None,
    "most": None,
    "answer": None,
    "screen_out": [],
}
CHECK = (
    Entry("key", "Key", hint="its column in exports"),
    Entry("label", "Question", "area", rows=2),
    Entry("options", "Options", "list", "one a line"),
    Entry("answer", "The right option", hint="word for word"),
)
QUESTIONS = Section(
    "questions",
    "Questions",
    "Your own questions before and after the game, and checks whether it was understood.",
    (
        Table("questions.before", "Before the game", "Question", QUESTION, NEW_QUESTION),
        Table(
            "questions.comprehension",
            "Comprehension",
            "Check",
            CHECK,
            {"key": "", "label": "", "options": [], "answer": ""},
            "All right within the tries, or the person is asked to return their submission.",
        ),
        Entry("questions.comprehension_tries", "Tries", "number"),
        Table("questions.after", "After the game", "Question", QUESTION, NEW_QUESTION),
        Entry("questions.comment", "Ask for a comment at the end", "check"),
    ),
)
PEOPLE = Section(
    "people",
    "People",
    "How many, who not, and what becomes of what is known about them.",
    (
        Entry("people.quota", "Players", "maybe", "Finished and live at most. Empty: no limit."),
        Entry("people.cell_quota", "Players a cell", "maybe", "Unless a cell says otherwise."),
        Entry(
            "people.groups",
            "Groups of people",
            "list",
            "such as linguist, one a line; a link with ?group=linguist puts people there",
        ),
        Entry(
            "people.exclude_studies",
            "Turn away people of these studies",
            "list",
            "addresses (slugs), one a line",
        ),
        Entry(
            "people.withdrawal",
            "When somebody withdraws",
            "select",
            options=(("erase", "erase what they did"), ("keep", "keep it, as the consent says")),
        ),
        Entry("people.identifiers_days", "Days until platform ids are deleted", "number"),
        Entry("people.process_data", "Record focus, pastes, keystrokes, window size", "check"),
        Entry(
            "options.id_parameters",
            "Names of the person’s id in the link",
            "list",
            "one a line; the first that is there counts",
        ),
        Entry("options.study_parameter", "Name of the platform’s study id"),
        Entry("options.session_parameter", "Name of the submission id"),
    ),
)
CLOCKS = Section(
    "clocks",
    "Clocks",
    "Every clock by name. They count from the last action unless said otherwise.",
    (
        Entry("clocks.seat_minutes", "Seat kept, minutes", "number"),
        Entry("clocks.idle_minutes", "Idle, minutes", "number", "Then a flag, nothing more."),
        Entry("clocks.session_hours", "Whole session, hours", "number", "From consent to the end."),
        Entry("clocks.resume_hours", "Coming back is possible, hours", "number"),
        Entry("clocks.warn_minutes", "Warning before the end, minutes", "number"),
    ),
)
PAY = Section(
    "pay",
    "Pay and codes",
    "Money in whole cents. Codes and the return address may change at any time, for everybody.",
    (
        Entry("payment.currency", "Currency", hint="such as GBP"),
        Entry("payment.base_cents", "For finishing, cents", "number"),
        Entry("payment.hourly_cents", "For an hour, cents", "number"),
        Entry("payment.max_paid_minutes", "Paid minutes at most", "number"),
        Entry("payment.bonus", "Bonus formula", hint="such as 50 * successes + 100 * ecsr"),
        Entry("payment.bonus_cap_cents", "Bonus at most, cents", "number", "0: no bonus."),
        Entry(
            "codes.kind",
            "Code for finishing",
            "select",
            options=(("personal", "a code of their own"), ("static", "the one typed in here")),
        ),
        Entry("codes.finished", "Finished", hint="Where the code is the one typed in here."),
        Entry("codes.no_consent", "No consent"),
        Entry("codes.screened_out", "Screened out"),
        Entry("codes.failed_check", "Failed the comprehension check"),
        Entry("codes.withdrawn", "Withdrawn"),
        Entry("codes.technical", "Technical trouble"),
        Entry("codes.return_url", "Return address", hint="https://…; {code} stands for the code"),
    ),
)
CHECKLIST = {
    "population": "Population: who was meant to take part",
    "recruitment": "Recruitment: where and how",
    "sampling": "Sampling: who was let in, in which order",
    "power": "Number of people, and why so many",
    "preregistration": "Preregistration",
    "ethics": "Ethics: approval, consent",
    "pay": "Pay: how much for how long",
    "training": "Training before the measured part",
    "ai_use": "Use of AI by participants: rule and checks",
    "effort_limits": "Limits of time and effort",
    "exclusions": "Exclusions: rules, and when they were made",
    "instructions": "Instructions: the same as for models?",
    "interface": "Interface: what people have that models lack",
    "release": "Release of data and materials",
}
BASELINE = Section(
    "baseline",
    "Reports and baseline checklist",
    "What a reader needs to know of a human baseline. Printed in exports; may change at any time.",
    (
        Entry("options.hide_outcomes", "Show researchers no scores before it is closed", "check"),
        Entry("options.main_rv", "Ratings that count in reports", "select", options=RATINGS),
        *(
            Entry(f"baseline.{name}", CHECKLIST.get(name, name), "area", rows=2)
            for name in Baseline.model_fields
        ),
    ),
)
OWN = Section(
    "own",
    "Own tasks and words",
    "For tasks and lexica that are not built in; as YAML or JSON.",
    (
        Entry("tasks", "Tasks: a list", "yaml", "see docs/task-file.md of hjstudy", rows=10),
        Entry("lexica", "Lexica: name and pools", "yaml", rows=10),
    ),
)
SECTIONS = (BASICS, CELLS, TEXTS, GAME, QUESTIONS, PEOPLE, CLOCKS, PAY, BASELINE, OWN)
BY_NAME = {section.name: section for section in SECTIONS}
