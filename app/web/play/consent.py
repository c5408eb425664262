"""The consent page: what a study records and pays, and the form that agrees to it."""

from datetime import datetime

from fastapi import Request
from starlette.responses import Response

from app.languages.amounts import money
from app.languages.text import Text, joined, phrase, phrases
from app.study.design import testlink
from app.study.design.promises import says_unpaid
from app.study.design.spec import StudySpec
from app.study.design.spec_parts import ENTRY_PARAMETER, GROUP_PARAMETER
from app.study.design.studies import StudyView
from app.study.play import entry_ticket
from app.study.play.arrival import Query
from app.study.play.parameters import Parameters
from app.web.deps import get_server
from app.web.pages import Page, render, to_html

PAID = phrase("You are paid whatever your score.")
UNPAID = phrase("Nothing depends on your score.")
COMMANDS = phrase("every command you type, and when (by the server's clock and your browser's)")
WRITTEN = phrase("what you write about the rule, including unsent drafts and your notes")
TAPS = phrase("how often you tap a name or a verb instead of typing it")
ANSWERS = phrase("your answers to questions and in forms, and when you send them")
PROCESS = phrase(
    "how long the page is hidden or out of focus, how many characters you paste and how many "
    "keystrokes you make, the size of the window, the kind of device and browser, whether a "
    "program drives the browser, and how long answers take to arrive"
)
SIGNS = phrase(  # worked out for every study, from commands and texts, without any script
    "the tempo of your commands, and how alike your texts and those of other people are, as signs "
    "that a program may have played or written for you"
)
CANARY = phrase(
    "whether your answers follow a hidden sentence on this study's pages that only programs read"
)
LEAVING = {  # what `people.withdrawal` says
    "erase": phrase(
        "If you close the page, what you typed and did until then is kept. If you choose “Leave "
        "the study” and confirm, everything you typed and did here is deleted."
    ),
    "keep": phrase(
        "If you close the page, or choose “Leave the study” and confirm, what you typed and did "
        "until then is kept, without your name."
    ),
}
NEVER = phrase("no name, no e-mail address, no IP address, no cookies")


def score_line(spec: StudySpec) -> Text:
    """Return what a player's score means for them: never a payment if the study pays nothing."""
    pay = spec.payment
    if not (pay.bonus and pay.bonus_cap_cents):
        return base_line(spec)
    most = money(pay.currency, pay.bonus_cap_cents)
    if not is_paid(spec):
        return phrase("You can get a bonus of up to {most}.", most=most)
    return phrase(
        "You are paid whatever your score, and can get a bonus of up to {most}.", most=most
    )


def base_line(spec: StudySpec) -> Text:
    """Return what a player's score means for their pay without a bonus; '' if only that pays."""
    pay, text = spec.payment, spec.texts.pay.strip()
    if is_paid(spec):
        return PAID
    if pay.bonus and pay.bonus_cap_cents:
        return joined([])
    return PAID if text and not says_unpaid(text) else UNPAID


def is_paid(spec: StudySpec) -> bool:
    """Tell whether the pay section pays; not if the text denies it, which the checklist names."""
    pay = spec.payment
    return bool(pay.base_cents or pay.hourly_cents) and not says_unpaid(spec.texts.pay)


def check_line(spec: StudySpec) -> Text:
    """Return what failing the comprehension check means; '' if there is none."""
    asked = spec.questions
    if not asked.comprehension:
        return joined([])
    ends = phrases(
        "A few questions check that you know what to do. If an answer is still wrong after {n} "
        "try, the study ends for you.",
        "A few questions check that you know what to do. If an answer is still wrong after {n} "
        "tries, the study ends for you.",
        asked.comprehension_tries,
    )
    if score_line(spec) == UNPAID:
        return ends
    return joined([ends, phrase("You are then not paid for finishing it.")])


