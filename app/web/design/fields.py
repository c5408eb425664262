"""Every field of a study file on the design pages: its section, label and hint."""

from app.languages.catalogue import LANGUAGES
from app.study.design.formula import METRICS
from app.study.design.spec_people import Baseline
from app.web.design.cell_fields import CELLS
from app.web.design.parts import ANY_TIME, Entry, Section
from app.web.design.people_fields import PEOPLE
from app.web.design.question_fields import QUESTIONS

BONUS_NAMES = "such as 50 * successes, in cents. It can use " + "; ".join(
    f"{name}: {meaning}" for name, meaning in METRICS.items()
)
SAME_CODE = (
    "The code, if it is the same for everyone. Prolific accepts only codes that you have entered "
    "there, so it needs one code for everyone."
)
RATINGS = (("final", "adjudicated"), ("human", "mean of raters"), ("judge", "judge"))
BASICS = Section(
    "basics",
    "Title and kind",
    "The study's name and purpose.",
    (
        Entry("title", "Title", hint=f"Players see it. {ANY_TIME}"),
        Entry(
            "kind",
            "Kind",
            "select",
            "Exported with the data. A real study opens only once the pay for finishing, contact "
            "and time are right. Only in a study of kind bots do bots count as participants.",
            (("pilot", "pilot"), ("real", "real"), ("demo", "demo"), ("bots", "bots")),
        ),
        Entry(
            "language",
            "Language",
            "select",
            "Of the pages that players see. Texts that you have not changed follow it; names in "
            "the game and commands stay English.",
            tuple((one.code, one.name) for one in LANGUAGES.values()),
        ),
    ),
)
TEXTS = Section(
    "texts",
    "Texts",
    "Use Markdown: **bold**, lists, links. HTML is shown as text. Each field has a preview.",
    (
        Entry(
            "texts.consent",
            "Consent",
            "markdown",
            hint="The page adds pay, time, the check of how to play, what is recorded, and what "
            "leaving means. Look at it with Preview.",
            rows=9,
        ),
        Entry("texts.consent_version", "Version of the consent text", hint="Stored with its hash."),
        Entry("texts.instructions", "Instructions", "markdown", rows=14),
        Entry("texts.debrief", "Debrief, next to the code", "markdown", rows=6),
        Entry(
            "texts.pay",
            "Pay",
            hint="One line, such as: GBP 4 for 20 minutes. The amounts themselves: Pay and codes",
        ),
        Entry("texts.minutes", "Expected minutes", "number"),
        Entry(
            "texts.contact",
            "Contact",
            hint="Whom players can ask, such as a name and an e-mail address. Shown on every page. "
            f"{ANY_TIME}",
        ),
    ),
)
GAME = Section(
    "game",
    "Game and rule form",
    "What players see in the game, and when they are asked for the rule.",
    (
        Entry("options.practice", "Practice world first", "check"),
        Entry("options.show_budget", "Show how many actions are left", "check"),
        Entry("options.show_attempt", "Show the attempt number", "check"),
        Entry("options.show_rule", "Tell participants the hidden rules at the end", "check"),
        Entry("options.canary", "Hide a sentence that only a copied page carries", "check"),
        Entry("options.tap", "Names can be tapped to insert them", "check"),
        Entry("options.sort", "Accounts can be sorted", "check"),
        Entry("options.pin", "Accounts can be pinned", "check"),
        Entry(
            "rule_form.when",
            "Ask for the rule",
            "select",
            options=(
                ("episode", "after each guardian (as in the paper)"),
                ("block", "once after each world"),
            ),
        ),
        Entry(
            "rule_form.parts",
            "Form",
            "select",
            options=(("three", "three parts: which traits, what, how"), ("one", "one text")),
        ),
        Entry("rule_form.confidence", "Ask how sure they are", "check"),
        Entry("rule_form.found_how", "Ask how they found it", "check"),
    ),
)
CLOCKS = Section(
    "clocks",
    "Clocks",
    "Time limits. They count from the last action unless stated otherwise.",
    (
        Entry("clocks.seat_minutes", "Seat reserved, minutes", "number"),
        Entry(
            "clocks.untouched_minutes",
            "Seat reserved for participants who have only consented, minutes",
            "number",
        ),
        Entry(
            "clocks.idle_minutes",
            "Idle, minutes",
            "number",
            "A longer gap counts only up to this limit as active (paid) time. It ends nothing.",
        ),
        Entry(
            "clocks.session_hours",
            "Time limit of the whole study, hours",
            "number",
            "From consent to the end.",
        ),
        Entry("clocks.resume_hours", "Can come back within, hours", "number"),
        Entry("clocks.warn_minutes", "Warning before the end, minutes", "number"),
    ),
)
PAY = Section(
    "pay",
    "Pay and codes",
    "Amounts in whole cents (or pence). You can change codes and the return address at any time; "
    "the change applies once you publish it.",
    (
        Entry("payment.currency", "Currency", hint="such as GBP", group="Pay"),
        Entry("payment.base_cents", "For finishing, cents", "number"),
        Entry(
            "payment.hourly_cents",
            "Per hour, cents",
            "number",
            "For active time, in addition to the amount for finishing.",
        ),
        Entry("payment.max_paid_minutes", "Maximum paid minutes", "number"),
        Entry("payment.bonus", "Bonus formula", hint=BONUS_NAMES),
        Entry(
            "payment.bonus_cap_cents",
            "Maximum bonus, cents",
            "number",
            "Required for a bonus: at 0, the formula pays nothing.",
        ),
        Entry(
            "codes.kind",
            "Code for finishing",
            "select",
            options=(
                ("personal", "a different code for each participant"),
                ("static", "the code below"),
            ),
            group="Code for participants who finish",
        ),
        Entry("codes.finished", "Finished", hint=SAME_CODE),
        Entry("codes.no_consent", "No consent", group="Codes for participants who do not finish"),
        Entry("codes.screened_out", "Screened out"),
        Entry("codes.failed_check", "Failed the comprehension check"),
        Entry("codes.withdrawn", "Withdrawn"),
        Entry("codes.technical", "Technical problem"),
        Entry(
            "codes.return_url",
            "Return address",
            hint="such as https://app.prolific.com/submissions/complete?cc={code}",
            group="Way back to the platform",
        ),
    ),
)
CHECKLIST = {
    "population": "Population: who was meant to take part",
    "recruitment": "Recruitment: where and how",
    "sampling": "Sampling: who was admitted, in which order",
    "power": "Number of participants, and why",
    "preregistration": "Preregistration",
    "ethics": "Ethics: approval, consent",
    "pay": "Pay: how much, and for how much time",
    "training": "Training before the measured part",
    "ai_use": "Use of AI by participants: rule and checks",
    "effort_limits": "Limits on time and effort",
    "exclusions": "Exclusions: the rules, and when they were set",
    "instructions": "Instructions: the same as for models?",
    "interface": "Interface: what people see that models do not",
    "release": "Release of data and materials",
}
BASELINE = Section(
    "baseline",
    "Reports and baseline checklist",
    f"What readers need to know about a human baseline. Printed in exports. {ANY_TIME}",
    (
        Entry(
            "options.hide_outcomes",
            "Hide scores from researchers until the study is closed",
            "check",
        ),
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
    "Tasks and lexica that are not built in, as YAML or JSON.",
    (
        Entry("tasks", "Tasks: a list", "yaml", "see docs/task-file.md of hjstudy", rows=10),
        Entry("lexica", "Lexica: name and pools", "yaml", rows=10),
    ),
)
SECTIONS = (BASICS, CELLS, TEXTS, GAME, QUESTIONS, PEOPLE, CLOCKS, PAY, BASELINE, OWN)
BY_NAME = {section.name: section for section in SECTIONS}
