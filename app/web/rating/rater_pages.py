"""The annotator's pages: their rounds, the guidelines, one item per page, saving."""

from datetime import datetime
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.moments import to_ms
from app.study.rating import rater_view, rubric, saving
from app.study.rating.pauses import PausedError
from app.study.rating.rater_view import ItemView, Place, RoundView
from app.study.rating.saving import (
    FinalError,
    RatingError,
    RoundClosedError,
    StaleRatingError,
)
from app.study.tickets import new_ticket
from app.web.deps import Account, Annotator, Now, RawForm, Server, ServerParts
from app.web.pages import go_to, is_htmx, render, to_html
from app.web.researcher import rate_page

router = APIRouter(prefix="/rate")
FIELDS = (
    "value",
    *(name for name, _, _ in rubric.CRITERIA),
    "skip_reason",
    "flag",
    "comment",
    "guess",
)


def round_facts(view: RoundView) -> dict[str, Any]:
    """Return what lists show about a round."""
    following = view.next_place
    return {
        "title": view.title,
        "is_open": view.is_open,
        "url": f"/rate/round/{view.token}",
        "done": view.done,
        "total": len(view.places),
        "paused": view.paused and view.is_open,
        "next_url": item_url(following.token) if following else guess_url(view.next_guess),
        "guesses_left": view.next_guess is not None,
        "rubric_html": to_html(view.rubric),
        "rubric_version": view.rubric_version,
        "training_left": view.training_left,
        "mode": view.mode,
    }


def item_url(token: str) -> str:
    """Return an item's URL."""
    return f"/rate/item/{token}" if token else ""


def guess_url(place: Place | None) -> str:
    """Return the URL of the question who wrote an item, or '' for none."""
    return f"/rate/guess/{place.token}" if place else ""


@router.get("")
def show_rounds(request: Request, server: ServerParts, account: Annotator) -> Response:
    """Show the annotator's rounds."""
    with server.store.read() as db:
        found = rater_view.rounds_of(db, account.id)
    page = rate_page(account, "rate", "Your rounds")
    return render(
        request, "rating/rater/rounds.html", page=page, rounds=[round_facts(v) for v in found]
    )


@router.get("/round/{token}")
def show_round(request: Request, token: str, server: ServerParts, account: Annotator) -> Response:
    """Show a round: its guidelines, and the annotator's items with their saved ratings."""
    with server.store.read() as db:
        view = rater_view.round_view(db, account.id, token)
    facts = round_facts(view) | {"saved": saved_line(view)}
    facts["places"] = [
        {
            "number": place.number,
            "training": place.training,
            "status": place.given.status,
            "words": place.given.words(view.mode),
            "flag": place.given.flag,
            "url": "" if view.training_left and not place.training else item_url(place.token),
        }
        for place in view.places
    ]
    page = rate_page(account, "round", view.title)
    return render(request, "rating/rater/round.html", page=page, r=facts)


@router.get("/item/{token}")
def show_item(
    request: Request, token: str, server: ServerParts, account: Annotator, now: Now
) -> Response:
    """Show one item: the explanation, the rule and the form; while paused, show the round."""
    with server.store.read() as db:
        view = rater_view.item_view(db, server.library, account.id, token)
    if view.round.paused and view.round.is_open and view.feedback is None:
        return go_to(request, f"/rate/round/{view.round.token}")
    return item_page(request, server, account, token, now)


def following_item(view: ItemView) -> str:
    """Return the URL of the next item to rate after this one, or '' if there is none."""
    others = [one for one in view.round.places if one.token != view.token]
    later = [one for one in others if not one.given.revision]
    after = [one for one in later if one.number > view.number] or later
    return item_url(after[0].token) if after else ""


@router.post("/item/{token}")
def save_item(
    request: Request,
    token: str,
    raw: RawForm,
    server: ServerParts,
    account: Annotator,
    now: Now,
) -> Response:
    """Save a rating and continue; on a problem, show the item again with the sent values."""
    try:
        saving.save(server.store, account.id, token, raw, now)
    except PausedError:
        with server.store.read() as db:
            view = rater_view.item_view(db, server.library, account.id, token)
        return go_to(request, f"/rate/round/{view.round.token}")
    except RatingError as error:
        return item_page(request, server, account, token, now, 422, raw, error.problems)
    except (StaleRatingError, RoundClosedError, FinalError) as error:
        return item_page(request, server, account, token, now, 409, raw, notice=error.message)
    with server.store.read() as db:
        view = rater_view.item_view(db, server.library, account.id, token)
    answer = go_to(request, onward(view))
    if is_htmx(request):  # for a page that has the next item already
        answer.headers["X-Saved"] = saved_line(view.round)
        answer.headers["X-Done"] = str(view.round.done)
    return answer