def hidden_fields(spec: StudySpec, query: Query) -> list[tuple[str, str]]:
    """Return the link's parameters (the platform's, a test link's) to post with the consent."""
    options, given = spec.options, Parameters(query)
    ids = (*options.id_parameters, options.study_parameter, options.session_parameter)
    names = (*ids, GROUP_PARAMETER, ENTRY_PARAMETER, testlink.FIELD)
    return [(name, value) for name in dict.fromkeys(names) if (value := given.get(name))]


def has_id(spec: StudySpec, query: Query) -> bool:
    """Tell whether a link carries an ID."""
    given = Parameters(query)
    return any(given.get(name) for name in spec.options.id_parameters)


def posted_fields(study: StudyView, raw: dict[str, str]) -> list[tuple[str, str]]:
    """Return the hidden fields that a consent form sent."""
    return [*hidden_fields(study.spec, raw), ("seen", raw.get("seen", seen(study)))]


def seen(study: StudyView) -> str:
    """Return which design a consent page shows, so that people agree to what they have read."""
    return f"{study.version}.{study.revision}"


def test_query(query: Query) -> str:
    """Return the test link's part of the address, so that the answer to the form is known as one.

    Only what a test link can hold is repeated.
    """
    value = Parameters(query).get(testlink.FIELD)
    return f"?{testlink.FIELD}={value}" if testlink.SHAPE.fullmatch(value) else ""


def recorded(spec: StudySpec) -> list[Text]:
    """Return what this design records; what it cannot record is not claimed."""
    options, people, asked = spec.options, spec.people, spec.questions
    ids = phrases(
        "the ID that your recruitment platform adds to the link, stored separately from everything "
        "else and deleted {n} day after your part ends",
        "the ID that your recruitment platform adds to the link, stored separately from everything "
        "else and deleted {n} days after your part ends",
        people.identifiers_days,
    )
    formats = {cell.format for cell in spec.cells()}
    plays = "episodic" in formats or spec.has_practice
    answers = asked.before or asked.comprehension or asked.after or asked.comment
    lines = {
        COMMANDS: plays,
        WRITTEN: True,
        ANSWERS: bool(answers) or "direct" in formats,
        TAPS: plays and options.tap,
        ids: bool(options.id_parameters),
        PROCESS: people.process_data,
        SIGNS: True,
        CANARY: options.canary,
    }
    return [line for line, is_true in lines.items() if is_true]


CHANGED = phrase("The study changed while you were reading. Please read this page again.")


def consent_page(
    request: Request,
    study: StudyView,
    query: Query,
    now: datetime,
    *,
    changed: bool = False,
    notice: str = "",
) -> Response:
    """Render the consent page of an open or closed study, or of a draft behind a test link.

    `changed`: another version was published while the person was reading. `notice`: another
    reason why they see the page again.
    """
    texts, preview = study.spec.texts, testlink.FIELD in Parameters(query)
    notice = CHANGED if changed else notice
    key = get_server(request).keys.signing(entry_ticket.KEY)
    c = {
        "title": study.title,
        "text_html": to_html(texts.consent),
        "pay": texts.pay,
        "minutes": texts.minutes,
        "paid_line": score_line(study.spec),
        "check_line": check_line(study.spec),
        "recorded": [*recorded(study.spec), NEVER],
        "leaving": LEAVING[study.spec.people.withdrawal],
        "action": f"/s/{study.slug}{test_query(query)}",
        "ticket": entry_ticket.make(key, study.slug, now),
        "fields": [*hidden_fields(study.spec, query), ("seen", seen(study))],
        "closed": study.is_archived or (study.state != "open" and not preview),
        "can_decline": True,
        "may_wait": not (preview or has_id(study.spec, query)),
        "preview": preview,
        "notice": notice,
    }
    page = Page("consent", study.title, "player", study.title, contact=texts.contact)
    page.preview, page.language = preview, study.spec.language
    return render(request, "play/consent.html", 409 if notice else 200, page=page, c=c)
