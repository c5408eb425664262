"""Disagreements in a closed round: the queue, and one item with its decision."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study.database import AnyRow, Connection
from app.study.design.studies import StudyView
from app.study.ground_truth import truth_of
from app.study.rating import adjudication, opinions, presentation, researcher_view, rounds, rubric
from app.study.rating.adjudication import (
    AdjudicationError,
    Case,
    OwnerDecidesError,
    StaleAdjudicationError,
)
from app.study.rating.opinions import Seen
from app.study.rating.rounds import NoRoundError, RoundStateError
from app.study.tickets import new_ticket
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts
from app.web.forms import read_count
from app.web.pages import render, see_other
from app.web.rating.overview import MOST, own_url
from app.web.rating.rounds import number_of
from app.web.researcher import admin_page, find_study

router = APIRouter(prefix="/admin/studies/{slug}/rating/rounds/{number}/adjudicate")


@router.get("")
def show_queue(
    request: Request, slug: str, number: str, server: ServerParts, account: Researcher
) -> Response:
    """Show the items on which annotators disagree, undecided ones first."""
    study = find_study(server, slug)
    with server.store.read() as db:
        row = rounds.find(db, study.id, number_of(number))
        queue = adjudication.queue(db, row)
        seen = seen_of(db, row, queue, account.name)
    own = own_url(slug, "rounds", row.number)
    q = {
        "study": study.title,
        "title": row.title,
        "state": row.state,
        "back": own,
        "cases": [
            {
                "case": case,
                "url": f"{own}/adjudicate/{case.number}",
                "state": state_of(case, seen.get(case.round_item_id)),
            }
            for case in queue
        ],
    }
    page = admin_page(account, "rating", f"Disagreements: {row.title}")
    return render(request, "rating/queue.html", page=page, q=q)


def seen_of(db: Connection, row: AnyRow, found: list[Case], by: str) -> dict[int, Seen]:
    """Return round item -> what this researcher may see of the opinions on it."""
    decided = {case.round_item_id: bool(case.decided) for case in found}
    return opinions.seen(db, row, adjudication.names_of(row.mode), by, decided)


def state_of(case: Case, seen: Seen | None) -> str:
    """Return the decision, or how far the opinions are."""
    if case.decided or seen is None:
        return case.decided
    if seen.complete:
        return f"opinions differ: {seen.owner or 'anyone'} decides"
    return f"{seen.given} of {seen.needed} opinions{', with yours' if seen.mine else ''}"


@router.get("/{place}")
def show_case(
    request: Request, slug: str, number: str, place: str, server: ServerParts, account: Researcher
) -> Response:
    """Show one item with each annotator's rating, and the decision form."""
    return case_page(request, server, account, find_study(server, slug), number_of(number), place)


def find_case(found: list[Case], place: str) -> Case:
    """Return the case with the number in the URL. Raises NoRoundError."""
    wanted = read_count(place, MOST)
    for case in found:
        if case.number == wanted:
            return case
    raise NoRoundError


def case_page(
    request: Request,
    server: Server,
    account: Account,
    study: StudyView,
    number: int,
    place: str,
    status: int = 200,
    *,
    typed: dict[str, str] | None = None,
    notice: str = "",
    field: str = "",
) -> Response:
    """Render one case; its author is not shown here either."""
    with server.store.read() as db:
        row = rounds.find(db, study.id, number)
        case = find_case(adjudication.cases(db, row), place)
        seen = seen_of(db, row, [case], account.name).get(case.round_item_id)
        item = researcher_view.item(db, case.item_id)
        truth = truth_of(server.library.variant(db, item.variant_hash))
    overall = row.mode == "overall"
    names = adjudication.names_of(row.mode)
    decided = dict(zip(names, case.decided.split(), strict=False))
    filled = {**decided, "comment": case.comment} if case.decided or not seen else seen.mine
    own = own_url(study.slug, "rounds", number, "adjudicate")
    c: dict[str, Any] = {
        "case": case,
        "text": presentation.shown(item.text, row.presentation),
        "truth": truth,
        "back": own,
        "action": f"{own}/{case.number}",
        "ticket": new_ticket(),
        "scales": [(name, label, rubric.CRITERION_MEANINGS) for name, label, _ in rubric.CRITERIA]
        if not overall
        else [("value", "Decision", rubric.MEANINGS)],
        "typed": typed if typed is not None else filled,
        "seen": seen,
        "is_opinion": seen is not None and not (seen.complete or case.decided),
        "waits": seen is not None and (seen.complete or bool(case.decided)) and not seen.decides,
        "notice": notice,
        "field": field,
        "state": row.state,
        "title": row.title,
    }
    page = admin_page(account, "rating", f"Case {case.number}: {row.title}")
    return render(request, "rating/case.html", status, page=page, c=c)


@router.post("/{place}")
def decide(
    request: Request,
    slug: str,
    number: str,
    place: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Store a decision and return to the queue."""
    study, round_number = find_study(server, slug), number_of(number)
    with server.store.read() as db:
        listed = adjudication.cases(db, rounds.find(db, study.id, round_number))
    case = find_case(listed, place)
    try:
        adjudication.decide(
            server.store, study.id, round_number, case.round_item_id, raw, account.name, now
        )
    except (
        AdjudicationError,
        OwnerDecidesError,
        RoundStateError,
        StaleAdjudicationError,
    ) as error:
        status = 422 if isinstance(error, AdjudicationError) else 409
        typed = raw if status == 422 else None  # noqa: PLR2004 - HTTP status
        return case_page(
            request,
            server,
            account,
            study,
            round_number,
            place,
            status,
            typed=typed,
            notice=error.message,
            field=error.field,
        )
    return see_other(own_url(slug, "rounds", round_number, "adjudicate"))
