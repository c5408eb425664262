"""The researcher's pages of a rating round: set up, check the assignment, open, watch, close."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.study import ground_truth
from app.study.database import AnyRow
from app.study.design.studies import StudyView
from app.study.rating import (
    adjudication,
    form_check,
    long_rows,
    researcher_view,
    round_form,
    round_plan,
    rounds,
)
from app.study.rating.matrix import MatrixError
from app.study.rating.round_form import RoundFormError
from app.study.rating.round_start import START, usual_k
from app.study.rating.rounds import NoRoundError, RoundStateError, StaleRoundError
from app.study.tickets import new_ticket
from app.web.deps import Account, Now, RawForm, Researcher, Server, ServerParts
from app.web.forms import read_count
from app.web.pages import render, see_other, to_html
from app.web.rating.overview import MOST, WHICH, own_url
from app.web.rating.progress import progress_line, share
from app.web.researcher import admin_page, find_study

router = APIRouter(prefix="/admin/studies/{slug}/rating/rounds")


def sample_words(row: AnyRow, judge: str) -> str:
    """Return the label of a sample in a choice."""
    return (
        f"Sample {row.number}: {row.per_level} items per level of {judge}, {row.allocation}, "
        f"seed {row.seed}"
    )


def form_page(
    request: Request,
    server: Server,
    account: Account,
    study: StudyView,
    typed: dict[str, str],
    status: int = 200,
    *,
    row: AnyRow | None = None,
    errors: dict[str, str] | None = None,
    notice: str = "",
    action: str = "",
) -> Response:
    """Render the set-up form of a new round or of a draft."""
    with server.store.read() as db:
        people = researcher_view.raters_to_choose(db)
        drawn = [
            (f"sample:{one.number}", sample_words(one, judge))
            for one, judge in researcher_view.samples_to_rate(db, study.id)
        ]
    f = {
        "study": study.title,
        "back": own_url(study.slug),
        "action": action or own_url(study.slug, "rounds", "new"),
        "ticket": new_ticket(),
        "revision": row.revision if row is not None else 0,
        "is_new": row is None,
        "typed": {**START, "k": str(usual_k(len(people))), **typed},
        "errors": errors or {},
        "notice": notice,
        "people": [
            {"id": one.id, "name": one.name, "on": bool(typed.get(f"rater_{one.id}"))}
            for one in people
        ],
        "samples": drawn,
        "which": [
            (code, f"Explanations by models, and by players: {words}") for code, words in WHICH
        ],
    }
    name = f"Round {row.number}" if row is not None else "New round"
    page = admin_page(account, "rating", f"{name}: {study.title}")
    return render(request, "rating/form.html", status, page=page, f=f)


@router.get("/new")
def show_new(request: Request, slug: str, server: ServerParts, account: Researcher) -> Response:
    """Show the form of a new round, with the sample in the URL selected, if any."""
    sample = read_count(request.query_params.get("sample", ""), MOST)
    typed = {"items": f"sample:{sample}"} if sample else {}
    return form_page(request, server, account, find_study(server, slug), typed)


@router.post("/new")
def create(
    request: Request, slug: str, raw: RawForm, server: ServerParts, account: Researcher, now: Now
) -> Response:
    """Create a draft."""
    study = find_study(server, slug)
    try:
        number = rounds.create(
            server.store, study.id, raw, account.name, raw.get("ticket", ""), now
        )
    except RoundFormError as error:
        return form_page(request, server, account, study, raw, 422, errors=error.problems)
    return see_other(own_url(slug, "rounds", number))


def givers(people: researcher_view.RoundPeople) -> list[tuple[str, list[str]]]:
    """Return a round's annotators by name, each with those who can take over their open items."""
    found = [
        (one.name, [name for name in people.others if name != one.name]) for one in people.raters
    ]
    return [(name, others) for name, others in found if others]


def number_of(text: str) -> int:
    """Return the round number in a URL. Raises NoRoundError."""
    found = read_count(text, MOST)
    if not found:
        raise NoRoundError
    return found


@router.get("/{number}")
def show_round(
    request: Request, slug: str, number: str, server: ServerParts, account: Researcher
) -> Response:
    """Show a round: its assignment, or its annotators' progress."""
    return round_page(request, server, account, find_study(server, slug), number_of(number))