def onward(view: ItemView) -> str:
    """Return where to go after saving: the feedback, the next item or question, or the round."""
    if view.feedback is not None:
        return item_url(view.token)
    if view.round.paused:
        return f"/rate/round/{view.round.token}"
    return (
        following_item(view)
        or guess_url(view.round.next_guess)
        or f"/rate/round/{view.round.token}"
    )


def item_page(
    request: Request,
    server: Server,
    account: Account,
    token: str,
    now: datetime,
    status: int = 200,
    typed: dict[str, str] | None = None,
    errors: dict[str, str] | None = None,
    notice: str = "",
) -> Response:
    """Render an item with the sent values, or else the saved ones."""
    with server.store.read() as db:
        view = rater_view.item_view(db, server.library, account.id, token)
    i = item_facts(view, now) | {"errors": errors or {}, "notice": notice}
    i["typed"] = typed_fields(view, typed if errors else None)
    if notice and typed is not None:
        i["other"] = typed_words(typed, view)
    name = f"Training item {view.number}" if view.training else f"Item {view.number}"
    page = rate_page(account, "item", f"{name} of {len(view.round.places)}: {view.round.title}")
    part = is_htmx(request) and status != HTTPStatus.OK
    template = "rating/rater/_item.html" if part else "rating/rater/item.html"
    return render(request, template, status, page=page, i=i)


def item_facts(view: ItemView, now: datetime) -> dict[str, Any]:
    """Return `i` of the templates, made only from the allow-list."""
    return {
        "number": view.number,
        "total": len(view.round.places),
        "done": view.round.done,
        "training": view.training,
        "text": view.text,
        "truth": view.truth,
        "mode": view.round.mode,
        "meanings": rubric.MEANINGS,
        "criteria": rubric.CRITERIA,
        "criterion_meanings": rubric.CRITERION_MEANINGS,
        "reasons": rubric.SKIP_REASONS,
        "sources": rubric.SOURCES if view.asks_source else (),
        "rubric_html": to_html(view.round.rubric),
        "action": item_url(view.token),
        "ticket": new_ticket(),
        "revision": view.given.revision,
        "shown_ms": to_ms(now),
        "can_save": view.can_save,
        "is_open": view.round.is_open,
        "status": view.given.status,
        "words": view.given.words(view.round.mode),
        "saved_at": moment(view.given.saved_at),
        "saved": saved_line(view.round, view.token),
        "feedback": view.feedback,
        "previous": item_url(view.previous),
        "next": item_url(view.following),
        "round_url": f"/rate/round/{view.round.token}",
        "round_title": view.round.title,
        "go_on": onward_after_feedback(view),
        "other": "",
        "onward": "" if view.training else following_item(view),
    }


def onward_after_feedback(view: ItemView) -> str:
    """Return where 'Continue' leads from a training item's feedback."""
    following = view.round.next_place
    return item_url(following.token) if following else f"/rate/round/{view.round.token}"


def typed_fields(view: ItemView, typed: dict[str, str] | None) -> dict[str, str]:
    """Return the form's fields: as sent, or else as saved."""
    if typed is not None:
        return {name: typed.get(name, "") for name in FIELDS}
    given = view.given
    numbers = (given.value, *given.criteria)
    found = {
        name: "" if number is None else str(number)
        for name, number in zip(FIELDS, numbers, strict=False)
    }
    if given.skip_reason:
        found["value"] = saving.SKIP
    flag = "1" if given.flag else ""
    rest = {"flag": flag, "comment": given.comment, "guess": given.guess}
    return found | {"skip_reason": given.skip_reason, **rest}


def typed_words(typed: dict[str, str], view: ItemView) -> str:
    """Summarise what was sent but not saved."""
    words = typed.get("value", "") or "-"
    if view.round.mode != "overall":
        given = [(label, typed.get(name, "") or "-") for name, label, _ in rubric.CRITERIA]
        words = ", ".join(f"{label} {value}" for label, value in given)
    if typed.get("value") == saving.SKIP:
        words = "skip"
    comment = typed.get("comment", "").strip()
    return f"{words}, with the comment: {comment}" if comment else words


def moment(value: datetime | None) -> str:
    """Return a time as annotators see it."""
    return "" if value is None else f"{value:%H:%M:%S} UTC on {value.day} {value:%B}"


def saved_line(view: RoundView, shown: str = "") -> str:
    """Return a sentence on the rating saved last, as the server stored it.

    `shown`: token of the item on the page; if it has a rating, the sentence is about this one.
    """
    saved = [place for place in view.places if place.given.saved_at is not None]
    saved = [place for place in saved if place.token == shown] or saved
    if not saved:
        return ""
    last = max(saved, key=lambda place: (place.given.saved_at, place.number))
    words = last.given.words(view.mode)
    return f"Item {last.number}: {words}. Saved at {moment(last.given.saved_at)}."
