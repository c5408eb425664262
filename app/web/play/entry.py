"""/s/<study>: the link given to participants. GET shows the consent page and changes nothing."""

import re

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.design import testlink
from app.study.design.spec import StudySpec
from app.study.design.spec_parts import GROUP_PARAMETER
from app.study.design.studies import StudyView
from app.study.play import enrol
from app.study.play.arrival import arrive
from app.study.tickets import new_ticket
from app.web.deps import Now, RawForm, ServerParts
from app.web.pages import Page, render, see_other, to_html

router = APIRouter()

PAID = "You are paid whatever your score."
UNPAID = "Nothing depends on your score."
# What a study writes under pay if it pays nothing, unless it goes on to name money.
NO_PAY = re.compile(
    r"\W*(?:nothing|none|no\b|not\b|unpaid|nil|zero|voluntary|n/?a\b"
    r"|(?:[a-z]{3}|[£$€¥])?\s*0[.,]?0*$)",
    re.IGNORECASE,
)
MONEY = re.compile(r"(?:[A-Z]{3}|[£$€¥])\s?0?[.,]?[1-9]|[1-9]\s?(?:[A-Z]{3}\b|[£$€¥])")
RECORDED = (
    "every command you type, and when (by the server's clock and your browser's)",
    "what you write about the rule, including unsent drafts and your notes",
    "how often you tap a name or a verb instead of typing it",
)
IDS = (
    "the ID that your recruitment platform adds to the link, stored separately from everything "
    "else and deleted {days} days after your part ends"
)
PROCESS = (
    "how long the page is hidden or out of focus, how many characters you paste and how many "
    "keystrokes you make, the size of the window, the kind of device and browser, and how long "
    "answers take to arrive"
)
LEAVING = {  # what `people.withdrawal` says
    "erase": "If you leave for good, everything you typed and did here is deleted.",
    "keep": "If you leave for good, what you have done so far is kept, without your name.",
}
NEVER = "no name, no e-mail address, no IP address, no cookies"


def score_line(spec: StudySpec) -> str:
    """Return what a player's score means for them: never a payment if the study pays nothing."""
    pay, text = spec.payment, spec.texts.pay.strip()
    if pay.base_cents or pay.hourly_cents:
        return PAID
    if not text or (NO_PAY.match(text) and not MONEY.search(text)):
        return UNPAID
    return PAID


def hidden_fields(spec: StudySpec, query: dict[str, str]) -> list[tuple[str, str]]:
    """Return the link's parameters (the platform's, a test link's) to post with the consent."""
    options = spec.options
    ids = (*options.id_parameters, options.study_parameter, options.session_parameter)
    names = (*ids, GROUP_PARAMETER, testlink.FIELD)
    return [(name, query[name]) for name in names if query.get(name)]


def consent_page(
    request: Request, study: StudyView, query: dict[str, str], *, changed: bool = False
) -> Response:
    """Render the consent page of an open or closed study, or of a draft behind a test link.

    `changed`: another version was published while the person was reading.
    """
    texts, preview = study.spec.texts, testlink.FIELD in query
    people = study.spec.people
    ids = IDS.format(days=people.identifiers_days)
    c = {
        "title": study.title,
        "text_html": to_html(texts.consent),
        "pay": texts.pay,
        "minutes": texts.minutes,
        "paid_line": score_line(study.spec),
        "recorded": [*RECORDED, ids, *([PROCESS] if people.process_data else []), NEVER],
        "leaving": LEAVING[people.withdrawal],
        "action": f"/s/{study.slug}",
        "ticket": new_ticket(),
        "fields": [*hidden_fields(study.spec, query), ("seen", seen(study))],
        "closed": study.state != "open" and not preview,
        "can_decline": True,
        "preview": preview,
        "changed": changed,
    }
    page = Page("consent", study.title, "player", study.title, contact=texts.contact)
    page.preview = preview
    return render(request, "play/consent.html", 409 if changed else 200, page=page, c=c)


def seen(study: StudyView) -> str:
    """Return which design a consent page shows, so that people agree to what they have read."""
    return f"{study.version}.{study.revision}"


@router.get("/s/{slug}")
def show_consent(request: Request, slug: str, server: ServerParts, now: Now) -> Response:
    """Show the consent page; redirect people who have consented to their own page."""
    query = dict(request.query_params)
    with server.store.read() as db:
        study, arrival = arrive(db, slug, query, now)
        token = enrol.known_token(db, study, arrival)
    if token is not None:
        return see_other(f"/p/{token}")
    return consent_page(request, study, query)


@router.post("/s/{slug}")
def answer_consent(
    request: Request, slug: str, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Enrol a person who agrees, record one who does not. Idempotent."""
    with server.store.read() as db:
        study, arrival = arrive(db, slug, raw, now)
    ticket = raw.get("ticket", "")
    if raw.get("answer") == "yes":
        if raw.get("seen", seen(study)) != seen(study):
            return consent_page(request, study, raw, changed=True)
        token = enrol.agree(server.store, server.library, slug, arrival, ticket, now)
        return see_other(f"/p/{token}")
    if raw.get("answer") != "no":
        return consent_page(request, study, raw)
    try:
        code = enrol.decline(server.store, slug, arrival, ticket, now)
    except enrol.ConsentedError as error:
        return see_other(f"/p/{error.token}/leave")
    page = Page("declined", study.title, "player", study.title, contact=study.spec.texts.contact)
    page.preview = arrival.is_test
    return_url = study.spec.codes.return_link(code)
    c = {"title": study.title, "code": code, "return_url": return_url}
    return render(request, "play/declined.html", page=page, c=c)
