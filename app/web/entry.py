"""/s/<study>: the link that people are given. GET shows consent and changes nothing."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study import enrol, studies
from app.study.once import new_ticket
from app.study.spec import StudySpec
from app.study.studies import StudyView
from app.web.deps import Now, RawForm, ServerParts
from app.web.pages import Page, render, see_other, to_html

router = APIRouter()

PAID = "You are paid whatever your score."
RECORDED = (
    "every command you type, and when (the server's clock and your browser's)",
    "what you write about the rule, with unsent drafts and your notes",
    "how often you tap a name instead of typing it",
    "the id that your recruitment platform puts into the link, kept apart from all else",
    "no name, no e-mail address, no IP address, no cookies",
)


def hidden_fields(spec: StudySpec, query: dict[str, str]) -> list[tuple[str, str]]:
    """Return the platform's parameters, to be posted with the consent."""
    options = spec.options
    names = (*options.id_parameters, options.study_parameter, options.session_parameter)
    return [(name, query[name]) for name in names if query.get(name)]


def consent_page(request: Request, study: StudyView, query: dict[str, str]) -> Response:
    """Render the consent page of an open (or closed) study."""
    texts = study.spec.texts
    c = {
        "title": study.title,
        "text_html": to_html(texts.consent),
        "pay": texts.pay,
        "minutes": texts.minutes,
        "paid_line": PAID,
        "recorded": list(RECORDED),
        "action": f"/s/{study.slug}",
        "ticket": new_ticket(),
        "fields": hidden_fields(study.spec, query),
        "closed": study.state != "open",
        "can_decline": True,
        "preview": False,
    }
    page = Page("consent", study.title, "player", study.title, contact=texts.contact)
    return render(request, "consent/consent.html", page=page, c=c)


@router.get("/s/{slug}")
def show_consent(request: Request, slug: str, server: ServerParts) -> Response:
    """Show what taking part means; lead somebody who has consented back to their own page."""
    query = dict(request.query_params)
    with server.store.read() as db:
        study = studies.find(db, slug)
        arrival = enrol.read_arrival(study.spec, query)
        token = enrol.known_token(db, study, arrival)
    if token is not None:
        return see_other(f"/p/{token}")
    return consent_page(request, study, query)


@router.post("/s/{slug}")
def answer_consent(
    request: Request, slug: str, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Enrol who agrees; record who does not. Twice is once."""
    with server.store.read() as db:
        study = studies.find(db, slug)
    arrival = enrol.read_arrival(study.spec, raw)
    ticket = raw.get("ticket", "")
    if raw.get("answer") == "yes":
        token = enrol.agree(server.store, server.library, slug, arrival, ticket, now)
        return see_other(f"/p/{token}")
    if raw.get("answer") != "no":
        return consent_page(request, study, raw)
    code = enrol.decline(server.store, slug, arrival, ticket, now)
    page = Page("declined", study.title, "player", study.title, contact=study.spec.texts.contact)
    c = {"title": study.title, "code": code, "again": f"/s/{slug}"}
    return render(request, "consent/declined.html", page=page, c=c)
