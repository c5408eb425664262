"""/s/<study>: the link given to participants. GET shows the consent page and changes nothing."""

from datetime import timedelta

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import Response

from app.study.design.studies import StudyView
from app.study.play import enrol, entry_ticket, pace, prolific_token, signed_links
from app.study.play.arrival import Arrival, arrive, as_link
from app.study.play.parameters import Parameters
from app.web.deps import Now, RawForm, Server, ServerParts, source_of
from app.web.pages import Page, render, see_other
from app.web.play import waiting
from app.web.play.codes import code_facts
from app.web.play.consent import consent_page, posted_fields, seen
from app.web.play.outcome import full_page

router = APIRouter()


@router.get("/s/{slug}")
def show_consent(request: Request, slug: str, server: ServerParts, now: Now) -> Response:
    """Show the consent page; redirect people who have consented to their own page."""
    query = request.query_params.multi_items()
    with server.store.read() as db:
        study, arrival = arrive(db, slug, query, now, server.prolific)
        token = enrol.resumed_token(db, study, arrival)
    if token is not None:
        return see_other(f"/p/{token}")
    if Parameters(query).get(prolific_token.FIELD):
        query = as_link(arrival, server.keys.signing(signed_links.KEY), study, now)
    return consent_page(request, study, query, now)


@router.post("/s/{slug}")
def answer_consent(
    request: Request, slug: str, raw: RawForm, server: ServerParts, now: Now
) -> Response:
    """Enrol a person who agrees, record one who does not. Idempotent."""
    with server.store.read() as db:
        study, arrival = arrive(db, slug, raw, now, server.prolific)
    if raw.get("answer") not in {"yes", "no"}:
        return consent_page(request, study, raw, now)
    ticket, key = raw.get("ticket", ""), server.keys.signing(entry_ticket.KEY)
    try:
        entry_ticket.check(key, slug, ticket, now)
    except entry_ticket.OldTicketError as error:
        return consent_page(request, study, raw, now, notice=error.message)
    if raw["answer"] == "yes":
        fields = [*posted_fields(study, raw), ("ticket", ticket)]
        return agree(request, server, study, arrival, fields, now)
    return decline(request, server, study, arrival, ticket, now)


def agree(
    request: Request,
    server: Server,
    study: StudyView,
    arrival: Arrival,
    fields: waiting.Fields,
    now: Now,
    *,
    has_turn: bool = False,
) -> Response:
    """Enrol a person who agreed, or let them wait for their turn.

    People who are already in, who came with a signature, test people, and the players of a study
    of bots never wait. `has_turn`: they have waited. Nobody waits for a study that is full.
    """
    given = dict(fields)
    if given.get("seen", seen(study)) != seen(study):
        return consent_page(request, study, given, now, changed=True)
    ticket, source = given["ticket"], source_of(request, server, now)
    with server.store.read() as db:
        token = enrol.token_of(db, study, ticket) or enrol.resumed_token(db, study, arrival)
    if token is not None:
        return see_other(f"/p/{token}")
    is_free = arrival.is_test or arrival.is_signed or has_turn or study.spec.is_of_bots
    if source and study.state == "open" and not is_free:
        if is_in_vain(server, study, arrival, source, now):
            return full_page(request, study)
        person = f"{arrival.platform}|{arrival.external_id}" if arrival.external_id else ticket
        who = server.keys.of_today(f"{source}|{person}", now)
        turn = pace.take(server.store, study.id, study.spec, source, now, who=who)
        if turn.due > now or not turn.is_kept:
            return see_other(waiting.address(server, study.slug, fields, turn))
    token = enrol.agree(server.store, server.library, study.slug, arrival, ticket, now)
    return see_other(f"/p/{token}")


def is_in_vain(server: Server, study: StudyView, arrival: Arrival, source: str, now: Now) -> bool:
    """Tell whether someone from a source would have to wait for a study that is full."""
    with server.store.read() as db:
        due = pace.next_due(db, study.id, study.spec, source, now)
        return due > now and enrol.is_full(db, study, arrival, now)


def is_due(db: Connection, study: StudyView, source: str, now: Now) -> bool:
    """Tell whether the next person from a source can enter an open study at once.

    While someone waits, so only once the burst has been raised, or the day's key has changed.
    """
    if not source or study.state != "open":
        return False
    return pace.next_due(db, study.id, study.spec, source, now) <= now


def decline(
    request: Request, server: Server, study: StudyView, arrival: Arrival, ticket: str, now: Now
) -> Response:
    """Record that a person does not agree, and show the code for that."""
    source, keep = source_of(request, server, now), True
    if source and arrival.external_id and not arrival.is_test:
        none = timedelta(0)
        keep = pace.take(server.store, study.id, study.spec, source, now, none).is_kept
    try:
        code = enrol.decline(server.store, study.slug, arrival, ticket, now, keep=keep)
    except enrol.ConsentedError as error:
        return see_other(f"/p/{error.token}/leave")
    page = Page("declined", study.title, "player", study.title, contact=study.spec.texts.contact)
    page.preview, page.language = arrival.is_test, study.spec.language
    c = {"title": study.title, **code_facts(study.spec.codes, code)}
    return render(request, "play/declined.html", page=page, c=c)


@router.get("/s/{slug}/wait")
def wait(request: Request, slug: str, server: ServerParts, now: Now) -> Response:
    """Show someone who agreed how long they must wait, and let them in when it is their turn.

    They agreed by a post; only they know this signed address, and opening it again changes nothing.
    """
    place = waiting.read(server, slug, request.query_params.multi_items())
    if place is None:
        return see_other(f"/s/{slug}")
    with server.store.read() as db:
        study, arrival = arrive(db, slug, place.fields, now, server.prolific)
        token = enrol.token_of(db, study, place.ticket)
        is_early = token is None and now < place.turn.due
        in_vain = is_early and enrol.is_full(db, study, arrival, now)
        opened = is_early and is_due(db, study, source_of(request, server, now), now)
    if in_vain:
        return full_page(request, study)
    if is_early and not opened:
        return waiting.wait_page(request, study, arrival, place.turn, now)
    kept = place.turn.is_kept and not is_early and not place.is_over(now)
    return agree(request, server, study, arrival, place.fields, now, has_turn=kept)