def round_page(
    request: Request,
    server: Server,
    account: Account,
    study: StudyView,
    number: int,
    status: int = 200,
    notice: str = "",
) -> Response:
    """Render a round with the next possible actions."""
    with server.store.read() as db:
        row = rounds.find(db, study.id, number)
        people = researcher_view.round_people(db, row)
        try:
            plan = round_plan.plan(db, row)
        except MatrixError as error:
            plan, notice = None, notice or error.message
        queue = adjudication.queue(db, row) if row.state == "closed" else []
        checks = long_rows.checks_of(db, row)
        form = form_check.form_of(row.state, row.presentation)
        telling = form_check.check(researcher_view.round_items(db, row), form, row.seed)
    own = own_url(study.slug, "rounds", number)
    r: dict[str, Any] = {
        **row._asdict(),
        "study": study.title,
        "back": own_url(study.slug),
        "edit_url": f"{own}/edit",
        "open_action": f"{own}/open",
        "close_url": f"{own}/close",
        "queue_url": f"{own}/adjudicate",
        "agreement_url": f"{own}/agreement",
        "n_queue": len(queue),
        "n_undecided": sum(not case.decided for case in queue),
        "rubric_html": to_html(row.rubric),
        "newest_rule_version": ground_truth.VERSION,
        "ticket": new_ticket(),
        "notice": notice,
        "plan": plan,
        "form_check": form_check.words(telling),
        "form_tells": form_check.is_telling(telling),
        "sample": people.sample,
        "sample_url": own_url(study.slug, "samples", people.sample),
        "progress": [progress_line(one, people.progress, row.ask_source) for one in people.raters],
        "checks": [
            (one.pseudonym, share(c.training), share(c.gold), share(c.repeats))
            for one in people.raters
            if (c := checks.get(one.pseudonym)) is not None
        ],
        "own": own,
        "handovers": people.log,
        "pauses": people.pauses,
        "givers": givers(people) if row.state == "open" else [],
        "has_checks": any(c.training[1] + c.gold[1] + c.repeats[1] for c in checks.values()),
    }
    page = admin_page(account, "rating", f"Round {number}: {study.title}")
    return render(request, "rating/round.html", status, page=page, r=r)


@router.get("/{number}/edit")
def show_edit(
    request: Request, slug: str, number: str, server: ServerParts, account: Researcher
) -> Response:
    """Show a draft's set-up form."""
    study = find_study(server, slug)
    with server.store.read() as db:
        row = rounds.find(db, study.id, number_of(number))
        people = researcher_view.round_people(db, row)
        listed = researcher_view.round_items(db, row)
    if row.state != "draft":
        return see_other(own_url(slug, "rounds", row.number))
    raters = [one.account_id for one in people.raters]
    typed = round_form.typed_of(row, raters, listed, people.sample)
    action = own_url(slug, "rounds", row.number, "edit")
    return form_page(request, server, account, study, typed, row=row, action=action)


@router.post("/{number}/edit")
def save_edit(
    request: Request,
    slug: str,
    number: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Change a draft."""
    study, place = find_study(server, slug), number_of(number)
    ticket, revision = raw.get("ticket", ""), known_revision(raw)
    try:
        rounds.update(server.store, study.id, place, revision, raw, account.name, ticket, now)
    except (RoundFormError, StaleRoundError) as error:
        with server.store.read() as db:
            row = rounds.find(db, study.id, place)
        problems = error.problems if isinstance(error, RoundFormError) else {}
        status = 422 if problems else 409
        notice = "" if problems else error.message
        action = own_url(slug, "rounds", place, "edit")
        return form_page(
            request,
            server,
            account,
            study,
            raw,
            status,
            row=row,
            errors=problems,
            notice=notice,
            action=action,
        )
    return see_other(own_url(slug, "rounds", place))


def known_revision(raw: dict[str, str]) -> int:
    """Return the revision that the form is based on, or -1 if it is not a number."""
    found = read_count(raw.get("revision", ""), MOST)
    return -1 if found is None else found


@router.post("/{number}/{verb}")
def open_or_close(
    request: Request,
    slug: str,
    number: str,
    verb: str,
    raw: RawForm,
    server: ServerParts,
    account: Researcher,
    now: Now,
) -> Response:
    """Open a draft as shown on the page, or close a round."""
    study, place = find_study(server, slug), number_of(number)
    try:
        if verb == "open":
            rounds.open_round(server.store, study.id, place, known_revision(raw), now)
        elif verb == "close":
            rounds.close_round(server.store, study.id, place, now)
        else:
            raise NoRoundError
    except (RoundStateError, StaleRoundError, MatrixError) as error:
        return round_page(request, server, account, study, place, 409, error.message)
    return see_other(own_url(slug, "rounds", place))
